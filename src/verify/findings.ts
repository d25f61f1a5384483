/** How items of the checklist are judged, and put together from their evidence. */
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { ChecklistItem, Evidence, Question } from '../compiler/ir/result.js';
import { itemTitles, ofQuestions } from '../diagnostics/checklist.js';
import { itemOf } from './settle.js';

/** A fact, and whether it may fail because an answer asked for what it forbids. */
export interface Finding extends Evidence {
  readonly excused?: boolean;
}

export function finding(
  holds: boolean,
  text: string,
  source: readonly JsonPointer[],
  output: readonly JsonPointer[],
): Finding {
  return { holds, text, source, output };
}

/** An item holds when all its evidence does, or when an answer waives what does not. */
export function judge(
  item: number,
  facts: readonly Finding[],
  open: readonly Question[],
  waivedBy: string | undefined,
): ChecklistItem {
  const unanswered = open
    .filter(({ kind }) => itemOf[kind] === item)
    .map(({ id, at }) => finding(false, ofQuestions.open(id), at, []));
  const holds = unanswered.length === 0 && facts.every((it) => it.holds || it.excused === true);
  const evidence = [...facts, ...unanswered].map(({ excused: _, ...fact }): Evidence => fact);
  const own = { item, title: itemTitles[item - 1]!, holds };
  return holds && waivedBy !== undefined ? { ...own, waivedBy, evidence } : { ...own, evidence };
}
