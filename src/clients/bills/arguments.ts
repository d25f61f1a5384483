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
): Pick<SendArguments, 'key' | 'query'> {
  const { [key]: ownKey, ...parameters } = Object(given) as Record<string, unknown>;
  const query = Object.entries(parameters).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const { field, direction } = Object(value);
    const plain = direction ? `${direction}(${field})` : value;
    const filters = filtersIn(name, value);
    const pairs: [string, unknown][] = filters ?? [
      [name === 'format' ? 'exportFormat' : name, plain],
    ];
    return pairs.map(([written, said]) => {
      const isList = Array.isArray(said);
      const fits = !filters || condition.test(written);
      // In a list, a value that contains the separator would be read as two.
      const isSplit = isList && said.some((each) => /^$|\|/.test(`${each}`));
      if (!names.includes(name) || !fits || isSplit) throw invalidArgument(id, name);
      return [written, isList ? said.join('|') : (said ?? '')] as const;
    });
  });
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
