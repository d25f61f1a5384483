/**
 * Where variables are set and read, per variable.
 *
 * Order of events at a node: its texts are read on entry, then its captures happen, then its tools
 * respond, then the conditions of its edges and of all global nodes are read. A condition whose
 * values a tool gives reads no variable: the tool is called when the condition is looked at.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type {
  Capture,
  Condition,
  Text,
  Transfer,
  WorkflowNode,
} from '../../compiler/ir/workflow.js';
import type { Passage } from '../passages.js';
import type { SourceGraph } from '../source-graph.js';

/** Every list names a node once, in the order in which a search from the start meets the nodes. */
export interface Variable {
  readonly name: string;
  /** The place of the variable among all, in the order in which the search meets them. */
  readonly rank: number;
  /** Where a node captures the variable twice, the later capture counts. */
  readonly captures: readonly CaptureSite[];
  /** Nodes whose tools set the variable, after their captures. */
  readonly responses: readonly NodeIndex[];
  /** Whether a talk node has a tool that may set it at any time. */
  readonly isOffered: boolean;
  /** Nodes whose own texts read it, on entry. */
  readonly entryReads: readonly NodeIndex[];
  /** Nodes with an alias that is made of it; what reads it is the handoff that derives the alias. */
  readonly aliasReads: readonly NodeIndex[];
  /** Nodes that have an edge whose condition reads it. */
  readonly exitReads: readonly NodeIndex[];
  /** Global nodes whose condition reads it, on leaving any node. */
  readonly globalReads: readonly NodeIndex[];
  /** Whether the prompt of all assistants reads it, on entry to any node. */
  readonly inGlobalPrompt: boolean;
  /** Global nodes that are only entered, but for their edges, after a tool has set it. */
  readonly givenTo: readonly NodeIndex[];
  /** Ways out of members with an alias that is made of it. */
  readonly handedOn: readonly Passage[];
}

export interface CaptureSite {
  readonly node: NodeIndex;
  readonly capture: Capture;
}

/** Most variables have to do with a node or two, so a list is only made when it is needed. */
interface Sites extends Variable {
  captures: CaptureSite[];
  responses: NodeIndex[];
  isOffered: boolean;
  entryReads: NodeIndex[];
  aliasReads: NodeIndex[];
  exitReads: NodeIndex[];
  globalReads: NodeIndex[];
  inGlobalPrompt: boolean;
  givenTo: NodeIndex[];
}

const none: never[] = [];

/** The variables of what a call can reach, by name. */
export function listVariables(graph: SourceGraph): ReadonlyMap<string, Variable> {
  const variables = new Map<string, Sites>();
  const at = (name: string): Sites => {
    const known = variables.get(name);
    if (known !== undefined) return known;
    const fresh = emptySites(name, variables.size);
    variables.set(name, fresh);
    return fresh;
  };
  for (const index of graph.order) {
    const node = graph.nodeAt(index);
    collectReads(node, at);
    collectSetting(node, at);
    collectConditions(graph, node, at);
  }
  for (const { name } of graph.workflow.globalPrompt?.uses ?? []) at(name).inGlobalPrompt = true;
  return variables;
}

function emptySites(name: string, rank: number): Sites {
  return {
    name,
    rank,
    captures: none,
    responses: none,
    isOffered: false,
    entryReads: none,
    aliasReads: none,
    handedOn: none,
    exitReads: none,
    globalReads: none,
    inGlobalPrompt: false,
    givenTo: none,
  };
}

type At = (name: string) => Sites;

/** What the texts read that end up in the node's assistant, conditions aside. */
function collectReads(node: WorkflowNode, at: At): void {
  const { index, firstMessage, systemPrompt, transfer, captures, request, tools } = node;
  read(firstMessage, index, at);
  read(systemPrompt, index, at);
  for (const { message, address, description, passedTexts } of destinationsOf(transfer)) {
    read(message, index, at);
    read(address, index, at);
    read(description, index, at);
    for (const text of passedTexts) read(text, index, at);
  }
  for (const { description } of captures) read(description, index, at);
  collectAliases(node, at);
  if (request !== null) for (const text of request.texts) read(text, index, at);
  for (const { texts } of tools) for (const text of texts) read(text, index, at);
}

