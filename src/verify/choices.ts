/**
 * A squad whose workflow leaves questions open.
 *
 * In: a way to judge the squad with some answers. Out: what is certain whatever the answers are. The
 * squad fails if it contradicts every choice of the questions. Otherwise it is undecided, even if
 * it is what one of the choices gives: only a person can say that this is the right one. A choice
 * that needs a value cannot be tried, so nothing that depends on it counts.
 */
import type { Answer } from '../compiler/ir/options.js';
import type { Question } from '../compiler/ir/result.js';
import type { Judged } from './report.js';

export type Assumed = Readonly<Record<string, Answer>>;

/** The most answers that are tried; with more, a fault has to be there in all that were. */
const most = 24;

/** Judges with the proposals first; `itemOf` is the item that depends on a question. */
export function judgeEveryChoice(
  judge: (assumed: Assumed) => Judged | null,
  itemOf: (question: Question) => number,
): { readonly judged: Judged; readonly isRefuted: boolean } | null {
  const first = judge({});
  if (first === null) return null;
  if (!first.fails || first.open.length === 0) return { judged: first, isRefuted: first.fails };
  const tried = [first];
  const queue: Assumed[] = listOthers({}, first);
  const known = new Set(queue.map((it) => JSON.stringify(it)));
  for (const assumed of queue) {
    if (tried.length >= most) break;
    const judged = judge(assumed);
    if (judged === null) continue;
    if (!judged.fails) return { judged, isRefuted: false };
    tried.push(judged);
    for (const other of listOthers(assumed, judged)) {
      const key = JSON.stringify(other);
      if (!known.has(key)) queue.push(other);
      known.add(key);
    }
  }
  const untried = first.open.filter(({ choices }) => choices.some((it) => it.value !== undefined));
  if (untried.length === 0 && tried.length < most) return { judged: first, isRefuted: true };
  const dependent = new Set(untried.map(itemOf));
  const isCommon = (text: string) => tried.every(({ faults }) => faults.has(text));
  const common = [...first.faults].filter(([text]) => isCommon(text));
  const certain = common.filter(([, item]) => item === null || !dependent.has(item));
  return { judged: first, isRefuted: certain.length > 0 };
}

/** The answers with one more, for each choice of an open question that was not assumed. */
function listOthers(assumed: Assumed, { open, assumptions }: Judged): Assumed[] {
  return open.flatMap(({ id, choices }) =>
    choices.flatMap(({ key: choice, value }) => {
      const isAssumed = assumptions.get(id)?.choice === choice;
      if (value !== undefined || isAssumed || Object.hasOwn(assumed, id)) return [];
      const all = Object.entries({ ...assumed, [id]: { choice } });
      return [Object.fromEntries(all.sort(([one], [other]) => (one < other ? -1 : 1)))];
    }),
  );
}
