/** A call that is delivered again does nothing again, at once or later; the store in memory. */
import { describe, expect, it } from 'vitest';
import { type CallStore, createMemoryStore } from '../../../src/tools.js';
import { bind, newBill, requestOf, resultsOf, type Stage, stage } from './stage.js';

const bill = { netAmount: 5, billDate: '2026-03-01', vendorNumber: 'V-1' };
const creation = [{ id: 'tool-1', name: 'create_bill', arguments: bill }];
const list = [{ id: 'tool-2', name: 'list_bills' }];

describe('a call that is delivered again', () => {
  it('later gets the first result', async () => {
    const { send, asked } = await stage();
    const first = await send(creation);
    expect(await send(creation)).toEqual(first);
    expect(asked('bills.create')).toBe(1);
    const before = await send(list);
    await send([{ ...creation[0], id: 'tool-3' }]);
    expect(await send(list)).toEqual(before);
  });

  it('meanwhile waits for the first, in processes that share a store too', async () => {
    const { another, sandbox, asked } = await stage({ store: createMemoryStore() });
    sandbox.faults.next('latency=300', { operation: 'bills.create' });
    const lines = [another(), another()];
    const all = await Promise.all([...lines, ...lines].map(({ send }) => send(creation)));
    for (const results of all) expect(results).toEqual(all[0]);
    expect(all[0]?.[0]?.result).toMatch(/Done/);
    expect(asked('bills.create')).toBe(1);
  });

  it('to a handler that has forgotten it is held back by its key', async () => {
    for (const repeatedKey of ['replay', 'conflict'] as const) {
      const { another, sandbox } = await stage({}, { bills: { repeatedKey } });
      for (const { send } of [another(), another()]) {
        // Neither sounds as if nothing had been done.
        expect((await send(creation))[0]?.result).toMatch(/Done|not certain/);
      }
      expect(sandbox.bills.all()).toHaveLength(1);
    }
  });
});

describe('another call', () => {
  const told = async ({ handle }: Stage, ids: object, toolCallList: readonly unknown[]) => {
    const message = { type: 'tool-calls', ...ids, toolCallList };
    return (await resultsOf(await handle(requestOf({ message }))))[0];
  };

  it('is one of another conversation, or with another id, arguments or account', async () => {
    const on = await stage();
    for (const callId of ['call-1', 'call-2', 'x'.repeat(100_000)]) await on.send(creation, callId);
    await on.send([{ ...creation[0], id: 'tool-2' }]);
    for (const more of [{ netAmount: 6 }, { billDate: '2026-03-02' }, {}]) {
      await on.send([{ ...creation[0], arguments: { ...bill, ...more } }]);
    }
    await on.another({ bind: { ...bind, entry: 'branch' } }).send(creation);
    expect(on.sandbox.bills.all()).toHaveLength(7);
  });

  it('is one of a chat with the id of a call', async () => {
    const on = await stage();
    const places = [{ chat: { id: '1' } }, { chat: { id: '2' } }, { call: { id: '1' } }];
    for (const place of [...places, ...places]) await told(on, place, creation);
    expect(on.asked('bills.create')).toBe(3);
  });

  it.each([{}, { call: {} }, { call: { id: '' } }, { chat: { id: 7 } }])(
    'cannot be told without a conversation, as in %j: only reading is allowed',
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

  it('has another idempotency key, a digest', async () => {
    const keys: string[] = [];
    const keep = async (...given: unknown[]) =>
      keys.push((given[2] as { idempotencyKey: string }).idempotencyKey) && {};
    const get = async () => ({ responseData: { PaypointEntryname: 'shop', ParentOrgId: 100 } });
    const bills = { create: keep, sendToApproval: keep, get };
    const { send } = await stage({ bills: bills as never });
    await send(creation);
    await send([{ id: 'tool-1', name: 'send_bill_to_approval', arguments: { idBill: 1 } }]);
    await send(creation, 'call-2');
    expect(new Set(keys).size).toBe(3);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
  });
});

it.each(['key-lost=500', 'key-late=500'] as const)('%s is not told as done', async (fault) => {
  const on = await stage();
  on.sandbox.faults.next(fault, { operation: 'bills.create' });
  expect((await on.send(creation))[0]?.result).toMatch(/not certain/);
  on.sandbox.clock.advance(10_000);
  expect(on.sandbox.bills.all()).toHaveLength(fault === 'key-late=500' ? 1 : 0);
});

describe('a store', () => {
  const fails = () => Promise.reject(new Error('down'));
  const settle = () => undefined;
  let asked = 0;
  const breaks = () => (asked++ === 0 ? ('pending' as const) : fails());
  it.each([
    ['that fails lets nothing be done', { claim: fails, settle }, /was done/, 0],
    ['that does not keep a result', { ...createMemoryStore(), settle: fails }, /Done/, 1],
    ['that only knows who is busy', { claim: () => 'pending', settle }, /being processed/, 0],
    ['that fails later', { claim: breaks, settle }, /being processed/, 0],
  ])('%s', async (_, store, line, count) => {
    const on = await stage({ store: store as CallStore, limits: { deadlineMs: 300 } });
    const [told] = await on.send(creation);
    expect(told?.error ?? told?.result).toMatch(line);
    expect(on.asked('bills.create')).toBe(count);
  });

  it('in memory forgets the oldest result if it is full or old, never a call in progress', async () => {
    const result = { code: 'done', line: 'Done.' } as const;
    const store = createMemoryStore({ maxEntries: 2, keepMs: 50 });
    expect([store.claim('pending'), store.claim('pending')]).toEqual(['mine', 'pending']);
    for (const key of ['a', 'b', 'c']) {
      store.claim(key);
      store.settle(key, result);
    }
    expect([store.claim('b'), store.claim('a')]).toEqual([result, 'mine']);
    expect(() => store.claim('d')).toThrow('full');
    store.settle('a', result);
    await expect.poll(() => store.claim('c')).toBe('mine');
    expect(store.claim('pending')).toBe('pending');
  });
});
