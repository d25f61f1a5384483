/**
 * The tools of one assistant, in walk order.
 *
 * In: an assistant. Out: each tool once, at the first node that has it. A given tool stays as in
 * the source; only a guard adds its rejection plan, if the tool has none of its own.
 */
import { groupBy } from '../../graph/lists.js';
import { computeComponents } from '../../graph/partitions.js';
import { createToolNames, toToolName } from '../ir/names.js';
import {
  describe,
  describeEnd,
  describeRequest,
  describeWhen,
  handoffFunction,
  originOf,
  originOfName,
} from '../ir/prompt.js';
import { fromAnswer, fromSource, synthesized, type Traced, traced } from '../ir/provenance.js';
import type { RegionMap } from '../ir/region-map.js';
import type { DestinationIr, HandoffIr, OtherToolIr, ToolIr } from '../ir/squad-ir.js';
import { withFields } from '../ir/template.js';
import { linesOfTool } from '../ir/texts.js';
import {
  confirmingTool,
  destinationKey,
  endCallTool,
  rejectionPlan,
  requestTool,
  type TransferEnd,
  toolWithInput,
  transferTool,
  transferToolKey,
} from '../ir/tool.js';
import { type Crossing, winningAlias } from '../ir/variables.js';
import {
  destinationsOf,
  type GivenTool,
  givenToolKey,
  type Text,
  type WorkflowNode,
} from '../ir/workflow.js';
import { targets } from '../targets.js';
import { endsCall, type Member, placeOf, type Transition } from './members.js';
import { inputFor, propertyOf, type Squad, type Supplied, say } from './supply.js';

/** The transitions to an assistant's tool for a node, each with its place in the source. */
export type Callers = (node: WorkflowNode) => readonly Pick<Transition, 'condition' | 'at'>[];

/** All transitions that end the call share one tool, and so do those that transfer it. */
export function listToolCallers({ representative }: RegionMap, member: Member): Callers {
  const { region, nodes, transitions, calls } = member;
  const keyOf = (node: WorkflowNode) =>
    node.transfer ? transferToolKey(node.transfer) : endsCall(node) ? null : node.index;
  const stepping = transitions.filter(({ kind }) => kind !== 'handoff');
  const inOrder = [...groupBy(stepping, ({ to }) => to).values()].flat();
  // A node entered from another assistant has begun already, under a condition met there.
  const entered = nodes.filter(({ index }) => region.entries.includes(index));
  const callers = groupBy(
    [
      ...inOrder.map(({ to, condition, at }) => {
        return { key: keyOf(to), condition, at: condition?.at ?? at };
      }),
      ...entered.map(({ index, at }) => ({ key: index, condition: null, at })),
      ...calls.flatMap(({ call: { node, at } }) =>
        node === null ? [] : { key: representative[node]!, condition: null, at },
      ),
    ],
    ({ key }) => key,
  );
  return (node) => callers.get(keyOf(node)) ?? [];
}

/** A tool, and the node by which the assistant has it; null if no node leads to it. */
interface Owned {
  readonly by: WorkflowNode | null;
  readonly tool: ToolIr;
}

