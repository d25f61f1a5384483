/**
 * The node that each assistant begins with: the start, else its global node that a walk meets
 * first, else the first of those that another assistant hands off to.
 */
import type { Quotient } from './quotient.js';
import type { Bundles, Stages } from './stages.js';

/** For each stage the vertex that it begins with. */
export function findFirst(quotient: Quotient, stages: Stages, bundles: Bundles): Int32Array {
  const first = new Int32Array(stages.count).fill(-1);
  const choose = (vertex: number): void => {
    const stage = stages.of[vertex]!;
    if (stage !== -1 && first[stage] === -1) first[stage] = vertex;
  };
  if (quotient.start !== -1) choose(quotient.start);
  if (stages.count > 1) for (const vertex of quotient.globals) choose(vertex);
  flagHandedTo(quotient, stages, bundles).forEach((isHandedTo, vertex) => {
    if (isHandedTo === 1) choose(vertex);
  });
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
