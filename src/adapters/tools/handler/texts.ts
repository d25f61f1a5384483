/**
 * The sentences of the handler: all that it says beside the facts of an operation.
 *
 * They are written to be said by an assistant to a caller. Nothing of a request, an answer or an
 * error is put into them but the name of a parameter and what its schema demands.
 */
import type { CallResult, ResultCode } from './result.js';

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
