/** Values that a tester can say, by what is known of a variable: the same for the same variable. */
import type { Capture } from '../compiler/ir/workflow.js';
import type { Value } from './conditions.js';

export type Sample = Exclude<Value, undefined>;

/** Texts by a word of the variable's name; the first that fits. */
const byWord: readonly (readonly [words: readonly string[], sample: string])[] = [
  [['email', 'mail'], 'ada@example.com'],
  [['phone', 'mobile', 'telephone'], '+12025550123'],
  [['first'], 'Ada'],
  [['last', 'surname', 'family'], 'Example'],
  [['name', 'caller', 'customer'], 'Ada Example'],
  [['date', 'day', 'birthday', 'dob'], '2030-01-15'],
  [['time', 'hour', 'slot'], '10:30'],
  [['zip', 'postal', 'postcode'], '20500'],
  [['address', 'street'], '12 Sample Street'],
  [['city', 'town'], 'Springfield'],
];

/** What to try for a capture, the best first; `literals` are values that conditions name. */
export function samplesFor(
  { name, type, enum: choices }: Pick<Capture, 'name' | 'type' | 'enum'>,
  literals: readonly Sample[],
): readonly [Sample, ...Sample[]] {
  const [first, ...others] = choices ?? [];
  if (first !== undefined) return [first, ...others];
  if (type === 'boolean') return [true, false];
  if (type === 'number' || type === 'integer') return numbers(literals, type === 'integer');
  return [textFor(name), ...literals.map(String)];
}

/** What to try for a value that a tool gives: of its type nothing is known but what is compared. */
export function samplesForResponse(
  name: string,
  literals: readonly Sample[],
): readonly [Sample, ...Sample[]] {
  const near = literals.flatMap((each): Sample[] =>
    typeof each === 'number'
      ? [each, each + 1, each - 1]
      : typeof each === 'boolean'
        ? [true, false]
        : [each],
  );
  return [textFor(name), true, ...near, false];
}

function numbers(literals: readonly Sample[], whole: boolean): readonly [Sample, ...Sample[]] {
  const near = literals.flatMap((each) =>
    typeof each === 'number' ? [each, each + 1, each - 1] : [],
  );
  return [3, ...near.filter((each) => !whole || Number.isInteger(each)), 0];
}

function textFor(name: string): string {
  const words = wordsOf(name);
  const fitting = byWord.find(([each]) => each.some((word) => words.includes(word)));
  return fitting?.[1] ?? `sample ${words.join(' ') || 'value'}`;
}

/** The words of a name or a text in lower case: runs of letters and digits, `camelCase` cut up. */
function wordsOf(text: string): string[] {
  const spaced = text.replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').toLowerCase();
  return spaced.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Whether the words of a value stand in a text, one behind the other. */
export function mentions(text: string, value: string): boolean {
  const words = wordsOf(value);
  return words.length > 0 && ` ${wordsOf(text).join(' ')} `.includes(` ${words.join(' ')} `);
}
