/**
 * The expected tools of each assistant, by source and answers.
 *
 * A node's tool belongs to every assistant that owns the node, a transfer to every assistant that
 * leads to it, and the tool for a global node's condition to every assistant. Equal nodes need one
 * tool. Target `vapi` needs a tool wherever a call can end. What the platform has to refuse follows
 * from the transitions to a tool: it refuses a call if all are guarded and no guard is open.
 */

import { type Squad, savedToolKey } from '../../call/squad.js';
import type { NodeIndex } from '../../compiler/ir/ids.js';
import { createToolNames } from '../../compiler/ir/names.js';
import { describe, describeWhen, whenReady } from '../../compiler/ir/prompt.js';
import type { Traced } from '../../compiler/ir/provenance.js';
import { fixed, type Template, writeTemplate } from '../../compiler/ir/template.js';
import { startLineOf } from '../../compiler/ir/texts.js';
import {
  confirmingTool,
  endCallTool,
  type ModelInput,
  requestTool,
  toolWithInput,
  transferTool,
} from '../../compiler/ir/tool.js';
import {
  type Capture,
  type Condition,
  type GivenTool,
  givenToolKey,
  type Request,
  type Text,
  type ToolCall,
  type WorkflowNode,
} from '../../compiler/ir/workflow.js';
import type { Json, JsonObject } from '../../text/json.js';
import type { JsonPointer } from '../../text/pointer.js';
import type { MemberFacts } from '../walk/members.js';
import { expectGiven, expectPayload } from './requests.js';
import { type Handoff, type Owners, outgoing, type SourceGraph } from './source.js';

/** An expected tool while its uses are collected. */
interface Wanted {
  /** Distinguishes it from the other tools of the assistant. */
  readonly key: string;
  readonly kind: 'request' | 'transfer' | 'custom' | 'end' | 'given';
  readonly source: WorkflowNode | GivenTool | ToolCall;
  /** The texts that its description has to contain. */
  readonly texts: Text[];
  /** The conditions under which it is called; null for an unguarded one. */
  readonly gates: (Condition | null)[];
  readonly calls: ToolCall[];
}

export interface ExpectedTool extends Pick<Wanted, 'key' | 'kind' | 'texts'> {
  /** The id of the node, or the name of the tool that an answer asked for. */
  readonly label: string;
  readonly at: JsonPointer;
  /** Its name if names are free; null for a tool that goes by its type. */
  readonly name: string | null;
  /** The tool in the target's shape. */
  readonly value: JsonObject;
  /** Whether the source itself says when the platform refuses it. */
  readonly refusesItself: boolean;
}

export interface ExpectedTools {
  /** By member. */
  readonly of: (member: number) => readonly ExpectedTool[];
  /** By member, the ids of saved tools. */
  readonly idsOf: (member: number) => Map<string, JsonPointer>;
  /** Nodes whose tool no assistant has to have, because none owns what leads to them. */
  readonly homeless: readonly WorkflowNode[];
}

/**
 * The expected rejection plan; undefined if nothing is refused. The platform refuses a call of a
 * tool if all texts of its plan print `true`: one for each guard, printing the opposite of the
 * guard. A transition without a guard is never refused.
 */
export function rejectionPlanFor(gates: readonly (Condition | null)[]): JsonObject | undefined {
  const guards = gates.map((condition) => condition?.guard ?? null);
  if (guards.length === 0 || guards.includes(null)) return undefined;
  const conditions = [...new Set(guards)].map((guard) => {
    const open = `{% capture squadc_open %}${guard}{% endcapture %}`;
    const liquid = `${open}{% if squadc_open == "true" %}false{% else %}true{% endif %}`;
    return { type: 'liquid', liquid };
  });
  return { conditions };
}

/** The legal name of a tool. */
export function toolName(wanted: string): string {
  return createToolNames()(wanted).name;
}

/** The name of a request's tool, if it is free. */
export function nameOfRequest({ request, name, id }: WorkflowNode): string {
  return toolName(request?.toolName?.value ?? name ?? id);
}

