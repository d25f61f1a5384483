/** The fewest covering walks of a small call graph, by trying all: no flow, no components. */
import type { CallGraph } from '../../src/scenarios/call-graph.js';

/**
 * Every walk is a pair of where it stands and what it has taken; those at an end (or where no end
 * can be reached) are candidates, and the fewest candidates that take everything together win.
 */
export function fewestWalks(graph: CallGraph): number {
  const bits = new Map<number, number>();
  for (const [arc, each] of graph.required.entries()) if (each === 1) bits.set(arc, 1 << bits.size);
  const all = (1 << bits.size) - 1;
  const arcs = Array.from(graph.sources, (from, arc) => ({
    from,
    to: graph.targets[arc]!,
    bit: bits.get(arc) ?? 0,
  }));
  const canStop = (node: number) =>
    graph.ends[node] === 1 || !reach(arcs, node).some((each) => graph.ends[each] === 1);
  const seen = new Set(['0 0']);
  const queue = [{ node: 0, taken: 0 }];
  for (const { node, taken } of queue) {
    for (const { from, to, bit } of arcs) {
      const next = { node: to, taken: taken | bit };
      const key = `${next.node} ${next.taken}`;
      if (from !== node || seen.has(key)) continue;
      seen.add(key);
      queue.push(next);
    }
  }
  const candidates = [...new Set(queue.filter(({ node }) => canStop(node)).map((it) => it.taken))];
  let covered = new Set([0]);
  for (let walks = 1; ; walks += 1) {
    covered = new Set([...covered].flatMap((set) => candidates.map((taken) => set | taken)));
    if (covered.has(all)) return walks;
  }
}

function reach(arcs: readonly { from: number; to: number }[], start: number): number[] {
  const found = [start];
  for (const node of found) {
    for (const { from, to } of arcs) if (from === node && !found.includes(to)) found.push(to);
  }
  return found;
}
