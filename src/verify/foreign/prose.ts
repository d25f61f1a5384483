/**
 * A prompt that squadc did not write, and descriptions.
 *
 * In: a member, and the pairs of the walk with the names that the squad has for their tools. Out:
 * differences, and what the prompt leaves open. It must contain every text of its nodes word for
 * word, where the platform shows it. It leaves nothing open if it is about one node and the rest of
 * it are sentences like those below, which say when to hand off, to end the call or to transfer it,
 * as the workflow does. What else it says has to be judged by a person: prose can reorder, restrict
 * and forbid.
 */

import { unraw } from '../../call/prompt.js';
import type { Destination, Member, Tool } from '../../call/squad.js';
import { numbersOf, transfersOf } from '../../call/vocabulary.js';
import { joinLines } from '../../compiler/ir/prompt.js';
import { writeTemplate } from '../../compiler/ir/template.js';
import { linesOfTool, startLineOf } from '../../compiler/ir/texts.js';
import { withoutRaw } from '../../compiler/ir/tokens.js';
import type * as ir from '../../compiler/ir/workflow.js';
import { onlySays, partsOf } from '../../compiler/ir/workflow.js';
import { ofDifferences, ofDoubts } from '../../diagnostics/checklist.js';
import { groupBy } from '../../graph/lists.js';
import { textOf } from '../../text/parts.js';
import type { JsonPointer } from '../../text/pointer.js';
import { type Owners, outgoing, type SourceGraph } from '../expected/source.js';
import { type Finding, fault } from '../finding.js';
import type { Move, Pair } from '../walk/find.js';
import type { MemberFacts } from '../walk/members.js';
import type { CallNames } from '../walk/prompts.js';

interface Saying {
  readonly globalPrompt: ir.Text | null;
  /** The nodes whose lines the first message says. */
  readonly opened: readonly ir.WorkflowNode[];
  readonly steps: readonly SaidStep[];
}

/** A node, and the lines that the prompt says for it before its instructions. */
interface SaidNode {
  readonly node: ir.WorkflowNode;
  readonly lines: readonly ir.Text[];
}

interface SaidStep extends SaidNode {
  readonly calls: readonly string[];
  readonly branches: readonly SaidBranch[];
}

interface SaidBranch extends Pick<Move, 'edge' | 'condition'> {
  readonly action:
    | { readonly kind: 'go' }
    /** The names that say where it leads: of the assistant, and of the function. */
    | { readonly kind: 'hand-off'; readonly to: readonly string[] }
    | (SaidNode & { readonly kind: 'end' | 'transfer'; readonly to: readonly string[] });
}

export interface ProseInput {
  readonly graph: SourceGraph;
  readonly owners: Owners;
  readonly member: Member;
  readonly pairs: readonly Pair[];
  readonly facts: MemberFacts;
  readonly names: CallNames;
  readonly destinationOf: (move: Move) => Destination | null;
}

/** What the prompt has to say, by the nodes that the assistant owns. */
function sayingOf(input: ProseInput): Saying {
  const { graph, member, pairs } = input;
  const { isTold } = input.facts;
  const entered = pairs.filter(({ parent }) => parent === null || parent.member !== member.index);
  const entries = new Set(entered.map(({ node }) => node));
  const [first] = entered;
  const opened = entries.size === 1 ? openingFrom(input, graph.nodeAt(first!.node)) : [];
  const isOpened = new Set(opened);
  const byNode = groupBy(pairs, ({ node }) => node);
  const steps = Array.from(byNode, ([index, [first]]): SaidStep => {
    const node = graph.nodeAt(index);
    const start = startLineOf(node);
    const line = isOpened.has(node) ? null : node.firstMessage;
    const asked = node.calls.filter(({ moment }) => moment === 'captured');
    const calls = [node.role === 'act' ? node : [], asked].flat();
    return {
      node,
      lines: [line ?? [], start !== null && isTold(start) ? start : []].flat(),
      calls: calls.flatMap((it) => input.names(member.index, it)),
      branches: first!.moves.map((move) => ({ ...move, action: actionOf(input, move) })),
    };
  });
  return { globalPrompt: graph.workflow.globalPrompt, opened, steps };
}

/** The nodes whose lines an assistant opens with: up to the first that talks. */
function openingFrom(
  { graph, owners, member }: ProseInput,
  first: ir.WorkflowNode,
): ir.WorkflowNode[] {
  const lines: ir.WorkflowNode[] = [];
  let at = first;
  while (onlySays(at) && !lines.includes(at)) {
    lines.push(at);
    const [only] = outgoing(graph, owners.standsFor, at.index);
    at = graph.nodeAt(owners.standsFor(only!.to));
    if (!owners.of(at.index).has(member.index)) return [];
  }
  return at.firstMessage === null || lines.includes(at) ? [] : [...lines, at];
}

