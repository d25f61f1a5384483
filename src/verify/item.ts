/** How an item of the checklist is put together from its evidence. */
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { ChecklistItem, Evidence } from '../compiler/ir/result.js';
import { itemTitles } from '../diagnostics/checklist.js';
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

/** An item holds when all its evidence does, or when an answer waives what does not. */
export function toItem(
  item: number,
  findings: readonly Finding[],
  { waivers }: { readonly waivers: readonly Waiver[] },
): ChecklistItem {
  const waiver = waivers.find((it) => it.item === item);
  const holds = findings.every((it) => it.holds || it.excused === true);
  const title = itemTitles[item - 1]!;
  let evidence: Evidence[] | null = null;
  return {
    item,
    title,
    holds,
    ...(holds && waiver !== undefined ? { waivedBy: waiver.question } : {}),
    get evidence() {
      evidence ??= findings.map(toEvidence);
      return evidence;
    },
  };
}

function toEvidence({ holds, text, source, output }: Finding): Evidence {
  return { holds, text: typeof text === 'string' ? text : text(), source, output };
}
