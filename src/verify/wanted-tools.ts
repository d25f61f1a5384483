/** The tools that each assistant must have, as source and answers say. */
import type { JsonPointer, NodeIndex } from '../compiler/ir/ids.js';
import type { Condition, ToolCall, WorkflowNode } from '../compiler/ir/workflow.js';
import type { Comparison } from './comparison.js';
import type { Content } from './tools/content.js';
import { givenRefusals, wantedRefusals } from './tools/guards.js';
import { type WantedName, wantName } from './tools/names.js';
import {
  contentOfCustom,
  contentOfEnding,
  contentOfRequest,
  contentOfTransfer,
} from './tools/wanted-content.js';

/** One tool, whichever assistants are to have it. */
export interface Kind {
  readonly id: number | string;
  /** The node, or the name of the tool that an answer asked for. */
  readonly label: string;
  readonly at: JsonPointer;
  readonly type: string;
  /** The node whose tool it is. */
  readonly node: WorkflowNode | null;
  /** Null for a custom tool, which does what the assistant needs of it. */
  readonly content: (() => Content) | null;
  /** Null for a tool that the model calls by the name of its type. */
  readonly name: WantedName | null;
}

export interface WantedTool {
  readonly kind: Kind;
  readonly member: number;
  /** The ways that the description has to tell, some of them more than once. */
  readonly ways: (Condition | null)[];
  /** The ways on which it is called: the platform refuses it where all are guarded and none is open. */
  readonly gates: (Condition | null)[];
  /** The variables that a custom tool gives, some of them more than once. */
  readonly variables: string[];
}

export interface WantedTools {
  readonly of: (member: number) => readonly WantedTool[];
  /** Nodes whose tool no assistant is to have, because none owns what leads to it. */
  readonly homeless: readonly WorkflowNode[];
}

/** What the tool is to do. */
export function contentOf({ kind, variables }: WantedTool): Content {
  return kind.content === null ? contentOfCustom(new Set(variables)) : kind.content();
}

/** What of its calls the platform is to refuse. */
export function refusalsOf({ gates, kind }: WantedTool): string {
  const guarded = wantedRefusals(gates);
  const own = kind.node?.request?.passed.find(({ key }) => key === 'rejectionPlan');
  // Where nothing is guarded, what the source itself refuses is refused.
  return guarded === '' && own !== undefined
    ? givenRefusals({ rejectionPlan: own.value.value })
    : guarded;
}

/**
 * A node's tool belongs to every assistant that owns the node, a transfer to every assistant that
 * leads to it, and what the condition of a global node needs to every assistant. Equal nodes need
 * one tool. Target `vapi` needs a tool wherever a call can end. What another assistant hands over to
 * has been judged there, so a tool that a stage begins with is called without a gate.
 */
export function listWantedTools(comparison: Comparison): WantedTools {
  const { graph, owners, squad } = comparison;
  const tools: List['tools'] = new Array<null>(squad.members.length).fill(null);
  const list: List = { comparison, kinds: new Map(), tools, called: [] };
  for (const index of graph.order) wantForNode(list, graph.nodeAt(index));
  for (const { from, to, condition } of graph.edges) {
    const node = graph.nodeAt(to);
    if (node.role === 'exit') wantForExit(list, owners.of(from), node, condition);
    else if (node.role === 'act') gateWithin(list, from, to, condition);
  }
  if (list.kinds.size > 0) gateEntries(list);
  return {
    of: (member) => (tools[member] === null ? nothing : [...tools[member]!.values()]),
    homeless: listHomeless(list),
  };
}

/** A list of tools in the making. */
interface List {
  readonly comparison: Comparison;
  readonly kinds: Map<Kind['id'], Kind>;
  /** By member, by kind; null where nothing is wanted, as is usual. */
  readonly tools: (Map<Kind['id'], WantedTool> | null)[];
  /** Nodes that some assistant must have a tool for. */
  readonly called: WorkflowNode[];
}

const nothing: readonly WantedTool[] = [];

function wantForNode(list: List, node: WorkflowNode): void {
  // Most nodes only talk.
  if (node.role === 'talk' && node.calls.length === 0 && node.global === null) return;
  if (node.request !== null || node.type === 'transferCall') list.called.push(node);
  const own = list.comparison.owners.of(node.index);
  const entry = node.global?.condition ?? null;
  if (node.request !== null) wantRequest(list, own, node.index);
  for (const call of node.calls) wantCall(list, own, call);
  if (entry !== null && entry.call !== null) wantCall(list, everybody(list), entry.call);
  if (node.role === 'exit' && node.global !== null) {
    wantForExit(list, everybody(list), node, entry);
  }
}

