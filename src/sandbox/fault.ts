/**
 * Faults between a client and a service. Each is written the same in the header `x-sandbox-fault`,
 * in an option, and on the command line.
 *
 * A request gets the fault in its header, otherwise the next one ordered for its operation,
 * otherwise a random one. Random faults are the same in every run with the same seed.
 */
import { createHash } from 'node:crypto';
import { type Fate, Refused } from './call.js';

const milliseconds = [0, 999_999];
const seconds = [0, 999_999];
const status = [400, 599];

/**
 * By name: what happens to the operation, and the range of the number after `=`, if the fault has
 * one.
 */
const faults = {
  none: ['done'],
  /** Delays the answer by this many milliseconds. */
  latency: ['done', milliseconds],
  /** 429, with a Retry-After of this many seconds. */
  'rate-limit': ['refused', seconds],
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
} as const satisfies Readonly<Record<string, readonly [Fate, number?: readonly number[]]>>;

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

/** Reads a fault from text; null if it is invalid. */
function readFault(text: string): Fault | null {
  const [, name = '', digits] = /^([a-z-]+)(?:=(\d{1,6}))?$/.exec(text.trim()) ?? [];
  if (!Object.hasOwn(faults, name)) return null;
  const kind = name as FaultKind;
  const [fate, range]: readonly [Fate, number?: readonly number[]] = faults[kind];
  const number = Number(digits ?? 0);
  const [least = 0, greatest = 0] = range ?? [];
  const fits = (range !== undefined) === (digits !== undefined);
  return fits && number >= least && number <= greatest ? { kind, number, fate } : null;
}

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

export class Faults implements FaultSwitches {
  readonly #orders: { readonly fault: Fault; readonly operation: string | undefined }[] = [];
  #share = 0;
  #drawable: readonly Fault[] = [];
  #drawn = 0;

  constructor(
    readonly seed: number,
    chance: ChanceOfFaults | null,
  ) {
    this.byChance(chance);
  }

  next(
    text: FaultText,
    { operation, times = 1 }: { readonly operation?: string; readonly times?: number } = {},
  ): void {
    const order = { fault: faultOf(text), operation };
    for (let time = 0; time < times; time += 1) this.#orders.push(order);
  }

  byChance(chance: ChanceOfFaults | null): void {
    const { share, faults: texts } = chance ?? { share: 0, faults: [] };
    if (!(share >= 0 && share <= 1)) throw new RangeError('share must be a number from 0 to 1');
    this.#share = share;
    this.#drawable = texts.map(faultOf);
  }

  /** Chooses the fault of a request. */
  decide(operation: string, headers: Headers): Fault {
    const asked = headers.get('x-sandbox-fault');
    if (asked !== null) {
      const fault = readFault(asked);
      if (fault !== null) return fault;
      throw new Refused(400, 'x-sandbox-fault names an unknown fault');
    }
    const at = this.#orders.findIndex((each) => (each.operation ?? operation) === operation);
    return this.#orders.splice(at, at < 0 ? 0 : 1)[0]?.fault ?? this.#draw();
  }

  #draw(): Fault {
    this.#drawn += 1;
    const hash = createHash('sha256').update(`${this.seed}:${this.#drawn}`).digest();
    if (hash.readUInt32BE(0) / 2 ** 32 >= this.#share) return noFault;
    return this.#drawable[hash.readUInt32BE(4) % this.#drawable.length] ?? noFault;
  }
}

function faultOf(text: FaultText): Fault {
  const fault = readFault(text);
  if (fault === null) throw new RangeError(`unknown fault '${text}'`);
  return fault;
}
