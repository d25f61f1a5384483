/** The client against the sandbox: a bill's life, lists, files, faults. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/adapters/sandbox/sandbox.js';
import { type BillsClient, createBillsClient } from '../../../src/bills.js';

let sandbox: Sandbox;
let bills: BillsClient;

beforeEach(async () => {
  sandbox = await createSandbox();
  bills = createBillsClient({
    baseUrl: sandbox.billsUrl,
    auth: { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' },
    retry: { baseMs: 1 },
  });
});

afterEach(async () => {
  await bills.close();
  await sandbox.close();
});

async function createdBill(billNumber = 'B-1'): Promise<number> {
  const { responseData } = await bills.create('shop', {
    billNumber,
    netAmount: 10,
    billDate: '2026-03-01',
  });
  return responseData ?? 0;
}

const numbersOf = async (found: AsyncIterable<{ BillNumber?: string | null }>) => {
  const numbers: unknown[] = [];
  for await (const { BillNumber } of found) numbers.push(BillNumber);
  return numbers;
};

describe('in the sandbox', () => {
  it('a bill is created, changed, sent, approved and deleted', async () => {
    const id = await createdBill();
    await bills.update(id, { comments: 'new' });
    await bills.sendToApproval(id, ['a@example.com'], { autocreateUser: true });
    await bills.setApprovers(id, ['b@example.com']);
    await bills.setApproved(id, true, { email: 'b@example.com' });
    const { responseData } = await bills.get(id);
    expect(responseData).toMatchObject({ IdBill: id, Comments: 'new', NetAmount: 10 });
    expect(responseData?.billEvents?.map(({ description }) => description)).toEqual(
      expect.arrayContaining(['Created Bill', 'Sent to Approval']),
    );
    await bills.delete(id);
    await expect(bills.get(id)).rejects.toMatchObject({ status: 400, outcome: 'refused' });
  });

  it('bills are listed, filtered, sorted and walked through', async () => {
    const ids: number[] = [];
    for (const name of ['B-1', 'B-2', 'B-3', 'B-4', 'B-5']) ids.push(await createdBill(name));
    await bills.sendToApproval(ids[1] ?? 0, ['a@example.com']);
    const { Records } = await bills.list('shop', {
      filters: [{ field: 'status', op: 'eq', value: 2 }],
    });
    expect(Records?.map(({ BillNumber }) => BillNumber)).toEqual(['B-2']);
    const sortBy = { field: 'billNumber', direction: 'desc' } as const;
    const walked = bills.iterate('shop', { sortBy, limitRecord: 2 });
    expect(await numbersOf(walked)).toEqual(['B-5', 'B-4', 'B-3', 'B-2', 'B-1']);
    expect((await numbersOf(bills.iterateByOrg(100, { fromRecord: 3 }))).length).toBe(2);
    const { body, contentType } = await bills.export('shop', { format: 'csv' });
    expect(contentType).toContain('text/csv');
    expect(await new Response(body).text()).toContain('B-3');
  });

  it('files are fetched as bytes and as objects, and deleted', async () => {
    const id = await createdBill();
    const content = Uint8Array.from({ length: 256 }, (_, index) => index);
    const name = sandbox.bills.attach(id, 'all bytes.pdf', content);
    const { body } = await bills.getAttachment(id, name);
    expect(new Uint8Array(await new Response(body).arrayBuffer())).toEqual(content);
    const { fContent = '' } = await bills.getAttachment(id, name, { returnObject: true });
    expect(new Uint8Array(Buffer.from(fContent, 'base64'))).toEqual(content);
    const { responseData } = await bills.deleteAttachment(id, name, { returnObject: true });
    expect(responseData).toMatchObject({ IdBill: id });
  });

  it('what acted and was not answered is done once with a key, and unknown without', async () => {
    sandbox.faults.next('reset-after', { operation: 'bills.create' });
    await bills.create('shop', { billNumber: 'keyed' }, { idempotencyKey: 'k' });
    sandbox.faults.next('reset-after', { operation: 'bills.create' });
    const keyless = bills.create('shop', { billNumber: 'keyless' });
    await expect(keyless).rejects.toMatchObject({ outcome: 'unknown' });
    const numbers = sandbox.bills.all().map(({ BillNumber }) => BillNumber);
    expect(numbers.sort()).toEqual(['keyed', 'keyless']);
  });

  it('a deletion that acted and was not answered is known to be applied', async () => {
    const id = await createdBill();
    sandbox.faults.next('reset-after', { operation: 'bills.delete' });
    await expect(bills.delete(id)).rejects.toMatchObject({ outcome: 'applied' });
    expect(sandbox.bills.all()).toEqual([]);
  });

  it('a token that was taken back is fetched again', async () => {
    const id = await createdBill();
    sandbox.bills.revokeTokens();
    await bills.get(id);
    expect(sandbox.bills.tokensIssued()).toBe(2);
  });
});
