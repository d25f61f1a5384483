/**
 * What a squad holds, as the operators select it: values of the document, and lines of the prompts.
 *
 * In: a trial. Out: a view with every value by its kind, which is its path without numbers and names
 * (`handoff/destinations/-/description`), and every line of every prompt by its kind. The source
 * map tells the compiler's own words from texts of the source, so a text that looks like a line of the
 * prompt is none: in the masked prompt each text of the source is a run of `¤`.
 */
import { isJsonObject, type Json, type JsonObject } from '../../src/compiler/ir/json.js';
import type { JsonPointer } from '../../src/index.js';
import type { Trial } from './trials.js';

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A text of the source in a text of the squad. */
export interface Quote extends Span {
  readonly from: JsonPointer;
  /** Whether it is word for word a text of the source, and not made by a rule. */
  readonly isSource: boolean;
}

/** A value of the document. */
export interface Value {
  readonly kind: string;
  readonly at: JsonPointer;
  readonly value: Json;
  readonly key: string;
  readonly member: number;
  readonly quotes: readonly Quote[];
}

/** Lines of a prompt that belong together. */
export interface Line extends Span {
  readonly kind: keyof typeof lineKinds;
  readonly member: number;
  readonly at: JsonPointer;
  readonly text: string;
  /** Where in the prompt; 0 is the opening, -1 what can happen at any time. */
  readonly step: number;
  readonly quotes: readonly Quote[];
  readonly masked: string;
}

export interface View {
  readonly squad: JsonObject;
  readonly target: 'squad' | 'vapi';
  readonly values: readonly Value[];
  readonly lines: readonly Line[];
  readonly prompts: readonly string[];
  readonly names: readonly string[];
  /** Where the members stand. */
  readonly membersAt: JsonPointer;
  readonly workflow: string;
  /** A word that neither the workflow nor the squad holds. */
  readonly word: string;
  readonly trial: Trial;
}

/** Kinds of lines, by what is left of them where the source's texts are masked; first match wins. */
const lineKinds = {
  heading: /^Step \d+$/,
  anytime: /^At any time$/,
  begin: /, begin at step \d+\.$/,
  say: /^Say: "¤*"$/,
  capture: /^- find out /,
  derive: /^- derive /,
  call: /^- call the tool /,
  toStep: /^- [\s\S]*go to step \d+$/,
  toAssistant: /^- [\s\S]*hand off to "[\s\S]*"$/,
  toEnd: /^- [\s\S]*then end the call$/,
  toTransfer: /^- [\s\S]*then transfer the call to /,
  instruction: /^¤+$/,
  other: /^/,
};

export function viewOf(trial: Trial): View {
  const { squad, sourceMap } = trial;
  const quotesAt = new Map<JsonPointer, Quote[]>();
  for (const { output, range, origin } of sourceMap) {
    const whole = valueAt(squad, output);
    if (typeof whole !== 'string') continue;
    if (origin.kind === 'synthesized' && origin.rule === 'wording') continue;
    const [start, end] = range ?? [0, whole.length];
    const from = origin.kind === 'source' ? origin.at : '';
    const quote = { start, end, from, isSource: origin.kind === 'source' };
    quotesAt.set(output, [...(quotesAt.get(output) ?? []), quote]);
  }
  const root = isJsonObject(squad['squad']) ? '/squad' : '';
  const membersAt = `${root}/members`;
  const values = [...listValues(squad, root, quotesAt)];
  const lines: Line[] = [];
  const prompts: string[] = [];
  const names: string[] = [];
  for (const member of listOf(valueAt(squad, membersAt)).keys()) {
    const at = `${membersAt}/${member}/assistant/model/messages/0/content`;
    const prompt = textOf(valueAt(squad, at));
    prompts.push(prompt);
    names.push(textOf(valueAt(squad, `${membersAt}/${member}/assistant/name`)));
    lines.push(...listLines(prompt, quotesAt.get(at) ?? [], member, at));
  }
  const workflow = JSON.stringify(trial.workflow);
  let word = 'zebra';
  while (`${workflow}${JSON.stringify(squad)}`.includes(word)) word += 'a';
  const target = root === '' ? 'vapi' : 'squad';
  return { squad, target, values, lines, prompts, names, membersAt, workflow, word, trial };
}

