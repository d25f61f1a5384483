/**
 * The tools of one assistant, in the order in which a walk comes to them.
 *
 * In: an assistant. Out: each tool once, by the first node that has it. A tool in the platform's own
 * words stands as the source has it; only what a guard demands is added, where the source itself says
 * nothing of when the platform refuses it.
 */
import { groupBy } from '../../graph/lists.js';
import type { EdgeIndex, JsonPointer, NodeIndex } from '../ir/ids.js';
import { createToolNames, toToolName } from '../ir/names.js';
import { fromAnswer, fromSource, synthesized, traced } from '../ir/provenance.js';
import type { RegionMap } from '../ir/region-map.js';
import type { OtherToolIr, ToolIr } from '../ir/squad-ir.js';
import { withFields } from '../ir/template.js';
import {
  confirmingTool,
  endCallTool,
  rejectionPlan,
  requestTool,
  suppliedTool,
  transferTool,
} from '../ir/tool.js';
import { describe, type HandoffCall, handoffFunction } from '../ir/wording.js';
import { type Condition, type GivenTool, givenToolKey, type WorkflowNode } from '../ir/workflow.js';
import { type HandoffStyle, handoffsFrom, refusalsOf } from './handoffs.js';
import { endsCall, type Member, placeOf, type Way } from './members.js';
import type { Squad } from './supply.js';

/** One way to a tool, and where the source has it. */
interface Opening {
  readonly condition: Condition | null;
  readonly at: JsonPointer;
}

export type Openings = (node: WorkflowNode) => readonly Opening[];

/** The ways to an assistant's tool for a node. All nodes that end the call share one tool. */
export function listOpenings(
  { representative }: RegionMap,
  { region, nodes, ways, calls }: Member,
): Openings {
  const keyOf = (node: WorkflowNode) => (endsCall(node) ? null : node.index);
  const stepping = ways.filter(({ kind }) => kind !== 'handoff');
  const ending = [...groupBy(stepping, ({ to }) => to).values()].flat();
  // What comes from another assistant has begun already, under a condition that was met there.
  const entered = new Set(region.entries);
  const all: (Opening & { readonly key: NodeIndex | null })[] = [
    ...ending.map(({ to, condition, at }) => {
      return { key: keyOf(to), condition, at: condition?.at ?? at };
    }),
    ...nodes.flatMap(({ index: key, at }) =>
      entered.has(key) ? { key, condition: null, at } : [],
    ),
    ...calls.flatMap(({ call: { node, at } }) =>
      node === null ? [] : { key: representative[node]!, condition: null, at },
    ),
  ];
  const openings = groupBy(all, ({ key }) => key);
  return (node) => openings.get(keyOf(node)) ?? [];
}

/** A tool, and the node by which the assistant has it; null where no node leads to it. */
interface Owned<Tool extends ToolIr = OtherToolIr> {
  readonly by: WorkflowNode | null;
  readonly tool: Tool;
}

export function toolsOf(squad: Squad, member: Member, style: HandoffStyle) {
  const openings = listOpenings(squad.map, member);
  const holdings = listHoldings(member);
  const given = holdings.flatMap((it) => givenTool(squad, member, it, openings));
  const places = [...member.nodes, null];
  const owned: Owned<ToolIr>[] = [
    ...given,
    ...requestTools(squad, member, openings),
    ...confirmingTools(squad, member),
    ...places.flatMap((by) => handoffsFrom(squad, member, by, style).map((tool) => ({ by, tool }))),
    ...transferTools(squad, member, openings),
    ...endTool(squad, member, openings, given),
  ];
  const byPlace = groupBy(owned, ({ by }) => by);
  const inOrder = places.flatMap((by) => byPlace.get(by) ?? []).map(({ tool }) => tool);
  return {
    tools: nameHandoffs(squad, inOrder),
    savedTools: holdings.flatMap(([first]) => (first!.tool.savedAs === null ? [] : first!.tool)),
  };
}

/** Handoffs with names that no other tool of the assistant has. */
function nameHandoffs({ options, members }: Squad, tools: readonly ToolIr[]): ToolIr[] {
  const give = createToolNames(64);
  for (const { name } of tools) if (name !== null) give(name.value);
  return tools.map((tool): ToolIr => {
    if (tool.kind !== 'handoff' || options.target === 'squad') return tool;
    const targets = tool.destinations.map(({ region }) => members[region]!.name.value);
    const { name } = give(handoffFunction([...new Set(targets)]));
    return { ...tool, name: traced(name, synthesized('handoff-name')) };
  });
}

/** What prompts call the tools that hand off and that end the call. */
export function functionsOf({ options }: Squad, tools: readonly ToolIr[]) {
  const byEdge = new Map<EdgeIndex, HandoffCall>();
  const byGlobal = new Map<NodeIndex, HandoffCall>();
  for (const tool of tools) {
    if (tool.kind !== 'handoff' || tool.name === null) continue;
    const call = { name: tool.name.value, isShared: tool.destinations.length > 1 };
    for (const { edges, globals } of tool.destinations) {
      for (const edge of edges) byEdge.set(edge, call);
      for (const global of globals) byGlobal.set(global, call);
    }
  }
  const callOf = ({ edge, to }: Way): HandoffCall | null =>
    (edge === null ? byGlobal.get(to.index) : byEdge.get(edge)) ?? null;
  const own = tools.find(isEndTool)?.name?.value ?? 'endCall';
  return { callOf, endTool: options.target === 'squad' ? null : own };
}

