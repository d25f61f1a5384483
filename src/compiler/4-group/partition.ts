/**
 * FlowGraph → RegionMap: how many assistants, and which nodes are whose.
 *
 * A workflow has a node for every thing that is said; a squad wants an assistant for every job.
 * So nodes are put together as long as nothing is lost by it: a handoff that can only ever be
 * followed by the next is no handoff, and stages that would hand the caller to and fro belong
 * together. The phases run in a fixed order, which is part of the definition, because a tool-only
 * stage between two stages could otherwise go to either:
 *
 *     1 fold exits        an exit is an action of the node before it, never a member
 *     2 equal nodes       nodes that behave the same are one
 *     3 components        a cycle is one stage, unless an answer keeps it apart
 *     4 chains            a stage and its only successor, whose only predecessor it is
 *     5 tool-only stages  go to the stages that call them
 *     6 chains            again: phase 5 may have left new ones
 *
 * Each phase is confluent by itself: its result does not depend on the order of its steps. Phases
 * 2 to 4 contract, phase 5 removes stages, so each ends.
 *
 * In: the flow graph, the boundary, the splits that answers asked for. Out: regions in the order
 * of the members. Invariants: see RegionMap. Example: greeting → collection → (scheduling,
 * billing) → end gives three regions: {greeting, collection}, {scheduling}, {billing}.
 */
import { append, extend, groupBy } from '../../graph/lists.js';
import { computeComponents } from '../../graph/partitions.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Decide, Decision } from '../ir/inquiry.js';
import type { Settled } from '../ir/options.js';
import { mostCopies, type RegionMap } from '../ir/region-map.js';
import {
  askAboutCycles,
  askAboutSettings,
  splitsOfCycles,
  splitsOfSettings,
} from './ask-about-stages.js';
import { computeRepresentatives } from './equal-nodes.js';
import { computeRegions } from './regions.js';
import {
  aloneLabel,
  computeStageSteps,
  createStageGraph,
  isEntered,
  isTalk,
  type Split,
  type Stage,
  type StageGraph,
  startJoining,
} from './stages.js';
import { hasMoreCopies, joinAcrossSameTools, placeTools } from './tools.js';

export interface Grouping {
  /** Null where too many assistants would get too many tools: see `mostCopies`. */
  readonly map: RegionMap | null;
  /** Answers that keep stages apart, and those that choose between settings. */
  readonly decisions: readonly Decision[];
}

/**
 * Groups the nodes, and asks on the way. An answer that keeps settings apart starts the grouping
 * again with one pair of nodes less that may be together, so the repetition ends.
 */
export function partition(graph: FlowGraph, options: Settled, decide: Decide): Grouping {
  const within = createStageGraph(graph, computeRepresentatives(graph));
  const components = listComponents(within);
  const cycles = components.filter((nodes) => nodes.filter((it) => isTalk(within, it)).length > 1);
  const decisions = [...decide(askAboutCycles(within, cycles, options.target))];
  const splits = splitsOfCycles(within, decisions);
  const known = new Set(decisions.map(({ inquiry }) => inquiry.question.id));
  for (;;) {
    const chains = mergeChains(within, stagesOfComponents(within, components, splits));
    if (hasMoreCopies(within, chains, mostCopies(graph.workflow))) return { map: null, decisions };
    const stages = mergeChains(within, placeTools(within, chains));
    const isByTools = options.boundary === 'tools';
    const map = computeRegions(within, isByTools ? joinAcrossSameTools(within, stages) : stages);
    const conflicts = askAboutSettings(within, map, options);
    const news = decide(conflicts.filter(({ question }) => !known.has(question.id)));
    for (const { inquiry } of news) known.add(inquiry.question.id);
    extend(decisions, news);
    const cuts = splitsOfSettings(within, map, news, options);
    if (cuts.length === 0) return { map, decisions };
    extend(splits, cuts);
  }
}

/** The nodes of a strongly connected component, in walk order. */
type Component = readonly NodeIndex[];

