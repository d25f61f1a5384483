/** Where the texts of a pair stand in the squad, and when their variables get their values there. */
import { toldAt } from '../../call/facts.js';
import type { Said } from '../../call/grammar.js';
import { covers, plain, type Unraw, unraw } from '../../call/prompt.js';
import type { Destination, Tool } from '../../call/squad.js';
import type { Reading } from '../../call/vocabulary.js';
import { startLineOf } from '../../compiler/ir/texts.js';
import { isToken, outputOf } from '../../compiler/ir/tokens.js';
import { payloadOf } from '../../compiler/ir/tool.js';
import type * as ir from '../../compiler/ir/workflow.js';
import { ofDifferences } from '../../diagnostics/checklist.js';
import { asObject, isObject } from '../../text/json.js';
import { elements, textOf } from '../../text/parts.js';
import type { JsonPointer } from '../../text/pointer.js';
import { isExpression, type SourceGraph } from '../expected/source.js';
import { type Finding, fault } from '../finding.js';
import type { Move, Pair } from './find.js';
import type { MemberFacts } from './members.js';

/**
 * When the platform or the model puts the value in: the model, from the conversation; the platform,
 * when the assistant becomes active, of an output that the model can resolve otherwise, or of
 * anything else; the platform, when a tool runs; the model, as an argument of the tool.
 */
export type Moment = 'told' | 'shown' | 'active' | 'now' | 'filled';

/** A read in the squad. */
export interface Occurrence {
  readonly use: ir.Use;
  readonly moment: Moment;
  readonly text: ir.Text;
  readonly at: JsonPointer;
}

/** The reads at a pair, on entry and on leaving. */
export interface PairReads {
  readonly entry: readonly Occurrence[];
  readonly leave: readonly Occurrence[];
}

/** What tells where the texts of a pair stand. */
export interface Texts {
  readonly graph: SourceGraph;
  readonly readings: readonly Reading[];
  readonly facts: readonly MemberFacts[];
  /** The tool of the squad for one of the source. */
  readonly toolOf: (
    member: number,
    node: ir.WorkflowNode,
    tool: ir.Request | ir.GivenTool | null,
  ) => Tool | null;
  readonly destinationOf: (move: Move) => Destination | null;
  readonly marksTokens: boolean;
}

