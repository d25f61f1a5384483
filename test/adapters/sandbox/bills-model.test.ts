/**
 * The client and the sandbox together against a plain model: whatever is called in whatever order,
 * while a fifth of all requests meets a fault, the bills are those that the model says.
 *
 * Every create and every sending to approval has a key, some of them a key that was used before.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/adapters/sandbox/sandbox.js';
import { ApiError, type BillsClient, createBillsClient } from '../../../src/bills.js';
import { runs, seed } from '../../seed.js';

interface ModelBill {
  amount: number;
  status: number;
  sent: number;
}

interface Model {
  readonly bills: Map<number, ModelBill>;
  /** Keys of creates: until when each is remembered, for what, and what came of it. */
  readonly keys: Map<
    string,
    { readonly until: number; readonly amount: number; readonly id: number }
  >;
  created: number;
  /** Keys given so far that are used once. */
  fresh: number;
  now: number;
}

interface Real {
  readonly sandbox: Sandbox;
  readonly client: BillsClient;
}

type Step = fc.AsyncCommand<Model, Real>;

const keyLifetimeMs = 120_000;

/** What became of a call: its answer, or the outcome of its error. */
async function ending<T>(call: Promise<T>): Promise<T | ApiError['outcome']> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ApiError) return error.outcome;
    throw error;
  }
}

/** One of the bills that there are, by a number of any size. */
function pick({ bills }: Model, index: number): [number, ModelBill] {
  const found = [...bills][index % bills.size];
  if (found === undefined) throw new Error('there is no bill');
  return found;
}

function step(name: string, run: Step['run'], check: Step['check'] = () => true): Step {
  return { check, run, toString: () => name };
}

const hasBills = ({ bills }: Readonly<Model>) => bills.size > 0;

const create = (amount: number, key: string | null): Step =>
  step(`create(${amount}, ${key})`, async (model, { client }) => {
    const idempotencyKey = key ?? `fresh-${model.fresh++}`;
    const remembered = model.keys.get(idempotencyKey);
    const answer = await ending(client.create('shop', { netAmount: amount }, { idempotencyKey }));
    if (remembered !== undefined && remembered.until > model.now) {
      // The same request is answered again; another one is refused.
      const same = remembered.amount === amount;
      expect(answer).toEqual(
        same ? expect.objectContaining({ responseData: remembered.id }) : expect.any(String),
      );
      return;
    }
    model.created += 1;
    expect(answer).toMatchObject({ responseData: model.created });
    model.bills.set(model.created, { amount, status: 1, sent: 0 });
    const until = model.now + keyLifetimeMs;
    model.keys.set(idempotencyKey, { until, amount, id: model.created });
  });

const update = (index: number, amount: number): Step =>
  step(
    `update(${index}, ${amount})`,
    async (model, { client }) => {
      const [id, bill] = pick(model, index);
      await client.update(id, { netAmount: amount });
      bill.amount = amount;
    },
    hasBills,
  );

const remove = (index: number): Step =>
  step(
    `delete(${index})`,
    async (model, { client }) => {
      const [id] = pick(model, index);
      // Gone at the second look is gone, too.
      expect(await ending(client.delete(id))).toEqual(
        expect.toSatisfy((end) => end === 'applied' || end.responseData === id),
      );
      model.bills.delete(id);
    },
    hasBills,
  );

const send = (index: number): Step =>
  step(
    `sendToApproval(${index})`,
    async (model, { client }) => {
      const [id, bill] = pick(model, index);
      const idempotencyKey = `fresh-${model.fresh++}`;
      await client.sendToApproval(id, ['ann@example.com'], { idempotencyKey });
      bill.sent += 1;
      bill.status = 2;
    },
    hasBills,
  );

const decide = (index: number, approved: boolean): Step =>
  step(
    `setApproved(${index}, ${approved})`,
    async (model, { client }) => {
      const [id, bill] = pick(model, index);
      const end = await ending(client.setApproved(id, approved));
      // After an attempt without an answer, a refusal does not tell what that one did.
      if (bill.sent === 0) return expect(['refused', 'unknown']).toContain(end);
      expect(end).toMatchObject({ responseData: id });
      bill.status = approved ? 20 : 11;
    },
    hasBills,
  );

const list = (status: number): Step =>
  step(`list(${status})`, async ({ bills }, { client }) => {
    const filters = [{ field: 'status', op: 'eq', value: status }] as const;
    const { Records = [] } = await client.list('shop', { filters, limitRecord: 0 });
    const expected = [...bills].filter(([, bill]) => bill.status === status);
    expect(Records.map(({ IdBill }) => IdBill)).toEqual(expected.map(([id]) => id));
  });

const wait = (milliseconds: number): Step =>
  step(`wait(${milliseconds})`, async (model, { sandbox }) => {
    sandbox.clock.advance(milliseconds);
    model.now += milliseconds;
  });

const index = fc.nat(1000);
const amount = fc.integer({ min: 1, max: 3 });
const steps = fc.commands(
  [
    fc.tuple(amount, fc.constantFrom('a', 'b', null)).map((each) => create(...each)),
    fc.tuple(index, amount).map((each) => update(...each)),
    index.map(remove),
    index.map(send),
    fc.tuple(index, fc.boolean()).map((each) => decide(...each)),
    fc.constantFrom(1, 2, 11, 20).map(list),
    fc.constantFrom(1000, 119_999, 120_000).map(wait),
  ],
  // Long ones, so that much has happened to what a step is about.
  { maxCommands: 25, size: 'max' },
);

it('client and sandbox do what the model says, through faults', async () => {
  const property = fc.asyncProperty(steps, fc.nat(1_000_000), async (commands, chance) => {
    const sandbox = await createSandbox({
      clock: { mode: 'manual' },
      seed: chance,
      faults: { share: 0.2, faults: ['reset', 'reset-after', 'status=503', 'status-after=500'] },
    });
    const client = createBillsClient({
      baseUrl: sandbox.billsUrl,
      auth: { apiKey: 'sandbox-key' },
      retry: { maxAttempts: 12, baseMs: 1, capMs: 2 },
    });
    const model: Model = { bills: new Map(), keys: new Map(), created: 0, fresh: 0, now: 0 };
    try {
      await fc.asyncModelRun(() => ({ model, real: { sandbox, client } }), commands);
      expect(
        sandbox.bills
          .all()
          .map(({ IdBill, NetAmount, Status, billEvents }) => [
            IdBill,
            { amount: NetAmount, status: Status, sent: billEvents.length - 1 },
          ]),
      ).toEqual([...model.bills]);
    } finally {
      await sandbox.close();
    }
  });
  await fc.assert(property, { seed, numRuns: runs(60) });
});