function actionOf(
  { graph, member, facts, destinationOf }: ProseInput,
  move: Move,
): SaidBranch['action'] {
  const node = graph.nodeAt(move.node);
  if (node.role !== 'exit') {
    const destination = destinationOf(move);
    if (destination === null || move.to?.member === member.index) return { kind: 'go' };
    const { tool, target } = destination;
    return { kind: 'hand-off', to: [target ?? '', tool?.name || target || ''] };
  }
  const told = linesOfTool(node).filter(facts.isTold);
  const lines = [node.lineBy === null ? (node.firstMessage ?? []) : [], told].flat();
  const kind = node.type === 'transferCall' ? 'transfer' : 'end';
  return { kind, node, lines, to: transfersOf(node).flatMap(numbersOf) };
}

/** What a prompt has to contain: one of these texts each. */
interface Told {
  readonly texts: readonly [string, ...string[]];
  readonly at: JsonPointer;
  readonly item?: number | null;
}

export interface Prose {
  readonly differences: readonly Finding[];
  /** What a person has to look at, in words. */
  readonly doubts: readonly string[];
}

export function compareProse(input: ProseInput): Prose {
  const { member } = input;
  const expected = sayingOf(input);
  const { at, called, promptAt, firstMessage, firstMessageAt, saved } = member;
  const { opened, steps } = expected;
  const told = [...listTexts(member, expected)];
  const shown = unraw(member.prompt).plain;
  const lines = opened.map((it) => it.firstMessage!);
  const isOpened = lines.length > 0 && writeTemplate(joinLines(lines), '', []) === firstMessage;
  // A tool that says when to call it need not be mentioned.
  const isDescribed = ({ value }: Tool) => /"description":"[^"]/.test(JSON.stringify(value));
  /** What is there besides the prompt. */
  const others = new Set([
    ...member.tools.filter(isDescribed).map(({ name }) => name),
    ...[firstMessage ?? [], isOpened ? lines.map(({ value }) => value) : []].flat(),
  ]);
  const place = saved ? at : promptAt;
  const differences = told.flatMap(({ texts, at: source, item = null }): Finding[] => {
    if (texts.some((it) => shown.includes(it) || others.has(it))) return [];
    return [fault(ofDifferences.textLost(called, texts[0]), [source], [place], item)];
  });
  const own = [...opened, ...steps.map(({ node }) => node)];
  const isOwn = isOpened || own.some((it) => it.firstMessage?.value === firstMessage);
  if (!saved && firstMessage && !isOwn) {
    const text = ofDifferences.greetsWith(called, firstMessage, own[0]?.id ?? '');
    differences.push(fault(text, own.slice(0, 1), [firstMessageAt], null));
  }
  const isDoubtful = !saved && steps.length > 0;
  return { differences, doubts: isDoubtful ? listDoubts(member, expected, shown) : [] };
}

function* listTexts({ saved }: Member, prompt: Saying): Iterable<Told> {
  const { globalPrompt, opened, steps } = prompt;
  const told = (it: ir.Text): Told => ({ texts: [it.value], at: it.at });
  // The texts of a saved assistant are stored on the platform.
  if (!saved) {
    if (globalPrompt !== null) yield* partsOf(globalPrompt).map(told);
    for (const { firstMessage } of opened) yield told(firstMessage!);
  }
  for (const { node, lines, calls } of steps) {
    if (saved && node.assistant?.savedAs != null) continue;
    yield* lines.map(told);
    if (node.systemPrompt !== null) yield* partsOf(node.systemPrompt).map(told);
    for (const { name, description, alias, at } of node.captures) {
      // Handoffs make the derived variables.
      if (alias !== undefined) continue;
      yield { texts: [name, ...(description === null ? [] : [description.value])], at };
    }
    if (node.role === 'act') yield* calls.map((it): Told => ({ texts: [it], at: node.at }));
  }
  for (const { action, edge, condition } of steps.flatMap((it) => it.branches)) {
    const item = action.kind === 'end' ? 6 : null;
    if ('node' in action) yield* saidAt(action).map((it) => ({ ...told(it), item }));
    // The conditions of handoffs and transfers belong to their tools.
    const isInner = action.kind === 'go' || action.kind === 'end';
    if (edge !== null && condition !== null && isInner) yield { ...told(condition), item };
  }
}

function listDoubts(member: Member, expected: Saying, shown: string): string[] {
  const { steps, globalPrompt } = expected;
  const texts = [...steps.flatMap(saidAt), globalPrompt ?? []].flat().flatMap(partsOf);
  const forms = [
    ...steps.flatMap(({ node }) => node.captures).flatMap(captureForm),
    ...steps.flatMap(({ branches }) => branches).flatMap(branchForms),
  ];
  const rest = takeOut(shown, texts, forms);
  const others = listMessages(member);
  const spoken = steps.flatMap(({ lines }) => lines.map(({ value }) => value));
  return [
    ...(steps.length > 1 ? [ofDoubts.order(steps.length)] : []),
    ...(rest.length > 0 ? [ofDoubts.otherWords(rest)] : []),
    ...(spoken.length > 0 ? [ofDoubts.lines(spoken)] : []),
    ...(others.length > 0 ? [ofDoubts.messages(others)] : []),
  ];
}

