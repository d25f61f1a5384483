/**
 * Which fault befalls a request: the one in its header, else the next one ordered for its
 * operation, else one by chance.
 *
 * Chance asks how often this very request (method, address, key, body) has come before, not how
 * many requests came in all: with the same seed, each request and each of its repeats meets the
 * same fate, however requests overtake each other.
 */
import { createHash } from 'node:crypto';
import { Refused } from './answer.js';
import { chanceOf } from './chance.js';
import { type Fault, type FaultText, noFault, readFault } from './fault.js';

/** Faults that befall a share of all requests. */
export interface ChanceOfFaults {
  /** From 0 (none) to 1 (all). */
  readonly share: number;
  /** One of these, each as likely as the others. */
  readonly faults: readonly FaultText[];
  /** Operations such as `bills.create`; all where it is not said. */
  readonly operations?: readonly string[];
}

export interface FaultSwitches {
  /** Orders a fault for the next requests (one, unless `times` says more) of an operation, or of any. */
  next(fault: FaultText, where?: { readonly operation?: string; readonly times?: number }): void;
  /** Sets or ends (null) faults by chance. */
  byChance(chance: ChanceOfFaults | null): void;
  /** No more faults but those in headers. */
  clear(): void;
}

export interface Subject {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly key: string;
  readonly body: Buffer;
  /** The header's text. */
  readonly asked: string | undefined;
}

interface Order {
  readonly fault: Fault;
  readonly operation: string | undefined;
  left: number;
}

export interface Faults extends FaultSwitches {
  decide(subject: Subject): Fault;
}

export function createFaults(seed: number, chance?: ChanceOfFaults): Faults {
  let orders: Order[] = [];
  let odds = readChance(chance ?? null);
  const seen = new Map<string, number>();
  const drawn = (subject: Subject): Fault => {
    if (odds === null || odds.operations?.has(subject.operation) === false) return noFault;
    const print = fingerprint(subject);
    const times = (seen.get(print) ?? 0) + 1;
    seen.set(print, times);
    const [whether, which] = chanceOf(seed, `${print}:${times}`);
    if (whether >= odds.share) return noFault;
    return odds.faults[Math.floor(which * odds.faults.length)] ?? noFault;
  };
  const ordered = ({ operation }: Subject): Fault | null => {
    const order = orders.find((each) => (each.operation ?? operation) === operation);
    if (order === undefined) return null;
    order.left -= 1;
    orders = orders.filter(({ left }) => left > 0);
    return order.fault;
  };
  return {
    next(fault, { operation, times = 1 } = {}) {
      if (times > 0) orders.push({ fault: faultOf(fault), operation, left: times });
    },
    byChance(next) {
      odds = readChance(next);
      seen.clear();
    },
    clear() {
      orders = [];
      odds = null;
      seen.clear();
    },
    decide(subject) {
      if (subject.asked === undefined) return ordered(subject) ?? drawn(subject);
      const fault = readFault(subject.asked);
      if (fault === null) throw new Refused(400, 'x-sandbox-fault names no fault of the sandbox');
      return fault;
    },
  };
}

interface Odds {
  readonly share: number;
  readonly faults: readonly Fault[];
  readonly operations: ReadonlySet<string> | undefined;
}

/** Null where no request meets a fault, so that none has to be remembered. */
function readChance(chance: ChanceOfFaults | null): Odds | null {
  if (chance === null) return null;
  const { share, operations } = chance;
  if (!(share >= 0 && share <= 1)) throw new RangeError('share must be a number from 0 to 1');
  const faults = chance.faults.map(faultOf);
  if (share === 0 || faults.length === 0) return null;
  return { share, faults, operations: operations && new Set(operations) };
}

function faultOf(text: FaultText): Fault {
  const fault = readFault(text);
  if (fault === null) throw new RangeError(`'${text}' is no fault of the sandbox`);
  return fault;
}

function fingerprint({ method, url, key, body }: Subject): string {
  const hash = createHash('sha256').update(JSON.stringify([method, url, key]));
  return hash.update(body).digest('base64');
}
