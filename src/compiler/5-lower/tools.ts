/**
 * The tools of one assistant, in walk order.
 *
 * In: an assistant. Out: each tool once, at the first node that has it. A given tool stays as in
 * the source; only a guard adds its rejection plan, if the tool has none of its own.
 */
import { groupBy } from '../../graph/lists.js';
import type { JsonPointer } from '../../text/pointer.js';
import type { EdgeIndex, NodeIndex } from '../ir/ids.js';
import { createToolNames, toToolName } from '../ir/names.js';
import {
  describe,
  describeWhen,
  type HandoffCall,
  handoffFunction,
  originOf,
  originOfName,
} from '../ir/prompt.js';
import { fromAnswer, fromSource, synthesized, type Traced, traced } from '../ir/provenance.js';
import type { RegionMap } from '../ir/region-map.js';
import type {
  DestinationIr,
  HandoffIr,
  OtherToolIr,
  PlanAlias,
  PlanProperty,
  ToolIr,
} from '../ir/squad-ir.js';
import { withFields } from '../ir/template.js';
import {
  confirmingTool,
  endCallTool,
  rejectionPlan,
  requestTool,
  toolWithInput,
  transferTool,
} from '../ir/tool.js';
import { aliasAmong, type Crossing } from '../ir/variables.js';
import {
  type Capture,
  type Condition,
  type GivenTool,
  givenToolKey,
  type Text,
  type WorkflowNode,
} from '../ir/workflow.js';
import { endsCall, type Member, placeOf, type Transition } from './members.js';
import { inputFor, propertyOf, type Squad, type Supply, say } from './supply.js';

/** One transition to a tool, and its place in the source. */
interface ToolCaller {
  readonly condition: Condition | null;
  readonly at: JsonPointer;
}

export type Callers = (node: WorkflowNode) => readonly ToolCaller[];

/** The transitions to an assistant's tool for a node; all that end the call share one tool. */
export function listToolCallers(
  { representative }: RegionMap,
  { region, nodes, transitions, calls }: Member,
): Callers {
  const keyOf = (node: WorkflowNode) => (endsCall(node) ? null : node.index);
  const stepping = transitions.filter(({ kind }) => kind !== 'handoff');
  const ending = [...groupBy(stepping, ({ to }) => to).values()].flat();
  // A node entered from another assistant has begun already, under a condition met there.
  const entered = new Set(region.entries);
  const all: (ToolCaller & { readonly key: NodeIndex | null })[] = [
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
  const callers = groupBy(all, ({ key }) => key);
  return (node) => callers.get(keyOf(node)) ?? [];
}

/** A tool, and the node by which the assistant has it; null if no node leads to it. */
interface Owned<Tool extends ToolIr = OtherToolIr> {
  readonly by: WorkflowNode | null;
  readonly tool: Tool;
}

export function toolsOf(squad: Squad, member: Member, style: HandoffStyle) {
  const callers = listToolCallers(squad.map, member);
  const holdings = listHoldings(member);
  const given = holdings.flatMap((it) => givenTool(squad, member, it, callers));
  const places = [...member.nodes, null];
  const owned: Owned<ToolIr>[] = [
    ...given,
    ...requestTools(squad, member, callers),
    ...confirmingTools(squad, member),
    ...places.flatMap((by) => handoffsFrom(squad, member, by, style).map((tool) => ({ by, tool }))),
    ...transferTools(squad, member, callers),
    ...endTool(squad, member, callers, given),
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

/** The names in prompts of the tools that hand off and that end the call. */
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
  const callOf = ({ edge, to }: Transition): HandoffCall | null =>
    (edge === null ? byGlobal.get(to.index) : byEdge.get(edge)) ?? null;
  const own = tools.find(isEndTool)?.name?.value ?? 'endCall';
  return { callOf, endTool: options.target === 'squad' ? null : own };
}

/** A given tool, with the nodes of the assistant that have it, in walk order. */
type Holding = readonly { readonly by: WorkflowNode; readonly tool: GivenTool }[];

export function listHoldings({ nodes }: Member): Holding[] {
  const all = nodes.flatMap((by) => by.tools.map((tool) => ({ by, tool })));
  return [...groupBy(all, ({ tool }) => givenToolKey(tool)).values()];
}

function givenTool(
  { supplies }: Squad,
  member: Member,
  holding: Holding,
  callers: Callers,
): Owned[] {
  const { by, tool } = holding[0]!;
  const { value, name: called, at } = tool;
  if (value === null) return [];
  const supplied = toolWithInput({ ...tool, value }, inputFor(supplies.get(member)!, tool));
  // A tool that a talk node offers may be called at any time.
  const isCalled = holding.every((it) => it.by.role === 'act');
  const refuses = isCalled && !Object.hasOwn(value.value, 'rejectionPlan');
  const refusals = refuses ? refusalsOf(holding.flatMap((it) => callers(it.by))) : [];
  const template = refusals.length === 0 ? supplied : withFields(supplied, rejectionPlan(refusals));
  const name = traced(called, fromSource(at));
  return [{ by, tool: { kind: 'given', node: by.index, name, template, edges: [] } }];
}

/** Each request once, at its own node or the first that calls its tool. */
function requestTools(squad: Squad, member: Member, callers: Callers) {
  const { graph, map, options, names, supplies } = squad;
  const supply = supplies.get(member)!;
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
    // A tool that can be called at any time says when.
    const when = global && say(supply, global.condition!, null);
    const place = { node: index, isLeft: false };
    const own = request!.description && say(supply, request!.description, place);
    const said = [own, when].filter((it) => it !== null);
    const name = names.tools.get(index)!;
    const naming = { name, description: said.length === 0 ? null : describe(said) };
    const tool = requestTool(request!, options.target, naming, inputFor(supply, request!));
    const template = withFields(tool, rejectionPlan(refusalsOf(callers(node))));
    return { by, tool: { kind: 'request', node: index, name, template, edges: [] } };
  });
}

