import { describe, expect, it } from 'vitest';
import type { SandboxOptions } from '../../../src/adapters/sandbox/sandbox.js';
import { type Served, serve } from './serve.js';

/** Bills of these fields, in this order, at one entry. */
async function serveBills(
  fields: readonly object[],
  options: SandboxOptions = {},
): Promise<Served> {
  const served = await serve(options);
  for (const json of fields) await served.bills('POST', '/Bill/single/shop', { json });
  return served;
}

async function idsOf({ bills }: Served, query: string, path = '/Query/bills/shop') {
  const { status, json } = await bills('GET', `${path}?${query}`);
  if (status !== 200) return json.responseData.explanation;
  return json.Records.map(({ IdBill }: { IdBill: number }) => IdBill);
}

const amounts = [30, 10, 20, 10].map((netAmount) => ({ netAmount }));

describe('a page', () => {
  it('has twenty bills, unless it is told otherwise', async () => {
    const served = await serveBills(Array.from({ length: 23 }, () => ({})));
    const ids = Array.from({ length: 23 }, (_, index) => index + 1);
    expect(await idsOf(served, '')).toEqual(ids.slice(0, 20));
    expect(await idsOf(served, 'fromRecord=20')).toEqual([21, 22, 23]);
    expect(await idsOf(served, 'fromRecord=3&limitRecord=2')).toEqual([4, 5]);
    expect(await idsOf(served, 'limitRecord=0')).toEqual(ids);
    expect(await idsOf(served, 'limitRecord=-1&fromRecord=1')).toEqual(ids.slice(1));
    expect(await idsOf(served, 'fromRecord=99')).toEqual([]);
    expect(await idsOf(served, 'limitRecord=x')).toBe('limitRecord must be an integer');
  });

  it('is sorted by a field, equal ones as they came', async () => {
    const served = await serveBills(amounts);
    expect(await idsOf(served, 'sortBy=asc(netAmount)')).toEqual([2, 4, 3, 1]);
    expect(await idsOf(served, 'sortBy=netAmount')).toEqual([2, 4, 3, 1]);
    expect(await idsOf(served, 'sortBy=desc(netAmount)')).toEqual([1, 3, 2, 4]);
    expect(await idsOf(served, 'sortBy=up(netAmount)')).toBe('sortBy names no field');
    expect(await idsOf(served, 'sortBy=constructor')).toBe('sortBy names no field');
  });

  it('comes with a summary of all that was found', async () => {
    const served = await serveBills([
      { netAmount: 0.1, dueDate: '2025-12-31' },
      { netAmount: 0.2 },
      { netAmount: 5, status: 20 },
    ]);
    const { json } = await served.bills('GET', '/Query/bills/shop?limitRecord=2');
    expect(json.Summary).toMatchObject({
      pageidentifier: null,
      pageSize: 2,
      totalPages: 2,
      totalRecords: 3,
      totalAmount: 5.3,
      totalactive: 2,
      totalamountactive: 0.3,
      totalapproved: 1,
      totalamountapproved: 5,
      totaloverdue: 1,
      totalamountoverdue: 0.1,
      totalpaid: 0,
      total2approval: 0,
      totalsent2approval: 0,
    });
    expect(Object.keys(json.Summary)).toHaveLength(5 + 2 * 9);
    expect(json.Records[0]).toMatchObject({ IdBill: 1, Transaction: null });
  });

  it('is of one entry, or of one organization', async () => {
    const served = await serve({ bills: { organizations: { shop: 7 } } });
    for (const entry of ['shop', 'other', 'shop', '__proto__']) {
      await served.bills('POST', `/Bill/single/${entry}`, { json: {} });
    }
    expect(await idsOf(served, '')).toEqual([1, 3]);
    expect(await idsOf(served, '', '/Query/bills/__proto__')).toEqual([4]);
    expect(await idsOf(served, '', '/Query/bills/org/7')).toEqual([1, 3]);
    expect(await idsOf(served, '', '/Query/bills/org/100')).toEqual([2, 4]);
  });
});

