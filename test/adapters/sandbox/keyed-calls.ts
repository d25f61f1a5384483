/**
 * Creates and sendings to approval, each with a key of its own, and the plain model of what must have
 * come of them: what a caller was told of a call bounds how often it was done.
 */
import { ApiError, type Bill, type BillsClient, type CallOutcome } from '../../../src/bills.js';

/** What a caller is told: an answer, or the outcome of an error. */
export type End = 'resolved' | CallOutcome;

/** How often a call that ended so may have been done. */
const bounds: Readonly<Record<End, { readonly least: number; readonly most: number }>> = {
  resolved: { least: 1, most: 1 },
  applied: { least: 1, most: 1 },
  unknown: { least: 0, most: 1 },
  refused: { least: 0, most: 0 },
  'not-sent': { least: 0, most: 0 },
};

export interface Tally {
  readonly calls: number;
  /** How many calls ended how; an end that none had is absent. */
  readonly ends: Readonly<Partial<Record<End, number>>>;
  /** Done more than once. */
  readonly duplicates: readonly string[];
  /** Not done, though the caller was told so. */
  readonly lost: readonly string[];
  /** Done, though the caller was told otherwise, or though nobody called. */
  readonly unexpected: readonly string[];
}

/** Holds the ends of calls, by name, against the names of what was done, one for each time. */
export function tally(ends: ReadonlyMap<string, End>, done: Iterable<string>): Tally {
  const times = new Map<string, number>();
  for (const name of done) times.set(name, (times.get(name) ?? 0) + 1);
  const called = [...ends].map(([name, end]) => ({ name, ...bounds[end], end }));
  const timesOf = ({ name }: { readonly name: string }) => times.get(name) ?? 0;
  const namesOf = (found: readonly { readonly name: string }[]) => found.map(({ name }) => name);
  return {
    calls: called.length,
    ends: countEnds([...ends.values()]),
    duplicates: [...times].filter(([, each]) => each > 1).map(([name]) => name),
    lost: namesOf(called.filter((call) => timesOf(call) < call.least)),
    unexpected: [
      ...namesOf(called.filter((call) => call.most === 0 && timesOf(call) > 0)),
      ...[...times.keys()].filter((name) => !ends.has(name)),
    ],
  };
}

function countEnds(ends: readonly End[]): Tally['ends'] {
  const counts: Partial<Record<End, number>> = {};
  for (const end of ends) counts[end] = (counts[end] ?? 0) + 1;
  return counts;
}

/** The end of a call; only an ApiError is one, so that everything else ends the trial. */
async function endOf(call: Promise<unknown>): Promise<End> {
  try {
    await call;
    return 'resolved';
  } catch (error) {
    if (error instanceof ApiError) return error.outcome;
    throw error;
  }
}

/** Makes all calls, so many at a time, and returns how each ended. */
async function endsOf(
  names: readonly string[],
  atOnce: number,
  call: (name: string) => Promise<unknown>,
): Promise<Map<string, End>> {
  const ends = new Map<string, End>();
  const left = names.values();
  const worker = async (): Promise<void> => {
    for (const name of left) ends.set(name, await endOf(call(name)));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return ends;
}

/** Creates a bill for each name, which is its number. */
export function createBills(
  client: BillsClient,
  names: readonly string[],
  atOnce: number,
  fields: (name: string) => Bill = () => ({}),
): Promise<Map<string, End>> {
  return endsOf(names, atOnce, (name) => {
    const bill = { billNumber: name, netAmount: 10, ...fields(name) };
    return client.create('shop', bill, { idempotencyKey: `create ${name}` });
  });
}

/** Sends each bill to approval once; a name is the bill's id. */
export function sendBills(
  client: BillsClient,
  ids: readonly string[],
  atOnce: number,
): Promise<Map<string, End>> {
  return endsOf(ids, atOnce, (id) =>
    client.sendToApproval(Number(id), ['ann@example.com'], { idempotencyKey: `send ${id}` }),
  );
}

interface SeenBill {
  readonly IdBill: number;
  readonly BillNumber: string;
  readonly billEvents: readonly { readonly description: string }[];
}

/** What was done, by the state of the service: a bill's number for each bill that there is. */
export function createdIn(bills: readonly SeenBill[]): string[] {
  return bills.map(({ BillNumber }) => BillNumber);
}

/** A bill's id for each time that it was sent to approval. */
export function sentIn(bills: readonly SeenBill[]): string[] {
  return bills.flatMap(({ IdBill, billEvents }) =>
    billEvents
      .filter(({ description }) => description === 'Sent to Approval')
      .map(() => `${IdBill}`),
  );
}
