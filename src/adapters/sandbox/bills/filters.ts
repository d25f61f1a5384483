/**
 * Filters of bill lists: `field(operator)=value`, bare in the query, all of which a bill must meet.
 *
 * `parameters` and what is sent under it are passed over, as the service does. Of a field with more
 * than one value (events, approvers), a filter asks for one that fits, a negated one for none.
 */
import { Refused } from '../answer.js';
import type { QueryEntries } from '../call.js';
import { billFields, type FieldValue } from './bill-fields.js';
import type { BillRecord } from './record.js';

export type Filter = (bill: BillRecord) => boolean;

const notFilters: ReadonlySet<string> = new Set([
  ...['exportFormat', 'fromRecord', 'limitRecord', 'sortBy'],
]);

/** What each negated operator negates. */
const negated: ReadonlyMap<string, string> = new Map([
  ['ne', 'eq'],
  ['nct', 'ct'],
  ['nin', 'in'],
]);

export function readFilters(query: QueryEntries, scope: 'entry' | 'org'): Filter[] {
  return query
    .filter(([name]) => !notFilters.has(name) && !/^parameters(?:$|[[.=])/.test(name))
    .map(([name, value]) => readFilter(name, value, scope));
}

function readFilter(name: string, value: string, scope: 'entry' | 'org'): Filter {
  const [, fieldName = '', sent = ''] = /^(\w+)(?:\((\w*)\))?$/.exec(name) ?? [];
  const field = billFields.get(fieldName);
  const operator = sent === '' ? 'eq' : sent;
  if (field === undefined || (scope === 'org' && !field.byOrg)) {
    throw new Refused(400, `Bills are not filtered by ${JSON.stringify(name)}`);
  }
  if (!field.operators.includes(operator)) {
    throw new Refused(400, `${fieldName} is not filtered with ${operator}`);
  }
  const positive = negated.get(operator);
  const test = testOf(positive ?? operator, value);
  const fits: Filter = (bill) => field.read(bill).some(test);
  return positive === undefined ? fits : (bill) => !fits(bill);
}

function testOf(operator: string, sent: string): (value: FieldValue) => boolean {
  if (operator === 'in') {
    const values = sent.split('|');
    return (value) => values.some((each) => compare(value, each) === 0);
  }
  if (operator === 'ct') return (value) => String(value ?? '').includes(sent);
  return (value) => {
    const order = compare(value, sent);
    if (order === null) return false;
    if (operator === 'eq') return order === 0;
    if (operator === 'gt') return order > 0;
    if (operator === 'ge') return order >= 0;
    return operator === 'lt' ? order < 0 : order <= 0;
  };
}

/** Numbers as numbers, texts as texts; null where there is nothing to compare. */
function compare(value: FieldValue, sent: string): number | null {
  if (value === null) return null;
  if (typeof value === 'string') return value === sent ? 0 : value < sent ? -1 : 1;
  const number = sent.trim() === '' ? Number.NaN : Number(sent);
  return Number.isNaN(number) ? null : value - number;
}
