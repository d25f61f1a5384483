/**
 * Differences between what an assistant says and the source.
 *
 * In: a member and its expected prompt. Out: differences, each with the item that it fails. A
 * prompt in squadc's wording must equal the expected one line by line; for other prose see prose.ts.
 */
import { items } from '../compiler/ir/wording.js';
import { ofDifferences } from '../diagnostics/checklist.js';
import type { JsonPointer } from '../text/pointer.js';
import { type Finding, fault } from './comparison.js';
import { type ExpectedPrompt, textOf } from './expected/prompts.js';
import { compareProse, type Prose, spellLines } from './foreign/prose.js';
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

export function comparePrompt(member: Member, expected: ExpectedPrompt): Prose {
  const { worded, prompt } = member;
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
  const isOurs = worded || prompt === spelt || isCut();
  if (!isOurs) return compareProse(member, expected);
  return { differences: compareLines(member, expected), doubts: [] };
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

/** Returns true if a sentence says to end the call, without a negation. */
export function endsCall(text: string): boolean {
  const sentences = text.split(/(?<=[.!?;])\s|\n/);
  return sentences.some((it) => ending.test(it) && !negation.test(it));
}

const ending = /\b(?:end (?:the|this) call|hang up)\b/i;

const negation =
  /\b(?:not|never|don[’']t|doesn[’']t|without|no one|nobody|cannot|can[’']t|refuse|avoid)\b/i;
