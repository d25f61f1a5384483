/**
 * Where variables are set and read, and the reads that nothing sets.
 *
 * In: what a call can reach. Out: its variables by name; of those that are not supplied from outside
 * the reads to which no walk leads from where they are set.
 */

import type { NodeIndex } from '../compiler/ir/ids.js';
import type { UnreachedReads } from '../compiler/ir/inquiry.js';
import { textsOf } from '../compiler/ir/texts.js';
import { builtInVariables } from '../compiler/ir/variables.js';
import type { Condition, Text, WorkflowNode } from '../compiler/ir/workflow.js';
import { computeComponents } from '../graph/partitions.js';
import { flood } from '../graph/walks.js';
import type { CaptureSite, SourceGraph, Variable, Variables } from './expected.js';
import { reachFromGlobals } from './expected-graph.js';

/** A variable while it is put together. */
class Sites implements Variable {
  readonly captures: CaptureSite[] = [];
  readonly responses: NodeIndex[] = [];
  readonly entryReads: NodeIndex[] = [];
  readonly aliasReads: NodeIndex[] = [];
  readonly exitReads: NodeIndex[] = [];
  readonly globalReads: NodeIndex[] = [];
  readonly givenTo: NodeIndex[] = [];
  inGlobalPrompt = false;
  isOffered = false;

  constructor(readonly name: string) {}
}

export function listVariables({ workflow, order, nodeAt, leaving }: SourceGraph): Variables {
  const variables = new Map<string, Sites>();
  const at = (name: string): Sites => {
    const known = variables.get(name) ?? new Sites(name);
    variables.set(name, known);
    return known;
  };
  for (const node of order.map(nodeAt)) {
    collectReads(node, at);
    collectSetting(node, at);
    for (const { condition } of leaving(node.index)) {
      for (const { name } of usesOf(condition)) add(at(name).exitReads, node);
    }
    const condition = node.global?.condition ?? null;
    for (const { name } of usesOf(condition)) add(at(name).globalReads, node);
    for (const name of condition?.call?.variables ?? []) add(at(name).givenTo, node);
  }
  for (const { name } of workflow.globalPrompt?.uses ?? []) at(name).inGlobalPrompt = true;
  return variables;
}

type At = (name: string) => Sites;

function collectReads(node: WorkflowNode, at: At): void {
  for (const { value, moment } of textsOf(node)) {
    for (const { name } of value.uses) {
      add(moment === 'handoff' ? at(name).aliasReads : at(name).entryReads, node);
    }
  }
  const found = node.captures.filter(({ alias }) => alias === undefined).map(({ name }) => name);
  for (const { name, alias } of node.captures) {
    // It makes something of what its key was before.
    const isBefore = alias?.uses.some((use) => use.name === name) && !found.includes(name);
    if (isBefore) add(at(name).entryReads, node);
  }
}

function collectSetting(node: WorkflowNode, at: At): void {
  for (const capture of node.captures) {
    const { captures } = at(capture.name);
    if (captures.at(-1)?.node === node.index) captures.pop();
    captures.push({ node: node.index, capture });
  }
  const responses = node.request?.responses.map(({ name }) => name) ?? [];
  const called = node.calls.flatMap(({ variables }) => variables);
  const given = node.tools.flatMap(({ variables }) => variables);
  for (const name of [...responses, ...called]) add(at(name).responses, node);
  for (const name of given) {
    // A node that is a tool calls it; one that talks may or may not.
    if (node.role === 'act') add(at(name).responses, node);
    else at(name).isOffered = true;
  }
}

/** A condition whose values a tool gives reads no variable: the tool is called when it is judged. */
function usesOf(condition: Condition | null): Text['uses'] {
  return condition === null || condition.routing === 'tool' ? [] : condition.uses;
}

/** Nodes are visited one after the other, so a repetition is always the last. */
function add(nodes: NodeIndex[], { index }: WorkflowNode): void {
  if (nodes.at(-1) !== index) nodes.push(index);
}

/**
 * The reads that no definition reaches; any definition from which a walk leads to the read will do,
 * whatever else the walk sets, so a strongly connected component is one vertex. From every node a
 * call can step to every global node: what is set somewhere is set wherever these lead. What a node
 * captures itself, its own texts may name.
 */
export function findUnsetReads(
  graph: SourceGraph,
  variables: Variables,
  supplied: ReadonlySet<string>,
): ReadonlyMap<string, UnreachedReads> {
  const { successors, start, globals, nodeAt } = graph;
  const { of: place, members } = computeComponents(successors);
  const after = (node: number) => successors[node]!.map((next) => place[next]!);
  const steps = members.map((nodes) => [...new Set(nodes.flatMap(after))]);
  const afterGlobals = reachFromGlobals(graph);
  const goesOn = (node: NodeIndex) => nodeAt(node).role !== 'exit';
  const unset = new Map<string, UnreachedReads>();
  for (const variable of variables.values()) {
    const { name, captures, responses, givenTo, entryReads, aliasReads, exitReads } = variable;
    const captured = captures.map(({ node }) => node);
    const setting = [...captured, ...responses];
    const isSet = setting.length > 0;
    if (supplied.has(name) || (!isSet && builtInVariables.has(name))) continue;

    const isGiven = globals.length > 0 && [...setting, ...givenTo].some(goesOn);
    const isSetFirst = goesOn(start) && setting.includes(start);
    const own = new Set([...captured, ...givenTo]);
    const responding = new Set(responses);
    const isOpen = (node: NodeIndex) =>
      !own.has(node) && !(isGiven && afterGlobals.has(node)) && !(isSetFirst && node !== start);
    const isOpenAfter = (node: NodeIndex) => isOpen(node) && !responding.has(node);
    const texts = [...entryReads.filter(isOpen), ...aliasReads.filter(isOpenAfter)];
    const conditions = exitReads.filter(isOpenAfter);

    // What lies behind the last of the reads leads to none of them.
    const last = [...texts, ...conditions].reduce((max, node) => Math.max(max, place[node]!), -1);
    const begins = setting.filter((node) => place[node]! <= last).flatMap(after);
    const reached = flood(
      begins,
      (at) => steps[at]!,
      (at) => at >= last,
    );
    const isUnreached = (node: NodeIndex) => !reached.has(place[node]!);
    const unreached = {
      texts: new Set(texts.filter(isUnreached)),
      conditions: new Set(conditions.filter(isUnreached)),
      globals: new Set(isSet ? [] : variable.globalReads),
      globalPrompt: variable.inGlobalPrompt && !isSet,
    };
    const { size } = new Set([...unreached.texts, ...unreached.conditions, ...unreached.globals]);
    if (size > 0 || unreached.globalPrompt) unset.set(name, unreached);
  }
  return unset;
}