/** A tool in the platform's own words, by the nodes of the assistant that have it, in walk order. */
type Holding = readonly { readonly by: WorkflowNode; readonly tool: GivenTool }[];

export function listHoldings({ nodes }: Member): Holding[] {
  const all = nodes.flatMap((by) => by.tools.map((tool) => ({ by, tool })));
  return [...groupBy(all, ({ tool }) => givenToolKey(tool)).values()];
}

function givenTool(
  { supplies }: Squad,
  member: Member,
  holding: Holding,
  openings: Openings,
): Owned[] {
  const { by, tool } = holding[0]!;
  const { value, name: called, at } = tool;
  if (value === null) return [];
  const supplied = suppliedTool({ ...tool, value }, supplies.get(member)!.suppliedTo(tool));
  // A tool that a talk node offers may be called at any time.
  const isCalled = holding.every((it) => it.by.role === 'act');
  const refuses = isCalled && !Object.hasOwn(value.value, 'rejectionPlan');
  const refusals = refuses ? refusalsOf(holding.flatMap((it) => openings(it.by))) : [];
  const template = refusals.length === 0 ? supplied : withFields(supplied, rejectionPlan(refusals));
  const name = traced(called, fromSource(at));
  return [{ by, tool: { kind: 'given', node: by.index, name, template, edges: [] } }];
}

/** Each request once, by the node itself or the first that calls its tool. */
function requestTools(squad: Squad, member: Member, openings: Openings) {
  const { graph, map, options, names, supplies } = squad;
  const { say, suppliedTo } = supplies.get(member)!;
  const { nodes } = graph.workflow;
  const requests = new Map<WorkflowNode, WorkflowNode>();
  const calls = groupBy(member.calls, ({ by }) => by);
  for (const by of member.nodes) {
    const called = (calls.get(by) ?? []).flatMap(({ call: { node } }) =>
      node === null ? [] : nodes[map.representative[node]!]!,
    );
    const own = by.request === null ? [] : [by];
    for (const node of [...own, ...called]) if (!requests.has(node)) requests.set(node, by);
  }
  return Array.from(requests, ([node, by]): Owned => {
    const { index, request, global } = node;
    // One that can be called at any time says when.
    const when = global && say(global.condition!, null);
    const own = request!.description && say(request!.description, { node: index, isLeft: false });
    const said = [own, when].filter((it) => it !== null);
    const name = names.tools.get(index)!;
    const naming = { name, description: said.length === 0 ? null : describe(said) };
    const tool = requestTool(request!, options.target, naming, suppliedTo(request!));
    const template = withFields(tool, rejectionPlan(refusalsOf(openings(node))));
    return { by, tool: { kind: 'request', node: index, name, template, edges: [] } };
  });
}

/** A model cannot have two tools of one name, so calls of one tool are one tool. */
export function groupConfirming({ calls }: Member): ReadonlyMap<string, Member['calls']> {
  const provided = calls.filter(({ call }) => call.node === null);
  return groupBy(provided, ({ call }) => toToolName(call.tool));
}

function confirmingTools({ flow, options }: Squad, member: Member): Owned[] {
  const captureOf = (variable: string) => flow.variables.get(variable)?.captures[0]?.capture;
  return Array.from(groupConfirming(member), ([called, same]): Owned => {
    const together = same.map(({ call }) => call);
    const template = confirmingTool(called, together, captureOf, options.target);
    const name = traced(called, fromAnswer(together[0]!.question));
    return { by: same[0]!.by, tool: { kind: 'function', node: null, name, template, edges: [] } };
  });
}

/** One tool per transfer node. */
function transferTools({ options, supplies }: Squad, member: Member, openings: Openings): Owned[] {
  const { say, isTold } = supplies.get(member)!;
  const transfers = member.ways.filter(({ to }) => to.transfer !== null);
  return [...groupBy(transfers, ({ to }) => to)].map(([node, same]): Owned => {
    const said = same.flatMap((way) => (way.when.text ? say(way.when.text, placeOf(way)) : []));
    const places = same.map(placeOf);
    // Where several destinations are, what the source says of each tells them apart.
    const tool = transferTool(node.transfer!, options.target, {
      describe: (purpose) =>
        describe(purpose === null ? said : [...said, say(purpose, places[0]!)]),
      isSilent: (message) => places.some((place) => isTold(message, place)),
    });
    const template = withFields(tool, rejectionPlan(refusalsOf(openings(node))));
    const edges = same.flatMap(({ edge }) => edge ?? []);
    const by = same[0]!.from;
    return { by, tool: { kind: 'transfer', node: node.index, name: null, template, edges } };
  });
}

/** The platform knows one tool that ends the call; the source may bring its own. */
function endTool(
  { options }: Squad,
  { ways }: Member,
  openings: Openings,
  given: readonly Owned[],
): Owned[] {
  const ending = ways.find(({ to }) => endsCall(to));
  if (ending === undefined || options.target === 'squad') return [];
  if (given.some(({ tool }) => isEndTool(tool))) return [];
  const template = withFields(endCallTool(), rejectionPlan(refusalsOf(openings(ending.to))));
  return [{ by: null, tool: { kind: 'end', node: null, name: null, template, edges: [] } }];
}

/** Whether the source brings a tool that ends the call. */
function isEndTool(tool: ToolIr): boolean {
  return (
    tool.kind === 'given' && 'value' in tool.template && tool.template.value['type'] === 'endCall'
  );
}
