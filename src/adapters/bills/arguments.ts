/**
 * Checks what a call is given beside its path, and writes it as it goes out.
 *
 * In: anything. Out: query and key. Conditions go bare into the query as `field(op)=value`, `eq`
 * written out, and all of them hold; lists of values are joined by `|`. Fields and operators that the
 * specification does not list are sent: only the types warn of them.
 * Refused, before anything is sent: names that nobody reads (a key under a misspelt name would
 * protect nobody), and values that would say nothing, or something else than they seem to.
 *
 * Example: { filters: [{ field: 'status', op: 'eq', value: 2 }] } becomes { 'status(eq)': ['2'] }.
 */
import { invalidArgument } from '../http/error.js';
import type { Operation } from '../http/operation.js';
import type { SendArguments } from '../http/request.js';

/** Parameters that stand in the query in another form: names, and values as they are given. */
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

/** With the operator demanded, no condition can pass for another parameter (`exportFormat`). */
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
      // The same condition may be given twice (not this, and not that): a list repeats the name.
      query[written] = [...(query[written] ?? []), text];
    }
  }
  return { query, key: ownKey };
}

/** What a value says in a query: nothing where it is empty or no plain value. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) {
    const texts = value.map(textOf);
    // In a list, a value that holds the separator would be taken for two.
    return texts.every((text) => /^[^|]+$/.test(text)) ? texts.join('|') : '';
  }
  return /string|boolean/.test(typeof value) || Number.isFinite(value) ? `${value}` : '';
}

/** The only members of a body that are looked at: the service judges all else. */
export function checkDates(id: string, bill: unknown): void {
  for (const name of ['billDate', 'dueDate', 'endDate']) {
    const date = Object(bill)[name] ?? '2000-01-01';
    // A day as the calendar writes it; one too many in its month is one of the next month there.
    if (new Date(`${date}`).toJSON()?.slice(0, 10) !== date) throw invalidArgument(id, name);
  }
}