/** Every value, with its kind: indices and names that somebody chose are `-`, tools are their type. */
function* listValues(
  root: Json,
  prefix: JsonPointer,
  quotesAt: ReadonlyMap<JsonPointer, readonly Quote[]>,
): Iterable<Value> {
  const pending: Value[] = [{ kind: '', at: '', value: root, key: '', member: -1, quotes: [] }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, at, kind } = next;
    if (at !== '') yield next;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, part] of Object.entries(value).reverse() as [string, Json][]) {
      const place = `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const inTools = kind.endsWith('tools') && isJsonObject(part);
      const isOpen = Array.isArray(value) || /properties$|headers$/.test(kind);
      const step = inTools ? textOf(part['type']) : isOpen ? '-' : key;
      const within = place.slice(prefix.length);
      const member = Number(/^\/members\/(\d+)/.exec(within)?.[1] ?? -1);
      const path = kind === '' || kind === 'squad' ? step : `${kind}/${step}`;
      const short = path
        .replace(/^members\/-\/assistant(\/|$)/, 'assistant$1')
        .replace(/^assistant\/model\/tools\//, '');
      pending.push({
        kind: short,
        at: place,
        value: part,
        key,
        member,
        quotes: quotesAt.get(place) ?? [],
      });
    }
  }
}

function* listLines(
  prompt: string,
  quotes: readonly Quote[],
  member: number,
  at: JsonPointer,
): Iterable<Line> {
  let masked = prompt;
  for (const { start, end } of quotes) {
    masked = masked.slice(0, start) + '¤'.repeat(end - start) + masked.slice(end);
  }
  let start = 0;
  let step = 0;
  // A way with something to say goes over several lines, up to the one that says where it leads.
  for (const part of masked.match(
    /^- [^\n]*:\n(?: {2}[^\n]*\n)*? {2}then [^\n]*(?:\n|$)|[^\n]*(?:\n|$)/gm,
  ) ?? []) {
    const end = start + part.length;
    const text = part.replace(/\n$/, '');
    const kinds = Object.keys(lineKinds) as (keyof typeof lineKinds)[];
    const kind = kinds.find((each) => lineKinds[each].test(text)) ?? 'other';
    if (kind === 'heading') step += 1;
    if (kind === 'anytime') step = -1;
    const own = quotes.filter((quote) => quote.start >= start && quote.end <= end);
    if (text !== '') {
      yield {
        kind,
        member,
        at,
        start,
        end,
        step,
        text: prompt.slice(start, end),
        quotes: own,
        masked: text,
      };
    }
    start = end;
  }
}

export function valueAt(document: Json | undefined, at: JsonPointer): Json | undefined {
  let value = document;
  for (const segment of at.split('/').slice(1)) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) value = (value as readonly Json[])[Number(key)];
    else value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

/** The document in which the value at the place is what `make` makes of it; undefined drops it. */
export function change(
  document: JsonObject,
  at: JsonPointer,
  make: (value: Json | undefined) => Json | undefined,
): JsonObject {
  const keys = at.split('/').slice(1);
  const within = (
    value: Json | undefined,
    [first, ...rest]: readonly string[],
  ): Json | undefined => {
    if (first === undefined) return make(value);
    const key = first.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) {
      const made = within((value as readonly Json[])[Number(key)], rest);
      const list = value as readonly Json[];
      return made === undefined ? list.toSpliced(Number(key), 1) : list.with(Number(key), made);
    }
    if (!isJsonObject(value)) return value;
    const { [key]: own, ...others } = value;
    const made = within(own, rest);
    // Keys keep their order, so that it is no other document where nothing else changes.
    return made === undefined ? others : { ...value, [key]: made };
  };
  return within(document, keys) as JsonObject;
}

export const put = (document: JsonObject, at: JsonPointer, value: Json): JsonObject =>
  change(document, at, () => value);
export const drop = (document: JsonObject, at: JsonPointer): JsonObject =>
  change(document, at, () => undefined);

/** The element or the key once more, at the end. */
export function append(document: JsonObject, list: JsonPointer, value: Json): JsonObject {
  return change(document, list, (given) => [...listOf(given), value]);
}

export const listOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? value : [];
export const objectOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});
export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