/**
 * Components in walk order of their first node. A node that is an assistant already is a component
 * of its own: a cycle through it cannot be one stage.
 */
function listComponents({ graph, nodes, next }: StageGraph): Component[] {
  const isReady = (node: NodeIndex) => graph.workflow.nodes[node]!.assistant !== null;
  const open = next.map((targets, node) =>
    isReady(node as NodeIndex) ? [] : targets.filter((target) => !isReady(target)),
  );
  const { of } = computeComponents(open);
  return [...groupBy(nodes, (node) => of[node]!).values()];
}

/**
 * Phase 3: a component is one stage, unless an answer keeps parts of it apart; then each group is a
 * stage, and so is each node that no group names.
 */
function stagesOfComponents(
  within: StageGraph,
  components: readonly Component[],
  splits: readonly Split[],
): Stage[] {
  const lasting = splitsOfReady(within);
  const naming = new Map<NodeIndex, Split[]>();
  for (const split of splits) for (const node of split.keys()) append(naming, node, split);
  return components.flatMap((members) => {
    const applying = [...new Set(members.flatMap((node) => naming.get(node) ?? []))];
    const parts = groupBy(members, (node) => {
      const labels = applying.map((split) => split.get(node));
      const isNamed = applying.length === 0 || labels.some((label) => label !== undefined);
      return isNamed ? labels.map((label) => label ?? '').join(' ') : aloneLabel(node);
    });
    return [...parts.values()].map((nodes): Stage => {
      const labels = new Map<Split, string>();
      for (const split of [...applying, ...lasting]) {
        const label = nodes.map((node) => split.get(node)).findLast((it) => it !== undefined);
        if (label !== undefined) labels.set(split, label);
      }
      const merges = nodes.length > 1 ? [{ rule: 'component' as const, nodes }] : [];
      return { nodes, given: new Set(), labels, merges };
    });
  });
}

/**
 * Nodes that are assistants already are kept apart from all others that talk; tools may join them
 * as they join any stage. A saved one has a prompt that nobody can write to, so it is kept apart
 * from tools as well: a tool before it belongs to whoever leads to it, and one behind it to the
 * branch that it opens.
 */
function splitsOfReady(within: StageGraph): Split[] {
  const { nodes } = within.graph.workflow;
  const ready = within.nodes.filter((node) => nodes[node]!.assistant !== null);
  const saved = ready.filter((node) => nodes[node]!.assistant!.savedAs !== null);
  const talk = within.nodes.filter((node) => isTalk(within, node));
  const setApart = (all: readonly NodeIndex[], few: readonly NodeIndex[]): Split =>
    new Map([
      ...all.map((node) => [node, 'others'] as const),
      ...few.map((node) => [node, `assistant ${node}`] as const),
    ]);
  return [
    ...(ready.length === 0 ? [] : [setApart(talk, ready)]),
    ...(saved.length === 0 ? [] : [setApart(within.nodes, saved)]),
  ];
}

/**
 * Phases 4 and 6: u and v are one stage when v is u's only successor stage, u is v's only
 * predecessor stage, and v holds neither the start nor a global node.
 *
 * Contracting such a pair does not take another one away, so all pairs of a round can be found
 * before the first is merged, and the order of merging does not matter. Where tools that several
 * stages hold lead back, a merge can make a new pair; so rounds follow until none is left, each
 * with fewer stages than the one before.
 */
function mergeChains(within: StageGraph, stages: readonly Stage[]): readonly Stage[] {
  let before = stages;
  for (;;) {
    const { successors, predecessors } = computeStageSteps(within, before);
    const joining = startJoining(within, before);
    for (const [from, [to, ...others]] of successors.entries()) {
      if (to === undefined || others.length > 0 || predecessors[to]!.length > 1) continue;
      if (!isEntered(within, before[to]!)) joining.join(from, to);
    }
    const after = joining.finish('chain');
    if (after.length === before.length) return after;
    before = after;
  }
}
