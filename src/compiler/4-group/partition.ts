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
import { diagnose } from '../../diagnostics/diagnose.js';
import { append, extend, groupBy } from '../../graph/lists.js';
import { computeComponents } from '../../graph/partitions.js';
import { flood } from '../../graph/walks.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Decide, Decision, Inquiry } from '../ir/inquiry.js';
import type { Settled } from '../ir/options.js';
import { mostCopies, type RegionMap } from '../ir/region-map.js';
import type { Diagnostic } from '../ir/result.js';
import {
  askAboutCycles,
  askAboutReturns,
  askAboutSettings,
  consolidatedBy,
  splitsOfCycles,
  splitsOfReads,
  splitsOfSettings,
} from './ask-about-stages.js';
import {
  aloneLabel,
  computeRegions,
  computeStageSteps,
  createStage,
  createStageGraph,
  ownersOf,
  type Split,
  type Stage,
  type StageGraph,
  startJoining,
} from './stages.js';
import { joinAcrossSameTools, placeTools } from './tools.js';

/** The regions, with the answers that keep stages apart and those that choose between settings. */
export type Grouping =
  | { readonly map: RegionMap; readonly decisions: readonly Decision[] }
  | { readonly map: null; readonly tooLarge: Diagnostic };

/**
 * Groups the nodes, and asks on the way: about global nodes that a call comes back from, settings that
 * differ, then what `review` has to ask of the assistants. An answer that joins nodes or keeps them
 * apart starts the grouping again. Each question is asked once, so the repetition ends.
 */
export function partition(
  graph: FlowGraph,
  options: Settled,
  decide: Decide,
  review: (map: RegionMap) => readonly Inquiry[],
): Grouping {
  const most = mostCopies(graph.workflow);
  const within = createStageGraph(graph);
  const components = listComponents(within);
  const decisions: Decision[] = [];
  const settle = (inquiries: readonly Inquiry[]) => {
    const known = new Set(decisions.map(({ inquiry }) => inquiry.question.id));
    const news = decide(inquiries.filter(({ question }) => !known.has(question.id)));
    extend(decisions, news);
    return news;
  };
  const splits = splitsOfCycles(within, settle(askAboutCycles(within, components, options.target)));
  const joined: NodeIndex[] = [];
  for (;;) {
    const parts = stagesOfComponents(within, components, splits);
    const chains = mergeChains(within, consolidate(within, parts, joined));
    const placed = placeTools(within, chains, most);
    if (placed === null) return refuse(graph, 0, []);
    const stages = mergeChains(within, placed);
    const isByTools = options.boundary === 'tools';
    const map = computeRegions(within, isByTools ? joinAcrossSameTools(within, stages) : stages);
    const assistants = map.regions.length;
    if (assistants * graph.globals.length > most) return refuse(graph, assistants, graph.globals);
    const returning = consolidatedBy(settle(askAboutReturns(graph, map, options.target)));
    extend(joined, returning);
    if (returning.length > 0) continue;
    const conflicts = settle(askAboutSettings(within, map, options));
    let cuts = splitsOfSettings(within, map, conflicts, options);
    if (cuts.length === 0) cuts = splitsOfReads(components, settle(review(map)));
    if (cuts.length === 0) return { map, decisions };
    extend(splits, cuts);
  }
}

/**
 * What would grow with a product of the source is refused before it is built. Example: 1,000 branches
 * and 500 global nodes are 1,501 assistants, which would have 750,500 handoffs and ways to global nodes.
 */
function refuse({ workflow }: FlowGraph, assistants: number, globals: readonly NodeIndex[]) {
  const [at = workflow.at] = globals.map((it) => workflow.nodes[it]!.at);
  const args = { most: mostCopies(workflow), assistants, globals: globals.length };
  return { map: null, tooLarge: diagnose('lower/too-large', at, args) };
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
    if (applying.length + lasting.length === 0) return [createStage(within, members, new Map())];
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
      return createStage(within, nodes, labels);
    });
  });
}

/**
 * What an answer joins right after phase 3: the stage of a global node, and every stage that edges
 * reach from it, in walk order, as far as nothing keeps two of them apart.
 */
function consolidate(
  within: StageGraph,
  stages: readonly Stage[],
  globals: readonly NodeIndex[],
): readonly Stage[] {
  if (globals.length === 0) return stages;
  const { successors } = computeStageSteps(within, stages);
  const owners = ownersOf(stages);
  const joining = startJoining(within, stages);
  for (const global of globals) {
    const home = owners.get(global)!;
    const reached = [...flood([home], (stage) => successors[stage]!)];
    const rankOf = (stage: number) => within.graph.rank[stages[stage]!.nodes[0]!]!;
    reached.sort((one, other) => rankOf(one) - rankOf(other));
    for (const stage of reached) joining.join(home, stage);
  }
  return joining.finish('global-returns');
}

/**
 * Nodes that are assistants already are kept apart from all others that talk; tools may join them
 * as they join any stage. A saved one has a prompt that nobody can write to, so it is kept apart
 * from tools as well: a tool before it belongs to whoever leads to it, and one behind it to the
 * branch that it opens.
 */
function splitsOfReady({ graph, nodes, isTalk }: StageGraph): Split[] {
  const assistantOf = (node: NodeIndex) => graph.workflow.nodes[node]!.assistant;
  const ready = nodes.filter((node) => assistantOf(node) !== null);
  const saved = ready.filter((node) => assistantOf(node)!.savedAs !== null);
  const apart = (few: readonly NodeIndex[], all: readonly NodeIndex[]): Split[] => {
    const labels = new Map(all.map((node) => [node, 'others']));
    for (const node of few) labels.set(node, `assistant ${node}`);
    return few.length === 0 ? [] : [labels];
  };
  return [...apart(ready, nodes.filter(isTalk)), ...apart(saved, nodes)];
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
      if (!before[to]!.isEntered) joining.join(from, to);
    }
    const after = joining.finish('chain');
    if (after.length === before.length) return after;
    before = after;
  }
}