/** A model cannot have two tools with the same name, so calls of one tool share it. */
export function groupConfirming({ calls }: Member): ReadonlyMap<string, Member['calls']> {
  const provided = calls.filter(({ call }) => call.node === null);
  return groupBy(provided, ({ call }) => toToolName(call.tool));
}

function confirmingTools({ variables, options }: Squad, member: Member): Owned[] {
  const captureOf = (variable: string) => variables.get(variable)?.captures[0]?.capture;
  return Array.from(groupConfirming(member), ([called, same]): Owned => {
    const grouped = same.map(({ call }) => call);
    const template = confirmingTool(called, grouped, captureOf, options.target);
    const name = traced(called, fromAnswer(grouped[0]!.question));
    return { by: same[0]!.by, tool: { kind: 'function', node: null, name, template, edges: [] } };
  });
}

/** One tool for each transfer node. */
function transferTools({ options, supplies }: Squad, member: Member, callers: Callers): Owned[] {
  const supply = supplies.get(member)!;
  const transfers = member.transitions.filter(({ to }) => to.transfer !== null);
  return [...groupBy(transfers, ({ to }) => to)].map(([node, same]): Owned => {
    const said = same.flatMap((it) => sayWhen(supply, it));
    const place = placeOf(same[0]!);
    // Among several destinations, the source's description of each distinguishes them.
    const tool = transferTool(node.transfer!, options.target, {
      describe: (purpose) =>
        describe(purpose === null ? said : [...said, say(supply, purpose, place)]),
      isSilent: (message) => supply.told.has(message),
    });
    const template = withFields(tool, rejectionPlan(refusalsOf(callers(node))));
    const edges = same.flatMap(({ edge }) => edge ?? []);
    const by = same[0]!.from;
    return { by, tool: { kind: 'transfer', node: node.index, name: null, template, edges } };
  });
}

/** The platform has one tool that ends the call; the source may contain its own. */
function endTool(
  { options }: Squad,
  { transitions }: Member,
  callers: Callers,
  given: readonly Owned[],
): Owned[] {
  const ending = transitions.find(({ to }) => endsCall(to));
  if (ending === undefined || options.target === 'squad') return [];
  if (given.some(({ tool }) => isEndTool(tool))) return [];
  const template = withFields(endCallTool(), rejectionPlan(refusalsOf(callers(ending.to))));
  return [{ by: null, tool: { kind: 'end', node: null, name: null, template, edges: [] } }];
}

/** True for a tool of the source that ends the call. */
function isEndTool(tool: ToolIr): boolean {
  return (
    tool.kind === 'given' && 'value' in tool.template && tool.template.value['type'] === 'endCall'
  );
}

function sayWhen(supply: Supply, it: Transition): Text[] {
  const text = describeWhen(it.when);
  return text === null ? [] : [say(supply, text, placeOf(it))];
}

/** Decisions about the handoffs of an assistant. */
export interface HandoffStyle {
  /** Whether the variable of this name crosses as an argument. */
  readonly isArgument: (variable: string) => boolean;
  /** One tool per destination, or one tool with several (spec/3, "Guidance on model families"). */
  readonly isSeparate: boolean;
}

/**
 * The handoffs out of one node, or those to global nodes, still without names (spec/3, "Conversion
 * procedure"). Transitions from one node to one entry of an assistant share a destination, which
 * carries what any of them carries. Destinations share a tool unless separate tools are wanted or
 * they differ in what applies to a whole tool: a guard, the arguments that it requires, and which of
 * several entries of an assistant it leads to, which only the name of its function shows.
 */
