/**
 * What answers keep apart.
 *
 * An answer splits some vertices: it puts a label on each of them, and two that it has labelled
 * differently never share an assistant. A stage bears the labels of its vertices, at most one of
 * each split; two stages clash when they bear different labels of one split.
 */

/** By vertex, its label. Labels of groups are 0 and up. */
export type Split = ReadonlyMap<number, number>;

/** By number of the split, the label; null where no answer says anything, as is usual. */
export type Labels = Map<number, number> | null;

/** The label of a vertex that is kept apart by itself: no other vertex has it. */
export function loneLabel(vertex: number): number {
  return -1 - vertex;
}

export function clash(one: Labels, other: Labels): boolean {
  if (one === null || other === null) return false;
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  for (const [split, label] of few) if ((many.get(split) ?? label) !== label) return true;
  return false;
}

/** The labels of both, which must not clash; one of the two may be changed, and is the result. */
export function uniteLabels(one: Labels, other: Labels): Labels {
  if (one === null || other === null) return one ?? other;
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  for (const [split, label] of few) many.set(split, label);
  return many;
}

/** What is left when lone vertices are free to go. */
export function withoutLone(labels: Labels): Labels {
  if (labels === null) return null;
  const named = [...labels].filter(([, label]) => label >= 0);
  return named.length === 0 ? null : new Map(named);
}
