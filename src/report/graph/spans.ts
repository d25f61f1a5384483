/**
 * How far the edges of a picture reach, in ranks.
 *
 * An edge over many ranks has a bend in each, and the bends are what a layout spends its time on; a
 * picture full of them is no help either. Ranks are those of the longest way from above, edges that
 * lead back aside, as the layout ranks them; a step by step search, because graphs can be deep.
 */
import type { Picture } from './picture.js';

export function totalSpan({ nodes, edges }: Picture): number {
  const numbers = new Map(nodes.map(({ id }, index) => [id, index]));
  const targets: number[][] = nodes.map(() => []);
  for (const { from, to } of edges) {
    if (from !== to) targets[numbers.get(from)!]!.push(numbers.get(to)!);
  }
  const order = finishOrder(targets).reverse();
  const position = new Int32Array(nodes.length);
  for (const [at, node] of order.entries()) position[node] = at;
  const rank = new Int32Array(nodes.length);
  for (const node of order) {
    for (const target of targets[node]!) {
      if (position[target]! > position[node]!)
        rank[target] = Math.max(rank[target]!, rank[node]! + 1);
    }
  }
  let span = 0;
  for (const [node, list] of targets.entries()) {
    for (const target of list) span += Math.abs(rank[target]! - rank[node]!);
  }
  return span;
}

/** Nodes as a depth-first search leaves them. */
function finishOrder(targets: readonly (readonly number[])[]): number[] {
  const next = new Int32Array(targets.length);
  const seen = new Uint8Array(targets.length);
  const finished: number[] = [];
  for (const root of targets.keys()) {
    if (seen[root]) continue;
    const path = [root];
    seen[root] = 1;
    while (path.length > 0) {
      const node = path[path.length - 1]!;
      const target = targets[node]![next[node]!++];
      if (target === undefined) finished.push(path.pop()!);
      else if (!seen[target]) {
        seen[target] = 1;
        path.push(target);
      }
    }
  }
  return finished;
}
