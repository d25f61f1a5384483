/** What compiles against both clients, and what their methods answer with; nothing is called. */
import { expectTypeOf, it } from 'vitest';
import type * as Bills from '../../src/bills.js';
import type * as Documents from '../../src/documents.js';

/** Never called: what counts is whether it compiles. */
const compiles = (_program: (bills: Bills.BillsClient) => unknown) => {};

it('arguments that the bills service does not accept do not compile', () => {
  const schedule = [{ field: 'scheduleId', op: 'eq', value: 5 }] as const;
  const listed = [{ field: 'status', op: 'in', value: [1] }] as const;
  compiles((bills) => [
    bills.list('e', { filters: schedule, sortBy: 'desc(field_name)' }),
    bills.export('e', { filters: schedule, format: 'csv' }),
    // @ts-expect-error organizations have no schedules
    bills.listByOrg(3, { filters: schedule }),
    // @ts-expect-error nor do their files
    bills.exportByOrg(3, { filters: schedule, format: 'csv' }),
    // @ts-expect-error nor do they one by one
    bills.iterateByOrg(3, { filters: schedule }),
    // @ts-expect-error a status is no list
    bills.iterate('e', { filters: listed }),
    // @ts-expect-error an order without a direction
    bills.list('e', { sortBy: { field: 'a' } }),
    // @ts-expect-error no format
    bills.export('e', {}),
    // @ts-expect-error a format that the service does not know
    bills.exportByOrg(3, { format: 'pdf' }),
    // @ts-expect-error a list is no file
    bills.list('e', { format: 'csv' }),
    // @ts-expect-error a text for a number
    bills.get('1'),
    // @ts-expect-error a text for a decision
    bills.setApproved(1, 'true'),
    // @ts-expect-error a key that nobody reads
    bills.create('e', {}, { idempotencykey: 'k' }),
    // @ts-expect-error a key where there is none
    bills.update(1, {}, { idempotencyKey: 'k' }),
  ]);
});

type Client = Documents.DocumentsClient;

it('a document is processed by a stored processor or a configuration', () => {
  type Body = Parameters<Client['extract']>[0];
  const file = { url: 'https://example.com/a.pdf' };
  const right: Body[] = [
    { file, extractor: { id: 'ex_1', version: 'draft' } },
    { file: { text: 'x' }, config: { schema: {} } },
    { file: { id: 'f' }, config: { fields: [{ id: 'a', name: 'a', type: 'string' }] } },
  ];
  // @ts-expect-error neither
  const neither: Body = { file };
  // @ts-expect-error both
  const both: Body = { file, extractor: { id: 'ex_1' }, config: {} };
  // @ts-expect-error the processor of another verb
  const other: Body = { file, classifier: { id: 'cl_1' } };
  expectTypeOf([...right, neither, both, other]).toEqualTypeOf<Body[]>();
});
