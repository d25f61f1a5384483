/** How an item of the checklist is judged, and put together from its evidence. */
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

/** The answers that an item depends on: those that waive it, and those that nobody has given. */
export interface Answered {
  readonly waivers: readonly Waiver[];
  readonly open: readonly Question[];
}

/** An item that has been judged; its evidence is put together when somebody reads it. */
export class Judgement {
  readonly holds: boolean;
  private readonly asked: readonly Question[];
  private read: readonly Evidence[] | null = null;

  constructor(
    readonly item: number,
    facts: readonly Finding[],
    readonly waiver: Waiver | undefined,
    open: readonly Question[],
    private readonly listFacts: () => readonly Finding[],
  ) {
    this.asked = open.length === 0 ? open : open.filter(({ kind }) => itemOf[kind] === item);
    this.holds = this.asked.length === 0 && facts.every(isNoFault);
  }

  get title(): string {
    return itemTitles[this.item - 1]!;
  }

  get evidence(): readonly Evidence[] {
    this.read ??= [...this.listFacts(), ...this.asked.map(unanswered)].map(toEvidence);
    return this.read;
  }
}

/**
 * An item holds when all its evidence does, or when an answer waives what does not. Where there is
 * much that holds, `facts` may leave it out; then `listFacts` has all of them.
 */
export function judge(
  item: number,
  facts: readonly Finding[],
  { waivers, open }: Answered,
  listFacts: () => readonly Finding[] = () => facts,
): Judgement {
  const waiver = waivers.length === 0 ? undefined : waivers.find((it) => it.item === item);
  return new Judgement(item, facts, waiver, open, listFacts);
}

/** The item as the caller gets it. */
export function toItem(judgement: Judgement): ChecklistItem {
  const { item, title, holds, waiver } = judgement;
  const own = { item, title, holds };
  return withLazy(holds && waiver !== undefined ? { ...own, waivedBy: waiver.question } : own, {
    evidence: () => judgement.evidence,
  });
}

function isNoFault({ holds, excused }: Finding): boolean {
  return holds || excused === true;
}

function unanswered({ id, at }: Question): Finding {
  return finding(false, ofQuestions.open(id), at, []);
}

function toEvidence({ holds, text, source, output }: Finding): Evidence {
  return { holds, text: typeof text === 'string' ? text : text(), source, output };
}
