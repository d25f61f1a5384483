/** A message that is delivered again does nothing again, at once or later; the store in memory. */
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../../src/tools.js';
import { bind, messageOf, newBill, requestOf, resultsOf, type Stage, stage } from './stage.js';

const bill = { netAmount: 5, billDate: '2026-03-01', vendorNumber: 'V-1' };
const creation = [{ id: 'tool-1', name: 'create_bill', arguments: bill }];

/** How often the service was asked to: its own memory of keys would hide a repeat. */
const creations = ({ sandbox }: Stage) =>
  sandbox.requests.filter(({ operation }) => operation === 'bills.create').length;

describe('a call that is delivered again', () => {
  it('later gets the first result', async () => {
    const on = await stage();
    const { send } = on;
    const first = await send(creation);
    expect(await send(creation)).toEqual(first);
    expect(creations(on)).toBe(1);
    const read = [{ id: 'tool-2', name: 'list_bills' }];
    const before = await send(read);
    await send([{ ...creation[0], id: 'tool-3' }]);
    expect(await send(read)).toEqual(before);
  });

  it('meanwhile waits for the first', async () => {
    const on = await stage();
    const { send, sandbox } = on;
    sandbox.faults.next('latency=100', { operation: 'bills.create' });
    const all = await Promise.all(Array.from({ length: 20 }, () => send(creation)));
    for (const results of all) expect(results).toEqual(all[0]);
    expect(all[0]?.[0]?.result).toMatch(/Done/);
    expect(creations(on)).toBe(1);
  });

  it('to another process waits there, with a store that both share', async () => {
    const store = createMemoryStore();
    const on = await stage({ store });
    const { another, sandbox } = on;
    sandbox.faults.next('latency=300', { operation: 'bills.create' });
    const all = await Promise.all(
      [another(), another(), another()].map(async (handle) =>
        resultsOf(await handle(requestOf(messageOf(creation)))),
      ),
    );
    expect(all[1]).toEqual(all[0]);
    expect(all[2]).toEqual(all[0]);
    expect(all[0]?.[0]?.result).toMatch(/Done/);
    expect(creations(on)).toBe(1);
  });

  it('in another conversation, or with another id, is another call', async () => {
    const { send, sandbox } = await stage();
    await send(creation, 'call-1');
    await send(creation, 'call-2');
    await send([{ ...creation[0], id: 'tool-2' }], 'call-2');
    expect(sandbox.bills.all()).toHaveLength(3);
  });

  it('of a conversation with an id of any length is held back all the same', async () => {
    const on = await stage();
    const claimed: string[] = [];
    const store = createMemoryStore();
    const claim = (key: string) => {
      claimed.push(key);
      return store.claim(key);
    };
    const handle = on.another({ store: { ...store, claim } });
    const message = messageOf(creation, 'x'.repeat(100_000));
    for (const _ of [1, 2]) await handle(requestOf(message));
    expect(creations(on)).toBe(1);
    expect(Math.max(...claimed.map((key) => key.length))).toBeLessThan(600);
  });

  it('to a handler that has forgotten is held back by its key', async () => {
    for (const repeatedKey of ['replay', 'conflict'] as const) {
      const { another, sandbox } = await stage({}, { bills: { repeatedKey } });
      for (const handle of [another(), another()]) {
        const [result] = await resultsOf(await handle(requestOf(messageOf(creation))));
        // Neither sounds as if nothing had been done.
        expect(result?.result).toMatch(/Done|not certain/);
      }
      expect(sandbox.bills.all()).toHaveLength(1);
    }
  });

  it('sends to approval once', async () => {
    const on = await stage();
    const idBill = await newBill(on);
    const call = [{ id: 'tool-9', name: 'send_bill_to_approval', arguments: { idBill } }];
    await Promise.all([on.send(call), on.send(call)]);
    for (const handle of [on.another(), on.another()]) await handle(requestOf(messageOf(call)));
    const events = on.sandbox.bills.all()[0]?.billEvents.map(({ description }) => description);
    expect(events).toEqual(['Created Bill', 'Sent to Approval']);
  });
});

describe('an idempotency key', () => {
  it('is a digest of the call, another for each operation and conversation', async () => {
    const keys: unknown[] = [];
    const bills = {
      create: async (...[, , parameters]: unknown[]) => keys.push(parameters) && {},
      get: async () => ({ responseData: { PaypointEntryname: 'shop', ParentOrgId: 100 } }),
      sendToApproval: async (...[, , parameters]: unknown[]) => keys.push(parameters) && {},
    };
    const { another } = await stage({ bills: bills as never });
    const handle = another();
    const approval = { id: 'tool-1', name: 'send_bill_to_approval', arguments: { idBill: 1 } };
    await handle(requestOf(messageOf(creation)));
    await another()(requestOf(messageOf([approval])));
    await another()(requestOf(messageOf(creation, 'call-2')));
    const [one, two, three] = keys.map((key) => (key as { idempotencyKey: string }).idempotencyKey);
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(two).toMatch(/^[0-9a-f]{64}$/);
    expect(two).not.toBe(one);
    expect(three).toMatch(/^[0-9a-f]{64}$/);
    expect(three).not.toBe(one);
  });
});

