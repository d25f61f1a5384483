/**
 * The answer that keeps settings apart cuts every inner step whose ends want different settings: a
 * step of a talk node to another one, directly or through tools.
 *
 * What stays together are the talk nodes that steps join which want the same. Through tools they
 * are found for one wanted setting at a time: the tools that such nodes lead to and that lead to
 * such nodes join all of both.
 */
import { type Rows, reverseRows, toRows } from '../rows.js';
import { createDisjointSets } from './disjoint-sets.js';
import type { Split } from './labels.js';
import type { Quotient } from './quotient.js';
import type { Conflict } from './settings-questions.js';
import type { Bundles, Stages } from './stages.js';
import type { WantedSettings } from './wanted-settings.js';

export function splitBySettings(
  quotient: Quotient,
  stages: Stages,
  bundles: Bundles,
  wanted: WantedSettings,
  { stage, talk }: Conflict,
): Split {
  const held = new Set([...stages.held[stage]!, ...bundles.given]);
  const isInside = (vertex: number) => stages.of[vertex] === stage || held.has(bundles.of[vertex]!);
  const labels = new Map<number, number>();
  for (const alike of groupAlike(talk, wanted)) {
    for (const [vertex, label] of joinAlike(quotient, isInside, alike)) labels.set(vertex, label);
  }
  return labels;
}

/** Vertices that want the same, together. */
function groupAlike(talk: readonly number[], wanted: WantedSettings): Iterable<readonly number[]> {
  const groups = new Map<string, number[]>();
  for (const vertex of talk) {
    const key = wanted.names.map((name) => wanted.of(vertex, name)).join(' ');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [vertex]);
    else group.push(vertex);
  }
  return groups.values();
}

/** For each of the vertices, the first of those that it is together with. */
function joinAlike(
  quotient: Quotient,
  isInside: (vertex: number) => boolean,
  alike: readonly number[],
): [vertex: number, label: number][] {
  const { count, sources, targets } = searchThroughTools(quotient, isInside, alike);
  const leadsBack = flagLeadingBack(reverseRows(toRows(count, sources, targets)), alike.length);
  const sets = createDisjointSets(count);
  sources.forEach((source, at) => {
    if (leadsBack[targets[at]!] === 1) sets.unite(source, targets[at]!);
  });
  const first = new Map<number, number>();
  return alike.map((vertex, at) => {
    const set = sets.find(at);
    if (!first.has(set)) first.set(set, vertex);
    return [vertex, first.get(set)!];
  });
}

/** The vertices, which are numbered first, the tools that they lead to, and the steps on the way. */
function searchThroughTools(
  { successors, talks }: Quotient,
  isInside: (vertex: number) => boolean,
  alike: readonly number[],
) {
  const numbers = new Map(alike.map((vertex, at) => [vertex, at]));
  const sources: number[] = [];
  const targets: number[] = [];
  // A map is visited in the order of its insertions, those made on the way included.
  for (const [vertex, source] of alike.length > 1 ? numbers : []) {
    for (let at = successors.offsets[vertex]!; at < successors.offsets[vertex + 1]!; at += 1) {
      const to = successors.targets[at]!;
      if (!isInside(to)) continue;
      if (talks[to] === 0 && !numbers.has(to)) numbers.set(to, numbers.size);
      const target = numbers.get(to);
      if (target === undefined) continue;
      sources.push(source);
      targets.push(target);
    }
  }
  return { count: numbers.size, sources, targets };
}

/** The first so many, and what leads to them. */
function flagLeadingBack({ offsets, targets }: Rows, many: number): Uint8Array {
  const flags = new Uint8Array(offsets.length - 1).fill(1, 0, many);
  const pending = Array.from({ length: many }, (_, at) => at);
  for (let vertex = pending.pop(); vertex !== undefined; vertex = pending.pop()) {
    for (const before of targets.subarray(offsets[vertex]!, offsets[vertex + 1]!)) {
      if (flags[before] === 1) continue;
      flags[before] = 1;
      pending.push(before);
    }
  }
  return flags;
}
