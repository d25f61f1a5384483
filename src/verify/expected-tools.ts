/**
 * The tools that each assistant is to have, as source and answers say.
 *
 * A node's tool belongs to every assistant that owns the node, a transfer to every assistant that
 * leads to it, and what the condition of a global node needs to every assistant. Equal nodes need one
 * tool. Target `vapi` needs a tool wherever a call can end. What the platform is to refuse follows
 * from the ways to a tool: it refuses a call where every way is guarded and no guard is open.
 */
import type { JsonPointer, NodeIndex } from '../compiler/ir/ids.js';
import type { Json, JsonObject } from '../compiler/ir/json.js';
import { toLegalName } from '../compiler/ir/names.js';
import type { Traced } from '../compiler/ir/provenance.js';
import type { SourceMapEntry } from '../compiler/ir/result.js';
import { fixed, type Template, writeTemplate } from '../compiler/ir/template.js';
import { confirmingTool, endCallTool, requestTool, transferTool } from '../compiler/ir/tool.js';
import { describe, whenDone, whenNeeded } from '../compiler/ir/wording.js';
import {
  type Capture,
  type Condition,
  type GivenTool,
  givenToolKey,
  type Text,
  type ToolCall,
  type WorkflowNode,
} from '../compiler/ir/workflow.js';
import type { Passage, SourceGraph } from './expected.js';
import type { Match } from './owners.js';
import { listWays } from './passages.js';
import type { Squad } from './squad.js';
import { nameOfRequest, toolName } from './texts.js';

export interface ExpectedTool {
  /** What tells it from the other tools of the assistant. */
  readonly key: string;
  /** The node, or the name of the tool that an answer asked for. */
  readonly label: string;
  readonly at: JsonPointer;
  readonly kind: 'request' | 'transfer' | 'custom' | 'end' | 'given';
  /** What it is called where its name is free; null for a tool that goes by its type. */
  readonly name: string | null;
  /** The same in the target's shape, and where its parts stand in the source. */
  readonly value: JsonObject;
  readonly origins: readonly SourceMapEntry[];
  /** The texts that its description has to hold. */
  readonly texts: readonly Text[];
  /** The ways on which it is called; null for one that nothing guards. */
  readonly gates: readonly (Condition | null)[];
}

export interface ExpectedTools {
  /** By member. */
  readonly of: (member: number) => readonly ExpectedTool[];
  /** By member, the ids of tools that the platform keeps. */
  readonly idsOf: (member: number) => ReadonlyMap<string, JsonPointer>;
  /** Nodes whose tool no assistant is to have, because none owns what leads to it. */
  readonly homeless: readonly WorkflowNode[];
}

/** A tool in the making. */
interface Wanted {
  readonly source: WorkflowNode | GivenTool | ToolCall;
  readonly kind: ExpectedTool['kind'];
  readonly texts: Text[];
  readonly gates: (Condition | null)[];
  readonly calls: ToolCall[];
}

