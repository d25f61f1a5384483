/**
 * How prompts open: the global prompt, whose prompt it is, and where a call begins.
 */
import { ofDifferences } from '../../diagnostics/differences.js';
import { type Cursor, eatAll, skipLine } from '../reading/cursor.js';
import { elements, type Member, objectOf } from '../squad-reading.js';
import {
  type Entries,
  keyOfEntry,
  type Lead,
  oneWayIn,
  readEntries,
  reviewEntries,
} from './entries.js';
import type { Position } from './finder.js';
import type { Ground } from './ground.js';
import type { Difference } from './visit.js';

export interface Openings {
  /** The steps of the member that this leads to; the prompt as a whole where it has no steps. */
  readonly positionsFor: (member: number, lead: Lead) => readonly Position[];
  /** Takes down that a call can begin so. */
  readonly note: (member: number, lead: Lead, step: number) => void;
  /** What the openings say that is not so, and what they do not say. */
  readonly review: () => readonly Difference[];
}

type Beginning = readonly [lead: Lead, step: number];

interface Opening {
  readonly entries: Entries;
  readonly differences: readonly Difference[];
}

export function createOpenings(ground: Ground): Openings {
  const { squad, prompts } = ground;
  const openings: (Opening | undefined)[] = [];
  const leads: Beginning[][] = [];
  const at = (member: number): Opening => {
    openings[member] ??= readOpening(ground, member);
    return openings[member];
  };
  return {
    positionsFor: (member, lead) => {
      if (prompts[member]!.steps.length === 0) return [{ member, step: 0 }];
      return at(member)
        .entries.stepsFor(lead)
        .map((step) => ({ member, step }));
    },
    note: (member, lead, step) => {
      const known = leads[member];
      if (known === undefined) leads[member] = [[lead, step]];
      else known.push([lead, step]);
    },
    review: () => {
      const found: Difference[] = [];
      for (const member of squad.members) {
        const { index } = member;
        const { length } = prompts[index]!.steps;
        const misplaced = reviewMessages(member, length);
        if (misplaced.length > 0) found.push(...misplaced);
        else if (length === 0) found.push(...reviewLoosely(ground, member));
        else {
          const { entries, differences } = at(index);
          found.push(...differences, ...reviewOpening(ground, index, entries, leads[index] ?? []));
        }
      }
      return found;
    },
  };
}

function readOpening({ graph, squad, prompts }: Ground, member: number): Opening {
  const { name, promptAt } = squad.members[member]!;
  const { text, opening } = prompts[member]!;
  const cursor: Cursor = { text, at: 0, end: opening.end };
  const differences: Difference[] = [];
  const { globalPrompt } = graph.workflow;
  const fault = (words: string, source: readonly string[]): void => {
    differences.push({ visit: null, way: null, text: words, source, output: [promptAt] });
  };
  if (globalPrompt !== null && !eatAll(cursor, [globalPrompt.value, '\n\n'])) {
    fault(ofDifferences.promptLost(name ?? ''), [globalPrompt.at]);
  }
  const role = ['You are the assistant "', name ?? '', '" of a phone call.'];
  if (eatAll(cursor, role)) skipLine(cursor);
  else fault(ofDifferences.roleLost(name ?? ''), []);
  return { entries: readEntries(prompts[member]!, cursor.at), differences };
}

/** In a prompt that squadc did not write the global prompt stands somewhere. */
function reviewLoosely({ graph }: Ground, { saved, name, prompt, promptAt }: Member): Difference[] {
  const { globalPrompt } = graph.workflow;
  if (saved || globalPrompt === null || prompt.includes(globalPrompt.value)) return [];
  return [difference(ofDifferences.promptLost(name ?? ''), promptAt)];
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
  leads: readonly Beginning[],
): readonly Difference[] {
  const { name, promptAt, firstMessage, at } = squad.members[index]!;
  const hasSeveral = leads.some(([, step]) => step !== leads[0]![1]);
  if (!hasSeveral && entries === oneWayIn) return faithful;
  const wanted = new Map((hasSeveral ? leads : []).map((it) => [keyOfEntry(...it), it] as const));
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

const faithful: readonly Difference[] = [];

function difference(text: string, output: string): Difference {
  return { visit: null, way: null, text, source: [], output: [output] };
}
