/**
 * The expected texts of the assistants, under the grouping of the squad.
 *
 * In: the source, which members own which nodes, and the names of their tools. Out: for each member
 * the content of its prompt and the lines that it opens with; and the condition of each handoff in
 * words.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import {
  type Action,
  type Branch,
  type Done,
  describe,
  describeWhen,
  type EntryContent,
  type HandoffCall,
  handoffFunction,
  type PromptContent,
  type StepContent,
  type When,
  whenReady,
  writePrompt,
} from '../../compiler/ir/prompt.js';
import { type Segment, type Traced, traced } from '../../compiler/ir/provenance.js';
import { writeTemplate } from '../../compiler/ir/template.js';
import { markVerbatim } from '../../compiler/ir/tokens.js';
import type { Condition, Text, ToolCall, WorkflowNode } from '../../compiler/ir/workflow.js';
import { onlySays } from '../../compiler/ir/workflow.js';
import { groupBy } from '../../graph/lists.js';
import type { Squad } from '../squad.js';
import type { Handoff, Owners, SourceGraph, Steps, Transition } from './source.js';
import { listEntered, outgoing } from './source.js';
import { anywhere, type ExpectedSupply, entering, leaving } from './supply.js';

/** The names of a member's tools: that of a request or tool node, or of a call. */
export type CallNames = (member: number, tool: WorkflowNode | ToolCall) => readonly string[];

/** How a squad makes a handoff: the assistant's name, and the function to call. */
export interface HandoffWords {
  readonly to: string;
  readonly by: HandoffCall | null;
}

/** A step with its node. */
export interface ExpectedStep extends StepContent {
  readonly node: WorkflowNode;
  readonly branches: readonly ExpectedBranch[];
}

/** A transition with its end. */
export interface ExpectedBranch extends Branch, Pick<Handoff, 'edge' | 'condition'> {
  readonly to: WorkflowNode;
}

export interface ExpectedPrompt extends PromptContent {
  readonly steps: readonly ExpectedStep[];
  readonly anyTime: readonly (ExpectedBranch & PromptContent['anyTime'][number])[];
  /** The nodes whose lines the assistant opens with. */
  readonly opened: readonly WorkflowNode[];
  /** The number of nodes that a call can begin at. */
  readonly entryCount: number;
  readonly segments: readonly Segment[];
}

interface PromptInput {
  readonly graph: SourceGraph;
  readonly squad: Squad;
  readonly owners: Owners;
  readonly handoffs: readonly Handoff[];
  /** By member. */
  readonly steps: readonly Steps[];
  readonly names: CallNames;
  /** How the squad makes an expected handoff; null if it does not. */
  readonly handoffOf: (handoff: Handoff) => HandoffWords | null;
  /** How a member has to say a text. */
  readonly supplyOf: (member: number) => ExpectedSupply;
}

interface Indexed extends PromptInput {
  /** By the node that they lead to. */
  readonly leading: ReadonlyMap<NodeIndex, readonly Handoff[]>;
}

/** The condition of each handoff in words, and the prompts by member. */
export function expectPrompts(given: PromptInput): {
  readonly sayWhen: (handoff: Handoff) => string;
  readonly of: (member: number) => ExpectedPrompt;
} {
  const leading = groupBy(given.handoffs, ({ to }) => given.owners.standsFor(to));
  const input = { ...given, leading };
  return {
    sayWhen: (handoff) => String(writeTemplate(describe([sayWhen(input, handoff)]), '', [])),
    of: (member) => expectPrompt(input, member),
  };
}

function sayWhen(input: Indexed, handoff: Handoff): Text {
  const { member, from, condition } = handoff;
  if (condition === null) return describeWhen(whenDone(input, handoff))!;
  const place = from === null ? anywhere : leaving(input.owners.standsFor(from));
  return input.supplyOf(member).say(condition, place);
}

/** When a handoff without a condition is made. */
function whenDone({ graph, owners, steps }: Indexed, { member, from, edge }: Handoff): Done {
  const left = owners.standsFor(from!);
  const { label: name, collectedAt } = steps[member]!;
  const beside = outgoing(graph, owners.standsFor, left).flatMap((it) => it.condition ?? []);
  const text = whenReady(edge!.at, { name, collected: collectedAt(left) });
  return { kind: 'done', text, beside };
}

