/**
 * Checks a call's parameters outside its path, and writes them as they are sent.
 *
 * In: anything. Out: query and key. Filters go straight into the query as `field(op)=value`, with
 * `eq` written out; a bill must meet all of them. Lists of values are joined by `|`. Fields and
 * operators that the specification does not list are sent; only the types warn about them.
 * Refused before anything is sent: unknown names (a misspelt key would protect nothing), and values
 * that are empty or would be misread.
 *
 * Example: { filters: [{ field: 'status', op: 'eq', value: 2 }] } becomes { 'status(eq)': ['2'] }.
 */
import { invalidArgument } from '../http/error.js';
import type { Operation } from '../http/operation.js';
import type { SendArguments } from '../http/request.js';

/** Parameters written differently in the query: returns names and unchecked values. */
const writers: Readonly<Record<string, (value: unknown) => readonly [string, unknown][]>> = {
  format: (format) => [['exportFormat', format]],

  sortBy(order) {
    const { field = '', direction } = Object(order);
    const text = typeof order === 'string' ? order : `${direction}(${field})`;
    return [['sortBy', text.match(/^(?:\w[\w.]*|(?:asc|desc)\(\w[\w.]*\))$/)?.[0]]];
  },

  filters: (filters) =>
    [filters].flat().map((filter) => {
      const { field, op, value } = Object(filter);
      const listed = /^n?in$/.test(op) === Array.isArray(value);
      return [`${field}(${op})`, listed ? value : undefined];
    }),

  rawFilters: (filters) => Object.entries(filters instanceof Object ? filters : { '': '' }),
};

/** Requires the operator, so that no filter can pass for another parameter (`exportFormat`). */
const condition = /^\w[\w.]*\([a-z]+\)$/;

/** `given` is the object of parameters. */
export function writeParameters(
  { id, query: names = [], key }: Operation,
  given: unknown,
): Pick<SendArguments, 'key'> & { readonly query: Readonly<Record<string, string[]>> } {
  if (!(given === undefined || given instanceof Object)) throw invalidArgument(id, 'parameters');
  const { [key ?? '']: ownKey, ...parameters } = Object(given) as Record<string, unknown>;
  const query: Record<string, string[]> = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    const pairs = names.includes(name) ? (writers[name]?.(value) ?? [[name, value]]) : [[name, '']];
    for (const [written, said] of pairs as [string, unknown][]) {
      const text = textOf(said);
      const named = !/filters$/i.test(name) || condition.test(written);
      if (!text || !named) throw invalidArgument(id, name);
      // A field may be excluded more than once (not this, not that), so the name is repeated.
      query[written] = [...(query[written] ?? []), text];
    }
  }
  return { query, key: ownKey };
}

/** Writes a value for the query; empty if it is empty or not a plain value. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) {
    const texts = value.map(textOf);
    // In a list, a value that contains the separator would be read as two.
    return texts.every((text) => /^[^|]+$/.test(text)) ? texts.join('|') : '';
  }
  return /string|boolean/.test(typeof value) || Number.isFinite(value) ? `${value}` : '';
}

/** Checks only the dates; everything else in a body is left to the service. */
export function checkDates(id: string, bill: unknown): void {
  for (const name of ['billDate', 'dueDate', 'endDate']) {
    const date = Object(bill)[name] ?? '2000-01-01';
    // Must be a real day as YYYY-MM-DD: Date would turn February 30 into March 1.
    if (new Date(`${date}`).toJSON()?.slice(0, 10) !== date) throw invalidArgument(id, name);
  }
}
