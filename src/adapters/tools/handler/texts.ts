/**
 * What became of a call, and the sentences that say so: all that the handler says beside the facts of
 * an operation.
 *
 * They are written to be said by an assistant to a caller. Nothing of a request, an answer or an
 * error is put into them but the name of a parameter and what its schema demands.
 * Guarantee: of a change that may have been made it is never said that it was not.
 */
import type { ApiError } from '../../http/error.js';
import type { Effect } from '../table/tool.js';

/**
 * - `done`: it is done, or read;
 * - `started`: a run was started and goes on; the line tells its id;
 * - `open`: it was sent and may still be at work;
 * - all others: nothing was done.
 */
export type ResultCode =
  | 'done'
  | 'started'
  | 'open'
  | 'not-found'
  | 'refused'
  | 'unavailable'
  | 'busy'
  | 'bad-arguments'
  | 'unknown-tool'
  | 'not-allowed';

/** What a tool call ended with, as the model hears it. */
export interface CallResult {
  readonly code: ResultCode;
  /** One line of bounded length: a sentence, or JSON with a sentence in `say`. */
  readonly line: string;
}

const answered: ReadonlySet<ResultCode> = new Set(['done', 'started', 'open']);

/** Whether the call was taken on. The others go to the platform as errors. */
export function isAnswered({ code }: CallResult): boolean {
  return answered.has(code);
}

const saying = (code: ResultCode, line: string): CallResult => ({ code, line });

export const texts = {
  done: saying('done', 'Done.'),
  nothingToTell: saying('done', 'There is nothing to tell about that.'),
  /** Of a change: it may be done, so it must not sound as if it had failed. */
  open: saying(
    'open',
    'That is being processed and may take a little longer. It does not need to be asked for again.',
  ),
  /** Of a change: whether it was done only a look at the service can tell. */
  uncertain: saying(
    'open',
    'I am not certain whether that was done. Please do not ask for it again; it has to be checked.',
  ),
  notFound: saying('not-found', 'I could not find that. Please check the number or the name.'),
  refused: saying('refused', 'That was not accepted with these details. Nothing was changed.'),
  unavailable: saying('unavailable', 'I cannot do that at the moment. Nothing was changed.'),
  unreachable: saying('unavailable', 'I cannot look that up at the moment. Please try again.'),
  busy: saying('busy', 'Too much is going on at the moment. Nothing was done; please try again.'),
  unknownTool: saying('unknown-tool', 'I cannot do that here.'),
  notAllowed: saying('not-allowed', 'I am not able to do that here.'),
  unreadable: saying('bad-arguments', 'I did not get the details of that. Please say them again.'),
  tooMuch: saying('bad-arguments', 'Those details are too long. Please say them shorter.'),
  unknownDetail: saying('bad-arguments', 'One of those details does not belong here.'),
  nothingSaid: saying('bad-arguments', 'I still need to know what is to be changed.'),
  badAddress: saying('bad-arguments', 'I cannot use a file from that address.'),
  missing: (name: string) => saying('bad-arguments', `I still need the ${wordsOf(name)}.`),
  wrong: (name: string, why: string) =>
    saying('bad-arguments', `The ${wordsOf(name)} is not right: it ${why}.`),
} as const;

/** A name as it is said: `dueDate` and `due_date` are a due date, `idBill` is a bill ID. */
export function wordsOf(name: string): string {
  return name
    .replace(/^id([A-Z]\w*)$/, '$1Id')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_.-]+/g, ' ')
    .toLowerCase()
    .replace(/\b(?:id|url)\b/g, (word) => word.toUpperCase());
}

/** Read by name: the client may come from another copy of the package. */
export function factsOf(error: unknown): Partial<ApiError> & { readonly runId?: unknown } {
  return error instanceof Error && error.name === 'ApiError' ? (error as ApiError) : {};
}

export function failureOf(error: unknown, effect: Effect): CallResult {
  const { outcome = 'unknown', code, status } = factsOf(error);
  if (code === 'api/not-found') return texts.notFound;
  if (effect === 'reads') return outcome === 'refused' ? refusalOf(status) : texts.unreachable;
  if (outcome === 'applied') return texts.done;
  // The key was seen before, by an attempt of this call or by a delivery that this handler does not
  // remember; whether anything came of it the service does not say.
  if (status === 409) return texts.uncertain;
  if (outcome === 'unknown') return texts.open;
  // An argument that the client itself does not send.
  if (code === 'api/invalid-argument') return texts.refused;
  return outcome === 'refused' ? refusalOf(status) : texts.unavailable;
}

/** With these the caller can do nothing about it. */
function refusalOf(status = 400): CallResult {
  const ours = /^(?:401|402|403|408|429|5\d\d)$/.test(`${status}`);
  return ours ? texts.unavailable : texts.refused;
}
