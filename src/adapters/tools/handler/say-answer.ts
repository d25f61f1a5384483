/**
 * Says an answer of a service: the facts that its definition lets out, and no others.
 *
 * In: what may be said of an operation; then its answers. Out: one line of bounded length: a
 * sentence; or, where there are facts, JSON with the sentence in `say` and each fact under its name,
 * for the variables of the conversation. Of a list, the first entries are said, and as few as the
 * line has room for.
 *
 * Example: {"say":"Bill number B-1, net amount 10.00.","billNumber":"B-1","netAmount":10}
 */
import type { Effect } from '../table/tool.js';
import { entriesIn, type Fact, factsIn, outlineOf, type SayableFact } from './answer-facts.js';
import { texts } from './texts.js';

/** Says an answer. */
export type Say = (answer: unknown) => string;

/** More is not listened to. */
const mostEntries = 5;

export function sayerOf(sayable: readonly SayableFact[], effect: Effect, maxChars: number): Say {
  const outline = outlineOf(sayable);
  const opening = effect === 'changes' ? texts.done.line : '';
  const bare = effect === 'reads' ? texts.nothingToTell.line : texts.done.line;
  return (answer) => {
    const facts = factsIn(answer, outline.single);
    const entries = entriesIn(answer, outline);
    if (facts.length === 0 && entries.length === 0) return bare;
    for (let shown = Math.min(mostEntries, entries.length); shown >= 0; shown -= 1) {
      const line = lineOf(opening, facts, entries.slice(0, shown), shown < entries.length);
      if (line.length <= maxChars) return line;
    }
    return bare.slice(0, maxChars);
  };
}

type Entry = readonly Fact[];

function lineOf(opening: string, facts: Entry, entries: readonly Entry[], more: boolean): string {
  const sentences = [
    ...(opening === '' ? [] : [opening]),
    ...(facts.length > 0 ? [sentenceOf(facts)] : []),
    ...entries.map((entry, index) => `${index + 1}: ${sentenceOf(entry)}`),
    ...(entries.length > 0 && more ? ['There are more.'] : []),
  ];
  // No name is `say`, begins with `_` or is a number: each is a property, in this order.
  const line: Record<string, unknown> = { say: sentences.join(' ') };
  for (const { sought, value } of facts) line[sought.name] = value;
  for (const { sought } of entries.flat()) {
    line[sought.name] = entries.map((entry) => valueIn(entry, sought.name));
  }
  return JSON.stringify(line);
}

function valueIn(entry: Entry, name: string): unknown {
  return entry.find(({ sought }) => sought.name === name)?.value ?? null;
}

function sentenceOf(facts: Entry): string {
  let text = '';
  for (const { sought, said } of facts) text += `${text && ', '}${sought.words} ${said}`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
