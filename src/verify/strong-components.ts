/** Strongly connected components (Kosaraju), with lists for the recursion. */

/** For each vertex the number of its component; `successors` names vertices by position. */
export function numberComponents(successors: readonly Iterable<number>[]): Int32Array {
  const predecessors: number[][] = successors.map(() => []);
  successors.forEach((after, from) => {
    for (const to of after) predecessors[to]!.push(from);
  });
  const component = new Int32Array(successors.length).fill(-1);
  let count = 0;
  for (const root of finishingOrder(successors).reverse()) {
    if (component[root] !== -1) continue;
    component[root] = count;
    const pending = [root];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      for (const before of predecessors[at]!) {
        if (component[before] !== -1) continue;
        component[before] = count;
        pending.push(before);
      }
    }
    count += 1;
  }
  return component;
}

/** Vertices in the order in which a depth-first search leaves them. */
function finishingOrder(successors: readonly Iterable<number>[]): number[] {
  const seen = new Uint8Array(successors.length);
  const order: number[] = [];
  for (let root = 0; root < successors.length; root += 1) {
    if (seen[root] === 1) continue;
    seen[root] = 1;
    const trail = [{ vertex: root, rest: iterate(successors[root]!) }];
    for (let top = trail.at(-1); top !== undefined; top = trail.at(-1)) {
      const next = top.rest.next();
      if (next.done === true) {
        order.push(top.vertex);
        trail.pop();
      } else if (seen[next.value] !== 1) {
        seen[next.value] = 1;
        trail.push({ vertex: next.value, rest: iterate(successors[next.value]!) });
      }
    }
  }
  return order;
}

function iterate(values: Iterable<number>): Iterator<number> {
  return values[Symbol.iterator]();
}
