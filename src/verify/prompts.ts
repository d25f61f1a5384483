/**
 * Differences between what an assistant says and the source.
 *
 * In: a member and its expected prompt. Out: differences, each with the item that it fails. A
 * prompt in squadc's wording must equal the expected one line by line. Other prose must contain
 * every text word for word; it cannot show the order of steps and which condition belongs where.
 */

import { joinLines } from '../compiler/ir/prompt.js';
import { writeTemplate } from '../compiler/ir/template.js';
import { withoutRaw } from '../compiler/ir/tokens.js';
import { isWorded, items } from '../compiler/ir/wording.js';
import { partsOf, type Text } from '../compiler/ir/workflow.js';
import { ofDifferences } from '../diagnostics/checklist.js';
import type { JsonPointer } from '../text/pointer.js';
import { type Finding, fault } from './comparison.js';
import { type ExpectedPrompt, textOf } from './expected/prompts.js';
import type { Member } from './squad.js';

/** A bullet of a prompt with the lines below it, or any other line. */
interface Part {
  readonly lines: string[];
  /** What it says of the source; if nothing, the node of its step. */
  readonly source: JsonPointer[];
}

/** The parts of a prompt in squadc's wording. */
function listParts({ segments, steps }: ExpectedPrompt): readonly Part[] {
  const parts: Part[] = [];
  let [{ node = null } = {}] = steps;
  let isBullet = false;
  let [line, isOwn, source]: [string, boolean | null, JsonPointer[]] = ['', null, []];
  const endLine = (): void => {
    const heading = isOwn ? /^(?:Step (\d+)|At any time(?: but in step \d+)?)$/.exec(line) : null;
    if (heading !== null) node = steps[Number(heading[1]) - 1]?.node ?? null;
    const isBelow = isBullet && (!isOwn || line.startsWith('  '));
    if (isBelow) {
      parts.at(-1)!.lines.push(line);
      parts.at(-1)!.source.push(...source);
    } else {
      parts.push({
        lines: [line],
        source: source.length > 0 || node === null ? source : [node.at],
      });
      isBullet = isOwn === true && line.startsWith('- ');
    }
    [line, isOwn, source] = ['', null, []];
  };
  for (const { text, origin } of segments) {
    const places = origin.kind === 'synthesized' ? origin.from : 'at' in origin ? [origin.at!] : [];
    const isWording = origin.kind === 'synthesized' && origin.rule === 'wording';
    for (const [at, words] of text.split('\n').entries()) {
      if (at > 0) endLine();
      if (words === '') continue;
      isOwn ??= isWording;
      line += words;
      source.push(...places);
    }
  }
  return parts;
}

/** The item that a bullet fails if it is missing; null if only a call shows it. */
function itemOf(lines: string): number | null {
  return items.find(([bullet]) => bullet.test(lines))?.[1] ?? null;
}

export function comparePrompt(member: Member, expected: ExpectedPrompt): Finding[] {
  const { worded, saved, prompt } = member;
  const spelt = textOf(expected.segments);
  // Without any wording, it is squadc's if it has only lines of the expected one, and one of those
  // is neither a text of the source nor the heading of a step.
  const isCut = () => {
    const there = prompt.split('\n').filter((line) => line.trim() !== '');
    const wanted = new Set(spelt.split('\n'));
    const bullets = listParts(expected).filter(({ lines: [first = ''] }) => itemOf(first) !== null);
    const own = new Set(bullets.map(({ lines }) => lines[0]!));
    const isOwn = (line: string) => own.has(line) || line.startsWith('At any time');
    return there.every((line) => wanted.has(line)) && there.some(isOwn);
  };
  const isOurs = worded || (!saved && !isWorded(spelt)) || isCut();
  return isOurs ? compareLines(member, expected) : compareProse(member, expected);
}

/** Compares a prompt in squadc's wording with the expected one. */
function compareLines(member: Member, expected: ExpectedPrompt): Finding[] {
  const { prompt, promptAt, called, messages } = member;
  // Item 2 checks whether the assistant is reachable at all.
  if (expected.steps.length === 0) return [];
  const differences = compareOpening(member, expected);
  const add = (text: string, item: number | null, source: readonly JsonPointer[] = []): void => {
    differences.push({ ...fault(text, [...new Set(source)], [promptAt]), item });
  };
  if (messages !== 1) add(ofDifferences.severalMessages(called), null);
  const spelt = textOf(expected.segments);
  if (prompt === spelt) return differences;
  const [there, wanted] = [countLines(prompt), countLines(spelt)];
  const missing = subtract(wanted, there);
  const parts = listParts(expected);
  let isMoved = true;
  for (const { lines, source } of parts) {
    const lost = lines.filter((line) => line !== '' && (missing.get(line) ?? 0) > 0);
    for (const line of lost) missing.set(line, missing.get(line)! - 1);
    if (lost.length === 0) continue;
    isMoved = false;
    add(ofDifferences.lineLost(called, lost.join('\n')), itemOf(lines.join('\n')), source);
  }
  for (const line of subtract(there, wanted).keys()) {
    if (line.trim() === '') continue;
    isMoved = false;
    add(ofDifferences.unaccounted(called, line), endsCall(line) ? 6 : null);
  }
  if (!isMoved) return differences;
  // Every line is there, so the order differs.
  const lines = prompt.split('\n');
  const moved = parts.find(
    (part) => part.lines.join() !== lines.splice(0, part.lines.length).join(),
  );
  const { source = [], lines: [...words] = [] } = moved ?? {};
  add(ofDifferences.lineMoved(called, words.join('\n')), itemOf(words.join('\n')), source);
  return differences;
}