function everybody({ tools }: List): Iterable<number> {
  return tools.keys();
}

/** An edge into a tool of the same assistant is a gate of the tool. */
function gateWithin(
  { comparison: { owners }, tools }: List,
  from: NodeIndex,
  to: NodeIndex,
  condition: Condition | null,
): void {
  const homes = owners.of(to);
  for (const member of owners.of(from)) {
    if (homes.has(member)) tools[member]?.get(owners.standsFor(to))?.gates.push(condition);
  }
}

/** Where a call begins, or is handed over to, nothing is judged any more. */
function gateEntries({ comparison, tools }: List): void {
  const { graph, owners, edgePassages, globalPassages } = comparison;
  const enter = (member: number | null, node: NodeIndex): void => {
    if (member !== null) tools[member]?.get(owners.standsFor(node))?.gates.push(null);
  };
  for (const member of owners.of(graph.start)) enter(member, graph.start);
  for (const { target, to } of edgePassages) enter(target, to);
  for (const { target, to } of globalPassages) enter(target, to);
}

function wantRequest(
  list: List,
  members: Iterable<number>,
  index: NodeIndex,
): readonly WantedTool[] {
  const { graph, owners, squad } = list.comparison;
  const node = graph.nodeAt(owners.standsFor(index));
  const kind = () => ({
    ...kindOfNode(node),
    type: node.request?.operation?.direct === false ? 'function' : 'apiRequest',
    content: keepShared(() => contentOfRequest(node, squad.wrapped)),
    name: wantName(node.request?.toolName?.value ?? node.name ?? node.id, false),
  });
  const tools = want(list, members, node.index, kind);
  const { global } = node;
  if (global === null) return tools;
  for (const { ways, gates } of tools) {
    ways.push(global.condition);
    gates.push(global.condition);
  }
  return tools;
}

function wantCall(list: List, members: Iterable<number>, call: ToolCall): void {
  if (call.node !== null) {
    for (const { gates } of wantRequest(list, members, call.node)) gates.push(null);
    return;
  }
  const { tool, at } = call;
  const name = wantName(tool, true);
  const id = `custom ${name.form ?? tool}`;
  const kind = () => ({
    ...{ id, label: tool, at, name },
    type: 'function',
    node: null,
    content: null,
  });
  for (const { variables } of want(list, members, id, kind)) {
    for (const variable of call.variables) variables.push(variable);
  }
}

function wantForExit(
  list: List,
  members: Iterable<number>,
  exit: WorkflowNode,
  condition: Condition | null,
): void {
  const { graph, owners, squad } = list.comparison;
  const node = graph.nodeAt(owners.standsFor(exit.index));
  if (squad.wrapped && node.type !== 'transferCall') return;
  if (node.type === 'transferCall') {
    const kind = () => ({
      ...kindOfNode(node),
      type: 'transferCall',
      content: keepShared(() => contentOfTransfer(node, squad.wrapped)),
      name: null,
    });
    for (const { ways, gates } of want(list, members, node.index, kind)) {
      ways.push(condition);
      gates.push(condition);
    }
  } else {
    const content = () => contentOfEnding;
    const kind = () => ({ ...kindOfNode(node), id: ending, type: ending, content, name: null });
    for (const { gates } of want(list, members, ending, kind)) gates.push(condition);
  }
}

const ending = 'endCall';

/** Most contents are asked for once, and are not worth keeping. */
function keepShared(make: () => Content): () => Content {
  let asked = 0;
  let kept: Content | null = null;
  return () => {
    asked += 1;
    const content = kept ?? make();
    if (asked > 1) kept = content;
    return content;
  };
}

function kindOfNode(node: WorkflowNode) {
  return { id: node.index, label: node.id, at: node.at, node };
}

/** The tool of each of these members, put on the list where it is not there yet. */
function want(
  { kinds, tools }: List,
  members: Iterable<number>,
  id: Kind['id'],
  make: () => Kind,
): WantedTool[] {
  const wanted: WantedTool[] = [];
  for (const member of members) {
    const known = tools[member]?.get(id);
    if (known !== undefined) wanted.push(known);
    if (known !== undefined) continue;
    const kind = kinds.get(id) ?? make();
    kinds.set(id, kind);
    const tool: WantedTool = { kind, member, ways: [], gates: [], variables: [] };
    const own = tools[member] ?? new Map();
    tools[member] = own.set(id, tool);
    wanted.push(tool);
  }
  return wanted;
}

function listHomeless({ comparison, kinds, called }: List): WorkflowNode[] {
  const { owners } = comparison;
  return called.filter(({ index }) => !kinds.has(owners.standsFor(index)));
}
