/**
 * A value of an answer as an assistant says it, and as a variable of the conversation.
 *
 * In: anything, as services keep what people wrote. Out: both forms; nothing where the value is not
 * what its kind promises, so that no sentence gets in by way of a number.
 *
 * Example: 1234.5 as an amount is said "1,234.50"; "2026-03-01" as a date, "March 1, 2026".
 */
import { maySay } from '../table/may-say.js';
import type { SaidAs } from '../table/tool.js';

export interface SaidValue {
  readonly said: string;
  readonly value: string | number | boolean;
}

/** `text` is what a configuration may add: words of people, cut and cleaned. */
export type SaidAsOrText = SaidAs | 'text';

export function sayValue(value: unknown, as: SaidAsOrText): SaidValue | null {
  if (as === 'text') return typeof value === 'string' ? plain(lineOf(value)) : null;
  return maySay(as, value) ? sayings[as](value) : null;
}

export function isKind(as: string): as is SaidAsOrText {
  return as === 'text' || Object.hasOwn(sayings, as);
}

const plain = (value: string | number): SaidValue | null =>
  value === '' ? null : { said: `${value}`, value };

const asItIs = (value: unknown) => plain(value as string | number);

/** Of values that may be said. */
const sayings: Readonly<Record<SaidAs, (value: unknown) => SaidValue | null>> = {
  count: (value) => asItIs(Array.isArray(value) ? value.length : value),
  number: asItIs,
  identifier: asItIs,
  sign: asItIs,
  amount: (value) => ({ said: amountOf(Number(value)), value: Number(value) }),
  date: (value) => dateOf(`${value}`.slice(0, 10)),
  flag: (value) => ({ said: value ? 'yes' : 'no', value: value === true }),
  status: (value) =>
    plain(
      typeof value === 'number'
        ? (billStatuses.get(value) ?? '')
        : `${value}`.toLowerCase().replaceAll('_', ' '),
    ),
};

function dateOf(day: string): SaidValue | null {
  const [year, month, ofMonth] = day.split('-').map(Number);
  const name = months[(month ?? 0) - 1];
  return name === undefined ? null : { said: `${name} ${ofMonth}, ${year}`, value: day };
}

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

/** With the cents, and a comma before each three figures: not by a locale, which machines have. */
function amountOf(amount: number): string {
  return amount.toFixed(2).replace(/\B(?=(?:\d{3})+\.)/g, ',');
}

const billStatuses: ReadonlyMap<number, string> = new Map([
  [-99, 'cancelled'],
  [1, 'active'],
  [2, 'sent to approval'],
  [5, 'partially approved'],
  [11, 'disapproved'],
  [20, 'approved'],
  [50, 'in transit'],
  [100, 'paid'],
]);

const longestText = 200;

/** One line, without what a template or a reader of markup would act on. */
function lineOf(text: string): string {
  const line = text
    .slice(0, 2 * longestText)
    .replace(/[\p{C}\p{Z}{}<>`]+/gu, ' ')
    .trim();
  return line.slice(0, longestText).toWellFormed();
}
