/**
 * Facts that flow through a graph, 32 at a time in the bits of one word per vertex.
 *
 * In: a flow, and facts that begin at some vertices and end at others. Out: for each vertex the
 * facts that hold there: those that begin there, and those that hold at something that flows into
 * it and do not end there. The least solution.
 *
 * Facts that are asked for at about the same place are looked at together, and only in the window
 * from where the first of them begins to where the last is asked for. One pass over the window
 * settles all but its loops. In a loop a vertex is looked at again when something that flows into
 * it has changed, which is at most once per fact: no graph costs more than a search per fact.
 */
import { type Flow, firstLoopFrom, loopAt, type Stretch } from './flow.js';

export interface Fact {
  readonly begins: readonly number[];
  readonly ends: readonly number[];
  /** The last vertex, in the order of the line, at which the fact is asked for. */
  readonly last: number;
}

/** Facts with their bits: whether the fact at place i holds at v is bit i of `holds[v]`. */
export interface Block<F extends Fact> {
  readonly facts: readonly F[];
  readonly holds: Int32Array;
}

/** Calls `read` with one block after the other; what it holds is true up to each fact's `last`. */
export function propagate<F extends Fact>(
  flow: Flow,
  facts: readonly F[],
  read: (block: Block<F>) => void,
): void {
  if (facts.length === 0) return;
  const sorted = facts.toSorted((one, other) => one.last - other.last);
  const holds = new Int32Array(flow.size);
  const board: Board = { flow, holds, ends: new Int32Array(flow.size), pending: [] };
  for (let at = 0; at < sorted.length; at += 32) {
    const block = sorted.slice(at, at + 32);
    const window = windowOf(flow, block);
    mark(board, block, window);
    settle(board, window);
    read({ facts: block, holds });
    holds.fill(0, window.first, window.last + 1);
    board.ends.fill(0, window.first, window.last + 1);
  }
}

interface Board {
  readonly flow: Flow;
  readonly holds: Int32Array;
  readonly ends: Int32Array;
  readonly pending: number[];
}

/** What begins after it is asked for does not matter; a loop matters as a whole. */
function windowOf(flow: Flow, facts: readonly Fact[]): Stretch {
  let [first, last] = [flow.size, -1];
  for (const fact of facts) {
    const end = loopAt(flow, fact.last).last;
    for (const begin of fact.begins) {
      if (begin > end) continue;
      if (begin < first) first = begin;
      if (end > last) last = end;
    }
  }
  return last < 0 ? { first: 0, last: -1 } : { first: loopAt(flow, first).first, last };
}

function mark({ holds, ends }: Board, facts: readonly Fact[], { first, last }: Stretch): void {
  // Facts that end at the same places, as captures of one variable do, share the list of them.
  const endings = new Map<readonly number[], number>();
  facts.forEach((fact, bit) => {
    const word = 1 << bit;
    for (const at of fact.begins) if (at >= first && at <= last) holds[at]! |= word;
    if (fact.ends.length > 0) endings.set(fact.ends, (endings.get(fact.ends) ?? 0) | word);
  });
  for (const [places, word] of endings) {
    for (const at of places) if (at >= first && at <= last) ends[at]! |= word;
  }
}

function settle(board: Board, { first, last }: Stretch): void {
  const { loops } = board.flow;
  let from = first;
  for (let loop = firstLoopFrom(board.flow, first); from <= last; loop += 2) {
    const start = loops[loop] ?? last + 1;
    pass(board, from, Math.min(start - 1, last));
    if (start > last) return;
    const end = loops[loop + 1]!;
    pass(board, start, end);
    goRound(board, start, end);
    from = end + 1;
  }
}

/** One pass in the order of the line, which settles every stretch without a loop. */
function pass({ flow, holds, ends }: Board, first: number, last: number): void {
  const { offsets, targets: sources } = flow.into;
  for (let vertex = first; vertex <= last; vertex += 1) {
    let word = 0;
    const stop = offsets[vertex + 1]!;
    for (let slot = offsets[vertex]!; slot < stop; slot += 1) word |= holds[sources[slot]!]!;
    if (word !== 0) holds[vertex]! |= word & ~ends[vertex]!;
  }
}

/** Carries on, within the loop, what its arcs back bring. */
function goRound(board: Board, first: number, last: number): void {
  const { flow, holds, pending } = board;
  const { offsets, targets: sources } = flow.into;
  for (let vertex = first; vertex <= last; vertex += 1) {
    const stop = offsets[vertex + 1]!;
    let word = 0;
    for (let slot = offsets[vertex]!; slot < stop; slot += 1) {
      if (sources[slot]! > vertex) word |= holds[sources[slot]!]!;
    }
    if (word !== 0) receive(board, vertex, word);
  }
  for (let vertex = pending.pop(); vertex !== undefined; vertex = pending.pop()) {
    const { offsets: starts, targets } = flow.outOf;
    const word = holds[vertex]!;
    for (let slot = starts[vertex]!; slot < starts[vertex + 1]!; slot += 1) {
      if (targets[slot]! >= first && targets[slot]! <= last) receive(board, targets[slot]!, word);
    }
  }
}

/** A vertex may be pending twice; it then has nothing to say the second time. */
function receive({ holds, ends, pending }: Board, vertex: number, word: number): void {
  const fresh = word & ~ends[vertex]! & ~holds[vertex]!;
  if (fresh === 0) return;
  holds[vertex]! |= fresh;
  pending.push(vertex);
}
