/**
 * What became of a call, as one line that an assistant can say: a sentence of ours, or the facts of an
 * answer that its row of the table allows.
 *
 * Services return what people wrote into their records, and a text that reaches a model can instruct it.
 * So nothing of a request or an error is said except the name of a parameter, and a value of an answer
 * has to look like its kind; no kind has room for a sentence.
 * Guarantee: of a change that may have been made it is never said that it was not.
 *
 * Example: {"say":"Bill number B-1, net amount 10.00.","billNumber":"B-1","netAmount":10}
 */
import type { ApiError } from '../clients/http/error.js';
import type { Effect, SaidAs } from './table.js';

/**
 * - `done`: it is done, or read;
 * - `started`: a run was started and continues; the line contains its id;
 * - `open`: it was sent, and may still be in progress;
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

/** The result of a tool call, as the model gets it. */
export interface CallResult {
  readonly code: ResultCode;
  /** One line of limited length: a sentence, or JSON with a sentence in `say`. */
  readonly line: string;
}

/** Whether the call is a result for the platform; the others are errors. */
export function isAnswered({ code }: CallResult): boolean {
  return code === 'done' || code === 'started' || code === 'open';
}

const saying = (code: ResultCode, line: string): CallResult => ({ code, line });

export const results = {
  done: saying('done', 'Done.'),
  doneAs: (what: string) => saying('done', `Done: ${what}.`),
  nothingToTell: saying('done', 'There is nothing to report about that.'),
  open: saying(
    'open',
    'That is being processed and may take a little longer. You do not need to ask again.',
  ),
  /** Only a look at the service can tell whether the change was made. */
  uncertain: saying(
    'open',
    'I am not certain whether that was done. Please do not ask for it again; somebody has to check it.',
  ),
  started(runId: string): CallResult {
    const say = `That is still being worked on. The ID of the run is ${runId}; ask for its status later.`;
    return saying('started', JSON.stringify({ say, runId }));
  },
  notFound: saying('not-found', 'I could not find that. Please check the number or the name.'),
  refused: saying('refused', 'These details were not accepted. Nothing was changed.'),
  unavailable: saying('unavailable', 'I cannot do that at the moment. Nothing was changed.'),
  unreachable: saying('unavailable', 'I cannot look that up at the moment. Please try again.'),
  busy: saying('busy', 'The system is busy at the moment. Nothing was done; please try again.'),
  otherCall: saying(
    'refused',
    'The ID of that call belongs to another call, so nothing was done. Make a new call.',
  ),
  noId: saying('bad-arguments', 'The call has no valid ID, so nothing was done. Make a new call.'),
  unknownTool: saying('unknown-tool', 'I cannot do that here.'),
  notAllowed: saying('not-allowed', 'I am not able to do that here.'),
  unreadable: saying('bad-arguments', 'I did not get the details of that. Please say them again.'),
  unknownDetail: saying('bad-arguments', 'One of those details does not belong here.'),
  nothingSaid: saying('bad-arguments', 'I still need to know what to change.'),
  badAddress: saying('bad-arguments', 'I cannot use a file from that address.'),
  missing: (name: string) => saying('bad-arguments', `I still need the ${wordsOf(name)}.`),
  wrong: (name: string, fault: string) =>
    saying('bad-arguments', `The ${wordsOf(name)} is not right: it ${fault}.`),
} as const;

/** A name as it is said: `dueDate` and `due_date` are a due date, `idBill` is a bill ID. */
function wordsOf(name: string): string {
  return name
    .replace(/^id([A-Z]\w*)$/, '$1Id')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .replace(/\b(?:id|url)\b/g, (word) => word.toUpperCase());
}

/** What is known of an error; by its name, as the client may come from another copy of the package. */
export function factsOf(error: unknown): Partial<ApiError> & { readonly runId?: unknown } {
  return error instanceof Error && error.name === 'ApiError' ? (error as ApiError) : {};
}

/** What is said of an error of a client. */
export function failureOf(error: unknown, effect: Effect, done: CallResult): CallResult {
  const { outcome = 'unknown', code, status = 400 } = factsOf(error);
  const isChange = effect !== 'reads';
  if (isChange && outcome === 'applied') return done;
  // With 409, the service has seen the key before. It does not say whether anything was done.
  if (isChange && (outcome === 'unknown' || status === 409)) return results.uncertain;
  if (code === 'api/not-found') return results.notFound;
  if (!isChange && outcome !== 'refused') return results.unreachable;
  // Other statuses are about what the caller said, as is an argument that the client refused.
  const isOurs = /^(?:401|402|403|408|429|5\d\d)$/.test(`${status}`);
  const isSaid = outcome === 'refused' ? !isOurs : code === 'api/invalid-argument';
  return isSaid ? results.refused : results.unavailable;
}

/** A value of an answer. `text` is for configurations only: words of people, cut and cleaned. */
export interface SayableFact {
  readonly name: string;
  /** JSON Pointer into the answer; `*` stands for each entry of a list. */
  readonly at: string;
  readonly as: SaidAs | 'text';
}

/** Whether a fact of a configuration is valid; its name must not replace the sentence. */
export function isSayable({ name, at, as }: SayableFact): boolean {
  return /^(?!say$)[A-Za-z]\w{0,39}$/.test(name) && at.startsWith('/') && Object.hasOwn(kinds, as);
}

/** More entries of a list than this are not listened to. */
const mostEntries = 5;

