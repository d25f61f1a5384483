/**
 * What can go wrong between a client and a service, each with one way to write it: in the header
 * `x-sandbox-fault`, in an option, on the command line.
 *
 *     latency=200        the answer comes 200 ms later
 *     rate-limit=2       429, with a Retry-After of 2 seconds; nothing was done
 *     status=503         that status; nothing was done
 *     status-after=500   that status, although it was done
 *     key-lost=500       that status; the key is used up, and nothing was done
 *     key-late=500       that status; the key is used up, and it is done two seconds later
 *     declined           200 with isSuccess: false; nothing was done
 *     reset              the connection breaks; nothing was done
 *     reset-after        the connection breaks, although it was done
 *     hang               no answer comes; nothing was done
 *     hang-after         no answer comes, although it was done
 *     truncate           the connection breaks in the middle of the body; it was done
 *     slow-body=100      the body comes in eight parts, 100 ms before each; it was done
 *     wrong-type         a page of markup in the place of the answer; it was done
 *     none               nothing, not even by chance
 *
 * A request meets the fault in its header, else the next one ordered for its operation, else one by
 * chance. Chance asks how often this very request (method, address, key, body) has come before, not
 * how many requests came in all: with the same seed, each request and each of its repeats meets the
 * same fate, however requests overtake each other.
 */
import { createHash } from 'node:crypto';
import { type Arrived, headerOf, Refused } from './call.js';

const numbered = [
  ...(['latency', 'rate-limit', 'status', 'status-after', 'slow-body'] as const),
  ...(['key-lost', 'key-late'] as const),
];
const plain = [
  ...['declined', 'reset', 'reset-after', 'hang', 'hang-after'],
  ...['truncate', 'wrong-type', 'none'],
] as const;

type NumberedKind = (typeof numbered)[number];
type PlainKind = 'declined' | 'reset' | 'hang' | 'truncate' | 'wrong-type' | 'none';

/** A fault as it is written. */
export type FaultText = `${NumberedKind}=${number}` | PlainKind | 'reset-after' | 'hang-after';

export interface Fault {
  readonly kind: Exclude<NumberedKind, 'status-after'> | PlainKind;
  /** Milliseconds, seconds or the status; 0 where there is none. */
  readonly number: number;
  /** Whether the request comes to its operation before things go wrong. */
  readonly acts: boolean;
}

export const noFault: Fault = { kind: 'none', number: 0, acts: true };

const actingKinds = /^(?:latency|truncate|slow-body|wrong-type|none|key-lost|key-late|.*-after)$/;

/** A fault from its text; null where there is no such fault. */
export function readFault(text: string): Fault | null {
  const [, name = '', digits] = /^([a-z-]+)(?:=(\d{1,6}))?$/.exec(text.trim()) ?? [];
  const expected: readonly string[] = digits === undefined ? plain : numbered;
  if (!expected.includes(name)) return null;
  const number = Number(digits ?? 0);
  if (/^(?:status|key)/.test(name) && (number < 201 || number > 599)) return null;
  const kind = name.replace(/-after$/, '') as Fault['kind'];
  return { kind, number, acts: actingKinds.test(name) };
}

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

export interface Faults extends FaultSwitches {
  decide(operation: string, arrived: Arrived): Fault;
}

export function createFaults(seed: number, chance: ChanceOfFaults | null): Faults {
  let orders: { readonly fault: Fault; readonly operation: string | undefined; left: number }[] =
    [];
  let odds = chance && checked(chance);
  const seen = new Map<string, number>();

  const ordered = (operation: string): Fault | undefined => {
    const order = orders.find((each) => (each.operation ?? operation) === operation);
    if (order === undefined) return undefined;
    order.left -= 1;
    orders = orders.filter(({ left }) => left > 0);
    return order.fault;
  };
  const drawn = (operation: string, { method, url, headers, body }: Arrived): Fault => {
    if (odds === null || odds.operations?.includes(operation) === false) return noFault;
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
    next(fault, { operation, times = 1 } = {}) {
      if (times > 0) orders.push({ fault: faultOf(fault), operation, left: times });
    },
    byChance(next) {
      odds = next && checked(next);
      seen.clear();
    },
    clear() {
      orders = [];
      odds = null;
      seen.clear();
    },
    decide(operation, arrived) {
      const asked = headerOf(arrived, 'x-sandbox-fault');
      if (asked === '') return ordered(operation) ?? drawn(operation, arrived);
      const fault = readFault(asked);
      if (fault === null) throw new Refused(400, 'x-sandbox-fault names no fault of the sandbox');
      return fault;
    },
  };
}

/** Null where no request meets a fault, so that none has to be remembered. */
function checked({ share, faults, operations }: ChanceOfFaults) {
  if (!(share >= 0 && share <= 1)) throw new RangeError('share must be a number from 0 to 1');
  const read = faults.map(faultOf);
  return share > 0 && read.length > 0 ? { share, faults: read, operations } : null;
}

function faultOf(text: FaultText): Fault {
  const fault = readFault(text);
  if (fault === null) throw new RangeError(`'${text}' is no fault of the sandbox`);
  return fault;
}