describe('a filter', () => {
  const mixed = [
    { netAmount: 30, frequency: 'onetime', billNumber: 'A-1', comments: 'red chair' },
    { netAmount: 10, frequency: 'monthly', billNumber: 'A-2', mode: 1 },
    { netAmount: 20, frequency: 'weekly', billNumber: 'B-1', status: 20 },
    { netAmount: 10 },
  ];

  it.each([
    ['status(eq)=20', [3]],
    ['status=20', [3]],
    ['status()=20', [3]],
    ['status(ne)=20', [1, 2, 4]],
    ['frequency(in)=onetime|weekly', [1, 3]],
    ['frequency(nin)=onetime|weekly', [2, 4]],
    ['frequency(ne)=onetime', [2, 3, 4]],
    ['status(eq)=1&frequency(eq)=monthly', [2]],
    ['status(eq)=1&status(eq)=20', []],
    ['event(eq)=Created Bill', [1, 2, 3, 4]],
    ['event(nin)=Sent to Approval', [1, 2, 3, 4]],
    ['target(ct)=bill-2', [2]],
    ['target(nct)=bill-2', [1, 3, 4]],
    ['approvalUserEmail(eq)=ann', []],
    ['approvalUserEmail(ne)=ann', [1, 2, 3, 4]],
    ['parentOrgId(in)=100|7', [1, 2, 3, 4]],
    ['scheduleId(eq)=2', [2]],
    ['method(eq)=card', []],
    ['totalAmount(gt)=10', [1, 3]],
    ['totalAmount(ge)=20', [1, 3]],
    ['totalAmount(lt)=20', [2, 4]],
    ['totalAmount(le)=20', [2, 3, 4]],
    ['totalAmount(gt)=ten', []],
    ['billNumber(ct)=A-', [1, 2]],
    ['comments(nct)=chair', [2, 3, 4]],
    ['parameters=status(eq)=20', [1, 2, 3, 4]],
    ['parameters[status(eq)]=20', [1, 2, 3, 4]],
    ['parameters.status=20', [1, 2, 3, 4]],
    ['Status(eq)=20', 'Bills are not filtered by "Status(eq)"'],
    ['constructor=1', 'Bills are not filtered by "constructor"'],
    ['status(in)=20', 'status is not filtered with in'],
    ['frequency(gt)=a', 'frequency is not filtered with gt'],
  ])('%s', async (query, expected) => {
    const served = await serveBills(mixed);
    expect(await idsOf(served, encodeURI(query))).toEqual(expected);
  });

  it('by approvers finds their bills', async () => {
    const served = await serveBills(mixed);
    await served.bills('POST', '/Bill/approval/2', { json: ['ann@example.com', 'bob'] });
    await served.bills('POST', '/Bill/approval/3', { json: ['bob'] });
    expect(await idsOf(served, 'approvalUserEmail(eq)=ann@example.com')).toEqual([2]);
    expect(await idsOf(served, 'approvalUserId(eq)=2')).toEqual([2, 3]);
    expect(await idsOf(served, 'approvalUserId(ne)=1')).toEqual([1, 3, 4]);
    expect(await idsOf(served, 'event(in)=Sent to Approval|x')).toEqual([2, 3]);
  });

  it('by schedule is not known to lists of an organization', async () => {
    const served = await serveBills(mixed);
    const path = '/Query/bills/org/100';
    expect(await idsOf(served, 'scheduleId(eq)=2', path)).toContain('not filtered by');
    expect(await idsOf(served, 'status(eq)=20', path)).toEqual([3]);
  });
});

describe('an export', () => {
  const texts = [
    { billNumber: 'B"1', comments: 'a, b\r\nc', netAmount: 1.5 },
    { billNumber: '=1+1', comments: '<b>&amp;\u0000\ud800', vendor: { vendorNumber: 'V' } },
  ];

  it('is a CSV file', async () => {
    const { bills } = await serveBills(texts);
    const file = await bills('GET', '/Query/bills/shop?exportFormat=csv');
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('content-disposition')).toContain('filename="bills.csv"');
    const at = '2026-01-01T00:00:00.000Z';
    expect(file.bytes.toString()).toBe(
      'IdBill,BillNumber,NetAmount,BillDate,DueDate,Status,Vendor,Comments,' +
        'PaypointEntryname,CreatedAt\r\n' +
        `1,"B""1",1.5,,,1,,"a, b\r\nc",shop,${at}\r\n` +
        `2,=1+1,0,,,1,V,<b>&amp;\u0000\ufffd,shop,${at}\r\n`,
    );
  });

  it('is filtered, sorted and limited like a list', async () => {
    const { bills } = await serveBills(amounts);
    const query = 'exportFormat=csv&totalAmount(lt)=30&sortBy=desc(netAmount)&limitRecord=2';
    const file = await bills('GET', `/Query/bills/org/100?${query}`);
    const ids = file.bytes
      .toString()
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[0]);
    expect(ids).toEqual(['3', '2']);
  });

  it('has no other form', async () => {
    const { bills } = await serve();
    const answer = await bills('GET', '/Query/bills/shop?exportFormat=xlsx');
    expect(answer.json.responseData.explanation).toBe('The sandbox exports csv alone');
  });
});
