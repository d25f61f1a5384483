/**
 * Says an answer of a service: the facts that its definition lets out, and no others.
 *
 * In: an answer, what may be said of it. Out: one line of bounded length: a sentence; or, where
 * there are facts, JSON with the sentence in `say` and each fact under its name, for the variables
 * of the conversation. Of a list, the first entries are said, and as few as the line has room for.
 *
 * Example: {"say":"Bill number B-1, net amount 10.00.","billNumber":"B-1","netAmount":10}
 */
import type { Effect } from '../table/tool.js';
import { isKind, type SaidAsOrText, type SaidValue, sayValue } from './say-value.js';
import { texts, wordsOf } from './texts.js';

/** A value of an answer: its name, where it stands (`*` for each entry of a list), what it is. */
export interface SayableFact {
  readonly name: string;
  readonly at: string;
  readonly as: SaidAsOrText;
}

/** Whether a fact of a configuration is one: its name must not take the place of the sentence. */
export function isSayable({ name, at, as }: SayableFact): boolean {
  return /^(?!say$)[A-Za-z]\w{0,39}$/.test(name) && at.startsWith('/') && isKind(as);
}

interface Fact extends SaidValue {
  readonly name: string;
}

/** More is not listened to. */
const mostEntries = 5;

export function sayAnswer(
  answer: unknown,
  sayable: readonly SayableFact[],
  effect: Effect,
  maxChars: number,
): string {
  const facts = factsAt(
    answer,
    '',
    sayable.filter(({ at }) => !at.includes('/*')),
  );
  const entries = entriesOf(answer, sayable);
  const opening = effect === 'changes' ? [texts.done.line] : [];
  if (facts.length === 0 && entries.length === 0) return bare(effect);
  for (let shown = Math.min(mostEntries, entries.length); shown >= 0; shown -= 1) {
    const line = lineOf(opening, facts, entries.slice(0, shown), shown < entries.length);
    if (line.length <= maxChars) return line;
  }
  return bare(effect).slice(0, maxChars);
}

function lineOf(
  opening: readonly string[],
  facts: readonly Fact[],
  entries: readonly (readonly Fact[])[],
  more: boolean,
): string {
  const sentences = [
    ...opening,
    ...(facts.length > 0 ? [sentenceOf(facts)] : []),
    ...entries.map((entry, index) => `${index + 1}: ${sentenceOf(entry)}`),
    ...(entries.length > 0 && more ? ['There are more.'] : []),
  ];
  const variables = new Map<string, unknown>(facts.map(({ name, value }) => [name, value]));
  for (const { name } of entries.flat()) {
    const values = entries.map((entry) => entry.find((each) => each.name === name)?.value ?? null);
    variables.set(name, values);
  }
  return JSON.stringify({ say: sentences.join(' '), ...Object.fromEntries(variables) });
}

/** Where there are no facts. */
function bare(effect: Effect): string {
  return effect === 'reads' ? texts.nothingToTell.line : texts.done.line;
}

function sentenceOf(facts: readonly Fact[]): string {
  const text = facts.map(({ name, said }) => `${wordsOf(name)} ${said}`).join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** The facts of each entry of the first list that may be said. */
function entriesOf(answer: unknown, sayable: readonly SayableFact[]): Fact[][] {
  const [list] = sayable.flatMap(({ at }) => /^.*?(?=\/\*)/.exec(at) ?? []);
  if (list === undefined) return [];
  const inList = sayable.filter(({ at }) => at.startsWith(`${list}/*/`));
  const entries = valueAt(answer, list);
  if (!Array.isArray(entries)) return [];
  return entries
    .map((entry) => factsAt(entry, `${list}/*`, inList))
    .filter((facts) => facts.length > 0);
}

function factsAt(answer: unknown, below: string, sayable: readonly SayableFact[]): Fact[] {
  return sayable.flatMap(({ name, at, as }) => {
    const said = sayValue(valueAt(answer, at.slice(below.length)), as);
    return said ? [{ name, ...said }] : [];
  });
}

/** The value at a JSON Pointer; undefined where there is none of the answer's own. */
function valueAt(answer: unknown, pointer: string): unknown {
  let value = answer;
  for (const key of pointer.split('/').slice(1)) {
    if (!(value instanceof Object) || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