export function expectTools(
  graph: SourceGraph,
  { members, wrapped }: Squad,
  owners: Owners,
  facts: readonly MemberFacts[],
  handoffs: readonly Handoff[],
): ExpectedTools {
  const { standsFor } = owners;
  const wanted = members.map(() => new Map<string, Wanted>());
  const called = new Set<NodeIndex>();
  const want = (member: number, key: string, kind: Wanted['kind'], source: Wanted['source']) => {
    const known = wanted[member]!.get(key);
    const lists = { texts: [], gates: [], calls: [] };
    const tool: Wanted = known ?? { key, kind, source, ...lists };
    wanted[member]!.set(key, tool);
    return tool;
  };
  const wantRequest = (member: number, index: NodeIndex): Wanted => {
    const node = graph.nodeAt(standsFor(index));
    called.add(node.index);
    return want(member, `node ${node.index}`, 'request', node);
  };
  const wantCall = (member: number, call: ToolCall): void => {
    if (call.node !== null) wantRequest(member, call.node).gates.push(null);
    else want(member, `custom ${toolName(call.tool)}`, 'custom', call).calls.push(call);
  };
  const wantExit = (member: number, exit: NodeIndex, when: Text, by: Condition | null): void => {
    const node = graph.nodeAt(standsFor(exit));
    called.add(node.index);
    if (node.type === 'transferCall') {
      const tool = want(member, `node ${node.index}`, 'transfer', node);
      tool.texts.push(when);
      tool.gates.push(by);
    } else if (!wrapped) want(member, 'end', 'end', node).gates.push(by);
  };
  const wantNode = (member: number, index: NodeIndex): void => {
    const { request, calls, tools, role } = graph.nodeAt(index);
    const name = facts[member]!.label;
    if (request !== null) wantRequest(member, index);
    for (const call of calls) wantCall(member, call);
    for (const tool of tools) {
      const given = want(member, `given ${givenToolKey(tool)}`, 'given', tool);
      if (role === 'talk') given.gates.push(null);
    }
    for (const { to, edge, condition, beside, isExit } of outgoing(graph, standsFor, index)) {
      if (!isExit) continue;
      const done = { kind: 'done', text: whenReady(edge.at, { name }), beside } as const;
      const when = condition ?? describeWhen(done)!;
      wantExit(member, to, when, condition);
    }
  };
  for (const [member, { nodes }] of facts.entries()) {
    for (const index of nodes) wantNode(member, index);
    const requests: (readonly [NodeIndex, Text])[] = [];
    for (const { index, global, role, request } of graph.globalNodes) {
      const when = global!.condition!;
      if (when.call !== null) wantCall(member, when.call);
      if (role === 'exit') wantExit(member, index, when, when);
      else if (request !== null && owners.of(index).has(member)) wantRequest(member, index);
      if (request !== null) requests.push([index, when]);
    }
    // A tool of a global node says when to call it, whatever it is called for.
    for (const [index, when] of requests) {
      wanted[member]!.get(`node ${standsFor(index)}`)?.texts.push(when);
    }
  }

  /** Records how the tools of a node are reached. */
  const addGate = (member: number, index: NodeIndex, condition: Condition | null): void => {
    const node = graph.nodeAt(standsFor(index));
    if (node.role !== 'act') return;
    const keys = [`node ${node.index}`, ...node.tools.map((it) => `given ${givenToolKey(it)}`)];
    for (const key of keys) wanted[member]!.get(key)?.gates.push(condition);
  };
  for (const { from, to, condition } of graph.edges) {
    if (graph.nodeAt(to).role !== 'act') continue;
    const homes = owners.of(to);
    for (const member of owners.of(from)) if (homes.has(member)) addGate(member, to, condition);
  }
  for (const { index, global } of graph.globalNodes) {
    for (const member of owners.of(index)) addGate(member, index, global!.condition);
  }
  // At the start and after a handoff nothing is judged any more.
  for (const member of owners.of(graph.start)) addGate(member, graph.start, null);
  for (const { target, to } of handoffs) if (target !== null) addGate(target, to, null);

  const nodes = graph.order.map(graph.nodeAt);
  const captures = new Map<string, Capture>();
  for (const node of nodes) {
    for (const it of node.captures) if (!captures.has(it.name)) captures.set(it.name, it);
  }
  /** What the model provides for the tools of a member. */
  const supplyOf = (member: number) => ({
    isTold: facts[member]!.isTold,
    suppliedTo: (tool: Request | GivenTool): ModelInput => {
      const own = facts[member]!.nodes.map(graph.nodeAt).filter(({ request, tools }) =>
        'statics' in tool
          ? request === tool
          : tools.some((it) => givenToolKey(it) === givenToolKey(tool)),
      );
      const isSilent = own.some((node) => {
        const line = startLineOf(node);
        return line !== null && facts[member]!.isTold(line);
      });
      return { filled: facts[member]!.filledFor(tool), isSilent };
    },
  });
  return {
    of: (member) => {
      const all = [...wanted[member]!.values()];
      // If the source has a tool that ends the call, the assistant has this one.
      const endsItself = all.some(
        ({ source }) => 'savedAs' in source && source.value?.value['type'] === 'endCall',
      );
      const counting = all.filter(({ kind }) => kind !== 'end' || !endsItself);
      return counting.flatMap(
        (it) => writeTool(it, wrapped ? 'squad' : 'vapi', captures, supplyOf(member)) ?? [],
      );
    },
    idsOf: (member) => {
      const ids = new Map<string, JsonPointer>();
      for (const { source } of wanted[member]!.values()) {
        if ('savedAs' in source && source.savedAs !== null)
          ids.set(savedToolKey(source.savedAs.value, source.version?.value ?? null), source.at);
      }
      return ids;
    },
    homeless: nodes.filter(({ index, type, request, role }) => {
      const needs = request !== null || type === 'tool' || type === 'transferCall';
      if (!needs || called.has(standsFor(index))) return false;
      return role === 'exit' || owners.of(index).size === 0;
    }),
  };
}

