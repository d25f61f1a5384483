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

/** Requires the operator, so that no filter can pass for another parameter (`exportFormat`). */
const condition = /^[\w.]+\([a-z]+\)$/;

/** `given` is the object of parameters; the request core refuses values that are no text. */
export function writeParameters(
  { id, query: names = [], key = '' }: Operation,
  given: unknown,
): Pick<SendArguments, 'key'> & { readonly query: Readonly<Record<string, unknown[]>> } {
  const { [key]: ownKey, ...parameters } = Object(given) as Record<string, unknown>;
  const query: Record<string, unknown[]> = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    if (!names.includes(name)) throw invalidArgument(id, name);
    const filters = filtersIn(name, value);
    const { field, direction } = Object(value);
    const plain = direction ? `${direction}(${field})` : value;
    for (const [written, said] of filters ?? [[name === 'format' ? 'exportFormat' : name, plain]]) {
      // In a list, a value that contains the separator would be read as two.
      const isSplit = Array.isArray(said) && said.some((each) => /^$|\|/.test(`${each}`));
      if (isSplit || (filters && !condition.test(written))) throw invalidArgument(id, name);
      // A field may be excluded more than once (not this, not that), so the name is repeated.
      query[written] ??= [];
      query[written].push(Array.isArray(said) ? said.join('|') : (said ?? ''));
    }
  }
  return { query, key: ownKey };
}

/** Names and unchecked values. */
function filtersIn(name: string, value: unknown): [string, unknown][] | undefined {
  if (name === 'rawFilters') return Object.entries(Object(value));
  if (name !== 'filters') return undefined;
  return [value].flat().map((filter) => {
    const { field, op, value } = Object(filter);
    return [`${field}(${op})`, value];
  });
}

/** Checks only the dates; everything else in a body is left to the service. */
export function checkDates(id: string, bill: unknown): void {
  for (const name of ['billDate', 'dueDate', 'endDate']) {
    const date = Object(bill)[name] ?? '2000-01-01';
    // Must be a real day as YYYY-MM-DD: Date would turn February 30 into March 1.
    if (new Date(`${date}`).toJSON()?.slice(0, 10) !== date) throw invalidArgument(id, name);
  }
}
