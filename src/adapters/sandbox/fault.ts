/**
 * What can go wrong between a client and a service, each with one way to write it: in the header
 * `x-sandbox-fault`, in an option, on the command line.
 *
 * A request meets the fault in its header, else the next one ordered for its operation, else one by
 * chance. Chance asks how often this very request (method, address, key, body) has come before, not
 * how many requests came in all: with the same seed, each request and each of its repeats meets the
 * same fate, however requests overtake each other.
 */
import { createHash } from 'node:crypto';
import { type Arrived, headerOf, Refused } from './call.js';

/**
 * By name: whether the operation is carried out before things go wrong, and the least and greatest
 * number behind `=`, where there is one.
 */
const faults = {
  none: { acts: true },
  /** The answer comes so many milliseconds later. */
  latency: { acts: true, number: [0, 999_999] },
  /** 429, with a Retry-After of so many seconds. */
  'rate-limit': { acts: false, number: [0, 999_999] },
  /** That status. */
  status: { acts: false, number: [201, 599] },
  'status-after': { acts: true, number: [201, 599] },
  /** That status; the key is used up, and nothing is done. */
  'key-lost': { acts: true, number: [201, 599] },
  /** That status; the key is used up, and it is done two seconds later. */
  'key-late': { acts: true, number: [201, 599] },
  /** 200 with isSuccess: false. */
  declined: { acts: false },
  /** The connection breaks. */
  reset: { acts: false },
  'reset-after': { acts: true },
  /** No answer comes. */
  hang: { acts: false },
  'hang-after': { acts: true },
  /** The connection breaks in the middle of the body. */
  truncate: { acts: true },
  /** A page of markup in the place of the answer. */
  'wrong-type': { acts: true },
} as const satisfies Readonly<
  Record<string, { readonly acts: boolean; readonly number?: readonly [number, number] }>
>;

type Table = typeof faults;
export type FaultKind = keyof Table;

/** A fault as it is written. */
export type FaultText = {
  [Kind in FaultKind]: Table[Kind] extends { readonly number: unknown }
    ? `${Kind}=${number}`
    : Kind;
}[FaultKind];

export interface Fault {
  readonly kind: FaultKind;
  /** Milliseconds, seconds or the status; 0 where there is none. */
  readonly number: number;
  /** Whether the request comes to its operation before things go wrong. */
  readonly acts: boolean;
}

export const noFault: Fault = { kind: 'none', number: 0, acts: true };

/** A fault from its text; null where there is no such fault. */
export function readFault(text: string): Fault | null {
  const [, name = '', digits] = /^([a-z-]+)(?:=(\d{1,6}))?$/.exec(text.trim()) ?? [];
  if (!Object.hasOwn(faults, name)) return null;
  const kind = name as FaultKind;
  const row: { acts: boolean; number?: readonly [number, number] } = faults[kind];
  const number = Number(digits ?? 0);
  const [least, greatest] = row.number ?? [0, 0];
  const fits = (row.number !== undefined) === (digits !== undefined);
  if (!fits || number < least || number > greatest) return null;
  return { kind, number, acts: row.acts };
}

/** Faults that befall a share of all requests. */
export interface ChanceOfFaults {
  /** From 0 (none) to 1 (all). */
  readonly share: number;
  /** One of these, each as likely as the others. */
  readonly faults: readonly FaultText[];
}

export interface FaultSwitches {
  /** Orders a fault for the next requests (one, unless `times` says more) of an operation, or of any. */
  next(fault: FaultText, where?: { readonly operation?: string; readonly times?: number }): void;
  /** Sets or ends (null) faults by chance. */
  byChance(chance: ChanceOfFaults | null): void;
  /** No more faults but those in headers. */
  clear(): void;
}

export interface Faults extends FaultSwitches {
  decide(operation: string, arrived: Arrived): Fault;
}

export function createFaults(seed: number, chance: ChanceOfFaults | null): Faults {
  let orders: { readonly fault: Fault; readonly operation: string | undefined }[] = [];
  let odds = checked(chance);
  const seen = new Map<string, number>();

  const drawn = ({ method, url, headers, body }: Arrived): Fault => {
    if (odds === null) return noFault;
    const key = headerOf({ headers }, 'idempotencyKey');
    const print = createHash('sha256').update(JSON.stringify([method, url, key]));
    const request = print.update(body).digest('base64');
    const times = (seen.get(request) ?? 0) + 1;
    seen.set(request, times);
    const hash = createHash('sha256').update(`${seed}:${request}:${times}`).digest();
    if (hash.readUIntBE(0, 6) / 2 ** 48 >= odds.share) return noFault;
    return odds.faults[hash.readUIntBE(6, 6) % odds.faults.length] ?? noFault;
  };
  return {
    next(text, { operation, times = 1 } = {}) {
      const order = { fault: faultOf(text), operation };
      for (let time = 0; time < times; time += 1) orders.push(order);
    },
    byChance(next) {
      odds = checked(next);
    },
    clear() {
      orders = [];
      odds = null;
    },
    decide(operation, arrived) {
      const asked = headerOf(arrived, 'x-sandbox-fault');
      if (asked !== '') {
        const fault = readFault(asked);
        if (fault !== null) return fault;
        throw new Refused(400, 'x-sandbox-fault names an unknown fault');
      }
      const at = orders.findIndex((each) => (each.operation ?? operation) === operation);
      return at < 0 ? drawn(arrived) : (orders.splice(at, 1)[0]?.fault ?? noFault);
    },
  };
}

/** Null where no request meets a fault, so that none has to be remembered. */
function checked(chance: ChanceOfFaults | null) {
  const { share, faults: texts } = chance ?? { share: 0, faults: [] };
  if (!(share >= 0 && share <= 1)) throw new RangeError('share must be a number from 0 to 1');
  const read = texts.map(faultOf);
  return share > 0 && read.length > 0 ? { share, faults: read } : null;
}

function faultOf(text: FaultText): Fault {
  const fault = readFault(text);
  if (fault === null) throw new RangeError(`unknown fault '${text}'`);
  return fault;
}
