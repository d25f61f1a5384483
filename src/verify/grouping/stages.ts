/**
 * Stages: the sets of vertices that the phases make larger until they are the assistants.
 *
 * Invariants: every stage has a vertex of its own, and stages are numbered by the first they have,
 * so in walk order; a vertex is at most one stage's own. After phase 5 some tools are nobody's own:
 * they are in bundles, and a stage may hold bundles, every stage those that are given to all.
 */
import { sortByKey, tabulate } from '../rows.js';
import { type Labels, uniteLabels } from './labels.js';
import type { Quotient } from './quotient.js';

export interface Stages {
  readonly count: number;
  /** The stage of each vertex; -1 where it is nobody's own. */
  readonly of: Int32Array;
  /** By stage, what answers say about it. */
  readonly labels: readonly Labels[];
  /** By stage, the bundles of tools that it holds, those aside that all stages hold. */
  readonly held: readonly (readonly number[])[];
}

/** Tools that have been given away: what was one stage stays together. */
export interface Bundles {
  readonly count: number;
  /** The bundle of each vertex; -1 where it is a stage's own. */
  readonly of: Int32Array;
  /** By bundle, the vertices outside of all bundles that it leads to. */
  readonly onward: readonly (readonly number[])[];
  /** Bundles that every stage holds, and what they lead to. */
  readonly given: readonly number[];
  readonly onwardOfGiven: readonly number[];
}

export const nothingHeld: readonly number[] = [];

/** Before any tool is given away. */
export function noBundles({ nodes }: Quotient): Bundles {
  const of = new Int32Array(nodes.length).fill(-1);
  return { count: 0, of, onward: [], given: [], onwardOfGiven: [] };
}

/** Each vertex as a stage of its own. */
export function stagesOfVertices({ nodes }: Quotient): Stages {
  const { length: count } = nodes;
  return {
    count,
    of: tabulate(count, (vertex) => vertex),
    labels: new Array<Labels>(count).fill(null),
    held: new Array<readonly number[]>(count).fill(nothingHeld),
  };
}

/** Stages are numbered by their first vertex, so with as many each vertex is the stage of its number. */
export function areVertices({ count, of }: Stages): boolean {
  return count === of.length;
}

/** The own vertices of stage `s` are `order[offsets[s]] … order[offsets[s + 1] - 1]`. */
export function listOwn({ count, of }: Stages): {
  readonly offsets: Int32Array;
  readonly order: Int32Array;
} {
  return sortByKey(
    count + 1,
    tabulate(of.length, (vertex) => (of[vertex] === -1 ? count : of[vertex]!)),
  );
}

/** By stage, whether one of its own vertices has the flag. */
export function flagStages({ count, of }: Stages, flags: Uint8Array): Uint8Array {
  const flagged = new Uint8Array(count);
  for (let vertex = 0; vertex < of.length; vertex += 1) {
    if (flags[vertex] === 1 && of[vertex] !== -1) flagged[of[vertex]!] = 1;
  }
  return flagged;
}

/** Stages that a call enters from outside, whatever the edges say: no stage before them may join. */
export function flagEntered(quotient: Quotient, stages: Stages): Uint8Array {
  const flagged = flagGlobals(quotient, stages);
  const start = stageOfStart(quotient, stages);
  if (start !== -1) flagged[start] = 1;
  return flagged;
}

/** The stage that has the start of its own; -1 where none does. */
export function stageOfStart({ start }: Quotient, { of }: Stages): number {
  return start === -1 ? -1 : of[start]!;
}

/** Stages that have a global vertex of their own. */
export function flagGlobals({ globals }: Quotient, { count, of }: Stages): Uint8Array {
  const flagged = new Uint8Array(count);
  for (const vertex of globals) if (of[vertex] !== -1) flagged[of[vertex]!] = 1;
  return flagged;
}

/** One stage of those with the same root; the labels are those of the root. */
export function joinByRoot(
  stages: Stages,
  rootOf: (stage: number) => number,
  labelsOf: (root: number) => Labels,
): Stages {
  const numbers = new Int32Array(stages.count).fill(-1);
  const labels: Labels[] = [];
  const of = tabulate(stages.of.length, (vertex) => {
    const stage = stages.of[vertex]!;
    if (stage === -1) return -1;
    const root = rootOf(stage);
    if (numbers[root] === -1) numbers[root] = labels.push(labelsOf(root)) - 1;
    return numbers[root]!;
  });
  const held = new Array<readonly number[]>(labels.length).fill(nothingHeld);
  // Before tools are given away no stage holds any.
  if (stages.held.every((list) => list.length === 0))
    return { count: labels.length, of, labels, held };
  const several = new Map<number, (readonly number[])[]>();
  stages.held.forEach((list, stage) => {
    if (list.length === 0) return;
    const number = numbers[rootOf(stage)]!;
    const lists = several.get(number);
    if (lists === undefined) several.set(number, [list]);
    else lists.push(list);
  });
  for (const [number, lists] of several) held[number] = uniteHeld(lists);
  return { count: labels.length, of, labels, held };
}

/** The bundles that are in one of the lists, in order. */
function uniteHeld(lists: readonly (readonly number[])[]): readonly number[] {
  if (lists.length === 1) return lists[0]!;
  return [...new Set(lists.flat())].sort((one, other) => one - other);
}

/** The labels of two stages that become one. */
export function joinLabels(labels: Labels[], into: number, from: number): void {
  labels[into] = uniteLabels(labels[into]!, labels[from]!);
}
