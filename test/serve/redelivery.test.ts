/** A call that is delivered again does nothing again, at once or later; the store in memory. */
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../src/tools.js';
import { bind, newBill, requestOf, resultsOf, type Stage, stage } from './stage.js';

const bill = { netAmount: 5, billDate: '2026-03-01', vendorNumber: 'V-1' };
const creation = [{ id: 'tool-1', name: 'create_bill', arguments: bill }];
const list = [{ id: 'tool-2', name: 'list_bills' }];

describe('a call that is delivered again', () => {
  it('gets the first result later', async () => {
    const { send, asked } = await stage();
    const first = await send(creation);
    expect(await send(creation)).toEqual(first);
    expect(asked('bills.create')).toBe(1);
    const before = await send(list);
    await send([{ ...creation[0], id: 'tool-3' }]);
    expect(await send(list)).toEqual(before);
  });

  it('waits for the first one, even in another process that shares the store', async () => {
    const { another, sandbox, asked } = await stage({ store: createMemoryStore() });
    sandbox.faults.next('latency=300', { operation: 'bills.create' });
    const lines = [another(), another()];
    const all = await Promise.all([...lines, ...lines].map(({ send }) => send(creation)));
    for (const results of all) expect(results).toEqual(all[0]);
    expect(all[0]?.[0]?.result).toMatch(/Done/);
    expect(asked('bills.create')).toBe(1);
  });

  it('does not act twice if the handler has forgotten it, because of its key', async () => {
    for (const repeatedKey of ['replay', 'conflict'] as const) {
      const { another, sandbox } = await stage({}, { bills: { repeatedKey } });
      for (const { send } of [another(), another()]) {
        // Neither sounds as if nothing had been done.
        expect((await send(creation))[0]?.result).toMatch(/Done|not certain/);
      }
      expect(sandbox.bills.all()).toHaveLength(1);
    }
  });

  it('sends a bill to approval only once', async () => {
    const on = await stage();
    const idBill = await newBill(on);
    const call = [{ id: 'tool-9', name: 'send_bill_to_approval', arguments: { idBill } }];
    for (const { send } of [on, on, on.another(), on.another()]) await send(call);
    const events = on.sandbox.bills.all()[0]?.billEvents.map(({ description }) => description);
    expect(events).toEqual(['Created Bill', 'Sent to Approval']);
  });
});

describe('another call', () => {
  const told = async ({ handle }: Stage, ids: object, toolCallList: readonly unknown[]) => {
    const message = { type: 'tool-calls', ...ids, toolCallList };
    return (await resultsOf(await handle(requestOf({ message }))))[0];
  };

  it('differs in conversation or id', async () => {
    const on = await stage();
    for (const callId of ['call-1', 'call-2', 'x'.repeat(100_000)]) await on.send(creation, callId);
    await on.send([{ ...creation[0], id: 'tool-2' }]);
    // The ids of a chat are not those of a call.
    for (const id of ['call-1', 'call-2', 'call-1']) await told(on, { chat: { id } }, creation);
    expect(on.sandbox.bills.all()).toHaveLength(6);
  });

  it('with the same id is refused, whatever differs, in any order and at once', async () => {
    const on = await stage();
    const idBill = await newBill(on);
    await on.bills.sendToApproval(idBill, ['ann@example.com']);
    const decide = (approved: boolean) => on.call('decide_on_bill', { idBill, approved }, 'd');
    const decided = await Promise.all([true, false, true].map(decide));
    const wrong = /belongs to another call/;
    // Whichever comes first is made; the other one is not.
    const isApproved = decided[0]?.result !== undefined;
    const right = expect.stringContaining(`bill was ${isApproved ? 'approved' : 'rejected'}.`);
    const heard = decided.map(({ result, error = '' }) => result ?? wrong.test(error));
    expect(heard).toEqual(isApproved ? [right, true, right] : [true, right, true]);
    await on.send(creation);
    const branch = on.another({ bind: { ...bind, entry: 'branch' } });
    const others = [
      ...[{ netAmount: 6 }, { billDate: '2026-03-02' }, { dueDate: '2026-03-02' }].map((more) =>
        on.call('create_bill', { ...bill, ...more }, 'tool-1'),
      ),
      on.call('delete_bill', { idBill }, 'tool-1'),
      on.call('get_bill', { idBill }, 'd'),
    ];
    for (const { error } of await Promise.all(others)) expect(error).toMatch(wrong);
    expect((await branch.send(creation))[0]?.result).toMatch(/Done/);
    await on.call('get_bill', { idBill }, 'g');
    expect((await on.call('delete_bill', { idBill }, 'g')).error).toMatch(wrong);
    expect(on.sandbox.bills.all()).toHaveLength(3);
    expect(on.sandbox.bills.all()[0]?.Status).toBe(isApproved ? 20 : 11);
  });

  it('is refused if it is a change and the memory is full of changes', async () => {
    const on = await stage({ store: createMemoryStore({ maxEntries: 2 }) });
    for (const id of ['tool-1', 'tool-2', 'tool-3']) await on.send([{ ...creation[0], id }]);
    on.sandbox.clock.advance(200_000);
    expect((await on.send(creation))[0]?.result).toMatch(/Done/);
    expect((await on.call('create_bill', bill, 'tool-3')).error).toMatch(/busy.*Nothing was done/);
    expect((await on.call('list_bills', {}, 'r')).result).toContain('Bills 2,');
    expect(on.sandbox.bills.all()).toHaveLength(2);
  });

  it.each([{}, { call: {} }, { call: { id: '' } }, { chat: { id: 7 } }])(
    'cannot be recognized without a conversation, as in %j, so only reading is allowed',
    async (ids) => {
      const errors: unknown[] = [];
      const on = await stage({ onError: (error) => errors.push(`${error}`) });
      expect((await told(on, ids, creation))?.error).toMatch(/Nothing was changed/);
      expect(errors).toEqual([expect.stringMatching(/neither a call nor a chat/)]);
      const before = await told(on, ids, list);
      await newBill(on);
      expect((await told(on, ids, list))?.result).not.toEqual(before?.result);
    },
  );

  it('has a different idempotency key, a digest', async () => {
    const keys: string[] = [];
    const keep = async (...given: unknown[]) =>
      keys.push((given[2] as { idempotencyKey: string }).idempotencyKey) && {};
    const get = async () => ({ responseData: { PaypointEntryname: 'shop', ParentOrgId: 100 } });
    const bills = { create: keep, sendToApproval: keep, get };
    const { send } = await stage({ bills: bills as never });
    await send(creation);
    await send([{ id: 'tool-2', name: 'send_bill_to_approval', arguments: { idBill: 1 } }]);
    await send(creation, 'call-2');
    expect(new Set(keys).size).toBe(3);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
  });
});

