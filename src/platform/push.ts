/**
 * Creates squads, one after the other: `POST {base_url}/squad`.
 *
 * In: bodies, and a journal of what was created before. Out: one outcome for each body. Invariant:
 * an intent is on the disk before its request is sent, so that whatever may exist is known.
 */
import { isId } from './base-url.js';
import { type Earlier, earlier } from './journal.js';
import type { Journal } from './journal-file.js';
import type { Network } from './network.js';
import { type Fault, generalFaults, send } from './platform-api.js';
import type { SquadBody } from './squad-body.js';

export interface Push {
  readonly file: string;
  readonly body: SquadBody;
}

export type Pushed = { readonly push: Push } & (
  | { readonly kind: 'created'; readonly id: string }
  | { readonly kind: 'already'; readonly id: string }
  /** An earlier request may have created it. */
  | { readonly kind: 'doubtful'; readonly at: string }
  | { readonly kind: 'fault'; readonly fault: Fault }
  /** The server says that it was created, but not as what. */
  | { readonly kind: 'no-id' }
  | { readonly kind: 'not-tried' }
);

export interface PushTarget {
  readonly baseUrl: string;
  readonly key: string;
  /** Whether what may exist is created again. */
  readonly retryUnknown: boolean;
}

/** A result that could not be written down: the journal still holds the intent. */
export class UnrecordedResult extends Error {
  override readonly name = 'UnrecordedResult';

  constructor(
    readonly id: string | null,
    override readonly cause: unknown,
  ) {
    super('the result of a request could not be written to the journal');
  }
}

/** Creates what the journal does not have yet. */
export async function* push(
  pushes: readonly Push[],
  target: PushTarget,
  journal: Journal,
  network: Network,
): AsyncGenerator<Pushed> {
  let stopped = false;
  for (const each of pushes) {
    const outcome: Pushed = stopped
      ? { push: each, kind: 'not-tried' }
      : await pushOne(each, target, journal, network);
    stopped ||= outcome.kind === 'fault' && generalFaults.has(outcome.fault.kind);
    yield outcome;
  }
}

/** What the journal says of a body before anything is sent. */
export function before(
  { body: { hash } }: Push,
  { baseUrl }: Pick<PushTarget, 'baseUrl'>,
  creations: ReturnType<Journal['creations']>,
): Earlier {
  return earlier(creations, { hash, baseUrl });
}

async function pushOne(
  each: Push,
  target: PushTarget,
  journal: Journal,
  network: Network,
): Promise<Pushed> {
  const { baseUrl, key } = target;
  const known = before(each, target, journal.creations());
  if (known.kind === 'created') return { push: each, kind: 'already', id: known.id };
  if (known.kind === 'unknown' && !target.retryUnknown) {
    return { push: each, kind: 'doubtful', at: known.at };
  }
  const intent = Math.max(0, ...journal.creations().map((one) => one.intent)) + 1;
  const at = () => new Date(network.now()).toISOString();
  const { hash, text: body } = each.body;
  await journal.append({ event: 'intent', intent, at: at(), hash, baseUrl, file: each.file });
  const reply = await send({ method: 'POST', url: `${baseUrl}/squad`, key, body }, network);
  const id = reply.ok ? idOf(reply.text, key) : null;
  await recorded(id, () => {
    if (id !== null) return journal.append({ event: 'created', intent, at: at(), id });
    const isUnknown = reply.ok || reply.fault.mayHaveActed;
    return journal.append({ event: isUnknown ? 'unknown' : 'refused', intent, at: at() });
  });
  if (id !== null) return { push: each, kind: 'created', id };
  return reply.ok
    ? { push: each, kind: 'no-id' }
    : { push: each, kind: 'fault', fault: reply.fault };
}

async function recorded(id: string | null, append: () => Promise<void>): Promise<void> {
  try {
    await append();
  } catch (error) {
    throw new UnrecordedResult(id, error);
  }
}

/** An answer that gives the key for an id would bring it into the journal. */
function idOf(text: string, key: string): string | null {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer !== 'object' || answer === null || !('id' in answer)) return null;
    const { id } = answer;
    return typeof id === 'string' && isId(id) && !id.includes(key) ? id : null;
  } catch {
    return null;
  }
}
