/** Bills: every create and every sending to approval has a key, some a key that was used before. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type BillsClient, createBillsClient } from '../../src/bills.js';
import { playSteps, type Steps } from './model.js';
import { endingOf, pick } from './serve.js';

interface ModelBill {
  amount: number;
  status: number;
  sent: number;
}

interface Model {
  readonly bills: Map<number, ModelBill>;
  /** Keys of creates: until when each is remembered, for what, and what came of it. */
  readonly keys: Map<string, { until: number; amount: number; id: number }>;
  created: number;
  /** Keys given so far that are used once. */
  fresh: number;
  now: number;
}

const keyLifetimeMs = 120_000;

const chosen = fc.record({
  /** Which of the bills that there are; a step about none is not taken. */
  index: fc.nat(1000),
  amount: fc.integer({ min: 1, max: 3 }),
  key: fc.constantFrom('a', 'b', null),
  approved: fc.boolean(),
  status: fc.constantFrom(1, 2, 11, 20),
  milliseconds: fc.constantFrom(1000, 119_999, 120_000),
});

type Chosen = typeof chosen extends fc.Arbitrary<infer Value> ? Value : never;

const steps: Steps<Model, BillsClient, Chosen> = {
  async create(model, { client }, { amount, key }) {
    const idempotencyKey = key ?? `fresh-${model.fresh++}`;
    const remembered = model.keys.get(idempotencyKey);
    const answer = await endingOf(client.create('shop', { netAmount: amount }, { idempotencyKey }));
    if (remembered !== undefined && remembered.until > model.now) {
      // The same request is answered again; another one is refused.
      const same = expect.objectContaining({ responseData: remembered.id });
      expect(answer).toEqual(remembered.amount === amount ? same : expect.any(String));
      return;
    }
    model.created += 1;
    expect(answer).toMatchObject({ responseData: model.created });
    model.bills.set(model.created, { amount, status: 1, sent: 0 });
    const until = model.now + keyLifetimeMs;
    model.keys.set(idempotencyKey, { until, amount, id: model.created });
  },
  async update(model, { client }, { index, amount }) {
    const [id, bill] = pick(model.bills, index) ?? [];
    if (id === undefined || bill === undefined) return false;
    await client.update(id, { netAmount: amount });
    bill.amount = amount;
  },
  async remove(model, { client }, { index }) {
    const [id] = pick(model.bills, index) ?? [];
    if (id === undefined) return false;
    const end = await endingOf(client.delete(id));
    // Gone at the second look is gone, too.
    expect(typeof end === 'object' ? end.responseData : end).toBe(
      typeof end === 'object' ? id : 'applied',
    );
    model.bills.delete(id);
  },
  async send(model, { client }, { index }) {
    const [id, bill] = pick(model.bills, index) ?? [];
    if (id === undefined || bill === undefined) return false;
    const idempotencyKey = `fresh-${model.fresh++}`;
    await client.sendToApproval(id, ['ann@example.com'], { idempotencyKey });
    bill.sent += 1;
    bill.status = 2;
  },
  async decide(model, { sandbox, client }, { index, approved }) {
    const [id, bill] = pick(model.bills, index) ?? [];
    if (id === undefined || bill === undefined) return false;
    const end = await endingOf(client.setApproved(id, approved));
    // After an attempt without an answer, a refusal does not tell what that one did.
    if (bill.sent === 0) return expect(['refused', 'unknown']).toContain(end);
    const decided = approved ? 20 : 11;
    if (end !== 'unknown') {
      expect(end).toMatchObject({ responseData: id });
      bill.status = decided;
      return;
    }
    // A decision is never repeated without an answer: who decides looks what came of it.
    const { Status } = sandbox.bills.all().find(({ IdBill }) => IdBill === id) ?? {};
    expect([bill.status, decided]).toContain(Status);
    bill.status = Status as number;
  },
  async list({ bills }, { client }, { status }) {
    const filters = [{ field: 'status', op: 'eq', value: status }] as const;
    const { Records = [] } = await client.list('shop', { filters, limitRecord: 0 });
    const expected = [...bills].filter(([, bill]) => bill.status === status);
    expect(Records.map(({ IdBill }) => IdBill)).toEqual(expected.map(([id]) => id));
  },
  async wait(model, { sandbox }, { milliseconds }) {
    sandbox.clock.advance(milliseconds);
    model.now += milliseconds;
  },
};

it('the client and the sandbox agree with the model, despite faults', () =>
  playSteps<Model, BillsClient, Chosen>({
    steps,
    chosen,
    maxLength: 25,
    numRuns: 30,
    modelOf: () => ({ bills: new Map(), keys: new Map(), created: 0, fresh: 0, now: 0 }),
    clientOf: ({ billsUrl: baseUrl }, retry) =>
      createBillsClient({ baseUrl, auth: { apiKey: 'sandbox-key' }, retry }),
    compare({ bills }, sandbox) {
      const found = sandbox.bills.all().map(({ IdBill, NetAmount, Status, billEvents }) => {
        return [IdBill, { amount: NetAmount, status: Status, sent: billEvents.length - 1 }];
      });
      expect(found).toEqual([...bills]);
    },
  }));