/** Where the texts of a pair stand in the squad, and how their variables are read there. */
export function readsAt(values: Texts, pair: Pair, findings: Finding[]): PairReads {
  const { graph, readings, facts, toolOf, destinationOf } = values;
  const { member: own, prompt, ...whole } = readings[pair.member]!;
  const { step, said } = pair;
  const { promptAt, firstMessageAt, firstMessage, called, saved, tools } = own;
  if (saved) return { entry: [], leave: [] };
  const first = unraw(firstMessage ?? '');
  /** A text in a prompt or a description. */
  const inPrompt = (
    text: ir.Text | null,
    place: Said | null | undefined,
    where: Unraw = whole,
    at = promptAt,
  ): Occurrence[] => {
    if (text === null || !place) return [];
    const isVerbatim = isExpression(text) && /\{\{|\{%/.test(text.value);
    if (isVerbatim && !covers(where, place.at, place.at + place.value.length)) {
      findings.push(fault(ofDifferences.renderedEarly(called, plain(text)), [text], [at], 3));
    }
    for (const it of listKept(text, place.at, where))
      findings.push(fault(ofDifferences.neverEvaluated(called, it), [text], [at], 3));
    return text.uses.map((use) => {
      const moment = momentIn(text, use, place.at, where);
      // Whether the platform leaves an unmarked name as it is, is not known; of prose this is a doubt.
      const isRendered = moment === 'shown' && values.marksTokens && prompt !== null;
      return { use, moment: isRendered ? 'active' : moment, text, at };
    });
  };
  /** A text that the platform renders at one time. */
  const rendered = (text: ir.Text | null, moment: Moment, at: JsonPointer): Occurrence[] =>
    (text?.uses ?? []).map((use) => ({ use, moment, text: text!, at }));
  const find = (text: ir.Text | null, where: Unraw): Said | null => {
    const at = text === null ? -1 : where.plain.indexOf(plain(text));
    return at < 0 ? null : { value: plain(text!), at };
  };
  const inDescription = (text: ir.Text, description: string, at: JsonPointer) => {
    const where = unraw(description);
    return inPrompt(text, find(text, where), where, at);
  };
  const among = (text: ir.Text, some: readonly (Said | null)[]) => {
    const words = plain(text);
    const place = some.find((it) => it?.value === words);
    return place ?? (prompt === null ? find(text, whole) : null);
  };

  const node = graph.nodeAt(pair.node);
  const start = startLineOf(node);
  const { globalPrompt } = graph.workflow;
  const shared = prompt === null ? find(globalPrompt, whole) : prompt.globalPrompt;
  const entry = [...inPrompt(globalPrompt, shared)];
  for (const { text, moment, tool } of readingOf(node)) {
    const made = tool === null ? null : toolOf(pair.member, node, tool);
    if (text === node.firstMessage) {
      const lines = [...said.lines, ...(step?.lines ?? [])];
      const line = lines.find(({ value }) => value === plain(text));
      const isSpoken =
        said.opening !== null || (prompt === null && first.plain.includes(plain(text)));
      if (isSpoken) entry.push(...rendered(text, 'active', firstMessageAt));
      else entry.push(...inPrompt(text, line ?? among(text, [])));
    } else if (tool !== null && moment === 'entry' && !('statics' in tool)) {
      // A given tool stays as it is.
    } else if (tool === null || moment === 'entry') {
      const description = made === null ? null : descriptionIn(made, text);
      const asked = (step?.captures ?? []).map((it) => it.description);
      const read =
        description === null
          ? inPrompt(text, among(text, [step?.instructions ?? null, ...asked]))
          : inPrompt(text, description.place, description.where, made!.at);
      entry.push(...read);
    } else if (text === start && facts[pair.member]!.isTold(text)) {
      entry.push(...inPrompt(text, step?.lines.at(-1)));
    } else if (made !== null) {
      for (const use of text.uses) {
        const moment_ = moment !== 'start' && isFilled(made, tool, use, text) ? 'filled' : 'now';
        entry.push({ use, moment: moment_, text, at: made.at });
      }
    }
  }
  const leave: Occurrence[] = [];
  for (const move of pair.moves) {
    const { condition, branch, node: to } = move;
    const target = graph.nodeAt(to);
    const isRead = condition !== null && condition.routing !== 'tool' && isLiquid(condition);
    if (isRead) {
      leave.push(...inPrompt(condition, branch?.condition ?? among(condition, [])));
      const destination = destinationOf(move);
      if (destination !== null)
        leave.push(...inDescription(condition, destination.description, destination.at));
      const called = target.request === null ? null : toolOf(pair.member, target, null);
      const own = called && descriptionIn(called, condition);
      if (own) leave.push(...inPrompt(condition, own.place, own.where, called!.at));
    }
    if (target.role !== 'exit') continue;
    const [end = null] = tools.filter(({ type }) => type === 'endCall');
    const tool = target.transfer === null ? end : toolOf(pair.member, target, null);
    const descriptions = elements(tool?.value['destinations']).map(
      (it) => textOf(asObject(it)['description']) ?? '',
    );
    for (const { text, moment } of readingOf(target)) {
      const place = among(text, [...(branch?.lines ?? []), branch?.instructions ?? null]);
      if (place !== null) leave.push(...inPrompt(text, place));
      else if (tool !== null && moment !== 'entry') leave.push(...rendered(text, 'now', tool.at));
      else for (const it of descriptions) leave.push(...inDescription(text, it, tool!.at));
    }
    for (const it of isRead ? descriptions : [])
      leave.push(...inDescription(condition!, it, tool!.at));
  }
  return { entry, leave };
}

/** The texts of a node that the platform evaluates. */
const readingOf = (node: ir.WorkflowNode) => toldAt(node).filter(({ text }) => isLiquid(text));

const isLiquid = ({ value, uses }: ir.Text) => uses.length > 0 || value.includes('{{');

/** Outputs that read no variable, of a text that stands there, which a `raw` pair keeps as they are. */
function listKept(text: ir.Text | ir.Condition, at: number, where: Unraw): string[] {
  const outputs = isExpression(text) ? [] : [...plain(text).matchAll(/\{\{[^{}]*\}\}/g)];
  return outputs.flatMap(({ index, 0: output }) => {
    const isKept = (it: Unraw, from: number) => covers(it, from, from + output.length);
    const isRead = text.uses.some(({ name }) => output.includes(name));
    return isRead || isKept(unraw(text.value), index) || !isKept(where, at + index) ? [] : output;
  });
}

function momentIn(text: ir.Text | ir.Condition, use: ir.Use, at: number, where: Unraw): Moment {
  if (isExpression(text)) return 'told';
  const output = outputOf(text.value, use);
  const [start, end] = output ?? [use.start, use.end];
  const [from, to] = [start, end].map((it) => at + unraw(text.value.slice(0, it)).plain.length);
  if (covers(where, from!, to!)) return 'told';
  return output === null ? 'active' : 'shown';
}

/** Where a description of a tool or of its arguments has the text. */
function descriptionIn(
  { value }: Tool,
  text: ir.Text,
): { readonly place: Said; readonly where: Unraw } | null {
  const found: { place: Said; where: Unraw }[] = [];
  const visit = (part: unknown, key: string): void => {
    if (typeof part === 'string' && key === 'description') {
      const where = unraw(part);
      const at = where.plain.indexOf(plain(text));
      if (at >= 0) found.push({ place: { value: plain(text), at }, where });
    } else if (Array.isArray(part)) for (const it of part) visit(it, key);
    else if (isObject(part)) for (const [own, it] of Object.entries(part)) visit(it, own);
  };
  visit(value, '');
  return found[0] ?? null;
}

/** Whether the model gives the value when it calls the tool. */
function isFilled(
  { value }: Tool,
  tool: ir.Request | ir.GivenTool | null,
  { name }: ir.Use,
  text: ir.Text,
) {
  const form = asObject(value['body'] ?? asObject(value['function'])['parameters']);
  const properties = asObject(form['properties']);
  const isAsked = (key: string) => {
    const part = properties[key];
    return isObject(part) && !Object.hasOwn(part, 'value') && !Object.hasOwn(part, 'const');
  };
  if (isAsked(name)) return true;
  const sent = tool === null ? [] : (payloadOf(tool)?.fields ?? []);
  const isOf = (it: (typeof sent)[number]) => isToken(it.value?.value, name) && isAsked(it.key);
  return isToken(text.value, name) && sent.some(isOf);
}
