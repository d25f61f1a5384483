/**
 * Checks what a call is given beside its path, and writes it as it goes out.
 *
 * In: anything. Out: query and headers. Conditions go bare into the query as `field(op)=value`, `eq`
 * written out, and all of them hold; lists of values are joined by `|`.
 * Refused, before anything is sent: names that nobody reads (a key under a misspelt name would
 * protect nobody), and values that would say nothing, or something else than they seem to.
 *
 * Example: { filters: [{ field: 'status', op: 'eq', value: 2 }] } becomes { 'status(eq)': ['2'] }.
 */
import { invalidArgument } from '../http/error.js';
import type { BillsOperation, FilterTable } from './operations.js';

/** A name of the query, and what it says: `undefined` where it would be wrong. */
type Pair = readonly [name: string, value: unknown];

type Writer = (value: unknown, fields: FilterTable) => readonly Pair[];

/** Parameters that stand in the query in another form than they are given in. */
const writers: Readonly<Record<string, Writer>> = {
  format: (format) => [['exportFormat', format]],

  sortBy(order) {
    const { field = '', direction } = Object(order);
    return [['sortBy', `${direction}(${field})`.match(/^(?:asc|desc)\(\w[\w.]*\)$/)?.[0]]];
  },

  filters: (filters, fields) =>
    [filters].flat().map((filter) => {
      const { field, op, value } = Object(filter);
      const known = Object.hasOwn(fields, field) && fields[field]?.includes(op);
      const listed = /^n?in$/.test(op) === Array.isArray(value);
      return [`${field}(${op})`, known && listed ? value : undefined];
    }),

  // With the operator demanded, no condition can pass for another parameter (`exportFormat`).
  rawFilters: (filters) =>
    Object.entries(filters instanceof Object ? filters : { '': filters }).map(([name, value]) => [
      name,
      /^\w[\w.]*\([a-z]+\)$/.test(name) ? value : undefined,
    ]),
};

/** `given` is the object of parameters. */
export function writeParameters(
  { id, query: names = [], key, filters = {} }: BillsOperation,
  given: unknown,
): {
  readonly query: Readonly<Record<string, string[]>>;
  readonly headers: Readonly<Record<string, string>>;
} {
  if (!(given === undefined || given instanceof Object)) throw invalidArgument(id, 'parameters');
  const query: Record<string, string[]> = {};
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries<unknown>(Object(given))) {
    if (value === undefined) continue;
    if (name === key) {
      headers[name] = value as string;
      continue;
    }
    if (!names.includes(name)) throw invalidArgument(id, name);
    for (const [written, said] of writers[name]?.(value, filters) ?? [[name, value]]) {
      const text = textOf(said);
      if (!text) throw invalidArgument(id, name);
      // The same condition may be given twice (not this, and not that): a list repeats the name.
      query[written] = [...(query[written] ?? []), text];
    }
  }
  return { query, headers };
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