it.each(['key-lost=500', 'key-late=500'] as const)('%s is reported as uncertain', async (fault) => {
  const on = await stage();
  on.sandbox.faults.next(fault, { operation: 'bills.create' });
  expect((await on.send(creation))[0]?.result).toMatch(/not certain/);
  on.sandbox.clock.advance(10_000);
  expect(on.sandbox.bills.all()).toHaveLength(fault === 'key-late=500' ? 1 : 0);
});

describe('a store', () => {
  const fails = () => Promise.reject(new Error('down'));
  const pending = { claim: () => ({ state: 'pending' }) as const, settle: () => undefined };
  let asked = 0;
  // Whoever waits for another never carries the call out: the other may have done it.
  const frees = {
    claim: () => ({ state: asked++ === 0 ? ('pending' as const) : ('mine' as const) }),
    settle: () => undefined,
  };
  it.each([
    ['that fails prevents the call', { claim: fails, settle: fails, read: fails }, /was done/, 0],
    ['that does not keep a result', { ...createMemoryStore(), settle: fails }, /Done/, 1],
    ['without a result yet', { ...pending, read: () => undefined }, /being processed/, 0],
    ['that cannot be read', { ...pending, read: fails }, /being processed/, 0],
    ['that frees a call in progress', { ...frees, read: () => undefined }, /being processed/, 0],
  ])('%s', async (_, store, line, count) => {
    const on = await stage({ store, limits: { deadlineMs: 300 } });
    const [told] = await on.send(creation);
    expect(told?.error ?? told?.result).toMatch(line);
    expect(on.asked('bills.create')).toBe(count);
  });

  const result = { code: 'done', line: 'Done.' } as const;

  it('in memory gives a key to one caller, and the first result to the others', async () => {
    const store = createMemoryStore({ keepMs: 50 });
    const claim = (call = 'x') => store.claim('a', call, false);
    expect(claim()).toEqual({ state: 'mine' });
    expect([claim(), claim('y')]).toEqual([{ state: 'pending' }, { state: 'other' }]);
    expect(store.read('a')).toBeUndefined();
    store.settle('a', result);
    expect([claim(), claim('y')]).toEqual([{ state: 'done', result }, { state: 'other' }]);
    expect(store.read('a')).toEqual(result);
    await expect.poll(() => store.read('a')).toBeUndefined();
    expect(claim('y')).toEqual({ state: 'mine' });
  });

  it('in memory that is full forgets what was read, but no change and no call in progress', () => {
    const store = createMemoryStore({ maxEntries: 3 });
    const take = (key: string, reads: boolean) => {
      expect(store.claim(key, key, reads)).toEqual({ state: 'mine' });
      store.settle(key, result);
    };
    store.claim('pending', 'x', true);
    take('change', false);
    for (const key of ['a', 'b']) take(key, true);
    expect(['a', 'b', 'change'].map((key) => store.read(key))).toEqual([
      ...[undefined, result, result],
    ]);
    take('other change', false);
    expect(() => store.claim('c', 'c', false)).toThrow('full');
    expect(store.claim('pending', 'x', true)).toEqual({ state: 'pending' });
  });
});