/** The line for an answer; of a list, as many entries as there is room for. */
export function sayAnswer(
  answer: unknown,
  sayable: readonly SayableFact[],
  effect: Effect,
  done: CallResult,
  maxChars: number,
): CallResult {
  const list = sayable.find(({ at }) => at.includes('/*/'))?.at.split('/*/')[0];
  const single = sayable.filter(({ at }) => !at.includes('/*'));
  const inEntry = sayable
    .filter(({ at }) => at.startsWith(`${list}/*/`))
    .map((fact) => ({ ...fact, at: fact.at.slice(`${list}/*`.length) }));
  const facts = factsIn(answer, single);
  const listed = list === undefined ? [] : valueAt(answer, list);
  const entries = (Array.isArray(listed) ? listed : [])
    .map((entry) => factsIn(entry, inEntry))
    .filter((entry) => entry.length > 0);
  const bare = effect === 'reads' ? results.nothingToTell : done;
  if (facts.length === 0 && entries.length === 0) return bare;
  const opening = effect === 'changes' ? [done.line] : [];
  for (let shown = Math.min(mostEntries, entries.length); shown >= 0; shown -= 1) {
    const line = lineOf(opening, facts, entries.slice(0, shown), shown < entries.length);
    if (line.length <= maxChars) return saying('done', line);
  }
  return saying('done', bare.line.slice(0, maxChars));
}

/** A fact that was found: as it is said, and as the conversation keeps it. */
interface Fact extends SaidValue {
  readonly name: string;
}

function factsIn(answer: unknown, sayable: readonly SayableFact[]): Fact[] {
  return sayable.flatMap(({ name, at, as }) => {
    const found = sayValue(valueAt(answer, at), as);
    return found ? [{ name, ...found }] : [];
  });
}

function valueAt(answer: unknown, pointer: string): unknown {
  let value = answer;
  for (const key of pointer.split('/').slice(1)) {
    if (!(value instanceof Object) || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function lineOf(
  opening: readonly string[],
  facts: readonly Fact[],
  entries: readonly Fact[][],
  more: boolean,
): string {
  const sentences = [
    ...opening,
    ...(facts.length > 0 ? [sentenceOf(facts)] : []),
    ...entries.map((entry, index) => `${index + 1}: ${sentenceOf(entry)}`),
    ...(entries.length > 0 && more ? ['There are more.'] : []),
  ];
  const line: Record<string, unknown> = { say: sentences.join(' ') };
  for (const { name, value } of facts) line[name] = value;
  for (const { name } of entries.flat()) {
    line[name] = entries.map((entry) => entry.find((fact) => fact.name === name)?.value ?? null);
  }
  return JSON.stringify(line);
}

function sentenceOf(facts: readonly Fact[]): string {
  const text = facts.map(({ name, said }) => `${wordsOf(name)} ${said}`).join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

interface SaidValue {
  readonly said: string;
  readonly value: string | number;
}

/** A value as it is said and kept; null if it does not look like its kind. */
export function sayValue(value: unknown, as: SayableFact['as']): SaidValue | null {
  const kept = kinds[as](value);
  if (kept === null) return null;
  const said = as === 'amount' ? amountOf(Number(kept)) : as === 'date' ? dayOf(`${kept}`) : kept;
  return { said: `${said}`, value: kept };
}

type Kept = SaidValue['value'] | null;

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);
const numberIn = (value: unknown): Kept =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
const matching =
  (form: RegExp) =>
  (value: unknown): Kept =>
    isWhole(value) || form.test(textIn(value)) ? (value as string | number) : null;

/** What is kept of a value of each kind; null if it is not of the kind. */
const kinds: Readonly<Record<SayableFact['as'], (value: unknown) => Kept>> = {
  count(value) {
    const count = Array.isArray(value) ? value.length : value;
    return isWhole(count) && count >= 0 ? count : null;
  },
  number: numberIn,
  amount: numberIn,
  date(value) {
    const [day] = /^\d{4}-(?:0[1-9]|1[0-2])-\d{2}(?=T[\d:.]{5,15}Z?$|$)/.exec(textIn(value)) ?? [];
    return day && new Date(day).toJSON()?.startsWith(day) ? day : null;
  },
  status(value) {
    if (typeof value === 'number') return billStatuses.get(value) ?? null;
    const isWord = /^[A-Z][A-Z_]{0,39}$/.test(textIn(value));
    return isWord ? textIn(value).toLowerCase().replaceAll('_', ' ') : null;
  },
  identifier: matching(/^[A-Za-z0-9_-]{1,100}$/),
  // At most ten letters, and a digit among more than five: INVOICE-2026-0017 or pdf, no request.
  sign: matching(
    /^(?=\P{N}*\p{N}|\p{L}{1,5}$)(?!(?:\P{L}*\p{L}){11})[\p{L}\p{N}][\p{L}\p{N} _.#/-]{0,39}$/u,
  ),
  // One line, without what templates or markup act on.
  text(value) {
    const line = textIn(value)
      .slice(0, 400)
      .replace(/[\p{C}\p{Z}{}<>`]+/gu, ' ');
    return line.trim().slice(0, 200).toWellFormed() || null;
  },
};

const billStatuses: ReadonlyMap<number, string> = new Map([
  [-99, 'cancelled'],
  [1, 'active'],
  [2, 'sent to approval'],
  [5, 'partially approved'],
  [11, 'disapproved'],
  [20, 'approved'],
  [50, 'in transit'],
  [100, 'paid'],
]);

const dayOf = (date: string): string =>
  new Date(date).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });

const amountOf = (amount: number): string =>
  amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
