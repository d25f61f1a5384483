/**
 * Where variables are captured, set and read, per variable (DESIGN section 4).
 *
 * Order of events at a node: its texts are read on entry, then its captures happen, then its tools
 * respond, then the conditions of its edges and of all global nodes are read. A condition whose
 * values a tool gives reads no variable: the tool is called when the condition is looked at.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Capture, Condition, Text, WorkflowNode } from '../compiler/ir/workflow.js';
import type { SourceGraph } from './source-graph.js';

export interface VariableSites {
  /** By node, the capture that counts: the last. */
  readonly captures: ReadonlyMap<NodeIndex, Capture>;
  /** Nodes whose tools set the variable, after their captures. */
  readonly responses: ReadonlySet<NodeIndex>;
  /** Nodes that read it on entry. */
  readonly entryReads: ReadonlySet<NodeIndex>;
  /** Nodes that have an edge whose condition reads it. */
  readonly exitReads: ReadonlySet<NodeIndex>;
  /** Whether the condition of a global node reads it, at every node. */
  readonly readByGlobals: boolean;
  /** Global nodes that are only entered after a tool has set it, but for their edges. */
  readonly givenTo: ReadonlySet<NodeIndex>;
}

interface Sites extends VariableSites {
  readonly captures: Map<NodeIndex, Capture>;
  readonly responses: Set<NodeIndex>;
  readonly entryReads: Set<NodeIndex>;
  readonly exitReads: Set<NodeIndex>;
  readByGlobals: boolean;
  readonly givenTo: Set<NodeIndex>;
}

export function listVariables(graph: SourceGraph): ReadonlyMap<string, VariableSites> {
  const variables = new Map<string, Sites>();
  const at = (name: string): Sites => {
    const known = variables.get(name);
    if (known !== undefined) return known;
    const fresh = emptySites();
    variables.set(name, fresh);
    return fresh;
  };
  for (const node of graph.reachable) collect(graph, graph.nodeAt(node), at);
  for (const name of readsOf(graph.workflow.globalPrompt)) {
    for (const node of graph.reachable) at(name).entryReads.add(node);
  }
  return variables;
}

function emptySites(): Sites {
  return {
    captures: new Map(),
    responses: new Set(),
    entryReads: new Set(),
    exitReads: new Set(),
    readByGlobals: false,
    givenTo: new Set(),
  };
}

function collect(graph: SourceGraph, node: WorkflowNode, at: (name: string) => Sites): void {
  const { index } = node;
  for (const text of textsOf(node)) {
    for (const name of readsOf(text)) at(name).entryReads.add(index);
  }
  for (const capture of node.captures) at(capture.name).captures.set(index, capture);
  for (const { name } of node.request?.responses ?? []) at(name).responses.add(index);
  for (const call of node.calls) {
    for (const name of call.variables) at(name).responses.add(index);
  }
  for (const { condition } of graph.leaving(index)) {
    for (const name of readsOfCondition(condition)) at(name).exitReads.add(index);
  }
  const entry = node.global?.condition ?? null;
  for (const name of readsOfCondition(entry)) at(name).readByGlobals = true;
  for (const name of entry?.call?.variables ?? []) at(name).givenTo.add(index);
}

/** The texts of a node that end up in its assistant, conditions aside. */
function textsOf(node: WorkflowNode): Text[] {
  const { firstMessage, systemPrompt, transfer } = node;
  const own = [firstMessage, systemPrompt, transfer?.message ?? null, transfer?.address ?? null];
  const descriptions = node.captures.map(({ description }) => description);
  return [...own, ...descriptions, ...(node.request?.texts ?? [])].filter((it) => it !== null);
}

function readsOfCondition(condition: Condition | null): readonly string[] {
  return condition?.routing === 'tool' ? [] : readsOf(condition);
}

function readsOf(text: Text | null): readonly string[] {
  return text === null ? [] : text.uses.map(({ name }) => name);
}