describe('a conversation', () => {
  const messageIn = (ids: object, toolCallList: readonly unknown[] = creation) => ({
    message: { type: 'tool-calls', ...ids, toolCallList },
  });
  const told = async ({ handle }: Stage, message: object) =>
    (await resultsOf(await handle(requestOf(message))))[0];

  it('can be a chat, and is not the call of the same id', async () => {
    const on = await stage();
    const places = [{ chat: { id: '1' } }, { chat: { id: '2' } }, { call: { id: '1' } }];
    for (const place of [...places, ...places]) {
      expect((await told(on, messageIn(place)))?.result).toMatch(/Done/);
    }
    expect(creations(on)).toBe(3);
  });

  it.each([{}, { call: {} }, { call: { id: '' } }, { chat: { id: 7 } }])(
    'that is not named, as in %j, changes nothing and may ask',
    async (ids) => {
      const errors: unknown[] = [];
      const on = await stage({ onError: (error) => errors.push(`${error}`) });
      await newBill(on);
      expect((await told(on, messageIn(ids)))?.error).toMatch(/Nothing was changed/);
      expect(errors).toEqual([expect.stringMatching(/neither a call nor a chat/)]);
      const list = [{ id: 'tool-1', name: 'list_bills' }];
      const before = await told(on, messageIn(ids, list));
      await newBill(on);
      expect((await told(on, messageIn(ids, list)))?.result).not.toEqual(before?.result);
    },
  );

  it('has another call where other things are said, or for another account, under one id', async () => {
    const on = await stage();
    const more = { ...bill, netAmount: 6 };
    for (const given of [bill, more, { ...more, billDate: '2026-03-02' }, bill]) {
      await on.send([{ ...creation[0], arguments: given }]);
    }
    const other = on.another({ bind: { ...bind, entry: 'branch' } });
    await other(requestOf(messageOf(creation)));
    expect(on.sandbox.bills.all()).toHaveLength(4);
  });
});

describe('what a service has not said', () => {
  it.each(['key-lost=500', 'key-late=500'] as const)(
    'is not told as done after %s',
    async (fault) => {
      const on = await stage();
      on.sandbox.faults.next(fault, { operation: 'bills.create' });
      const [result] = await on.send(creation);
      expect(result?.result).toMatch(/not certain/);
      on.sandbox.clock.advance(10_000);
      expect(on.sandbox.bills.all()).toHaveLength(fault === 'key-late=500' ? 1 : 0);
    },
  );
});

describe('a store that fails', () => {
  it('lets nothing be done, and a result that it does not keep is told all the same', async () => {
    const { another, sandbox } = await stage();
    const fails = () => Promise.reject(new Error('down'));
    const closed = another({ store: { claim: fails, settle: fails, read: fails } });
    const [refused] = await resultsOf(await closed(requestOf(messageOf(creation))));
    expect(refused?.error).toMatch(/Nothing was done/);
    expect(sandbox.bills.all()).toEqual([]);
    const forgetful = another({ store: { ...createMemoryStore(), settle: fails } });
    const [told] = await resultsOf(await forgetful(requestOf(messageOf(creation))));
    expect(told?.result).toMatch(/Done/);
  });

  it('does not make what others are at sound as if it had not been done', async () => {
    const on = await stage({ limits: { deadlineMs: 300 } });
    const pending = { claim: () => ({ state: 'pending' }) as const, settle: () => undefined };
    const reads = [() => undefined, () => Promise.reject(new Error('down'))];
    for (const read of reads) {
      const handle = on.another({ store: { ...pending, read } });
      const [told] = await resultsOf(await handle(requestOf(messageOf(creation))));
      expect(told?.result).toMatch(/being processed/);
    }
    expect(creations(on)).toBe(0);
  });
});

const result = { code: 'done', line: 'Done.' } as const;

describe('the store in memory', () => {
  it('gives a key to one, and the first result to all others', () => {
    const store = createMemoryStore();
    expect(store.claim('a')).toEqual({ state: 'mine' });
    expect(store.claim('a')).toEqual({ state: 'pending' });
    expect(store.read('a')).toBeUndefined();
    store.settle('a', result);
    expect(store.claim('a')).toEqual({ state: 'done', result });
    expect(store.read('a')).toEqual(result);
    expect(store.claim('b')).toEqual({ state: 'mine' });
  });

  it('keeps a result as long as it is told to', async () => {
    const store = createMemoryStore({ keepMs: 30 });
    store.settle('a', result);
    expect(store.claim('a')).toEqual({ state: 'done', result });
    await expect.poll(() => store.read('a')).toBeUndefined();
    expect(store.claim('a')).toEqual({ state: 'mine' });
  });

  it('forgets the oldest result if it is full, and never what is in progress', () => {
    const store = createMemoryStore({ maxEntries: 2 });
    store.claim('pending');
    for (const key of ['a', 'b', 'c']) {
      store.claim(key);
      store.settle(key, result);
    }
    expect(store.read('a')).toBeUndefined();
    expect(store.read('b')).toEqual(result);
    expect(store.claim('pending')).toEqual({ state: 'pending' });
    expect(store.claim('d')).toEqual({ state: 'mine' });
    expect(() => store.claim('e')).toThrow('full');
  });
});
