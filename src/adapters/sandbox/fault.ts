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
 */

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

const actingKinds: ReadonlySet<string> = new Set([
  ...['latency', 'truncate', 'slow-body', 'wrong-type', 'none', 'key-lost', 'key-late'],
]);

/** A fault from its text; null where there is no such fault. */
export function readFault(text: string): Fault | null {
  const [, name = '', digits] = /^([a-z-]+)(?:=(\d{1,6}))?$/.exec(text.trim()) ?? [];
  const expected: readonly string[] = digits === undefined ? plain : numbered;
  if (!expected.includes(name)) return null;
  const number = Number(digits ?? 0);
  if (/^(?:status|key)/.test(name) && (number < 201 || number > 599)) return null;
  const kind = name.replace(/-after$/, '') as Fault['kind'];
  return { kind, number, acts: kind !== name || actingKinds.has(kind) };
}