/** The node reads on entry what the text does. */
function read(text: Text | null | undefined, index: NodeIndex, at: At): void {
  // Most texts read nothing.
  if (text === null || text === undefined || text.uses.length === 0) return;
  for (const { name } of text.uses) {
    const sites = at(name);
    sites.entryReads = withNode(sites.entryReads, index);
  }
}

function collectAliases({ index, captures }: WorkflowNode, at: At): void {
  for (const { name, alias } of captures) {
    if (alias === undefined) continue;
    const isFoundHere = captures.some((it) => it.name === name && it.alias === undefined);
    for (const use of alias.uses) {
      const sites = at(use.name);
      sites.aliasReads = withNode(sites.aliasReads, index);
      // It makes something of what its key was before.
      const isBefore = use.name === name && !isFoundHere;
      if (isBefore) sites.entryReads = withNode(sites.entryReads, index);
    }
  }
}

function destinationsOf(transfer: Transfer | null): readonly Transfer[] {
  return transfer === null ? none : [transfer, ...transfer.others];
}

function collectSetting(node: WorkflowNode, at: At): void {
  const { index, captures, request, calls, tools } = node;
  for (const capture of captures) {
    const sites = at(capture.name);
    sites.captures = withCapture(sites.captures, { node: index, capture });
  }
  // Most nodes have no tools.
  if (request !== null || calls.length + tools.length > 0) collectResponses(node, at);
}

function collectResponses({ index, role, request, calls, tools }: WorkflowNode, at: At): void {
  const respond = (name: string): void => {
    const sites = at(name);
    sites.responses = withNode(sites.responses, index);
  };
  for (const { name } of request?.responses ?? none) respond(name);
  for (const { variables } of calls) for (const name of variables) respond(name);
  for (const { variables } of tools) {
    for (const name of variables) {
      // A node that is a tool calls it; one that talks may or may not.
      if (role === 'act') respond(name);
      else at(name).isOffered = true;
    }
  }
}

/** What is read on leaving the node, and for entering it where it is global. */
function collectConditions(graph: SourceGraph, { index, global }: WorkflowNode, at: At): void {
  const { offsets } = graph.successors;
  for (let slot = offsets[index]!; slot < offsets[index + 1]!; slot += 1) {
    for (const { name } of usesOf(graph.edgeAt(slot).condition)) {
      const sites = at(name);
      sites.exitReads = withNode(sites.exitReads, index);
    }
  }
  if (global === null) return;
  for (const { name } of usesOf(global.condition)) {
    const sites = at(name);
    sites.globalReads = withNode(sites.globalReads, index);
  }
  for (const name of global.condition?.call?.variables ?? none) {
    const sites = at(name);
    sites.givenTo = withNode(sites.givenTo, index);
  }
}

function usesOf(condition: Condition | null): Text['uses'] {
  return condition === null || condition.routing === 'tool' ? none : condition.uses;
}

/** Nodes are visited one after the other, so a repetition is always the last. */
function withNode(nodes: NodeIndex[], node: NodeIndex): NodeIndex[] {
  if (nodes.length === 0) return [node];
  if (nodes[nodes.length - 1] !== node) nodes.push(node);
  return nodes;
}

function withCapture(sites: CaptureSite[], site: CaptureSite): CaptureSite[] {
  if (sites.length === 0) return [site];
  if (sites[sites.length - 1]!.node === site.node) sites.pop();
  sites.push(site);
  return sites;
}

/** Nodes that set the variable, by a capture or by a tool's response. */
export function listSetting({ captures, responses }: Variable): NodeIndex[] {
  return [...captures.map(({ node }) => node), ...responses];
}