function handoffsFrom(
  { supplies, options }: Squad,
  member: Member,
  from: WorkflowNode | null,
  { isArgument, isSeparate }: HandoffStyle,
): HandoffIr[] {
  const whenOf = (it: Transition) => sayWhen(supplies.get(member)!, it);
  const leaving = member.transitionsFrom.get(from) ?? [];
  const handoffs = leaving.filter(({ kind }) => kind === 'handoff');
  if (handoffs.length === 0) return [];
  const isGuarded = ({ condition }: Transition) => (condition?.guard ?? null) !== null;
  // In the shape of spec/3 a tool has no name that could show the entry.
  const entryOf = ({ to, region }: Transition) => (options.target === 'squad' ? region : to.index);
  const entries = new Map(handoffs.map((it) => [entryOf(it), it.region]));
  const regions = groupBy(entries.values(), (region) => region);
  const isAlone = (it: Transition) => isGuarded(it) || regions.get(it.region)!.length > 1;
  const grouped = groupBy(handoffs, (it) => `${entryOf(it)} ${isGuarded(it)}`);
  const offers = Array.from(grouped, ([key, same]) => {
    const destination = destinationOf(same, isArgument, whenOf);
    const refusals = refusalsOf(same);
    const node = from?.index ?? null;
    const handoff = { kind: 'handoff', name: null, node, destinations: [destination], refusals };
    // The same arguments in another order are the same requirement.
    const names = destination.arguments.map((it) => JSON.stringify([it.name, it.captures])).sort();
    const needs = JSON.stringify([names, isAlone(same[0]!) ? key : null]);
    return { handoff: handoff as HandoffIr, needs };
  });
  const alike = [...groupBy(offers, ({ needs }) => needs).values()];
  if (isSeparate) return alike.flat().map(({ handoff }) => handoff);
  return alike.map((same) => ({
    ...same[0]!.handoff,
    destinations: same.flatMap(({ handoff }) => handoff.destinations),
  }));
}

/** Transitions that share a destination carry what any of them carries. */
function uniteCrossings(transitions: readonly Transition[]): Crossing[] {
  const all = transitions.flatMap(({ from, condition, crossings }) => {
    // What a tool provides for the condition of a global node is newer than any capture.
    const given = from === null ? (condition?.call?.variables ?? []) : [];
    return crossings.filter(({ variable }) => !given.includes(variable.name));
  });
  return [...groupBy(all, ({ variable }) => variable.name).values()].map((same) => {
    const { variable } = same[0]!;
    const any = new Set(same.flatMap((it) => it.captures.map(({ capture }) => capture)));
    const captures = variable.captures.filter(({ capture }) => any.has(capture));
    return { ...same.at(-1)!, captures };
  });
}

function destinationOf(
  transitions: readonly Transition[],
  isArgument: HandoffStyle['isArgument'],
  whenOf: (it: Transition) => Text[],
): DestinationIr {
  const crossings = uniteCrossings(transitions);
  const plan: PlanProperty[] = [];
  const demanded: PlanProperty[] = [];
  for (const crossing of crossings) {
    const property = propertyOf(crossing);
    if (property !== null) (isArgument(property.name) ? demanded : plan).push(property);
  }
  return {
    region: transitions[0]!.region,
    edges: transitions.flatMap(({ edge }) => edge ?? []),
    globals: transitions.flatMap(({ from, to }) => (from === null ? [to.index] : [])),
    description: describe(transitions.flatMap(whenOf)),
    plan,
    // The model passes arguments; it cannot derive them.
    aliases: aliasesOf(crossings),
    arguments: demanded,
  };
}

/** Derived variables; an alias comes after those that it reads, unless they form a cycle. */
function aliasesOf(crossings: readonly Crossing[]): readonly PlanAlias[] {
  const derived = crossings.flatMap(({ captures }) => aliasAmong(captures)?.capture ?? []);
  if (derived.length === 0) return [];
  const aliases = new Map(derived.map((capture) => [capture.name, capture]));
  const inOrder = new Set<Capture>();
  const seen = new Set<Capture>();
  const pending = derived.toReversed();
  for (let next = pending.at(-1); next !== undefined; next = pending.at(-1)) {
    if (seen.has(next)) {
      inOrder.add(next);
      pending.pop();
      continue;
    }
    seen.add(next);
    const read = next.alias!.uses.toReversed().flatMap(({ name }) => aliases.get(name) ?? []);
    for (const it of read) if (!seen.has(it)) pending.push(it);
  }
  return [...inOrder].map((capture) => ({
    key: traced(capture.name, originOfName(capture)),
    value: traced(capture.alias!.value, originOf(capture.alias!)),
  }));
}

/**
 * The texts that refuse a tool to which these transitions lead; one without a guard is always open.
 *
 * The platform refuses a call of a tool if all texts of its rejection plan print `true`. A guard
 * prints `true` if its condition holds, so a refusal prints the opposite. A tool is refused if none
 * of its transitions is open: if one edge leads to a transfer when `tier == 'gold'` and another
 * without a condition, the platform cannot refuse the transfer.
 */
function refusalsOf(callers: readonly Pick<Transition, 'condition'>[]): readonly Traced<string>[] {
  if (callers.some(({ condition }) => (condition?.guard ?? null) === null)) return [];
  const refusals = callers.map(({ condition }): [string, Traced<string>] => {
    // The name is set after the guard is rendered, so the guard may use the same one.
    const text =
      `{% capture squadc_open %}${condition!.guard}{% endcapture %}` +
      `{% if squadc_open == "true" %}false{% else %}true{% endif %}`;
    return [text, traced(text, synthesized('guard', [condition!.at]))];
  });
  return [...new Map(refusals).values()];
}
