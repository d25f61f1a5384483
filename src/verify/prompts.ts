/**
 * Differences between what an assistant says and the source.
 *
 * In: a member and its expected prompt. Out: differences, each with the item that it fails. A
 * prompt in squadc's wording must equal the expected one line by line. Other prose must contain
 * every text word for word; it cannot show the order of steps and which condition belongs where.
 */
import { writeTemplate } from '../compiler/ir/template.js';
import { withoutRaw } from '../compiler/ir/tokens.js';
import { isWorded, joinLines } from '../compiler/ir/wording.js';
import type { Text } from '../compiler/ir/workflow.js';
import { ofDifferences } from '../diagnostics/checklist.js';
import { type Finding, fault } from './comparison.js';
import type { ExpectedPrompt, Part } from './expected/prompts.js';
import type { SourceGraph } from './expected/source.js';
import type { Member } from './squad.js';

export function comparePrompt(
  graph: SourceGraph,
  member: Member,
  expected: ExpectedPrompt,
): Finding[] {
  // A prompt that shows no wording is taken for squadc's if the expected one shows none either.
  const isOurs =
    member.worded || !(member.saved || isWorded(expected.spelt)) || isCut(member.prompt, expected);
  return (isOurs ? compareLines : compareProse)(graph, member, expected);
}

/**
 * Returns true if the prompt is the expected one with lines removed: it has no others, and one of
 * them is neither a text of the source nor the heading of a step.
 */
function isCut(prompt: string, { spelt, listParts }: ExpectedPrompt): boolean {
  const [there, wanted] = [[...countLines(prompt).keys()], countLines(spelt)];
  if (!there.every((line) => line.trim() === '' || wanted.has(line))) return false;
  const texts = listParts().filter(({ item }) => item === null);
  const free = new Set(['', ...texts.flatMap((part) => part.spelt.split('\n'))]);
  return there.some((line) => wanted.has(line) && !free.has(line) && !/^Step \d+$/.test(line));
}

/** Compares a prompt in squadc's wording with the expected one. */
function compareLines(graph: SourceGraph, member: Member, expected: ExpectedPrompt): Finding[] {
  const { prompt, promptAt, called, messages } = member;
  const { nodes, spelt, listParts } = expected;
  // Item 2 checks whether the assistant is reachable at all.
  if (nodes.length === 0) return [];
  const differences = compareOpening(graph, member, expected);
  const add = (text: string, { source = [], item = null }: Partial<Part> = {}): void => {
    differences.push({ ...fault(text, source, [promptAt]), item });
  };
  if (messages !== 1) add(ofDifferences.stepsLost(called));
  if (prompt === spelt) return differences;

  const [there, wanted] = [countLines(prompt), countLines(spelt)];
  const missing = subtract(wanted, there);
  missing.delete('');
  const parts = listParts();
  const lost = parts.filter((part) => {
    const own = part.spelt.split('\n').filter((line) => (missing.get(line) ?? 0) > 0);
    for (const line of own) missing.set(line, missing.get(line)! - 1);
    return own.length > 0;
  });
  for (const part of lost) add(part.text, part);
  const extra = [...subtract(there, wanted).keys()].filter((line) => line.trim() !== '');
  for (const line of extra) {
    add(ofDifferences.unaccounted(called, line), { item: endsCall(line) ? 6 : null });
  }
  // Lines outside all parts are headings. If every line is there, the order differs.
  const isHeaded = [...missing.values()].every((count) => count === 0);
  const isMoved = isHeaded && lost.length + extra.length === 0;
  const moved = isMoved ? findMisplaced(prompt, spelt, parts) : null;
  if (moved !== null) add(moved.text, moved);
  else if (isMoved || !isHeaded) add(ofDifferences.stepsLost(called));
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

/** The part that is expected where the two texts diverge. */
function findMisplaced(prompt: string, spelt: string, parts: readonly Part[]): Part | null {
  let same = 0;
  while (same < spelt.length && prompt[same] === spelt[same]) same += 1;
  let end = 0;
  for (const part of parts) {
    const found = spelt.indexOf(part.spelt, end);
    if (found === -1) continue;
    end = found + part.spelt.length;
    if (end > same) return part;
  }
  return null;
}

/** An assistant opens with the line of the only node that a call can begin at. */
function compareOpening(
  graph: SourceGraph,
  { firstMessage, firstMessageAt, called }: Member,
  { lines, nodes, entryCount }: ExpectedPrompt,
): Finding[] {
  const said = firstMessage ?? '';
  const opening = spellLines(lines);
  if (said === opening) return [];
  const [node] = nodes;
  const id = node === undefined ? '' : graph.nodeAt(node).id;
  const text =
    lines.length > 0
      ? ofDifferences.lineElsewhere(called, id, opening)
      : entryCount > 1
        ? ofDifferences.greetsEverybody(called, said)
        : ofDifferences.greetsWith(called, id, said);
  return [{ ...fault(text, lines, [firstMessageAt]), item: null }];
}

/** A prompt in other prose, or a saved assistant of the source, which has no prompt. */
function compareProse(
  graph: SourceGraph,
  member: Member,
  { nodes, lines, listParts }: ExpectedPrompt,
): Finding[] {
  const { at, called, prompt, promptAt, firstMessage, firstMessageAt, saved, tools } = member;
  // A tool that says when to call it need not be mentioned.
  const told = tools.filter(({ value }) => /"description":"[^"]/.test(JSON.stringify(value)));
  const shown = withoutRaw([prompt, ...told.map(({ name }) => name)].join('\n'));
  const opening = spellLines(lines) === firstMessage ? lines.map(({ value }) => value) : [];
  const isSaid = (words: string) =>
    words === firstMessage || opening.includes(words) || shown.includes(withoutRaw(words));
  const lost = listParts().filter(({ words }) => words.length > 0 && !words.some(isSaid));
  const differences = lost.map(({ text, source, item }): Finding => {
    const place = saved ? at : promptAt;
    return { ...fault(text, source, [place]), item: item === 6 ? item : null };
  });
  const own = nodes.map(graph.nodeAt);
  const isOwn = opening.length > 0 || own.some((it) => it.firstMessage?.value === firstMessage);
  if (saved || !firstMessage || isOwn) {
    return differences;
  }
  const text = ofDifferences.greetsWith(called, own[0]?.id ?? '', firstMessage);
  const { at: source } = own[0] ?? graph.nodeAt(graph.start);
  return [...differences, { ...fault(text, [source], [firstMessageAt]), item: null }];
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
