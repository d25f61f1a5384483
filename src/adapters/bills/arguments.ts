/**
 * Checks what a call is given beside its path and body, and the dates of a bill.
 *
 * In: anything. Out: the same, without what is undefined. Refused, before anything is sent: names
 * that nobody reads (a key under a misspelt name would protect nobody), and values that are of
 * another kind or would say something else than they seem to.
 */
import { invalidArgument } from '../http/api-error.js';
import type { FilterTable } from './filter-fields.js';

type Kind = (value: unknown, table: FilterTable) => boolean;

type Loose = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isFlag: Kind = (value) => typeof value === 'boolean';

/** An empty text may be read as nothing at all. */
const isText: Kind = (value) => typeof value === 'string' && value !== '';

const isCount: Kind = (value) => Number.isSafeInteger(value);

const isValue = (value: unknown) => Number.isFinite(value) || isText(value, {});

/** In a list, a value that holds the separator would be taken for two. */
const isValues = (value: unknown) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((each) => isValue(each) && !`${each}`.includes('|'));

const isFilter = (filter: unknown, table: FilterTable) => {
  if (!isObject(filter)) return false;
  const { field, op, value } = filter;
  const known = typeof field === 'string' && Object.hasOwn(table, field);
  if (!known || !table[field]?.includes(op as string)) return false;
  return /^n?in$/.test(op as string) ? isValues(value) : isValue(value);
};

const isName = (text: unknown) => typeof text === 'string' && /^\w[\w.]*$/.test(text);

const kinds: Readonly<Record<string, Kind>> = {
  idempotencyKey: isText,
  email: isText,
  autocreateUser: isFlag,
  returnObject: isFlag,
  approved: isFlag,
  limitRecord: isCount,
  fromRecord: (value, table) => isCount(value, table) && (value as number) >= 0,
  format: (value) => value === 'csv' || value === 'xlsx',
  filters: (value, table) => Array.isArray(value) && value.every((each) => isFilter(each, table)),
  // With the operator demanded, no condition can pass for another parameter (`exportFormat`).
  rawFilters: (value) =>
    isObject(value) &&
    Object.entries(value).every(
      ([name, each]) => /^\w[\w.]*\([a-z]+\)$/.test(name) && isValue(each),
    ),
  sortBy: (value) =>
    isObject(value) &&
    isName(value['field']) &&
    (value['direction'] === 'asc' || value['direction'] === 'desc'),
};

/** `table` has the fields of filters. */
export function checkArguments(
  id: string,
  given: unknown = {},
  optional: readonly string[] = [],
  demanded: readonly string[] = [],
  table: FilterTable = {},
): Loose {
  if (!isObject(given)) throw invalidArgument(id, 'parameters');
  const checked: Record<string, unknown> = {};
  for (const name of new Set([...demanded, ...Object.keys(given)])) {
    const value = given[name];
    const needed = demanded.includes(name);
    if (!needed && !optional.includes(name)) throw invalidArgument(id, name);
    if (value === undefined && !needed) continue;
    if (!kinds[name]?.(value, table)) throw invalidArgument(id, name);
    checked[name] = value;
  }
  return checked;
}

/** The only members of a body that are looked at: the service judges all else. */
export function checkDates(id: string, bill: unknown): void {
  if (!isObject(bill)) return;
  for (const name of ['billDate', 'dueDate', 'endDate']) {
    if (!isDate(bill[name] ?? '2000-01-01')) throw invalidArgument(id, name);
  }
}

/** A day that the calendar has. */
function isDate(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const time = new Date(`${value}T00:00:00Z`);
  // Of a day too many in its month, the calendar makes one of the next month.
  return Number.isFinite(+time) && time.toISOString().startsWith(value);
}
