/** What compiles against the client, and what its methods answer with. */
import { describe, expectTypeOf, it } from 'vitest';
import type {
  ApprovalResponse,
  Attachment,
  BillListRecord,
  BillListResponse,
  BillResponse,
  BillsClient,
  DeletedAttachmentResponse,
  FileAnswer,
  GetBillResponse,
} from '../../../src/bills.js';

/** Never called: what counts is whether it compiles. */
const compiles = (_program: (bills: BillsClient) => unknown) => {};

describe('a method', () => {
  it('answers with what the service sends', () => {
    type Answer<Name extends keyof BillsClient> = BillsClient[Name] extends (
      ...given: never[]
    ) => Promise<infer Body>
      ? Body
      : never;
    expectTypeOf<
      Answer<'create' | 'delete' | 'update' | 'sendToApproval'>
    >().toEqualTypeOf<BillResponse>();
    expectTypeOf<Answer<'get'>>().toEqualTypeOf<GetBillResponse>();
    expectTypeOf<Answer<'deleteAttachment'>>().toEqualTypeOf<DeletedAttachmentResponse>();
    expectTypeOf<Answer<'setApprovers' | 'setApproved'>>().toEqualTypeOf<ApprovalResponse>();
    expectTypeOf<Answer<'list' | 'listByOrg'>>().toEqualTypeOf<BillListResponse>();
    expectTypeOf<Answer<'export' | 'exportByOrg'>>().toEqualTypeOf<FileAnswer>();
  });

  it('hands an attachment out as it is asked for', () => {
    compiles((bills) => {
      expectTypeOf(bills.getAttachment(1, 'a')).resolves.toEqualTypeOf<FileAnswer>();
      const object = bills.getAttachment(1, 'a', { returnObject: true });
      expectTypeOf(object).resolves.toEqualTypeOf<Attachment>();
    });
  });

  it('gives record after record', () => {
    type Records = AsyncGenerator<BillListRecord, void, undefined>;
    expectTypeOf<ReturnType<BillsClient['iterate' | 'iterateByOrg']>>().toEqualTypeOf<Records>();
  });
});

describe('does not compile:', () => {
  const schedule = [{ field: 'scheduleId', op: 'eq', value: 5 }] as const;
  const listed = [{ field: 'status', op: 'in', value: [1] }] as const;

  it('a filter of one operation in another', () => {
    compiles((bills) => [
      bills.list('e', { filters: schedule }),
      bills.export('e', { filters: schedule, format: 'csv' }),
      bills.iterate('e', { filters: schedule }),
      // @ts-expect-error organizations have no schedules
      bills.listByOrg(3, { filters: schedule }),
      // @ts-expect-error nor do their files
      bills.exportByOrg(3, { filters: schedule, format: 'csv' }),
      // @ts-expect-error nor do they one by one
      bills.iterateByOrg(3, { filters: schedule }),
    ]);
  });

  it('an operator that a field does not have', () => {
    compiles((bills) => [
      // @ts-expect-error a status is no list
      bills.list('e', { filters: listed }),
      // @ts-expect-error nor is it one by one
      bills.iterate('e', { filters: listed }),
    ]);
  });

  it('a file without a format, and a list with one', () => {
    compiles((bills) => [
      // @ts-expect-error no format
      bills.export('e', {}),
      // @ts-expect-error a format that the service does not know
      bills.exportByOrg(3, { format: 'pdf' }),
      // @ts-expect-error a list is no file
      bills.list('e', { format: 'csv' }),
    ]);
  });

  it('another kind of argument', () => {
    compiles((bills) => [
      // @ts-expect-error a text for a number
      bills.get('1'),
      // @ts-expect-error a text for a decision
      bills.setApproved(1, 'true'),
      // @ts-expect-error a number that is none of the entrypoint's names
      bills.list(1),
      // @ts-expect-error a key that nobody reads
      bills.create('e', {}, { idempotencykey: 'k' }),
      // @ts-expect-error a key where there is none
      bills.update(1, {}, { idempotencyKey: 'k' }),
    ]);
  });
});
