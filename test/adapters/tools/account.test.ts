/** Whose bills: the one that is named is looked at before anything is done with it. */
import { describe, expect, it } from 'vitest';
import { messageOf, newBill, requestOf, resultsOf, type Stage, stage } from './stage.js';

/** Every tool that names a bill, with arguments that are right but for the bill. */
const onBill: readonly (readonly [name: string, more: object])[] = [
  ['get_bill', {}],
  ['delete_bill', {}],
  ['change_bill', { netAmount: 5 }],
  ['set_bill_approvers', {}],
  ['send_bill_to_approval', {}],
  ['decide_on_bill', { approved: true }],
  ['get_bill_file', { filename: 'x.pdf' }],
  ['delete_bill_file', { filename: 'x.pdf' }],
];

const organizations = { shop: 100, other: 100, far: 200 };

async function answersAbout(on: Stage, idBill: number): Promise<string[]> {
  const calls = onBill.map(([name, more], id) => ({
    id: `${idBill}-${id}`,
    name,
    arguments: { idBill, ...more },
  }));
  return (await on.send(calls)).map(({ error, result }) => `${error} ${result}`);
}

describe('a bill of another account', () => {
  it('is answered word for word like one that is not there, and left as it is', async () => {
    const on = await stage({}, { bills: { organizations } });
    const others = [await newBill(on, {}, 'other'), await newBill(on, {}, 'far')];
    for (const id of others) on.sandbox.bills.attach(id, 'x.pdf', new Uint8Array([1]));
    const before = JSON.stringify(on.sandbox.bills.all());
    const absent = await answersAbout(on, 424_242);
    expect(new Set(absent)).toEqual(
      new Set(['I could not find that. Please check the number or the name. undefined']),
    );
    for (const id of others) expect(await answersAbout(on, id)).toEqual(absent);
    expect(JSON.stringify(on.sandbox.bills.all())).toBe(before);
  });

  it('is read once, and nothing else is asked about it', async () => {
    const on = await stage();
    const idBill = await newBill(on, {}, 'other');
    const asked = on.sandbox.requests.length;
    await on.call('delete_bill', { idBill });
    const requests = on.sandbox.requests.slice(asked);
    expect(requests.map(({ operation }) => operation)).toEqual(['bills.get']);
    // Nor is one that is the account's own read twice, to tell it.
    await on.call('get_bill', { idBill: await newBill(on) });
    const later = on.sandbox.requests.slice(asked + 1);
    expect(later.map(({ operation }) => operation)).toEqual(['bills.create', 'bills.get']);
  });

  it('is told by the organization where no entry is bound', async () => {
    const on = await stage({}, { bills: { organizations } });
    const handle = on.another({ bind: { orgId: 100 }, allow: ['bills.get'] });
    const ask = async (idBill: number) => {
      const call = { id: `${idBill}`, name: 'get_bill', arguments: { idBill } };
      return (await resultsOf(await handle(requestOf(messageOf([call])))))[0]?.result;
    };
    expect(await ask(await newBill(on, {}, 'other'))).toBeDefined();
    expect(await ask(await newBill(on, {}, 'far'))).toBeUndefined();
  });
});

describe('the account', () => {
  it('may be told by a function of the message, which may fail', async () => {
    const on = await stage({}, { bills: { organizations } });
    const idBill = await newBill(on, {}, 'other');
    const asking = async (bind: (message: object) => unknown, callId: string) => {
      const handle = on.another({ bind: bind as never, allow: ['bills.get'] });
      const call = { id: '1', name: 'get_bill', arguments: { idBill } };
      return (await resultsOf(await handle(requestOf(messageOf([call], callId)))))[0];
    };
    const byCall = (message: object) => ({ entry: (message as { call: { id: string } }).call.id });
    expect((await asking(byCall, 'other'))?.result).toBeDefined();
    expect((await asking(byCall, 'shop'))?.error).toMatch(/^I could not find that/);
    const unavailable = 'I cannot do that at the moment. Nothing was changed.';
    const failing = [
      () => Promise.reject(new Error('x')),
      () => null,
      () => ({}),
      () => ({ entry: 5 }),
    ];
    for (const bind of failing) expect((await asking(bind, 'other'))?.error).toBe(unavailable);
  });
});

describe('a function of the message that does not end', () => {
  it('keeps nobody waiting, and nothing is done', async () => {
    const on = await stage();
    const bind = () => new Promise<never>(() => {});
    const handle = on.another({ bind, allow: ['bills.list'], limits: { deadlineMs: 100 } });
    const before = on.sandbox.requests.length;
    const call = { id: '1', name: 'list_bills' };
    const [result] = await resultsOf(await handle(requestOf(messageOf([call]))));
    expect(result?.error).toMatch(/Nothing was changed/);
    expect(on.sandbox.requests.length).toBe(before);
  });
});

describe('a file', () => {
  it('is asked for only where the bill lists it', async () => {
    const on = await stage();
    const idBill = await newBill(on);
    const filename = on.sandbox.bills.attach(idBill, 'invoice.pdf', new Uint8Array([1, 2]));
    expect((await on.call('get_bill_file', { idBill, filename })).result).toContain('pdf');
    const asked = on.sandbox.requests.length;
    const wrong = await on.call('get_bill_file', { idBill, filename: 'invoice2.pdf' });
    expect(wrong.error).toMatch(/^I could not find that/);
    expect(on.sandbox.requests.length).toBe(asked + 1);
    expect((await on.call('delete_bill_file', { idBill, filename })).result).toMatch(/Done/);
    expect(on.sandbox.bills.all()[0]?.DocumentsRef.filelist).toEqual([]);
  });
});
