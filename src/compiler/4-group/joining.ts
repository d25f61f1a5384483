/**
 * Several stages → one: what the phases that merge have in common.
 *
 * In: stages, and pairs of them that are to be together. Out: the stages as they are then. A pair
 * is refused where an answer keeps something in the one apart from something in the other.
 */
import { createDisjointSets } from '../../graph/disjoint-sets.js';
import { extend } from '../../graph/lists.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Merge, MergeRule } from '../ir/region-map.js';
import { type Groups, noNodes, type Split, type Stage, type StageGraph } from './stages.js';

export interface Joining {
  /** The set that a stage is in by now, as the position of its first stage. */
  readonly setOf: (stage: number) => number;
  /** Puts the sets of two stages together; false where they are one already, or kept apart. */
  readonly join: (one: number, other: number) => boolean;
  /** The stages, those of one set as one, with the rule that brought them together. */
  readonly finish: (rule: MergeRule) => readonly Stage[];
}

export function startJoining(within: StageGraph, stages: readonly Stage[]): Joining {
  const sets = createDisjointSets(stages.length);
  const groups = stages.map((stage) => stage.groups);
  const joinGroups = createGroupJoiner();
  let isChanged = false;
  return {
    setOf: sets.find,
    join: (one, other) => {
      const [a, b] = [sets.find(one), sets.find(other)];
      const joined = a === b ? null : joinGroups(groups[a]!, groups[b]!);
      if (joined === null) return false;
      sets.union(a, b);
      groups[sets.find(a)] = joined;
      isChanged = true;
      return true;
    },
    finish: (rule) => {
      if (!isChanged) return stages;
      // A set goes by its first stage, so the sets stand in the order of their first stages.
      const parts = new Array<Stage[] | null>(stages.length).fill(null);
      for (let at = 0; at < stages.length; at += 1) {
        const root = sets.find(at);
        if (root === at) parts[at] = [stages[at]!];
        else parts[root]!.push(stages[at]!);
      }
      const joined: Stage[] = [];
      for (let root = 0; root < parts.length; root += 1) {
        const list = parts[root]!;
        if (list === null) continue;
        const isOne = list.length === 1;
        joined.push(isOne ? list[0]! : joinStages(within, list, groups[root]!, rule));
      }
      return joined;
    },
  };
}

/** Joins the groups of two sets of stages, or gives null when an answer keeps them apart. */
export function createGroupJoiner(): (one: Groups, other: Groups) => Groups | null {
  /** Those that were made here, and may grow: the fewer go to the many, so all goes fast. */
  let own: Set<Map<Split, string>> | null = null;
  return (one, other) => {
    const [few, many] = one.size < other.size ? [one, other] : [other, one];
    if (few.size === 0) return many;
    for (const [split, group] of few) if ((many.get(split) ?? group) !== group) return null;
    own ??= new Set();
    const joined = own.has(many as Map<Split, string>)
      ? (many as Map<Split, string>)
      : new Map(many);
    for (const [split, group] of few) joined.set(split, group);
    own.add(joined);
    return joined;
  };
}

/** Makes one stage of several, in linear time, with the rule that brought them together. */
export function joinStages(
  { graph: { rank } }: StageGraph,
  parts: readonly Stage[],
  groups: Groups,
  rule: MergeRule,
): Stage {
  const found = new Set<NodeIndex>();
  let given: Set<NodeIndex> | null = null;
  const merges: Merge[] = [];
  for (const part of parts) {
    for (const node of part.nodes) found.add(node);
    extend(merges, part.merges);
    if (part.given.size === 0) continue;
    given ??= new Set();
    for (const node of part.given) given.add(node);
  }
  const nodes = [...found];
  merges.push({ rule, nodes: nodes.toSorted((a, b) => rank[a]! - rank[b]!) });
  return { nodes, given: given ?? noNodes, groups, merges };
}
