/**
 * Faults between a client and a service. Each is written the same in the header `x-sandbox-fault`,
 * in an option, and on the command line.
 *
 * A request gets the fault in its header, otherwise the next one ordered for its operation,
 * otherwise a random one. Random faults are the same in every run with the same seed.
 */
import { createHash } from 'node:crypto';
import { type Fate, Refused } from './call.js';

type Range = readonly [least: number, greatest: number];
const time: Range = [0, 999_999];
const status: Range = [400, 599];

/** By name: what happens to the operation, and the range of the number after `=`, if it has one. */
const faults = {
  none: ['done'],
  /** Delays the answer by this many milliseconds. */
  latency: ['done', time],
  /** 429, with a Retry-After of this many seconds. */
  'rate-limit': ['refused', time],
  /** Answers with this status. */
  status: ['refused', status],
  'status-after': ['done', status],
  /** Answers with this status and uses up the key, but never acts. */
  'key-lost': ['lost', status],
  /** Answers with this status and uses up the key, and acts two seconds later. */
  'key-late': ['late', status],
  /** 200 with isSuccess: false. */
  declined: ['refused'],
  /** The connection breaks. */
  reset: ['refused'],
  'reset-after': ['done'],
  /** No answer comes. */
  hang: ['refused'],
  'hang-after': ['done'],
  /** The connection breaks in the middle of the body. */
  truncate: ['done'],
  /** An HTML page instead of the answer. */
  'wrong-type': ['done'],
} as const satisfies Readonly<Record<string, readonly [Fate, number?: Range]>>;

export type FaultKind = keyof typeof faults;

/** A fault in its written form. */
export type FaultText = FaultKind | `${FaultKind}=${number}`;

export interface Fault {
  readonly kind: FaultKind;
  /** Milliseconds, seconds or the status; 0 if the fault has none. */
  readonly number: number;
  readonly fate: Fate;
}

export const noFault: Fault = { kind: 'none', number: 0, fate: 'done' };

/** Random faults for a share of all requests. */
export interface ChanceOfFaults {
  /** From 0 (none) to 1 (all). */
  readonly share: number;
  /** Chosen from with equal probability. */
  readonly faults: readonly FaultText[];
}

export interface FaultSwitches {
  /** Orders a fault for the next request, or the next `times`, of one operation or of any. */
  next(fault: FaultText, where?: { readonly operation?: string; readonly times?: number }): void;
  /** Sets random faults; null turns them off. */
  byChance(chance: ChanceOfFaults | null): void;
}

/** The faults as the sandbox itself uses them. */
export interface Faults extends FaultSwitches {
  /** Chooses the fault of a request. */
  decide(operation: string, headers: Headers): Fault;
}

export function createFaults(seed: number, chance: ChanceOfFaults | null = null): Faults {
  const orders: { readonly fault: Fault; readonly operation: string | undefined }[] = [];
  let random: { readonly share: number; readonly faults: readonly Fault[] };
  let drawn = 0;

  function draw(): Fault {
    drawn += 1;
    const hash = createHash('sha256').update(`${seed}:${drawn}`).digest();
    if (hash.readUInt32BE(0) / 2 ** 32 >= random.share) return noFault;
    return random.faults[hash.readUInt32BE(4) % random.faults.length] ?? noFault;
  }

  const switches: Faults = {
    next(text, { operation, times = 1 } = {}) {
      const order = { fault: faultOf(text), operation };
      orders.push(...Array.from({ length: times }, () => order));
    },
    byChance(given) {
      const { share, faults: texts } = given ?? { share: 0, faults: [] };
      if (!(share >= 0 && share <= 1)) throw new RangeError('share must be a number from 0 to 1');
      random = { share, faults: texts.map(faultOf) };
    },
    decide(operation, headers) {
      const asked = headers.get('x-sandbox-fault');
      if (asked !== null) {
        const fault = readFault(asked);
        if (fault !== null) return fault;
        throw new Refused(400, 'x-sandbox-fault names an unknown fault');
      }
      const at = orders.findIndex((each) => (each.operation ?? operation) === operation);
      return orders.splice(at, at < 0 ? 0 : 1)[0]?.fault ?? draw();
    },
  };
  switches.byChance(chance);
  return switches;
}

/** Null if the text is not a fault. */
function readFault(text: string): Fault | null {
  const [, name = '', digits] = /^([a-z-]+)(?:=(\d{1,6}))?$/.exec(text.trim()) ?? [];
  if (!Object.hasOwn(faults, name)) return null;
  const kind = name as FaultKind;
  const [fate, range]: readonly [Fate, number?: Range] = faults[kind];
  const number = Number(digits ?? 0);
  const [least, greatest] = range ?? [0, 0];
  const fits = (range !== undefined) === (digits !== undefined);
  return fits && number >= least && number <= greatest ? { kind, number, fate } : null;
}

function faultOf(text: FaultText): Fault {
  const fault = readFault(text);
  if (fault === null) throw new RangeError(`unknown fault '${text}'`);
  return fault;
}