export function toolsOf(squad: Squad, member: Supplied, style: HandoffStyle) {
  const callers = listToolCallers(squad.map, member);
  const places = [...member.nodes, null];
  const holdings = listHoldings(member);
  const given = holdings.flatMap((it) => givenTool(member, it, callers));
  const owned: Owned[] = [
    ...given,
    ...requestTools(squad, member, callers),
    ...confirmingTools(squad, member),
    ...places.flatMap((by) => handoffsFrom(squad, member, by, style).map((tool) => ({ by, tool }))),
    ...transferTools(squad, member, callers),
    ...(given.some(({ tool }) => isEndTool(tool)) ? [] : endTool(squad, member, callers)),
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
  const give = createToolNames(64, '_');
  for (const { name } of tools) if (name !== null) give(name.value);
  return tools.map((tool): ToolIr => {
    if (tool.kind !== 'handoff' || !targets[options.target].hasFunctions) return tool;
    const names = tool.destinations.map(({ region }) => members[region]!.name.value);
    // Of other scripts too little is left to read.
    const isLegible = names.every((it) => !/[^\0-\x7f]/.test(it) || /(?:[a-z].*){3}/is.test(it));
    const numbers = new Set(tool.destinations.map(({ region }) => region + 1));
    const numbered = `handoff_${[...numbers].join('_or_')}`;
    const { name } = give(isLegible ? handoffFunction([...new Set(names)]) : numbered);
    return { ...tool, name: traced(name, synthesized('handoff-name')) };
  });
}

/** The tool that makes a handoff. */
export function handoffFor(tools: readonly ToolIr[], { edge, to }: Transition): HandoffIr {
  const isIts = ({ edges, globals }: DestinationIr) =>
    edge === null ? globals.includes(to.index) : edges.includes(edge);
  const handoffs = tools.filter((it) => it.kind === 'handoff');
  return handoffs.find(({ destinations }) => destinations.some(isIts))!;
}

/** The name in a prompt of the tool that ends the call; null if the target has none. */
export function endToolName({ options }: Squad, tools: readonly ToolIr[]): string | null {
  const name = tools.find(isEndTool)?.name?.value ?? 'endCall';
  return targets[options.target].hasFunctions ? name : null;
}

/** A given tool, with the nodes of the assistant that have it, in walk order. */
type Holding = readonly { readonly by: WorkflowNode; readonly tool: GivenTool }[];

export function listHoldings({ nodes }: Member): Holding[] {
  const all = nodes.flatMap((by) => by.tools.map((tool) => ({ by, tool })));
  return [...groupBy(all, ({ tool }) => givenToolKey(tool)).values()];
}

function givenTool(member: Supplied, holding: Holding, callers: Callers): Owned[] {
  const { by, tool } = holding[0]!;
  const { value, name: called, at } = tool;
  if (value === null) return [];
  const supplied = toolWithInput({ ...tool, value }, inputFor(member, tool));
  // A tool that a talk node offers may be called at any time.
  const isCalled = holding.every((it) => it.by.role === 'act');
  const refuses = isCalled && !Object.hasOwn(value.value, 'rejectionPlan');
  const template = refuses
    ? guarded(
        supplied,
        holding.flatMap((it) => callers(it.by)),
      )
    : supplied;
  const name = traced(called, fromSource(at));
  return [{ by, tool: { kind: 'given', node: by.index, name, template, edges: [] } }];
}

/** Each request once, at its own node or the first that calls its tool. */
function requestTools(squad: Squad, member: Supplied, callers: Callers): Owned[] {
  const { graph, map, options, names } = squad;
  const calls = groupBy(member.calls, ({ by }) => by);
  const uses = member.nodes.flatMap((by) => [
    ...(by.request === null ? [] : [{ by, node: by }]),
    ...(calls.get(by) ?? []).flatMap(({ call: { node } }) =>
      node === null ? [] : { by, node: graph.workflow.nodes[map.representative[node]!]! },
    ),
  ]);
  return Array.from(groupBy(uses, ({ node }) => node).values(), ([first]): Owned => {
    const { by, node } = first!;
    const { index, global } = node;
    const request = node.request!;
    // A tool that can be called at any time says when.
    const when = global && say(member, global.condition!, null);
    const place = { node: index, isLeft: false };
    const own = request.description && say(member, request.description, place);
    const entering = member.transitions.filter(({ from, to }) => from !== null && to === node);
    const leading = entering.filter(({ kind }) => kind !== 'handoff');
    const leads = own === null ? leading.flatMap((it) => sayWhen(member, it)) : [];
    const name = names.tools.get(index)!;
    const naming = { name, description: describeRequest([own, ...leads, when], name) };
    const tool = requestTool(request, options.target, naming, inputFor(member, request));
    const template = guarded(tool, callers(node));
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
  return Array.from(groupConfirming(member), ([called, [first, ...others]]): Owned => {
    const calls = [first!, ...others].map(({ call }) => call);
    const template = confirmingTool(called, calls, captureOf, options.target);
    const name = traced(called, fromAnswer(first!.call.question));
    return { by: first!.by, tool: { kind: 'function', node: null, name, template, edges: [] } };
  });
}

/** One tool for all transfers, since the platform knows it by its type. */
function transferTools({ options }: Squad, member: Supplied, callers: Callers): Owned[] {
  const transfers = member.transitions.filter(({ to }) => to.transfer !== null);
  return Array.from(
    groupBy(transfers, ({ to }) => transferToolKey(to.transfer!)).values(),
    (same): Owned => {
      const { from: by, to: node } = same[0]!;
      const tool = transferTool(listTransferEnds(member, same), options.target);
      const template = guarded(tool, callers(node));
      const edges = same.flatMap(({ edge }) => edge ?? []);
      return { by, tool: { kind: 'transfer', node: node.index, name: null, template, edges } };
    },
  );
}

/** A destination for each number, described by when to choose it and by what the source says. */
function listTransferEnds(member: Supplied, transitions: readonly Transition[]): TransferEnd[] {
  const ends = transitions.flatMap((it) =>
    destinationsOf(it.to).map((transfer) => ({ ...transfer, transfer, it })),
  );
  return Array.from(groupBy(ends, destinationKey).values(), (same): TransferEnd => {
    const whens = same.flatMap(({ it }) => sayWhen(member, it));
    const purposes = same.flatMap(({ description, it }) =>
      description === null ? [] : say(member, description, placeOf(it)),
    );
    return {
      transfer: same[0]!.transfer,
      description: describeEnd(whens, purposes),
      isSilent: same.some(({ message }) => message && member.spokenByModel.has(message)),
    };
  });
}

/** The platform has one tool that ends the call. */
function endTool({ options }: Squad, member: Supplied, callers: Callers): Owned[] {
  const ending = member.transitions.find(({ to }) => endsCall(to));
  if (ending === undefined || !targets[options.target].hasFunctions) return [];
  const isSilent = linesOfTool(ending.to).some((text) => member.spokenByModel.has(text));
  const template = guarded(endCallTool(isSilent ? null : ending.to), callers(ending.to));
  return [{ by: null, tool: { kind: 'end', node: null, name: null, template, edges: [] } }];
}

/** True for a tool of the source that ends the call. */
function isEndTool(tool: ToolIr): boolean {
  return (
    tool.kind === 'given' && 'value' in tool.template && tool.template.value['type'] === 'endCall'
  );
}

function sayWhen(member: Supplied, it: Transition): Text[] {
  const text = describeWhen(it.when);
  return text === null ? [] : [say(member, text, placeOf(it))];
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
  { options }: Squad,
  member: Supplied,
  from: WorkflowNode | null,
  { isArgument, isSeparate }: HandoffStyle,
): HandoffIr[] {
  const handoffs = member.handoffs.filter((it) => it.from === from);
  // A tool without a name cannot show the entry.
  const { hasFunctions } = targets[options.target];
  const entryOf = ({ to, region }: Transition) => (hasFunctions ? to.index : region);
  const entries = new Map(handoffs.map((it) => [entryOf(it), it.region]));
  const regions = groupBy(entries.values(), (region) => region);
  const grouped = groupBy(handoffs, (it) => `${entryOf(it)} ${isOpen(it)}`);
  const separate = Array.from(grouped, ([key, same]) => {
    const [first] = same;
    const crossings = uniteCrossings(same);
    const properties = crossings.flatMap((it) => propertyOf(it) ?? []);
    const destination: DestinationIr = {
      region: first!.region,
      edges: same.flatMap(({ edge }) => edge ?? []),
      globals: same.flatMap(({ to }) => (from === null ? to.index : [])),
      description: describe(same.flatMap((it) => sayWhen(member, it))),
      plan: properties.filter(({ name }) => !isArgument(name)),
      // The model passes arguments; it cannot derive them.
      aliases: aliasesOf(crossings),
      arguments: properties.filter(({ name }) => isArgument(name)),
    };
    const [node, refusals] = [from?.index ?? null, refusalsOf(same)];
    const destinations = [destination];
    const tool: HandoffIr = { kind: 'handoff', name: null, node, destinations, refusals };
    // The same arguments in another order are the same requirement.
    const names = destination.arguments.map((it) => JSON.stringify([it.name, it.captures])).sort();
    const isAlone = !isOpen(first!) || regions.get(first!.region)!.length > 1;
    return { tool, needs: JSON.stringify([names, isAlone ? key : null]) };
  });
  return [...groupBy(separate, ({ needs }) => needs).values()].flatMap((alike): HandoffIr[] => {
    const tools = alike.map(({ tool }) => tool);
    if (isSeparate) return tools;
    return [{ ...tools[0]!, destinations: tools.flatMap(({ destinations }) => destinations) }];
  });
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

/** Derived variables; an alias comes after those that it reads, unless they form a cycle. */
function aliasesOf(crossings: readonly Crossing[]): DestinationIr['aliases'] {
  const derived = crossings.flatMap(({ captures }) => winningAlias(captures)?.capture ?? []);
  const numbers = new Map(derived.map(({ name }, at) => [name, at]));
  const reads = derived.map(({ alias }) =>
    alias!.uses.flatMap(({ name }) => numbers.get(name) ?? []),
  );
  const inOrder = computeComponents(reads).order.toReversed();
  return inOrder.map((at) => {
    const { name, alias } = derived[at]!;
    const key = traced(name, originOfName(derived[at]!));
    return { key, value: traced(alias!.value, originOf(alias!)) };
  });
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
  if (callers.some(isOpen)) return [];
  const refusals = callers.map(({ condition }): [string, Traced<string>] => {
    // The name is set after the guard is rendered, so the guard may use the same one.
    const text =
      `{% capture squadc_open %}${condition!.guard}{% endcapture %}` +
      `{% if squadc_open == "true" %}false{% else %}true{% endif %}`;
    return [text, traced(text, synthesized('guard', [condition!.at]))];
  });
  return [...new Map(refusals).values()];
}

/** Whether no guard refuses the transition. */
export function isOpen({ condition }: Pick<Transition, 'condition'>): boolean {
  return (condition?.guard ?? null) === null;
}

/** A tool to which these transitions lead, with what refuses it. */
function guarded(tool: OtherToolIr['template'], callers: ReturnType<Callers>) {
  const plan = rejectionPlan(refusalsOf(callers));
  return plan.length === 0 ? tool : withFields(tool, plan);
}
