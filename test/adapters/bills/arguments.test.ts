/** Filters, order and pages of lists: as they stand in the query, and what is refused. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeParameters } from '../../../src/adapters/bills/arguments.js';
import { type BillsOperation, billsOperations } from '../../../src/adapters/bills/operations.js';
import type { BillExport, BillQuery, OrgBillQuery } from '../../../src/bills.js';
import { runs, seed } from '../../seed.js';

const { list, listByOrg } = billsOperations;

const written = (operation: BillsOperation, given: unknown) =>
  writeParameters(operation, given).query;
const parametersOf = (query: unknown) => written(list, query);
const ofEntry = (query: BillQuery) => written(list, query);
const ofOrg = (query: OrgBillQuery) => written(listByOrg, query);

describe('a query', () => {
  it('is empty when nothing is asked for', () => {
    expect(parametersOf(undefined)).toEqual({});
    expect(parametersOf({})).toEqual({});
    expect(parametersOf({ filters: undefined, fromRecord: undefined, sortBy: undefined })).toEqual(
      {},
    );
  });

  it('writes conditions bare, with the operator, lists joined', () => {
    const parameters = ofEntry({
      filters: [
        { field: 'status', op: 'eq', value: 2 },
        { field: 'frequency', op: 'in', value: ['monthly', 'weekly'] },
        { field: 'parentOrgId', op: 'nin', value: [1, 2] },
        { field: 'target', op: 'ct', value: 'a|b' },
        { field: 'scheduleId', op: 'ne', value: 5 },
      ],
      rawFilters: { 'totalAmount(gt)': '20' },
      sortBy: { field: 'BillDate', direction: 'desc' },
      fromRecord: 0,
      limitRecord: -1,
    });
    expect(parameters).toEqual({
      'status(eq)': ['2'],
      'frequency(in)': ['monthly|weekly'],
      'parentOrgId(nin)': ['1|2'],
      'target(ct)': ['a|b'],
      'scheduleId(ne)': ['5'],
      'totalAmount(gt)': ['20'],
      sortBy: ['desc(BillDate)'],
      fromRecord: ['0'],
      limitRecord: ['-1'],
    });
  });

  it('keeps both of two conditions on one field', () => {
    const filters = [1, 20].map((value) => ({ field: 'status', op: 'ne', value }) as const);
    expect(ofOrg({ filters, rawFilters: { 'status(ne)': 100 } })).toEqual({
      'status(ne)': ['1', '20', '100'],
    });
  });

  it('sorts upwards, too', () => {
    expect(ofOrg({ sortBy: { field: 'a.b', direction: 'asc' } })).toEqual({ sortBy: ['asc(a.b)'] });
  });

  it('has a format when it is an export', () => {
    const query: BillExport = { format: 'xlsx', limitRecord: 0 };
    expect(ofEntry(query)).toEqual({ exportFormat: ['xlsx'], limitRecord: ['0'] });
  });
});

describe('does not compile, and is sent nevertheless', () => {
  const one = { op: 'eq', value: 1 } as const;
  it.each([
    // @ts-expect-error an operator that the field does not have
    () => ofEntry({ filters: [{ field: 'status', op: 'in', value: [1] }] }),
    // @ts-expect-error a field that is none
    () => ofEntry({ filters: [{ field: 'totalAmount', ...one }] }),
    // @ts-expect-error capitals count
    () => ofEntry({ filters: [{ field: 'Status', ...one }] }),
    // @ts-expect-error organizations have no schedules
    () => ofOrg({ filters: [{ field: 'scheduleId', ...one }] }),
    // @ts-expect-error not a list of conditions
    () => ofOrg({ filters: { field: 'status', ...one } }),
  ])('a filter that is not listed (%#)', (attempt) => {
    expect(Object.entries(attempt())).toMatchObject([[expect.stringMatching(/\)$/), ['1']]]);
  });

  it('an order in the words of the service does compile', () => {
    expect(ofOrg({ sortBy: 'desc(field_name)' })).toEqual({ sortBy: ['desc(field_name)'] });
    expect(ofOrg({ sortBy: 'DueDate' })).toEqual({ sortBy: ['DueDate'] });
  });
});

describe('does not compile, and is refused by programs without types', () => {
  it.each([
    // @ts-expect-error one value for a list
    () => ofEntry({ filters: [{ field: 'event', op: 'in', value: 'a' }] }),
    // @ts-expect-error a list for one value
    () => ofEntry({ filters: [{ field: 'event', op: 'eq', value: ['a'] }] }),
    // @ts-expect-error no value
    () => ofOrg({ filters: [{ field: 'status', op: 'eq' }] }),
    // @ts-expect-error null is no value
    () => ofOrg({ filters: [{ field: 'status', op: 'eq', value: null }] }),
    // @ts-expect-error not a list of conditions
    () => ofOrg({ filters: 'status' }),
    // @ts-expect-error a parameter that there is not
    () => ofOrg({ filters: [{ field: 'status', op: 'eq', value: 1 }], fitlers: [] }),
  ])('a filter (%#)', (attempt) => {
    expect(attempt).toThrow('api/invalid-argument');
  });

  it('an order without a direction', () => {
    // @ts-expect-error no direction
    expect(() => ofOrg({ sortBy: { field: 'a' } })).toThrow('(sortBy)');
  });
});

describe('is refused', () => {
  const status = (value: unknown) => ({ filters: [{ field: 'status', op: 'eq', value }] });
  const event = (value: unknown) => ({ filters: [{ field: 'event', op: 'in', value }] });
  it.each([
    ['an empty value', status('')],
    ['not a number', status(Number.NaN)],
    ['an endless number', status(Number.POSITIVE_INFINITY)],
    ['an object', status({})],
    ['an empty list', event([])],
    ['a value of a list that holds the separator', event(['a', 'b|c'])],
    ['an empty value in a list', event([''])],
    ['a filter that is none', { filters: [null] }],
    ['a field that is no text', { filters: [{ field: {}, op: 'eq', value: 1 }] }],
  ])('%s', (_name, query) => expect(() => parametersOf(query)).toThrow('(filters)'));

  it.each([
    'exportFormat',
    'parameters',
    'fromRecord',
    'status',
    'a(b)=1&c',
    '(eq)',
    'a()',
    'a b(eq)',
    'status(eq)\n',
    '',
  ])('the raw filter %j', (name) => {
    expect(() => parametersOf({ rawFilters: { [name]: '1' } })).toThrow('(rawFilters)');
  });

  it.each(['', null, [''], {}, Number.NaN])('the raw value %j', (value) => {
    expect(() => parametersOf({ rawFilters: { 'a(eq)': value } })).toThrow('(rawFilters)');
  });

  it.each(['', 'a b', 'a)', 'desc(a)', 'a,b', {}, undefined])('the field of order %j', (field) => {
    expect(() => parametersOf({ sortBy: { field, direction: 'asc' } })).toThrow('(sortBy)');
  });
});

describe('whatever is given', () => {
  it('is refused by name, or writes no more than known parameters and conditions', () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.array(fc.string()));
    const filter = fc.record({
      field: fc.oneof(fc.constantFrom('status', 'event', 'target'), fc.string()),
      op: fc.oneof(fc.constantFrom('eq', 'ne', 'in', 'ct'), fc.string()),
      value,
    });
    const query = fc.record(
      {
        filters: fc.oneof(fc.array(filter), value),
        rawFilters: fc.oneof(fc.dictionary(fc.string(), value), value),
        sortBy: fc.oneof(fc.record({ field: value, direction: value }), value),
        fromRecord: value,
        limitRecord: value,
      },
      { requiredKeys: [] },
    );
    const names = /^(?:fromRecord|limitRecord|sortBy|\w[\w.]*\([a-z]+\))$/;
    fc.assert(
      fc.property(query, (given) => {
        try {
          for (const name of Object.keys(parametersOf(given) ?? {})) expect(name).toMatch(names);
        } catch (error) {
          expect(error).toMatchObject({ code: 'api/invalid-argument', outcome: 'not-sent' });
        }
      }),
      { seed, numRuns: runs(2000) },
    );
  });
});