/** The lines of a text with their counts, including blank ones. */
function countLines(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

function subtract(some: ReadonlyMap<string, number>, others: ReadonlyMap<string, number>) {
  const left = [...some].map(([line, count]) => [line, count - (others.get(line) ?? 0)] as const);
  return new Map(left.filter(([, count]) => count > 0));
}

/** An assistant opens with the line of the only node that a call can begin at. */
function compareOpening(member: Member, { opened, steps, entryCount }: ExpectedPrompt): Finding[] {
  const { firstMessage, firstMessageAt, called } = member;
  const said = firstMessage ?? '';
  const lines = opened.map((it) => it.firstMessage!);
  const opening = spellLines(lines);
  if (said === opening) return [];
  const { id = '' } = opened[0] ?? steps[0]?.node ?? {};
  const text =
    lines.length > 0
      ? ofDifferences.lineElsewhere(called, opening, id)
      : entryCount > 1
        ? ofDifferences.greetsEverybody(called, said)
        : ofDifferences.greetsWith(called, said, id);
  return [{ ...fault(text, lines, [firstMessageAt]), item: null }];
}

/** What other prose has to contain: one of these words each. */
interface Told {
  readonly words: readonly [string, ...string[]];
  readonly at: JsonPointer;
  readonly item?: 6 | null;
}

function* listTexts({ saved }: Member, prompt: ExpectedPrompt): Iterable<Told> {
  const { globalPrompt, opened, steps, anyTime } = prompt;
  const told = ({ value, at }: Text): Told => ({ words: [value], at });
  // The texts of a saved assistant are stored on the platform.
  if (!saved) {
    if (globalPrompt !== null) yield* partsOf(globalPrompt).map(told);
    for (const { firstMessage } of opened) yield told(firstMessage!);
  }
  for (const { node, lines, instructions, captures, calls } of steps) {
    if (saved && node.assistant?.savedAs != null) continue;
    yield* lines.map(told);
    if (instructions !== null) yield* partsOf(instructions).map(told);
    for (const { name, description, alias, at } of captures) {
      // Handoffs make the derived variables.
      if (alias !== undefined) continue;
      yield { words: description === null ? [name] : [name, description.value], at };
    }
    for (const call of calls) {
      if (node.role === 'act' && typeof call === 'string') yield { words: [call], at: node.at };
    }
  }
  for (const { action, edge, condition } of [...steps.flatMap((it) => it.branches), ...anyTime]) {
    const item = action.kind === 'end' ? 6 : null;
    if (action.kind === 'end' || action.kind === 'transfer') {
      const { lines, instructions } = action;
      for (const it of [...lines, instructions ?? []].flat()) yield { ...told(it), item };
    }
    // The conditions of handoffs and transfers belong to their tools.
    const isInner = action.kind === 'go' || action.kind === 'end';
    if (edge !== null && condition !== null && isInner) yield { ...told(condition), item };
  }
}

/** A prompt in other prose, or a saved assistant of the source, which has no prompt. */
function compareProse(member: Member, expected: ExpectedPrompt): Finding[] {
  const { at, called, prompt, promptAt, firstMessage, firstMessageAt, saved, tools } = member;
  const { opened, steps } = expected;
  // A tool that says when to call it need not be mentioned.
  const told = tools.filter(({ value }) => /"description":"[^"]/.test(JSON.stringify(value)));
  const shown = withoutRaw([prompt, ...told.map(({ name }) => name)].join('\n'));
  const lines = opened.map((it) => it.firstMessage!);
  const isOpened = lines.length > 0 && spellLines(lines) === firstMessage;
  const isSaid = (words: string) =>
    words === firstMessage ||
    (isOpened && lines.some(({ value }) => value === words)) ||
    shown.includes(withoutRaw(words));
  const lost = [...listTexts(member, expected)].filter(({ words }) => !words.some(isSaid));
  const differences = lost.map(({ words: [text], at: source, item = null }): Finding => {
    const place = saved ? at : promptAt;
    return { ...fault(ofDifferences.textLost(called, text), [source], [place]), item };
  });
  const own = [...opened, ...steps.map(({ node }) => node)];
  const isOwn = isOpened || own.some((it) => it.firstMessage?.value === firstMessage);
  if (saved || !firstMessage || isOwn) return differences;
  const text = ofDifferences.greetsWith(called, firstMessage, own[0]?.id ?? '');
  const source = own.slice(0, 1);
  return [...differences, { ...fault(text, source, [firstMessageAt]), item: null }];
}

function spellLines(lines: readonly Text[]): string {
  return String(writeTemplate(joinLines(lines), '', []));
}

/** Returns true if a sentence says to end the call, without a negation. */
export function endsCall(text: string): boolean {
  const sentences = text.split(/(?<=[.!?;])\s|\n/);
  return sentences.some((it) => it.includes('end the call') && !negation.test(it));
}

const negation =
  /\b(?:not|never|don[’']t|doesn[’']t|without|no one|nobody|cannot|can[’']t|refuse|avoid)\b/i;
