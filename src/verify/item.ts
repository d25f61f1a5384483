/** How an item of the checklist is put together from its evidence. */
import type { JsonPointer } from '../compiler/ir/ids.js';
import { withLazy } from '../compiler/ir/lazy.js';
import type { ChecklistItem, Evidence, Question } from '../compiler/ir/result.js';
import { itemTitles, ofQuestions } from '../diagnostics/checklist.js';
import { itemOf } from './open-questions.js';
import type { Waiver } from './waiver.js';

/** Most evidence is only counted, so its words may be written when somebody reads them. */
export type Sentence = string | (() => string);

/** A fact, and whether it may fail because an answer asked for what it forbids. */
export interface Finding {
  readonly holds: boolean;
  readonly text: Sentence;
  readonly source: readonly JsonPointer[];
  readonly output: readonly JsonPointer[];
  readonly excused?: boolean;
}

export function finding(
  holds: boolean,
  text: Sentence,
  source: readonly JsonPointer[],
  output: readonly JsonPointer[],
): Finding {
  return { holds, text, source, output };
}

/** What holds is mostly only counted, so it may be put together when somebody reads it. */
export type Fact = Finding | (() => Finding);

/** The answers that an item depends on: those that waive it, and those that nobody has given. */
export interface Answered {
  readonly waivers: readonly Waiver[];
  readonly open: readonly Question[];
}

/** An item holds when all its evidence does, or when an answer waives what does not. */
export function toItem(
  item: number,
  facts: readonly Fact[],
  { waivers, open }: Answered,
): ChecklistItem {
  const waiver = waivers.find((it) => it.item === item);
  const asked = open.filter(({ kind }) => itemOf[kind] === item);
  const holds = asked.length === 0 && facts.every(isNoFault);
  const title = itemTitles[item - 1]!;
  const own = { item, title, holds };
  return withLazy(holds && waiver !== undefined ? { ...own, waivedBy: waiver.question } : own, {
    evidence: () => [...facts.map(read), ...asked.map(unanswered)].map(toEvidence),
  });
}

function isNoFault(fact: Fact): boolean {
  return typeof fact === 'function' || fact.holds || fact.excused === true;
}

function read(fact: Fact): Finding {
  return typeof fact === 'function' ? fact() : fact;
}

function unanswered({ id, at }: Question): Finding {
  return finding(false, ofQuestions.open(id), at, []);
}

function toEvidence({ holds, text, source, output }: Finding): Evidence {
  return { holds, text: typeof text === 'string' ? text : text(), source, output };
}
