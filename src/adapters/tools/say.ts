/**
 * What became of a call, as one line that an assistant can say: a sentence of our own, or the facts of
 * an answer that its definition lets out, and no others.
 *
 * A service hands out what people wrote into its records, and what is said to a model can instruct
 * it. So nothing of a request or an error is said but the name of a parameter, and no value of an
 * answer passes by its place alone: it has to look like what it is taken for, and no kind has room
 * for a sentence.
 * Guarantee: of a change that may have been made it is never said that it was not.
 *
 * Example: {"say":"Bill number B-1, net amount 10.00.","billNumber":"B-1","netAmount":10}
 */
import type { ApiError } from '../http/error.js';
import type { Effect, SaidAs } from './tool.js';

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

/** Whether the call was taken on. The others go to the platform as errors. */
export function isAnswered({ code }: CallResult): boolean {
  return code === 'done' || code === 'started' || code === 'open';
}

const saying = (code: ResultCode, line: string): CallResult => ({ code, line });

export const results = {
  done: saying('done', 'Done.'),
  nothingToTell: saying('done', 'There is nothing to report about that.'),
  /** Of a change: it may be done, so it must not sound as if it had failed. */
  open: saying(
    'open',
    'That is being processed and may take a little longer. You do not need to ask again.',
  ),
  /** Of a change: whether it was done only a look at the service can tell. */
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
  unknownTool: saying('unknown-tool', 'I cannot do that here.'),
  notAllowed: saying('not-allowed', 'I am not able to do that here.'),
  unreadable: saying('bad-arguments', 'I did not get the details of that. Please say them again.'),
  tooMuch: saying('bad-arguments', 'Those details are too long. Please shorten them.'),
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
    .replace(/[_.-]+/g, ' ')
    .toLowerCase()
    .replace(/\b(?:id|url)\b/g, (word) => word.toUpperCase());
}

/** Read by name: the client may come from another copy of the package. */
export function factsOf(error: unknown): Partial<ApiError> & { readonly runId?: unknown } {
  return error instanceof Error && error.name === 'ApiError' ? (error as ApiError) : {};
}

/** What is said of an error of a client. */
export function failureOf(error: unknown, effect: Effect): CallResult {
  const { outcome = 'unknown', code, status = 400 } = factsOf(error);
  // With these the caller can do nothing about it.
  const isOurs = /^(?:401|402|403|408|429|5\d\d)$/.test(`${status}`);
  const refusal = isOurs ? results.unavailable : results.refused;
  if (code === 'api/not-found') return results.notFound;
  if (effect === 'reads') return outcome === 'refused' ? refusal : results.unreachable;
  if (outcome === 'applied') return results.done;
  // The key was seen before, by an attempt of this call or by a delivery that this handler does not
  // remember; whether anything came of it the service does not say.
  if (status === 409) return results.uncertain;
  if (outcome === 'unknown') return results.open;
  // An argument that the client itself does not send.
  if (code === 'api/invalid-argument') return results.refused;
  return outcome === 'refused' ? refusal : results.unavailable;
}

/**
 * A value of an answer: its name, where it stands (`*` for each entry of a list), what it is. `text`
 * is what a configuration may add: words of people, cut and cleaned.
 */
export interface SayableFact {
  readonly name: string;
  readonly at: string;
  readonly as: SaidAs | 'text';
}

/** Whether a fact of a configuration is one: its name must not take the place of the sentence. */
export function isSayable({ name, at, as }: SayableFact): boolean {
  return /^(?!say$)[A-Za-z]\w{0,39}$/.test(name) && at.startsWith('/') && Object.hasOwn(kinds, as);
}

/** A fact that was found: as it is said, and as the conversation keeps it. */
interface Fact extends SaidValue {
  readonly name: string;
}

/** Entries of a list that are told; more is not listened to. */
const mostEntries = 5;

