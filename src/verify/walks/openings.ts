/**
 * How prompts open: the global prompt, whose prompt it is, and where a call begins.
 */
import { ofDifferences } from '../../diagnostics/differences.js';
import { type Cursor, eat, skipLine } from '../reading/cursor.js';
import { elements, type Member, objectOf } from '../squad-reading.js';
import { put } from '../variables/lists.js';
import {
  type Entries,
  keyOfEntry,
  type Lead,
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
  readonly review: (differences: Difference[]) => void;
}

/** How a call can begin, and at which step; before it the others that were taken down. */
interface Beginning {
  readonly led: Led;
  readonly step: number;
  readonly before: Beginning | null;
}

interface Opening {
  readonly entries: Entries;
  readonly differences: readonly Difference[];
}

export function createOpenings(ground: Ground): Openings {
  const { squad, prompts } = ground;
  const { length } = squad.members;
  const openings = new Array<Opening | undefined>(length).fill(undefined);
  const beginnings = new Array<Beginning | null>(length).fill(null);
  const firsts = new Array<readonly Position[] | undefined>(length).fill(undefined);
  const at = (member: number): Opening => {
    openings[member] ??= readOpening(ground, member);
    return openings[member];
  };
  return {
    positionsFor: (member, led) => {
      if (prompts[member]!.steps.length === 0) return [{ member, step: 0 }];
      const { entries } = at(member);
      if (entries !== oneWayIn) {
        return positionsAt(member, entries.stepsFor(leadOf(led)));
      }
      firsts[member] ??= [{ member, step: 1 }];
      return firsts[member];
    },
    note: (member, led, step) => {
      beginnings[member] = { led, step, before: beginnings[member]! };
    },
    review: (found) => {
      for (const member of squad.members) {
        const { index } = member;
        const { length } = prompts[index]!.steps;
        const misplaced = reviewMessages(member, length);
        if (misplaced !== null) found.push(misplaced);
        else if (length === 0) reviewLoosely(ground, member, found);
        else {
          const { entries, differences } = at(index);
          for (const difference of differences) found.push(difference);
          reviewOpening(member, entries, beginnings[index]!, found);
        }
      }
    },
  };
}

function positionsAt(member: number, steps: readonly number[]): readonly Position[] {
  return steps.map((step) => ({ member, step }));
}

function readOpening({ graph, squad, prompts }: Ground, member: number): Opening {
  const { name } = squad.members[member]!;
  const { text, openingEnd } = prompts[member]!;
  const cursor: Cursor = { text, at: 0, end: openingEnd };
  let differences: Difference[] | null = null;
  const { globalPrompt } = graph.workflow;
  if (globalPrompt !== null && !eatPrompt(cursor, globalPrompt.value)) {
    const lost = ofDifferences.promptLost(name ?? '');
    const { promptAt } = squad.members[member]!;
    differences = put(differences, difference(lost, promptAt, [globalPrompt.at]));
  }
  if (eatRole(cursor, name ?? '')) skipLine(cursor);
  else {
    const { promptAt } = squad.members[member]!;
    differences = put(differences, difference(ofDifferences.roleLost(name ?? ''), promptAt));
  }
  const entries = readEntries(prompts[member]!, cursor.at);
  if (entries === oneWayIn && differences === null) return plain;
  return { entries, differences: differences ?? faithful };
}

function eatPrompt(cursor: Cursor, prompt: string): boolean {
  const from = cursor.at;
  if (eat(cursor, prompt) && eat(cursor, '\n\n')) return true;
  cursor.at = from;
  return false;
}

function eatRole(cursor: Cursor, name: string): boolean {
  const from = cursor.at;
  const isHere = eat(cursor, 'You are the assistant "') && eat(cursor, name);
  if (isHere && eat(cursor, '" of a phone call.')) return true;
  cursor.at = from;
  return false;
}

/** In a prompt that squadc did not write the global prompt stands somewhere. */
function reviewLoosely({ graph }: Ground, member: Member, found: Difference[]): void {
  const { globalPrompt } = graph.workflow;
  const { saved, name, prompt } = member;
  if (saved || globalPrompt === null || prompt.includes(globalPrompt.value)) return;
  found.push(difference(ofDifferences.promptLost(name ?? ''), member.promptAt));
}

/** Squadc's assistants have one message, of steps that are numbered from 1. */
function reviewMessages(
  { prompts: [first], name, compiled, layers }: Member,
  steps: number,
): Difference | null {
  if (!compiled || first === undefined) return null;
  let messages = 0;
  for (const { value } of layers) messages += elements(objectOf(value['model'])['messages']).length;
  if (steps > 0 && messages === 1) return null;
  return difference(ofDifferences.stepsLost(name ?? ''), first.at);
}

/** An assistant with one way in says nothing of it; one with several says all of them. */
function reviewOpening(
  member: Member,
  entries: Entries,
  last: Beginning | null,
  found: Difference[],
): void {
  const hasSeveral = leadToSeveral(last);
  if (!hasSeveral && entries === oneWayIn) return;
  const { name, promptAt, firstMessage, at } = member;
  const { missing, unaccounted } = reviewEntries(entries, hasSeveral ? listWanted(last) : nowhere);
  for (const [{ text }, step] of missing) {
    found.push(difference(ofDifferences.beginningLost(name ?? '', text, step), promptAt));
  }
  for (const text of unaccounted) {
    found.push(difference(ofDifferences.unaccounted(name ?? '', text), promptAt));
  }
  if (hasSeveral && firstMessage !== null && firstMessage !== '') {
    const text = ofDifferences.greetsEverybody(name ?? '', firstMessage);
    found.push(difference(text, `${at}/assistant/firstMessage`));
  }
}

/** Whether these do not all begin at one step. */
function leadToSeveral(last: Beginning | null): boolean {
  for (let each = last; each !== null; each = each.before) {
    if (each.step !== last!.step) return true;
  }
  return false;
}

type WantedEntries = Parameters<typeof reviewEntries>[1];

/** What the opening has to say, in the order in which calls have come. */
function listWanted(last: Beginning | null): WantedEntries {
  const wanted: [Lead, number][] = [];
  for (let each = last; each !== null; each = each.before) {
    wanted.push([leadOf(each.led), each.step]);
  }
  return new Map(wanted.reverse().map((it) => [keyOfEntry(...it), it]));
}

const nowhere: WantedEntries = new Map();

const faithful: readonly Difference[] = [];

/** Of most assistants. */
const plain: Opening = { entries: oneWayIn, differences: faithful };

function difference(text: string, output: string, source: readonly string[] = []): Difference {
  return { visit: null, way: null, text, source, output: [output] };
}
