/**
 * Where variables are set and read, and the reads that nothing sets.
 *
 * In: what a call can reach. Out: its variables by name; of those that are not supplied from outside
 * the reads to which no walk leads from where they are set.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { UnreachedReads } from '../../compiler/ir/inquiry.js';
import { synthesized, traced } from '../../compiler/ir/provenance.js';
import type { PlanProperty } from '../../compiler/ir/squad-ir.js';
import { textsOf } from '../../compiler/ir/texts.js';
import { builtInVariables } from '../../compiler/ir/variables.js';
import { describe } from '../../compiler/ir/wording.js';
import type { Capture, Condition, Text, WorkflowNode } from '../../compiler/ir/workflow.js';
import { flood } from '../../graph/walks.js';
import { canonical } from '../json.js';
import { reachFromGlobals, type SourceGraph } from './source.js';

/**
 * Where a variable is set and read. At a node texts are read on entry, then its captures happen,
 * then its tools respond, then the conditions of its edges and of all global nodes are read.
 */
export class Variable {
  /** Where a node captures the variable twice, the later capture counts. */
  readonly captures: { readonly node: NodeIndex; readonly capture: Capture }[] = [];
  /** Nodes whose tools set the variable, after their captures. */
  readonly responses: NodeIndex[] = [];
  /** Talk nodes with a tool that may set it at any time. */
  readonly offers: NodeIndex[] = [];
  /** Nodes whose own texts read it, on entry. */
  readonly entryReads: NodeIndex[] = [];
  /** Nodes with an alias that is made of it; what reads it is the handoff that derives the alias. */
  readonly aliasReads: NodeIndex[] = [];
  /** Nodes with an edge whose condition reads it. */
  readonly exitReads: NodeIndex[] = [];
  /** Global nodes whose condition reads it, on leaving any node. */
  readonly globalReads: NodeIndex[] = [];
  /** Whether the prompt of all assistants reads it, on entry to any node. */
  inGlobalPrompt = false;
  /** Global nodes that are entered, but for their edges, only after a tool has set it. */
  readonly givenTo: NodeIndex[] = [];

  constructor(readonly name: string) {}
}

/** By name, in the order in which a walk meets them. */
export type Variables = ReadonlyMap<string, Variable>;

export function listVariables({ workflow, order, nodeAt, leaving }: SourceGraph): Variables {
  const variables = new Map<string, Variable>();
  const at = (name: string): Variable => {
    const known = variables.get(name) ?? new Variable(name);
    variables.set(name, known);
    return known;
  };
  for (const node of order.map(nodeAt)) {
    const { index, global } = node;
    collectReads(node, at);
    collectSetting(node, at);
    for (const { condition } of leaving(index)) {
      for (const { name } of usesOf(condition)) add(at(name).exitReads, index);
    }
    const condition = global?.condition ?? null;
    for (const { name } of usesOf(condition)) add(at(name).globalReads, index);
    for (const name of condition?.call?.variables ?? []) add(at(name).givenTo, index);
  }
  for (const { name } of workflow.globalPrompt?.uses ?? []) at(name).inGlobalPrompt = true;
  return variables;
}

function collectReads(node: WorkflowNode, at: (name: string) => Variable): void {
  for (const { value, moment } of textsOf(node)) {
    for (const { name } of value.uses) {
      add(moment === 'handoff' ? at(name).aliasReads : at(name).entryReads, node.index);
    }
  }
  for (const { name, alias } of node.captures) {
    if (!alias?.uses.some((use) => use.name === name)) continue;
    // It makes something of what its key was before.
    const isFound = node.captures.some((it) => it.alias === undefined && it.name === name);
    if (!isFound) add(at(name).entryReads, node.index);
  }
}

function collectSetting(node: WorkflowNode, at: (name: string) => Variable): void {
  const { index, captures, request, calls, tools, role } = node;
  for (const capture of captures) {
    const known = at(capture.name).captures;
    if (known.at(-1)?.node === index) known.pop();
    known.push({ node: index, capture });
  }
  for (const { name } of request?.responses ?? []) add(at(name).responses, index);
  for (const { variables } of calls) {
    for (const name of variables) add(at(name).responses, index);
  }
  for (const { variables } of tools) {
    for (const name of variables) {
      // A node that is a tool calls it; one that talks may or may not.
      add(role === 'act' ? at(name).responses : at(name).offers, index);
    }
  }
}

/** A condition whose values a tool gives reads no variable: the tool is called when it is judged. */
function usesOf(condition: Condition | null): Text['uses'] {
  return condition === null || condition.routing === 'tool' ? [] : condition.uses;
}

/** Nodes are visited one after the other, so a repetition is always the last. */
function add(nodes: NodeIndex[], node: NodeIndex): void {
  if (nodes.at(-1) !== node) nodes.push(node);
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
  const { successors, components, start, globals, nodeAt } = graph;
  const { of: place, members } = components;
  const after = (node: number) => successors[node]!.map((next) => place[next]!);
  const steps = members.map((nodes) =>
    nodes.length === 1 ? after(nodes[0]!) : [...new Set(nodes.flatMap(after))],
  );
  const stepsFrom = (at: number) => steps[at]!;
  const afterGlobals = reachFromGlobals(graph);
  const goesOn = (node: NodeIndex) => nodeAt(node).role !== 'exit';
  const unset = new Map<string, UnreachedReads>();
  for (const [name, variable] of variables) {
    if (supplied.has(name)) continue;
    const { captures, responses, givenTo, entryReads, aliasReads, exitReads } = variable;
    const setting = captures.map(({ node }) => node);
    const own = new Set([...setting, ...givenTo]);
    setting.push(...responses);
    const isSet = setting.length > 0;
    if (!isSet && builtInVariables.has(name)) continue;

    const isGiven = globals.length > 0 && [...setting, ...givenTo].some(goesOn);
    const isSetFirst = goesOn(start) && setting.includes(start);
    const isOpen = (node: NodeIndex) =>
      !own.has(node) && !(isGiven && afterGlobals.has(node)) && !(isSetFirst && node !== start);
    const responding = new Set(responses);
    const isOpenAfter = (node: NodeIndex) => isOpen(node) && !responding.has(node);
    const texts = [...entryReads.filter(isOpen), ...aliasReads.filter(isOpenAfter)];
    const conditions = exitReads.filter(isOpenAfter);
    if (isSet && texts.length + conditions.length === 0) continue;

    // What lies behind the last of the reads leads to none of them.
    const last = [...texts, ...conditions].reduce((max, node) => Math.max(max, place[node]!), -1);
    const begins = setting.filter((node) => place[node]! <= last).flatMap(after);
    const reached = flood(begins, stepsFrom, (at) => at >= last);
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

/** What the model is asked for: as the captures have it, where they agree. */
export function propertyOf(name: string, all: readonly Capture[]): PlanProperty {
  const found = all.filter(({ alias }) => alias === undefined);
  const [first, ...others] = found as [Capture, ...Capture[]];
  const isOne = others.every(({ type }) => type === first.type);
  const isAlike = others.every(
    (it) => canonical(it.details?.value ?? null) === canonical(first.details?.value ?? null),
  );
  const texts = found.flatMap(({ description }) => description ?? []);
  const isListed = isOne && found.every((it) => it.enum !== null);
  return {
    name,
    type: isOne ? first.type : 'string',
    description: texts.length > 0 ? describe(texts) : traced(name, synthesized('variable-name')),
    enum: isListed ? [...new Set(found.flatMap((it) => it.enum ?? []))] : null,
    details: isOne && isAlike ? first.details : null,
    captures: found.map(({ at }) => at),
  };
}
