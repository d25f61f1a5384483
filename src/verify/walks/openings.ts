/**
 * How prompts open: the global prompt, whose prompt it is, and where a call begins.
 */
import { ofDifferences } from '../../diagnostics/differences.js';
import { type Cursor, eatAll, skipLine } from '../reading/cursor.js';
import { elements, type Member, objectOf } from '../squad-reading.js';
import {
  type Entries,
  keyOfEntry,
  type Led,
  leadOf,
  oneWayIn,
  readEntries,
  reviewEntries,
} from './entries.js';
import type { Position } from './finder.js';
import type { Ground } from './ground.js';
import type { Difference } from './visit.js';

export interface Openings {
  /** The steps of the member that this leads to; the prompt as a whole where it has no steps. */
  readonly positionsFor: (member: number, led: Led) => readonly Position[];
  /** Takes down that a call can begin so. */
  readonly note: (member: number, led: Led, step: number) => void;
  /** What the openings say that is not so, and what they do not say. */
  readonly review: () => readonly Difference[];
}

/** How calls can begin, and at which steps, in turns. */
interface Beginnings {
  readonly leds: Led[];
  readonly steps: number[];
}

interface Opening {
  readonly entries: Entries;
  readonly differences: readonly Difference[];
}

export function createOpenings(ground: Ground): Openings {
  const { squad, prompts } = ground;
  const openings: (Opening | undefined)[] = [];
  const beginnings: (Beginnings | undefined)[] = [];
  const firsts: (readonly Position[] | undefined)[] = [];
  const at = (member: number): Opening => {
    openings[member] ??= readOpening(ground, member);
    return openings[member];
  };
  return {
    positionsFor: (member, led) => {
      if (prompts[member]!.steps.length === 0) return [{ member, step: 0 }];
      const { entries } = at(member);
      if (entries !== oneWayIn) {
        return entries.stepsFor(leadOf(led)).map((step) => ({ member, step }));
      }
      firsts[member] ??= [{ member, step: 1 }];
      return firsts[member];
    },
    note: (member, led, step) => {
      const known = beginnings[member];
      if (known === undefined) beginnings[member] = { leds: [led], steps: [step] };
      else {
        known.leds.push(led);
        known.steps.push(step);
      }
    },
    review: () => {
      const found: Difference[] = [];
      for (const member of squad.members) {
        const { index } = member;
        const { length } = prompts[index]!.steps;
        const misplaced = reviewMessages(member, length);
        if (misplaced !== faithful) found.push(...misplaced);
        else if (length === 0) found.push(...reviewLoosely(ground, member));
        else {
          const { entries, differences } = at(index);
          found.push(...differences);
          const otherwise = reviewOpening(ground, index, entries, beginnings[index] ?? never);
          if (otherwise !== faithful) found.push(...otherwise);
        }
      }
      return found;
    },
  };
}

function readOpening({ graph, squad, prompts }: Ground, member: number): Opening {
  const { name } = squad.members[member]!;
  const { text, opening } = prompts[member]!;
  const cursor: Cursor = { text, at: 0, end: opening.end };
  let differences = faithful;
  const { globalPrompt } = graph.workflow;
  const fault = (words: string, source: readonly string[]): void => {
    const one = {
      visit: null,
      way: null,
      text: words,
      source,
      output: [squad.members[member]!.promptAt],
    };
    differences = [...differences, one];
  };
  if (globalPrompt !== null && !eatAll(cursor, [globalPrompt.value, '\n\n'])) {
    fault(ofDifferences.promptLost(name ?? ''), [globalPrompt.at]);
  }
  const role = ['You are the assistant "', name ?? '', '" of a phone call.'];
  if (eatAll(cursor, role)) skipLine(cursor);
  else fault(ofDifferences.roleLost(name ?? ''), []);
  const entries = readEntries(prompts[member]!, cursor.at);
  return entries === oneWayIn && differences === faithful ? plain : { entries, differences };
}

/** In a prompt that squadc did not write the global prompt stands somewhere. */
function reviewLoosely({ graph }: Ground, member: Member): Difference[] {
  const { globalPrompt } = graph.workflow;
  const { saved, name, prompt } = member;
  if (saved || globalPrompt === null || prompt.includes(globalPrompt.value)) return [];
  return [difference(ofDifferences.promptLost(name ?? ''), member.promptAt)];
}

/** Squadc's assistants have one message, of steps that are numbered from 1. */
function reviewMessages(
  { prompts: [first], name, compiled, layers }: Member,
  steps: number,
): readonly Difference[] {
  if (!compiled || first === undefined) return faithful;
  let messages = 0;
  for (const { value } of layers) messages += elements(objectOf(value['model'])['messages']).length;
  if (steps > 0 && messages === 1) return faithful;
  return [difference(ofDifferences.stepsLost(name ?? ''), first.at)];
}

/** An assistant with one way in says nothing of it; one with several says all of them. */
function reviewOpening(
  { squad }: Ground,
  index: number,
  entries: Entries,
  { leds, steps }: Beginnings,
): readonly Difference[] {
  const hasSeveral = steps.some((step) => step !== steps[0]);
  if (!hasSeveral && entries === oneWayIn) return faithful;
  const { name, promptAt, firstMessage, at } = squad.members[index]!;
  const leads = hasSeveral ? leds.map((it, place) => [leadOf(it), steps[place]!] as const) : [];
  const wanted = new Map(leads.map((it) => [keyOfEntry(...it), it] as const));
  const { missing, unaccounted } = reviewEntries(entries, wanted);
  const said = [
    ...missing.map(([{ text }, step]) => ofDifferences.beginningLost(name ?? '', text, step)),
    ...unaccounted.map((text) => ofDifferences.unaccounted(name ?? '', text)),
  ];
  const found = said.map((text) => difference(text, promptAt));
  if (hasSeveral && firstMessage !== null && firstMessage !== '') {
    const text = ofDifferences.greetsEverybody(name ?? '', firstMessage);
    found.push(difference(text, `${at}/assistant/firstMessage`));
  }
  return found;
}

const never: Beginnings = { leds: [], steps: [] };

const faithful: readonly Difference[] = [];

/** Of most assistants. */
const plain: Opening = { entries: oneWayIn, differences: faithful };

function difference(text: string, output: string): Difference {
  return { visit: null, way: null, text, source: [], output: [output] };
}
