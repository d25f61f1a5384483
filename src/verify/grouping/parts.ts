/**
 * Phase 3 of the grouping: a strongly connected component is one stage, unless an answer keeps
 * parts of it apart; then what has the same labels is one, and what has none is alone.
 */
import { tabulate } from '../rows.js';
import type { Labels, Split } from './labels.js';
import type { Quotient } from './quotient.js';
import { nothingHeld, type Stages, stagesOfVertices } from './stages.js';

export function cutComponents(
  quotient: Quotient,
  components: Int32Array,
  splits: readonly Split[],
): Stages {
  const { nodes } = quotient;
  if (splits.length === 0 && areAlone(components)) return stagesOfVertices(quotient);
  const labelled = listLabels(splits);
  const isCut = new Uint8Array(nodes.length);
  for (const vertex of labelled.keys()) isCut[components[vertex]!] = 1;
  const whole = new Int32Array(nodes.length).fill(-1);
  const parts = new Map<string, number>();
  const labels: Labels[] = [];
  const of = tabulate(components.length, (vertex) => {
    const component = components[vertex]!;
    if (isCut[component] === 0) {
      if (whole[component] === -1) whole[component] = labels.push(null) - 1;
      return whole[component]!;
    }
    const own = labelled.get(vertex) ?? null;
    const key = own === null ? `alone ${vertex}` : `${component} ${[...own].flat().join(' ')}`;
    let part = parts.get(key);
    if (part === undefined) {
      // Stages change their labels when they are joined, so each has its own.
      part = labels.push(own === null ? null : new Map(own)) - 1;
      parts.set(key, part);
    }
    return part;
  });
  return { count: labels.length, of, labels, held: labels.map(() => nothingHeld) };
}

/** Whether each vertex is a component by itself, numbered as it is, as where no step leads back. */
function areAlone(components: Int32Array): boolean {
  for (let vertex = 0; vertex < components.length; vertex += 1) {
    if (components[vertex] !== vertex) return false;
  }
  return true;
}

function listLabels(splits: readonly Split[]): ReadonlyMap<number, Map<number, number>> {
  const labelled = new Map<number, Map<number, number>>();
  splits.forEach((split, number) => {
    for (const [vertex, label] of split) {
      const own = labelled.get(vertex);
      if (own === undefined) labelled.set(vertex, new Map([[number, label]]));
      else own.set(number, label);
    }
  });
  return labelled;
}
