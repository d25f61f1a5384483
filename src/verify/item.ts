/** How an item of the checklist is put together from its evidence. */
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { ChecklistItem, Evidence } from '../compiler/ir/result.js';
import { itemTitles } from '../diagnostics/checklist.js';
import type { CheckInput } from './check-input.js';

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
export function toItem(
  item: number,
  findings: readonly Finding[],
  { waivers }: CheckInput,
): ChecklistItem {
  const waiver = waivers.find((it) => it.item === item);
  const holds = findings.every((it) => it.holds || it.excused === true);
  const evidence = findings.map(({ holds: one, text, source, output }) => ({
    holds: one,
    text,
    source,
    output,
  }));
  const title = itemTitles[item - 1]!;
  return holds && waiver !== undefined
    ? { item, title, holds, waivedBy: waiver.question, evidence }
    : { item, title, holds, evidence };
}