export function expectTools(
  graph: SourceGraph,
  squad: Squad,
  { owners, nodesOf }: Pick<Match, 'owners' | 'nodesOf'>,
  passages: readonly Passage[],
): ExpectedTools {
  const { standsFor } = owners;
  const wanted = squad.members.map(() => new Map<string, Wanted>());
  const called = new Set<NodeIndex>();
  const want = (
    member: number,
    key: string,
    source: Wanted['source'],
    kind: Wanted['kind'],
  ): Wanted => {
    const known = wanted[member]!.get(key);
    const tool = known ?? { source, kind, texts: [], gates: [], calls: [] };
    wanted[member]!.set(key, tool);
    return tool;
  };
  const wantRequest = (member: number, index: NodeIndex): Wanted => {
    const node = graph.nodeAt(standsFor(index));
    called.add(node.index);
    return want(member, `node ${node.index}`, node, 'request');
  };
  const wantCall = (member: number, call: ToolCall): void => {
    if (call.node !== null) {
      wantRequest(member, call.node).gates.push(null);
      return;
    }
    want(member, `custom ${toolName(call.tool)}`, call, 'custom').calls.push(call);
  };
  const wantExit = (
    member: number,
    exit: NodeIndex,
    when: Text,
    condition: Condition | null,
  ): void => {
    const node = graph.nodeAt(standsFor(exit));
    called.add(node.index);
    if (node.type !== 'transferCall') {
      if (!squad.wrapped) want(member, 'end', node, 'end').gates.push(condition);
      return;
    }
    const tool = want(member, `node ${node.index}`, node, 'transfer');
    tool.texts.push(when);
    tool.gates.push(condition);
  };
  const wantNode = (member: number, index: NodeIndex): void => {
    const node = graph.nodeAt(index);
    const name = squad.members[member]!.called;
    if (node.request !== null) wantRequest(member, index);
    for (const call of node.calls) wantCall(member, call);
    for (const tool of node.tools) {
      const given = want(member, `given ${givenToolKey(tool)}`, tool, 'given');
      if (node.role === 'talk') given.gates.push(null);
    }
    for (const { to, edge, condition, otherwise, isExit } of listWays(graph, standsFor, index)) {
      if (isExit)
        wantExit(member, to, condition ?? whenDone(edge.at, { name, otherwise }), condition);
    }
  };
  nodesOf.forEach((nodes, member) => {
    for (const index of nodes) wantNode(member, index);
    const requests: (readonly [NodeIndex, Text])[] = [];
    for (const node of graph.globals) {
      const { index, at, id, name, global, role } = node;
      const condition = global!.condition;
      const when = condition ?? whenNeeded(at, toLegalName(name ?? id));
      if (condition !== null && condition.call !== null) wantCall(member, condition.call);
      if (role === 'exit') wantExit(member, index, when, condition);
      else if (node.request !== null && owners.of(index).has(member)) wantRequest(member, index);
      if (node.request !== null) requests.push([index, when]);
    }
    // Whoever calls the tool of a global node, for whatever reason, is told when it is meant.
    for (const [index, when] of requests) {
      wanted[member]!.get(`node ${standsFor(index)}`)?.texts.push(when);
    }
  });

  /** Says of the tools of a node how they are come to. */
  const gate = (member: number, index: NodeIndex, condition: Condition | null): void => {
    const node = graph.nodeAt(standsFor(index));
    if (node.role !== 'act') return;
    const keys = [`node ${node.index}`, ...node.tools.map((it) => `given ${givenToolKey(it)}`)];
    for (const key of keys) wanted[member]!.get(key)?.gates.push(condition);
  };
  for (const { from, to, condition } of graph.edges) {
    const homes = owners.of(to);
    for (const member of owners.of(from)) if (homes.has(member)) gate(member, to, condition);
  }
  for (const { index, global } of graph.globals) {
    for (const member of owners.of(index)) gate(member, index, global!.condition);
  }
  // Where a call begins, or is handed over to, nothing is judged any more.
  for (const member of owners.of(graph.start)) gate(member, graph.start, null);
  for (const { target, to } of passages) if (target !== null) gate(target, to, null);

  const captures = indexCaptures(graph);
  const needs = (node: WorkflowNode) =>
    node.request !== null || node.type === 'tool' || node.type === 'transferCall';
  return {
    of: (member) =>
      [...wanted[member]!].flatMap(([key, it]) => {
        const endsItself = (other: Wanted) =>
          other.kind === 'given' && typeOf(other.source) === 'endCall';
        // A tool of the source that ends the call is the one that the assistant is to have.
        if (it.kind === 'end' && [...wanted[member]!.values()].some(endsItself)) return [];
        const tool = writeTool(it, squad.wrapped, captures);
        return tool === null ? [] : [{ key, ...tool, texts: it.texts, gates: it.gates }];
      }),
    idsOf: (member) =>
      new Map(
        [...wanted[member]!.values()].flatMap(({ source }) =>
          'savedAs' in source && source.savedAs !== null ? [[source.savedAs.value, source.at]] : [],
        ),
      ),
    homeless: graph.order.map(graph.nodeAt).filter((node) => {
      if (!needs(node) || called.has(standsFor(node.index))) return false;
      return node.role === 'exit' ? true : owners.of(node.index).size === 0;
    }),
  };
}

function typeOf(source: Wanted['source']): Json | undefined {
  return 'savedAs' in source ? source.value?.value['type'] : undefined;
}

type Captures = ReadonlyMap<string, Capture>;

/** By variable, its first capture. */
function indexCaptures({ order, nodeAt }: SourceGraph): Captures {
  const all = order.flatMap((node) => nodeAt(node).captures);
  return new Map(all.toReversed().map((it) => [it.name, it]));
}

/** Null for a tool that the platform keeps. */
function writeTool(
  { source, kind, texts, calls }: Wanted,
  wrapped: boolean,
  captures: Captures,
): Pick<ExpectedTool, 'label' | 'at' | 'kind' | 'name' | 'value' | 'origins'> | null {
  const target = wrapped ? 'squad' : 'vapi';
  const { at } = source;
  const write = (label: string, name: string | null, template: Template) => {
    const origins: SourceMapEntry[] = [];
    const value = writeTemplate(template, '', origins) as JsonObject;
    return { label, at, kind, name, value, origins };
  };
  if ('savedAs' in source) {
    return source.value === null ? null : write(source.name, source.name, source.value);
  }
  if ('tool' in source) {
    const name = toolName(source.tool);
    return write(
      source.tool,
      name,
      confirmingTool(name, calls, (it) => captures.get(it), target),
    );
  }
  const { id, request, transfer } = source;
  if (kind === 'end') return write(id, null, endCallTool());
  if (kind === 'transfer') {
    const say = (purpose: Text | null) => describe(purpose === null ? texts : [...texts, purpose]);
    return write(id, null, transferTool(transfer!, target, say));
  }
  const name = nameOfRequest(source);
  const said = [request!.description, ...texts].filter((it) => it !== null);
  const description = said.length === 0 ? null : describe(said);
  return write(
    id,
    name,
    requestTool(request!, target, { name: fixed(name) as Traced<string>, description }),
  );
}
