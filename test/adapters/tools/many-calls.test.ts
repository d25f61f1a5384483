/** Many calls at a time, some of them delivered twice: nothing fails, and nothing is done twice. */
import { expect, it, onTestFinished } from 'vitest';
import { createSandbox } from '../../../src/adapters/sandbox/sandbox.js';
import { type Result, sendCalls } from '../../cli/serving.js';
import { authorized, serveTools } from './serve-tools.js';

const atOnce = 32;
const amount = 160;

/** One message for each bill; every tenth stands twice, at once or much later. */
function deliveries(): number[] {
  const first = Array.from({ length: amount }, (_, index) => index);
  const soon = first.flatMap((each) => (each % 20 === 0 ? [each, each] : [each]));
  return [...soon, ...first.filter((each) => each % 20 === 10)];
}

async function sideBySide<Result>(
  things: readonly number[],
  act: (thing: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = things.entries();
  const lane = async () => {
    for (const [at, thing] of left) results[at] = await act(thing);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}

it('answers 32 at a time, and does what is delivered again once', async () => {
  const sandbox = await createSandbox();
  onTestFinished(() => sandbox.close());
  const bindings = {
    enter: { operation: 'bills.create', bind: { vendorNumber: 'V-1' } },
    submit: { operation: 'bills.sendToApproval', bind: { users: ['ann@example.com'] } },
    // Without a key: nothing but the handler sees to it that it is done once.
    approve: { operation: 'bills.setApproved', bind: { email: 'ann@example.com' } },
  };
  const url = await serveTools(sandbox, bindings);
  const sent = deliveries();
  expect(sent.length).toBe(amount * 1.1);

  const send = async (name: string, said: object, which: number): Promise<Result> => {
    const calls = [{ id: `${name}-${which}`, name, arguments: said }];
    const options = { callId: `call-${which % 7}`, headers: authorized };
    return (await sendCalls(url, calls, options))[0] as Result;
  };
  const enter = (which: number) =>
    send('enter', { netAmount: 5, billDate: '2026-03-01', billNumber: `B-${which}` }, which);
  const entered = await sideBySide(sent, enter);
  expect(new Set(sandbox.bills.all().map(({ BillNumber }) => BillNumber)).size).toBe(amount);

  // Each delivery of a message has the same answer, with the number of the same bill.
  const ids = new Map<number, unknown>();
  for (const [at, which] of sent.entries()) {
    const { idBill } = JSON.parse(entered[at]?.result ?? '{}');
    expect(idBill).toBe(ids.get(which) ?? idBill);
    ids.set(which, idBill);
  }
  expect(new Set(ids.values()).size).toBe(amount);

  for (const [name, said] of Object.entries({ submit: {}, approve: { approved: true } })) {
    const about = (which: number) => send(name, { idBill: ids.get(which), ...said }, which);
    const answers = await sideBySide(sent, about);
    expect(answers.filter(({ result }) => result === undefined)).toEqual([]);
  }
  for (const operation of ['bills.create', 'bills.sendToApproval', 'bills.setApproved']) {
    const asked = sandbox.requests.filter((each) => each.operation === operation);
    expect(asked.length, operation).toBe(amount);
  }
  expect(sandbox.bills.all().map(({ Status }) => Status)).toEqual(Array(amount).fill(20));
}, 30_000);