const saidAt = ({ node, lines }: SaidNode) => [...lines, node.systemPrompt ?? []].flat();

/** The roles of messages that are no instructions. */
function listMessages({ messages }: Member): string[] {
  const roles = messages.map(({ value }) => textOf(value['role']) ?? '');
  return [...new Set(roles)].filter((role) => role !== 'system');
}

/** A sentence with holes, and the texts that stand in them, which may be long. */
interface Form {
  readonly pattern: RegExp;
  readonly texts: readonly string[];
}

/** Characters that stand for the texts of a form. */
const holes = ['\uE000', '\uE001'] as const;
const [conditionHole, lineHole] = holes;

/** The sentences that are left of a prompt without these texts and without these sentences. */
function takeOut(prompt: string, texts: readonly ir.Text[], forms: readonly Form[]): string[] {
  let rest = prompt;
  const words = texts.map(({ value }) => value.trim());
  for (const text of words.sort((one, other) => other.length - one.length)) {
    if (text !== '') rest = rest.replace(text, '\n');
  }
  const isClean = holes.every((it) => !prompt.includes(it));
  for (const form of isClean ? forms : []) rest = withoutForm(rest, form);
  const sentences = rest.split(/\n+|(?<=[.!?])\s+/);
  return sentences.map((it) => it.trim()).filter((it) => /[\p{L}\p{N}]/u.test(it));
}

function withoutForm(rest: string, { pattern, texts }: Form): string {
  const filled = texts.reduce(
    (text, it, at) => text.replaceAll(it || holes[at]!, holes[at]!),
    rest,
  );
  const left = filled.replace(pattern, '$1\n');
  return texts.reduce((text, it, at) => text.replaceAll(holes[at]!, () => it), left);
}

/** A sentence of its own, perhaps in a list. */
function sentence(core: string, condition = '', line = ''): Form {
  const begin = '(^|[\\n.!?])[ \\t]*(?:[-*•] )?';
  const pattern = new RegExp(`${begin}(?:${core})[ \\t]*(?:[.!]|(?=\\n)|$)`, 'giu');
  return { pattern, texts: [condition, line] };
}

const literal = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
const oneOf = (words: readonly string[]): string => `(?:${words.map(literal).join('|')})`;

function captureForm({ name, description }: ir.Capture): Form[] {
  if (name.length > longestName) return [];
  const what = description === null ? '' : `(?:(?:,|:)? ${conditionHole})?`;
  const core = `(?:find out|ask for|collect|get) ${literal(name)}(?: \\(\\w+\\))?${what}`;
  return [sentence(core, description?.value)];
}

const longestName = 200;

/** The sentences that say when a branch is taken, and nothing else. */
function branchForms({ action, condition }: SaidBranch): Form[] {
  const form = actionForm(action);
  if (form === null) return [];
  const [does, line] = form;
  if (condition === null) {
    return [sentence(`(?:(?:then|finally|afterwards),? )?${does}`, '', line)];
  }
  const who = "(?:it is|it's|this is|they are|the caller is|the caller|they)";
  const if_ = `(?:if|when|once|as soon as) (?:${who} )?${conditionHole}`;
  return [`${if_},? (?:then )?${does}`, `${does},? ${if_}`].map((core) =>
    sentence(core, condition.value, line),
  );
}

/** What is done, and the line that is said before. */
function actionForm(action: SaidBranch['action']): readonly [string, string] | null {
  if (action.kind === 'go') return null;
  if (action.kind === 'hand-off') {
    if (action.to.some((it) => it === '' || it.length > longestName)) return null;
    const verb = '(?:hand (?:over|off)|hand the call (?:over|off)|transfer(?: the call)?|call|use)';
    return [`${verb} (?:to )?["“]?${oneOf(action.to)}["”]?`, ''];
  }
  if (action.node.systemPrompt !== null) return null;
  const line = action.lines.map(({ value }) => value).join(' ');
  const say = line === '' ? '' : `say:? ["“]${lineHole}["”],? and `;
  if (action.kind === 'end') return [`${say}(?:end (?:the|this) call|hang up)`, line];
  const to = action.to.filter((it) => it.length <= longestName);
  return [`${say}transfer (?:the call|the caller|them)(?: to ${oneOf(to)})?`, line];
}

/** Words of descriptions that say nothing of their own. */
const passedOver: ReadonlySet<string> = new Set(
  (
    'a agent an and as assistant call called caller calls colleague customer function hand handoff ' +
    'hands if is it of off or over so soon that the them then they this to tool transfer transfers ' +
    'use user when you'
  ).split(' '),
);

/**
 * The words of a description besides these texts; none if they say nothing. A condition that stands
 * in a description may still be restricted or negated there (“never when …”, “… on Mondays”).
 */
export function otherWords(description: string, known: readonly string[]): string[] {
  const longest = known.filter((it) => it !== '').map(withoutRaw);
  longest.sort((one, other) => other.length - one.length);
  const rest = longest.reduce((left, it) => left.replaceAll(it, ' '), withoutRaw(description));
  const words = rest.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.filter((it) => !passedOver.has(it.toLowerCase()));
}
