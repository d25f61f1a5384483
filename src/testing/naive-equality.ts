/**
 * Which nodes behave the same: the largest relation in which related nodes look alike and each
 * step of one is answered by a step of the other to a related node. It starts with all pairs that
 * look alike and drops a pair as long as one does not hold; slow, and plainly the definition.
 */
import { type Answered, nodeOf, type Source, type SourceEdge } from './source.js';

/** For each reachable node the first of the nodes that are equal to it. */
export function naiveRepresentatives(source: Source, answered: Answered): Map<number, number> {
  const nodes = [...source.reachable].sort((a, b) => a - b);
  const key = (a: number, b: number): string => `${a}~${b}`;
  const related = new Set<string>();
  for (const a of nodes) {
    for (const b of nodes) {
      if (a === b || look(source, answered, a) === look(source, answered, b))
        related.add(key(a, b));
    }
  }
  const answersStep = (step: SourceEdge, b: number): boolean =>
    source.edges.some(
      (other) =>
        other.from === b &&
        label(answered, step) === label(answered, other) &&
        related.has(key(step.to, other.to)),
    );
  const holds = (a: number, b: number): boolean =>
    source.edges.filter(({ from }) => from === a).every((step) => answersStep(step, b));
  for (let shrunk = true; shrunk; ) {
    shrunk = false;
    for (const a of nodes) {
      for (const b of nodes) {
        if (!related.has(key(a, b)) || (holds(a, b) && holds(b, a))) continue;
        related.delete(key(a, b));
        shrunk = true;
      }
    }
  }
  const first = (b: number): number => nodes.find((a) => related.has(key(a, b))) ?? b;
  return new Map(nodes.map((node) => [node, first(node)]));
}

/** Everything about a node that its continuation does not say; nothing else looks like the start. */
function look(source: Source, answered: Answered, index: number): string {
  const { id, name: _, ...rest } = nodeOf(source, index);
  if (index === source.start || rest.isGlobal) return `only ${id}`;
  const saying = Object.entries(rest).filter(([, value]) => value !== '');
  const fields = saying.sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([fields, answersAbout(answered, `/nodes/${index}`)]);
}

function label(answered: Answered, { index, condition }: SourceEdge): string {
  return JSON.stringify([condition ?? null, answersAbout(answered, `/edges/${index}`)]);
}

/** Answers that change what a node or an edge is, as against how nodes are grouped. */
function answersAbout({ asked, answers }: Answered, place: string): unknown[] {
  const about = asked.filter(
    ({ kind, at }) =>
      kind !== 'cyclic-stages' &&
      kind !== 'ambiguous-start' &&
      at.some((each) => each === place || each.startsWith(`${place}/`)),
  );
  return about
    .map(({ kind, id }) => [kind, answers[id]] as const)
    .filter(([, answer]) => answer?.choice !== 'caller' && answer?.choice !== 'best-effort');
}
