import { describe, expect, it } from 'vitest';
import { toolDefinitions } from '../../../../src/adapters/tools/table/definitions.js';
import {
  directAddress,
  faultInAddress,
} from '../../../../src/compiler/1-read/tools/direct-address.js';
import type { Json } from '../../../../src/compiler/ir/json.js';

const address = (operation: string, values: Readonly<Record<string, Json>>) =>
  directAddress(toolDefinitions[operation]!, new Map(Object.entries(values)), 'b:');

describe('the address of an operation', () => {
  it.each<[string, Readonly<Record<string, Json>>, string]>([
    ['bills.get', { idBill: 17 }, 'b:/Bill/17'],
    ['bills.get', { idBill: '{{ a.b }}' }, 'b:/Bill/{{ a.b | url_encode }}'],
    ['bills.get', {}, 'b:/Bill/'],
    ['bills.list', { entry: 'm' }, 'b:/Query/bills/m'],
    ['bills.list', { entry: 'm', status: '1' }, 'b:/Query/bills/m?status(eq)=1'],
    ['bills.list', { entry: 'm', limitRecord: null }, 'b:/Query/bills/m'],
    [
      'bills.list',
      { entry: 'm', limitRecord: 5, rawFilters: { 'b(eq)': 'x&y', 'a(gt)': '{{ c }}' } },
      'b:/Query/bills/m?limitRecord=5&a(gt)={{ c | url_encode }}&b(eq)=x%26y',
    ],
    [
      'bills.list',
      { entry: 'm', sortBy: { field: 'netAmount', direction: 'desc' } },
      'b:/Query/bills/m?sortBy=desc(netAmount)',
    ],
    [
      'bills.getAttachment',
      { idBill: 1, filename: 'a b.pdf' },
      'b:/Bill/attachedFileFromBill/1/a%20b.pdf?returnObject=true',
    ],
  ])('%s with %j', (operation, values, expected) => {
    expect(address(operation, values)).toBe(expected);
  });
});

describe('a value', () => {
  it.each<[Json]>([
    [17],
    [true],
    ['a {b} c'],
    ['{{a}}'],
    ['{{ a.b[0] }}'],
    [{ 'a(eq)': '{{a}}', 'b(eq)': 1 }],
    [{ field: 'a', direction: 'asc' }],
  ])('can stand in an address: %j', (value) => {
    expect(faultInAddress(value)).toBeNull();
  });

  it.each<[Json]>([
    ['x{{a}}'],
    ['{{a}} '],
    ['{{a}}{{b}}'],
    ['{{ a | upcase }}'],
    ['{{ "a" }}'],
    ['{{ }}'],
    ['{% if a %}1{% endif %}'],
    [['{{a}}']],
    [{ 'a(eq)': 'x{{a}}' }],
    [{ 'a(eq)': ['{{a}}'] }],
    [{ field: '{{a}}', direction: 'asc' }],
  ])('cannot stand in an address: %j', (value) => {
    expect(faultInAddress(value)).toBe('it must be one variable and nothing else');
  });
});