function expectPrompt(input: Indexed, index: number): ExpectedPrompt {
  const { graph, squad, owners, steps, supplyOf } = input;
  const { nodes, entries, opening, numbers } = steps[index]!;
  const { say, hasTokens, known } = supplyOf(index);
  const opened = Array.from(opening, graph.nodeAt).filter((it) => it.firstMessage !== null);
  const isStart = entries.includes(graph.start) || entries.includes(owners.standsFor(graph.start));
  const { globalPrompt } = graph.workflow;
  const content = {
    globalPrompt: globalPrompt && say(globalPrompt, anywhere),
    opening: {
      part: squad.members.length === 1 ? 'only' : isStart ? 'first' : 'later',
      hasSpoken: opened.length > 0,
      hasTokens,
      known,
    },
    entries: entries.length < 2 ? [] : entries.map((node) => writeEntry(input, index, node)),
    // Nodes that are spoken before the first step have no step of their own.
    steps: nodes.slice(Math.max(opening.size - 1, 0)).map((node) => writeStep(input, index, node)),
    anyTime: listEntered(graph, nodes).map(({ index: to, global }) => {
      const { condition } = global!;
      const step = { edge: null, to, condition, beside: [] };
      // A line that is spoken before the first step belongs to no step.
      const isStep = nodes.indexOf(to) >= Math.max(opening.size - 1, 0);
      const except = isStep ? numbers.get(to)! : null;
      return { ...writeBranch(input, index, null, step), except };
    }),
  } as const;
  return { ...content, opened, entryCount: entries.length, segments: writePrompt(content) };
}

/** What leads to an entry, in the order of the assistants, and for each in walk order. */
function writeEntry(input: Indexed, index: number, entry: NodeIndex): EntryContent {
  const { graph, owners, leading, steps } = input;
  const along = (leading.get(entry) ?? []).flatMap((it) => {
    const { rank, numbers } = steps[it.member]!;
    if (it.edge === null || !numbers.has(it.from!)) return [];
    const when: When =
      it.condition === null ? whenDone(input, it) : { kind: 'condition', text: it.condition };
    return [{ when, rank, number: graph.rank[it.from!]! }];
  });
  const { numbers, rank } = steps[index]!;
  const { global } = graph.nodeAt(entry);
  const condition = { kind: 'condition', text: global?.condition } as When;
  const all = [...along, ...(global === null ? [] : [{ when: condition, rank, number: -1 }])];
  all.sort((one, other) => one.rank - other.rank || one.number - other.number);
  return {
    step: numbers.get(entry)!,
    isStart: entry === owners.standsFor(graph.start),
    conditions: all.flatMap(({ when: { kind, text } }) =>
      kind === 'condition' ? markVerbatim(text) : [],
    ),
    done: all.flatMap(({ when }) =>
      when.kind === 'done' ? { ...when, beside: when.beside.map(markVerbatim) } : [],
    ),
  };
}

function writeStep(input: Indexed, member: number, index: NodeIndex): ExpectedStep {
  const { graph, owners, names, steps, supplyOf } = input;
  const { opening, numbers } = steps[member]!;
  const { say, unsaidBy } = supplyOf(member);
  const node = graph.nodeAt(index);
  const sayHere = (text: Text | null) => text && say(text, entering(index));
  const isSpoken = opening.has(index);
  const isAct = node.role === 'act';
  const own = isAct ? names(member, node) : [];
  // A tool whose name is unknown is called the tool of the step.
  const isUnnamed = isAct && node.tools.length > 0 && own.length === 0;
  const asked = node.calls.filter(({ moment }) => moment === 'captured');
  // The model says what the platform would speak without its values.
  const lines = [isSpoken ? null : node.firstMessage, isAct ? unsaidBy(node) : null];
  const onward = isSpoken && onlySays(node) ? [] : outgoing(graph, owners.standsFor, index);
  return {
    node,
    lines: lines.flatMap((line) => sayHere(line) ?? []),
    instructions: sayHere(node.systemPrompt),
    captures: node.captures.map((it) => ({ ...it, description: sayHere(it.description) })),
    calls: [
      ...(isUnnamed ? [numbers.get(index)!] : own),
      ...asked.flatMap((call) => names(member, call)),
    ],
    branches: onward.map((it) => writeBranch(input, member, index, it)),
  };
}