/** The line for an answer of an operation; of a list as many entries as it has room for. */
export function sayAnswer(
  answer: unknown,
  sayable: readonly SayableFact[],
  effect: Effect,
  maxChars: number,
): CallResult {
  const [, list] = /^(.*?)\/\*/.exec(sayable.find(({ at }) => at.includes('/*'))?.at ?? '') ?? [];
  const single = sayable.filter(({ at }) => !at.includes('/*'));
  const inEntry = sayable
    .filter(({ at }) => at.startsWith(`${list}/*/`))
    .map((fact) => ({ ...fact, at: fact.at.slice(`${list}/*`.length) }));
  const facts = factsIn(answer, single);
  const listed = list === undefined ? [] : valueAt(answer, list);
  const entries = (Array.isArray(listed) ? listed : [])
    .map((entry) => factsIn(entry, inEntry))
    .filter((entry) => entry.length > 0);
  const bare = effect === 'reads' ? results.nothingToTell : results.done;
  if (facts.length === 0 && entries.length === 0) return bare;
  const opening = effect === 'changes' ? [results.done.line] : [];
  for (let shown = Math.min(mostEntries, entries.length); shown >= 0; shown -= 1) {
    const line = lineOf(opening, facts, entries.slice(0, shown), shown < entries.length);
    if (line.length <= maxChars) return saying('done', line);
  }
  return saying('done', bare.line.slice(0, maxChars));
}

function factsIn(answer: unknown, sayable: readonly SayableFact[]): Fact[] {
  return sayable.flatMap(({ name, at, as }) => {
    const found = sayValue(valueAt(answer, at), as);
    return found ? [{ name, ...found }] : [];
  });
}

/** Undefined where there is none of the answer's own. */
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
  // No name is `say`, begins with `_` or is a number: each is a property, in this order.
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
  readonly value: string | number | boolean;
}

/** A value as it is said and kept; null where it is not what it is taken for. */
export function sayValue(value: unknown, as: SayableFact['as']): SaidValue | null {
  const kept = kinds[as](value);
  if (kept === null) return null;
  const said = as === 'amount' ? amountOf(Number(kept)) : as === 'date' ? dayOf(`${kept}`) : kept;
  if (typeof said !== 'boolean') return { said: `${said}`, value: kept };
  return { said: said ? 'yes' : 'no', value: kept };
}

type Kept = SaidValue['value'] | null;

const whole = (value: unknown): value is number => Number.isSafeInteger(value);
const numberIn = (value: unknown): Kept =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
const matching =
  (form: RegExp) =>
  (value: unknown): Kept =>
    whole(value) || (typeof value === 'string' && form.test(value)) ? value : null;

/** What is kept of a value of each kind; null where it is none. */
const kinds: Readonly<Record<SayableFact['as'], (value: unknown) => Kept>> = {
  count(value) {
    const count = Array.isArray(value) ? value.length : value;
    return whole(count) && count >= 0 ? count : null;
  },
  number: numberIn,
  amount: numberIn,
  flag: (value) => (typeof value === 'boolean' ? value : null),
  date(value) {
    const [day] = /^\d{4}-(?:0[1-9]|1[0-2])-\d{2}(?=T[\d:.]{5,15}Z?$|$)/.exec(textIn(value)) ?? [];
    return day ?? null;
  },
  status(value) {
    if (whole(value)) return billStatuses.get(value) ?? null;
    const isWord = /^[A-Z][A-Z_]{0,39}$/.test(textIn(value));
    return isWord ? textIn(value).toLowerCase().replaceAll('_', ' ') : null;
  },
  identifier: matching(/^[A-Za-z0-9_-]{1,100}$/),
  // Ten letters at most, and a digit among more than five: INVOICE-2026-0017 or pdf, no request.
  sign: matching(
    /^(?=\P{N}*\p{N}|\p{L}{1,5}$)(?!(?:\P{L}*\p{L}){11})[\p{L}\p{N}][\p{L}\p{N} _.#/-]{0,39}$/u,
  ),
  // One line, without what a template or a reader of markup would act on.
  text(value) {
    const line = textIn(value)
      .slice(0, 400)
      .replace(/[\p{C}\p{Z}{}<>`]+/gu, ' ');
    return line.trim().slice(0, 200).toWellFormed() || null;
  },
};

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

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

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

function dayOf(day: string): string {
  const [year, month, ofMonth] = day.split('-').map(Number);
  return `${months[month! - 1]} ${ofMonth}, ${year}`;
}

/** With the cents, and a comma before each three figures: not by a locale, which machines have. */
function amountOf(amount: number): string {
  return amount.toFixed(2).replace(/\B(?=(?:\d{3})+\.)/g, ',');
}
