/**
 * Going about inside strongly connected components: from any node of one every other can be
 * reached, so one walk can take as many of its arcs as it is asked to.
 *
 * Every leg goes the shortest way, to the nearest arc that no walk has taken yet or to the nearest
 * node at which the walk wants to be. What is looked at and walked is counted: a graph in which
 * every new arc is far from the one before has walks longer than anybody could keep.
 */
import type { CallGraph, Components } from './call-graph.js';

export interface Excursions {
  /** Required arcs inside a component that no walk has taken. */
  readonly left: (component: number) => number;
  /**
   * Takes up to so many of them, from this node on, then goes to the nearest node that fits
   * (nowhere without a goal). Adds the arcs to the walk; gives the node at which it stands then.
   */
  readonly go: (
    walk: number[],
    from: number,
    amount: number,
    goal: ((node: number) => boolean) | null,
  ) => number;
  /** Whether it was too much: walks end where they stand then, and are of no use. */
  readonly gaveUp: () => boolean;
}

/** Walks beyond this effort are longer than anybody could read. */
const maxEffort = 400_000_000;

/** What a walked arc costs beside one that was only looked at: it is kept. */
const keeping = 100;

export function createExcursions(graph: CallGraph, { of, count }: Components): Excursions {
  const { leaving, sources, targets, required } = graph;
  const isInner = (arc: number) => of[sources[arc]!] === of[targets[arc]!];
  const fresh = Uint8Array.from(required, (each, arc) => (each === 1 && isInner(arc) ? 1 : 0));
  const left = new Int32Array(count);
  for (const [arc, each] of fresh.entries()) left[of[sources[arc]!]!]! += each;
  const cursor = new Int32Array(leaving.length);
  const seen = new Int32Array(cursor.length).fill(-1);
  const cameBy = new Int32Array(cursor.length);
  let searches = 0;
  let effort = 0;

  return { left: (component) => left[component]!, go, gaveUp: () => effort > maxEffort };

  function go(
    walk: number[],
    from: number,
    amount: number,
    goal: ((node: number) => boolean) | null,
  ): number {
    const component = of[from]!;
    let node = from;
    for (
      let rest = Math.min(amount, left[component]!);
      rest > 0 && effort <= maxEffort;
      rest -= 1
    ) {
      node = follow(walk, node, (at) => freshArcAt(at) !== -1);
      node = take(walk, freshArcAt(node));
    }
    return goal === null ? node : follow(walk, node, goal);
  }

  /** The first arc out of the node that no walk has taken; -1 where all are. */
  function freshArcAt(node: number): number {
    const arcs = leaving[node]!;
    while (cursor[node]! < arcs.length && fresh[arcs[cursor[node]!]!] === 0) cursor[node]! += 1;
    return arcs[cursor[node]!] ?? -1;
  }

  function take(walk: number[], arc: number): number {
    if (fresh[arc] === 1) left[of[sources[arc]!]!]! -= 1;
    fresh[arc] = 0;
    walk.push(arc);
    effort += keeping;
    return targets[arc]!;
  }

  /** Goes the shortest way to a node that fits; inside of the component there is one. */
  function follow(walk: number[], from: number, fits: (node: number) => boolean): number {
    if (fits(from)) return from;
    searches += 1;
    seen[from] = searches;
    const queue = [from];
    for (const node of queue) {
      for (const arc of leaving[node]!) {
        effort += 1;
        const next = targets[arc]!;
        if (of[next] !== of[from] || seen[next] === searches) continue;
        seen[next] = searches;
        cameBy[next] = arc;
        if (fits(next)) return retrace(walk, from, next);
        queue.push(next);
      }
    }
    return from;
  }

  function retrace(walk: number[], from: number, to: number): number {
    const way: number[] = [];
    for (let node = to; node !== from; node = sources[way.at(-1)!]!) way.push(cameBy[node]!);
    for (const arc of way.reverse()) take(walk, arc);
    return to;
  }
}