/** A transition to a node from a step, or from any step. */
function writeBranch(
  input: Indexed,
  member: number,
  from: NodeIndex | null,
  { edge, to, condition, beside }: Pick<Transition, 'to' | 'beside'> & Leading,
): ExpectedBranch {
  const { graph, squad, owners, supplyOf, steps, handoffOf } = input;
  const node = graph.nodeAt(to);
  const place = from === null ? anywhere : leaving(from);
  const say = (text: Text) => supplyOf(member).say(text, place);
  let action: Action;
  if (node.role === 'exit') {
    const exit = graph.nodeAt(owners.standsFor(to));
    action = leave(squad, member, exit, say, supplyOf(member).isTold);
  } else if (owners.of(to).has(member)) {
    action = goTo(input, member, owners.standsFor(to));
  } else {
    // In a squad of one, nobody hands off to a global node.
    const isApart = squad.members.length > 1 || to === owners.standsFor(graph.start);
    const [first = null] = owners.of(to);
    const target = edge !== null ? first : isApart ? owners.soleOwner(to) : null;
    const { at } = edge ?? node;
    // As the squad does it; if it does not, as it could.
    const name = target === null ? '' : steps[target]!.name;
    const by = squad.wrapped ? null : { name: handoffFunction([name]), isShared: false };
    const made = handoffOf({ member, from, to, condition, edge, target, at });
    action = { kind: 'hand-off', ...(made ?? { to: name, by }) };
  }
  return {
    edge,
    condition,
    to: node,
    demand: demandOf(input.names, member, condition),
    when:
      condition === null
        ? { kind: 'done', text: null, beside }
        : { kind: 'condition', text: say(condition) },
    action,
  };
}

type Leading = Pick<ExpectedBranch, 'edge' | 'condition'>;

/** What an exact condition needs before it can be judged. */
function demandOf(names: CallNames, member: number, condition: Condition | null): Branch['demand'] {
  if (condition === null) return null;
  if (condition.call !== null) return { call: names(member, condition.call)[0] ?? '' };
  if (condition.routing !== 'extract' || condition.uses.length === 0) return null;
  return { know: [...new Set(condition.uses.map((use) => use.name))] };
}

/** A step back to a node of the opening repeats the lines from there on. */
function goTo({ graph, supplyOf, steps }: Indexed, member: number, to: NodeIndex): Action {
  const { opening, numbers } = steps[member]!;
  const spoken = opening.has(to) ? [...opening] : [];
  const lines = spoken.slice(spoken.indexOf(to)).flatMap((node): Text[] => {
    const { firstMessage } = graph.nodeAt(node);
    return firstMessage === null ? [] : [supplyOf(member).say(firstMessage, entering(node))];
  });
  return { kind: 'go', step: numbers.get(to) ?? 0, lines };
}

/** Ends or transfers the call, after what the exit says. */
function leave(
  { members, wrapped }: Squad,
  member: number,
  { type, transfer, firstMessage, systemPrompt }: WorkflowNode,
  say: (text: Text) => Text,
  isTold: (text: Text) => boolean,
): Action {
  const lines = firstMessage === null ? [] : [say(firstMessage)];
  const instructions = systemPrompt && say(systemPrompt);
  if (type !== 'transferCall') {
    const tool = members[member]!.tools.find((it) => it.type === 'endCall');
    return { kind: 'end', tool: wrapped ? null : tool?.name || 'endCall', lines, instructions };
  }
  const to: Traced<string>[] = [];
  for (const { destination, message } of transfer === null ? [] : [transfer, ...transfer.others]) {
    // The model says what the platform would speak without its values.
    if (message !== null && isTold(message)) lines.push(say(message));
    if (destination === null) continue;
    const { value, origin } = destination;
    to.push(traced(value.type === 'sip' ? value.sipUri : value.number, origin));
  }
  return { kind: 'transfer', to, lines, instructions };
}

/** A step or a part of one, without its heading. */
export function stepText(step: Partial<StepContent>): string {
  const opening = { part: 'only', hasSpoken: false, hasTokens: false, known: [] } as const;
  const nothing = { lines: [], instructions: null, captures: [], calls: [], branches: [] };
  const steps = [{ ...nothing, ...step }];
  const content = { globalPrompt: null, opening, entries: [], steps, anyTime: [] };
  return textOf(writePrompt(content)).replace(/^Step 1\n/, '');
}

export function textOf(segments: readonly Segment[]): string {
  let text = '';
  for (const segment of segments) text += segment.text;
  return text;
}