/** The tool in the shape of the target, with its first captures; null for a saved one. */
function writeTool(
  wanted: Wanted,
  target: 'squad' | 'vapi',
  captures: ReadonlyMap<string, Capture>,
  {
    isTold,
    suppliedTo,
  }: { isTold: MemberFacts['isTold']; suppliedTo: (tool: Request | GivenTool) => ModelInput },
): ExpectedTool | null {
  const { source, kind, texts, gates, calls } = wanted;
  const write = (
    label: string,
    name: string | null,
    template: Template,
    decided: Readonly<Record<string, Json | undefined>> = {},
  ): ExpectedTool => {
    const all = { ...(writeTemplate(template, '', []) as JsonObject), ...decided };
    const there = Object.entries(all).filter((it): it is [string, Json] => it[1] !== undefined);
    const own = Object.fromEntries(there);
    const refusesItself = Object.hasOwn(own, 'rejectionPlan');
    const refusals = refusesItself ? undefined : rejectionPlanFor(gates);
    const value = refusals === undefined ? own : { ...own, rejectionPlan: refusals };
    return { ...wanted, label, at: source.at, name, value, refusesItself };
  };
  if ('savedAs' in source) {
    const { value, name } = source;
    if (value === null) return null;
    const supplied = suppliedTo(source);
    const payload = expectGiven(value.value, supplied.filled);
    return write(name, name, toolWithInput({ ...source, value }, supplied), payload);
  }
  if ('tool' in source) {
    const name = toolName(source.tool);
    const template = confirmingTool(name, calls, (it) => captures.get(it), target);
    return write(source.tool, name, template);
  }
  const { id, request, transfer } = source;
  if (kind === 'end') return write(id, null, endCallTool());
  if (kind === 'transfer') {
    const words = {
      describe: (purpose: Text | null) => describe(purpose === null ? texts : [...texts, purpose]),
      isSilent: isTold,
    };
    return write(id, null, transferTool(transfer!, target, words));
  }
  const name = nameOfRequest(source);
  const own = request!.description;
  const said = [own, ...texts].filter((it) => it !== null);
  const description = said.length === 0 ? null : describe(said);
  const naming = { name: fixed(name) as Traced<string>, description };
  const supplied = suppliedTo(request!);
  const payload = expectPayload(request!, target, supplied.filled);
  return write(id, name, requestTool(request!, target, naming, supplied), payload);
}
