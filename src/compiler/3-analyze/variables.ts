/**
 * FlowGraph → VariableFlow: definitions and uses of every variable.
 *
 * In: the flow graph. Out: per variable the nodes that capture, set and read it, in walk order.
 * Guarantees: linear in the workflow; liveness is computed per variable, when asked for.
 */
import { withItem } from '../../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import { once } from '../ir/once.js';
import type { Variable, VariableFlow } from '../ir/variable-flow.js';
import type { Condition, Text, WorkflowNode } from '../ir/workflow.js';
import { createLiveIn } from './liveness.js';
import { listBuiltUpon, readsInto, visitAliases, visitTexts } from './texts.js';

/** A variable while its sites are collected. */
type Sites = { -readonly [Key in keyof Variable]: Variable[Key] };

type SitesOf = (name: string) => Sites;

export function computeVariableFlow(graph: FlowGraph): VariableFlow {
  const { nodes, globalPrompt } = graph.workflow;
  const variables = new Map<string, Sites>();
  const sitesOf: SitesOf = (name) => {
    let sites = variables.get(name);
    if (sites === undefined) {
      sites = createSites(name);
      variables.set(name, sites);
    }
    return sites;
  };
  const nestedReads: Text[] = [];
  const collect = createCollector(graph, sitesOf, nestedReads);
  for (const node of graph.order) collect(nodes[node]!);
  for (const use of globalPrompt?.uses ?? []) sitesOf(use.name).readEverywhere = true;
  // Where no variable crosses from one assistant to the next nobody asks.
  const liveIn = once(() => createLiveIn(graph));
  return { variables, nestedReads, liveIn: (variable) => liveIn()(variable) };
}

/** What looks at one node after the other; its closures serve all of them. */
function createCollector(
  graph: FlowGraph,
  sitesOf: SitesOf,
  nestedReads: Text[],
): (node: WorkflowNode) => void {
  let index: NodeIndex;
  // Every text comes by here, and an iterator over so short a list costs more than the list.
  const read = (text: Text): void => {
    const { uses } = text;
    for (let at = 0; at < uses.length; at += 1) addRead(sitesOf(uses[at]!.name), index);
    if (readsInto(text)) nestedReads.push(text);
  };
  const readByAlias = (text: Text): void => {
    for (const { name } of text.uses) {
      const sites = sitesOf(name);
      sites.aliasReads = withNode(sites.aliasReads, index);
    }
    if (readsInto(text)) nestedReads.push(text);
  };
  return (node) => {
    index = node.index;
    const { captures } = node;
    visitTexts(node, read);
    for (let at = 0; at < captures.length; at += 1) {
      const capture = captures[at]!;
      const sites = sitesOf(capture.name);
      sites.captures = withItem(sites.captures, { node: index, capture });
    }
    visitAliases(node, readByAlias);
    for (const name of listBuiltUpon(node)) addRead(sitesOf(name), index);
    collectTools(node, sitesOf);
    collectConditions(graph, node, sitesOf);
  };
}

function collectTools({ index, role, request, tools, calls }: WorkflowNode, sitesOf: SitesOf) {
  if (request !== null) {
    for (const { name } of request.responses) addResponse(sitesOf(name), index);
  }
  for (const { variables } of tools) {
    for (const name of variables) {
      const sites = sitesOf(name);
      if (role === 'act') addResponse(sites, index);
      else sites.offers = withNode(sites.offers, index);
    }
  }
  for (const { variables } of calls) {
    for (const name of variables) addResponse(sitesOf(name), index);
  }
}

function collectConditions(graph: FlowGraph, { index, global }: WorkflowNode, sitesOf: SitesOf) {
  const { offsets, edges } = graph.successors;
  const end = offsets[index + 1]!;
  for (let slot = offsets[index]!; slot < end; slot += 1) {
    const { condition } = graph.workflow.edges[edges[slot]!]!;
    if (!isRead(condition)) continue;
    for (const { name } of condition.uses) {
      const sites = sitesOf(name);
      sites.conditionReads = withNode(sites.conditionReads, index);
    }
  }
  const condition = global?.condition ?? null;
  if (!isRead(condition)) return;
  for (const { name } of condition.uses) {
    const sites = sitesOf(name);
    sites.globalReads = withNode(sites.globalReads, index);
  }
}

/** A condition whose values a tool gives is not read from the call's variables. */
function isRead(condition: Condition | null): condition is Condition {
  return condition !== null && condition.routing !== 'tool';
}

function createSites(name: string): Sites {
  return {
    name,
    captures: nothing,
    responses: nothing,
    offers: nothing,
    reads: nothing,
    aliasReads: nothing,
    conditionReads: nothing,
    globalReads: nothing,
    readEverywhere: false,
  };
}

const nothing: readonly never[] = [];

/** Nodes are visited one after the other, so a repetition is always the last. */
function withNode(nodes: readonly NodeIndex[], node: NodeIndex): readonly NodeIndex[] {
  return nodes[nodes.length - 1] === node ? nodes : withItem(nodes, node);
}

function addRead(sites: Sites, node: NodeIndex): void {
  sites.reads = withNode(sites.reads, node);
}

function addResponse(sites: Sites, node: NodeIndex): void {
  sites.responses = withNode(sites.responses, node);
}
