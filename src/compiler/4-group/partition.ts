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
import { extend } from '../../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { Decide, Decision } from '../ir/inquiry.js';
import type { Boundary, Settled } from '../ir/options.js';
import type { RegionMap } from '../ir/region-map.js';
import {
  askAboutCycles,
  askAboutSettings,
  splitsOfCycles,
  splitsOfSettings,
} from './ask-about-stages.js';
import { mergeChains } from './chains.js';
import { type Component, listComponents, stagesOfComponents } from './components.js';
import { computeRepresentatives } from './equal-nodes.js';
import { splitsOfReady } from './ready-assistants.js';
import { computeRegions } from './regions.js';
import { createStageGraph, type Split, type StageGraph } from './stages.js';
import { placeTools } from './tool-only-stages.js';
import { joinAcrossSameTools } from './tools-boundary.js';

export interface Grouping {
  readonly map: RegionMap;
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
  const decisions = [...decide(askAboutCycles(within, components, options.target))];
  const splits = splitsOfCycles(within, decisions);
  const known = new Set(decisions.map(({ inquiry }) => inquiry.question.id));
  for (;;) {
    const map = groupNodes(within, components, options.boundary, splits);
    const conflicts = askAboutSettings(within, map, options);
    const news = decide(conflicts.filter(({ question }) => !known.has(question.id)));
    for (const { inquiry } of news) known.add(inquiry.question.id);
    extend(decisions, news);
    const cuts = splitsOfSettings(within, map, news, options);
    if (cuts.length === 0) return { map, decisions };
    extend(splits, cuts);
  }
}

function groupNodes(
  within: StageGraph,
  components: readonly Component[],
  boundary: Boundary,
  splits: readonly Split[],
): RegionMap {
  const single = stagesOfComponents(components, splits, splitsOfReady(within));
  const chains = mergeChains(within, single);
  const withTools = placeTools(within, chains);
  // Where no tool was placed no new chain has come about.
  const stages = withTools === chains ? chains : mergeChains(within, withTools);
  return computeRegions(
    within,
    boundary === 'tools' ? joinAcrossSameTools(within, stages) : stages,
  );
}
