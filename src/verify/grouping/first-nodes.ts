/**
 * The node that each assistant begins with: the start, else its global node that a walk meets
 * first, else the first of those that another assistant hands off to.
 */
import type { Quotient } from './quotient.js';
import type { Bundles, Stages } from './stages.js';

/** For each stage the vertex that it begins with. */
export function findFirst(quotient: Quotient, stages: Stages, bundles: Bundles): Int32Array {
  const first = new Int32Array(stages.count).fill(-1);
  const choose = (is: (vertex: number) => boolean) => {
    stages.of.forEach((stage, vertex) => {
      if (stage !== -1 && first[stage] === -1 && is(vertex)) first[stage] = vertex;
    });
  };
  choose((vertex) => quotient.isStart[vertex] === 1);
  if (stages.count > 1) choose((vertex) => quotient.isGlobal[vertex] === 1);
  const entered = flagHandedTo(quotient, stages, bundles);
  choose((vertex) => entered[vertex] === 1);
  return first;
}

/** Vertices that a step from another stage leads to. */
function flagHandedTo(
  { successors }: Quotient,
  { count, of, held }: Stages,
  bundles: Bundles,
): Uint8Array {
  const handedTo = new Uint8Array(of.length);
  of.forEach((stage, vertex) => {
    if (stage === -1) return;
    for (let at = successors.offsets[vertex]!; at < successors.offsets[vertex + 1]!; at += 1) {
      const to = successors.targets[at]!;
      if (of[to] !== -1 && of[to] !== stage) handedTo[to] = 1;
    }
  });
  held.forEach((list, stage) => {
    for (const bundle of list) {
      for (const to of bundles.onward[bundle]!) if (of[to] !== stage) handedTo[to] = 1;
    }
  });
  if (count > 1) for (const to of bundles.onwardOfGiven) handedTo[to] = 1;
  return handedTo;
}
