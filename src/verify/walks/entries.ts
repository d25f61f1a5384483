/**
 * Where a call begins in an assistant that can be entered at several steps: its prompt opens with
 * "If <condition that leads here>, begin at step k".
 */
import { type Cursor, eat, eatPattern, takeLine } from '../reading/cursor.js';
import type { PromptReading } from '../reading/prompt.js';
import type { Way } from './ways.js';

/** What leads to a step, as the opening says it: a condition, or a whole sentence. */
export interface Lead {
  readonly kind: 'condition' | 'sentence';
  readonly text: string;
}

/** What leads to a step, as the source has it: most openings say nothing of it. */
export interface Led {
  /** Null for the start of the call. */
  readonly way: Pick<Way, 'condition'> | null;
  /** What squadc puts in the place of a condition. */
  readonly sentence: string;
}

export const startOfCall: Led = { way: null, sentence: 'At the start of the call' };

/** A condition of the source, or the sentence that squadc has put in its place. */
export function leadOf({ way, sentence }: Led): Lead {
  const condition = way?.condition ?? null;
  if (condition !== null) return { kind: 'condition', text: condition.value };
  return { kind: 'sentence', text: sentence.charAt(0).toUpperCase() + sentence.slice(1) };
}

export interface Entries {
  /** The steps that this lead begins at; 1 where the opening says nothing of any. */
  readonly stepsFor: (lead: Lead) => readonly number[];
  /** The part of the prompt that says it. */
  readonly cursor: () => Cursor;
}

const onlyStep: readonly number[] = [1];
const ending = /, begin at step (\d+)\.\n/g;

/** Of an opening that says nothing. */
export const oneWayIn: Entries = {
  stepsFor: () => onlyStep,
  cursor: () => ({ text: '', at: 0, end: 0 }),
};

/** `from` is where the prompt has said whose it is. */
export function readEntries({ text, openingEnd }: PromptReading, from: number): Entries {
  return from < openingEnd ? readSaid(text, from, openingEnd) : oneWayIn;
}

/** Of an opening that says something there. */
function readSaid(text: string, from: number, end: number): Entries {
  const cursor = () => ({ text, at: from, end });
  const region = text.slice(from, end);
  const steps = indexLeads(region);
  return {
    cursor,
    stepsFor: (lead) => steps.get(keyOf(lead)) ?? searchLead(region, lead),
  };
}

function keyOf({ kind, text }: Lead): string {
  return `${kind} ${text}`;
}

/** Conditions that hold no words of the opening's own are found by cutting it at those. */
function indexLeads(region: string): Map<string, number[]> {
  const steps = new Map<string, number[]>();
  let from = 0;
  for (const found of region.matchAll(ending)) {
    const line = region.slice(from, found.index);
    from = found.index + found[0].length;
    const isConditions = line.startsWith('If ');
    const leads = isConditions ? line.slice(3).split('; or ') : [line];
    for (const text of leads) {
      const key = keyOf({ kind: isConditions ? 'condition' : 'sentence', text });
      const known = steps.get(key);
      if (known === undefined) steps.set(key, [Number(found[1])]);
      else known.push(Number(found[1]));
    }
  }
  return steps;
}

/** Looks for a condition that holds words of the opening's own. */
function searchLead(region: string, { kind, text }: Lead): number[] {
  if (kind !== 'condition' || !/; or |, begin at step /.test(text)) return [];
  const steps: number[] = [];
  for (let at = region.indexOf(text); at !== -1; at = region.indexOf(text, at + 1)) {
    const before = region.slice(Math.max(0, at - 5), at);
    const after = at + text.length;
    if (!before.endsWith('; or ') && !/(?:^|\n)If $/.test(before)) continue;
    if (!region.startsWith('; or ', after) && !region.startsWith(', begin at step ', after))
      continue;
    const step = stepAfter(region, after);
    if (step !== undefined) steps.push(step);
  }
  return steps;
}

/** What the opening says of these leads that is not so, and what it does not say. */
export interface EntryReview {
  readonly missing: readonly (readonly [lead: Lead, step: number])[];
  readonly unaccounted: readonly string[];
}

const faithful: EntryReview = { missing: [], unaccounted: [] };

/** Holds the opening against what leads to which step. */
export function reviewEntries(
  { cursor: open }: Entries,
  wanted: ReadonlyMap<string, readonly [lead: Lead, step: number]>,
): EntryReview {
  const cursor = open();
  if (wanted.size === 0 && cursor.at >= cursor.end) return faithful;
  const rest = new Map(wanted);
  const unaccounted: string[] = [];
  const byLength = [...new Set([...wanted.values()].map(([lead]) => lead))]
    .filter(({ kind }) => kind === 'condition')
    .sort((one, other) => other.text.length - one.text.length);
  while (cursor.at < cursor.end) {
    const from = cursor.at;
    const said = readLine(cursor, byLength, wanted);
    if (said === null || !said.every((key) => wanted.has(key))) {
      cursor.at = from;
      unaccounted.push(takeLine(cursor));
    } else for (const key of said) rest.delete(key);
  }
  return { missing: [...rest.values()], unaccounted };
}

export function keyOfEntry(lead: Lead, step: number): string {
  return `${step} ${keyOf(lead)}`;
}

/** The leads of one line with its step, as keys. */
function readLine(
  cursor: Cursor,
  conditions: readonly Lead[],
  wanted: ReadonlyMap<string, unknown>,
): string[] | null {
  const leads: Lead[] = [];
  if (!eat(cursor, 'If ')) {
    const found = eatPattern(cursor, sentenceLine);
    if (found === null) return null;
    return [keyOfEntry({ kind: 'sentence', text: found[1] ?? '' }, Number(found[2]))];
  }
  for (;;) {
    const lead = readCondition(cursor, conditions, wanted);
    if (lead === null) return null;
    leads.push(lead);
    if (eat(cursor, '; or ')) continue;
    const step = eatPattern(cursor, stepEnding)?.[1];
    return step === undefined ? null : leads.map((it) => keyOfEntry(it, Number(step)));
  }
}

/** The plain cut first; a condition with such words of its own is looked for, the longest first. */
function readCondition(
  cursor: Cursor,
  conditions: readonly Lead[],
  wanted: ReadonlyMap<string, unknown>,
): Lead | null {
  const from = cursor.at;
  const plain = eatPattern(cursor, plainCondition)?.[0];
  const step = plain === undefined ? undefined : stepAfter(cursor.text, cursor.at);
  if (plain !== undefined && step !== undefined) {
    const lead: Lead = { kind: 'condition', text: plain };
    if (wanted.has(keyOfEntry(lead, step))) return lead;
  }
  cursor.at = from;
  return conditions.find(({ text }) => eat(cursor, text)) ?? null;
}

/** The step that the next ending behind the offset names. */
function stepAfter(text: string, offset: number): number | undefined {
  const next = new RegExp(ending);
  next.lastIndex = offset;
  const step = next.exec(text)?.[1];
  return step === undefined ? undefined : Number(step);
}

const sentenceLine = /([^\n]+?), begin at step (\d+)\.\n/y;
const stepEnding = /, begin at step (\d+)\.\n/y;
const plainCondition = /[\s\S]*?(?=; or |, begin at step \d+\.\n)/y;
