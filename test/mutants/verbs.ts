/**
 * Ways to damage a part of a squad.
 *
 * A verb consults no checker. It only makes squads whose meaning differs from the original's; changes
 * that may have no effect are excluded in the table of operators, with the reason.
 */
import type { Json, JsonObject } from '../../src/index.js';
import { append, change, drop, isSame, listOf, objectOf, put, textOf, valueAt } from '../json.js';
import { type Part, promptAt, type Span, type View } from './parts.js';

/** Yields the damaged squads; `same` are all parts of the same kind. */
export type Edit = (view: View, part: Part, same: readonly Part[]) => Iterable<JsonObject>;

const isLine = ({ kind }: Part): boolean => kind.startsWith('line ');
const parentOf = (at: string): string => at.slice(0, at.lastIndexOf('/'));

/** The squad with spans of the text at a place replaced. */
export function edited(
  squad: JsonObject,
  at: string,
  ...edits: readonly (readonly [span: Span, text: string])[]
): JsonObject {
  let text = textOf(valueAt(squad, at));
  for (const [{ start, end }, other] of edits.toSorted(([a], [b]) => b.start - a.start)) {
    text = text.slice(0, start) + other + text.slice(end);
  }
  return put(squad, at, text);
}

/** The part has another text or value. */
export const replaced = ({ squad }: View, part: Part, value: Json): JsonObject =>
  isLine(part) ? edited(squad, part.at, [part, String(value)]) : put(squad, part.at, value);

export const headings = ({ parts }: View): Part[] =>
  parts.filter(({ kind }) => kind === 'line heading');
/** The lines of the same step, its heading first. */
export const stepOf = ({ parts }: View, { member, step }: Part): Part[] =>
  parts.filter((each) => isLine(each) && each.member === member && each.step === step);

/** The text with one word replaced, outside of templates; null if there is none. */
function reword(text: string, word: string): string | null {
  const tag = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g;
  const plain = text.replaceAll(tag, (all) => ' '.repeat(all.length));
  const found = /\p{L}[\p{L}\p{N}]+/u.exec(plain);
  if (found === null) return null;
  return text.slice(0, found.index) + word + text.slice(found.index + found[0].length);
}

/** Another value of the same kind; null if every other value means the same. */
function otherThan({ word, squad }: View, { at, kind, key, value, quotes }: Part): Json | null {
  if (typeof value === 'number') return value === 1 ? 2 : value - 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'object') {
    return Array.isArray(value) ? null : { ...objectOf(value), [word]: word };
  }
  if (key === 'type' && kind.includes('contextEngineeringPlan')) {
    return value === 'none' ? 'all' : 'none';
  }
  if (key === 'type') return value === 'string' ? 'number' : 'string';
  if (key === 'role') return 'user';
  if (key === 'liquid') return value === 'false' ? 'true' : 'false';
  if (key === 'method') return value === 'GET' ? 'POST' : 'GET';
  if (key === 'number') return `${value}1`;
  // A path into a tool's response becomes another path, a text in a template another text.
  if (key === 'value' && /^\{\{ *\$/.test(value)) return value.replace('$', `$.${word}`);
  const words = quotes.filter(({ isSource }) => isSource);
  for (const { start, end } of /escription$|essage$/.test(key) ? words : []) {
    const other = reword(value.slice(start, end), word);
    if (other !== null) return textOf(valueAt(edited(squad, at, [{ start, end }, other]), at));
  }
  return `${value}${word}`;
}

/** The part is repeated elsewhere: in an object without the key, in another list, in another step. */
function* copied(view: View, part: Part, isLeft = false): Iterable<JsonObject> {
  const without = drop(view.squad, part.at);
  if (isLine(part)) {
    const numbered = headings(view);
    // Without a heading there is one step, and it ends with the prompt.
    const others = view.prompts.flatMap((prompt, member) => {
      const at = promptAt(`${view.membersAt}/${member}`);
      const isPlain = prompt !== '' && numbered.every((it) => it.member !== member);
      return isPlain ? [{ at, member, end: prompt.length }] : [];
    });
    for (const { at, member, end } of [...numbered, ...others]) {
      const place: readonly [Span, string] = [{ start: end, end }, part.text];
      if (at !== part.at) {
        const isThere = view.prompts[member]!.includes(part.text.trim());
        if (!isThere) yield edited(isLeft ? replaced(view, part, '') : view.squad, at, place);
      } else if (isLeft && end !== part.start && end !== part.end) {
        yield edited(view.squad, at, place, [part, '']);
      }
    }
    return;
  }
  const { kind, at } = view.parts.find((each) => each.at === parentOf(part.at))!;
  for (const holder of view.parts.filter((each) => each.kind === kind && each.at !== at)) {
    const squad = isLeft ? without : view.squad;
    if (Array.isArray(holder.value)) {
      if (!holder.value.some((each) => isSame(each, part.value)))
        yield append(squad, holder.at, part.value);
    } else if (objectOf(holder.value)[part.key] === undefined) {
      yield put(squad, `${holder.at}/${part.key}`, part.value);
    }
  }
}

/** Ways into one step may be told in any order. */
function beginsAlike({ kind, text }: Part, other: Part): boolean {
  const stepIn = (line: string) => /begin at (step \d+)/.exec(line)?.[1];
  return kind === 'line begin' && stepIn(text) === stepIn(other.text);
}

/** What each verb does. */
export const verbs = {
  *lost(view, part) {
    if (isLine(part)) return yield replaced(view, part, '');
    // A property is lost together with its entry in `required`.
    const required = `${parentOf(parentOf(part.at))}/required`;
    const without = (names: Json | undefined) => listOf(names).filter((name) => name !== part.key);
    const dropped = drop(view.squad, part.at);
    const isDemanded = /properties\/-$/.test(part.kind) && valueAt(dropped, required) !== undefined;
    yield isDemanded ? change(dropped, required, without) : dropped;
  },
  *changed(view, part) {
    const other = otherThan(view, part);
    if (other !== null && !isLine(part)) yield put(view.squad, part.at, other);
    for (const { start, end, isSource } of isLine(part) ? part.quotes : []) {
      const text = textOf(part.value).slice(start, end);
      const words = reword(text, view.word);
      if (words !== null && isSource) yield edited(view.squad, part.at, [{ start, end }, words]);
    }
  },
  *emptied(view, part) {
    const { value } = part;
    const nothing = Array.isArray(value) ? [] : typeof value === 'object' ? {} : '';
    if (!isLine(part)) yield put(view.squad, part.at, nothing);
  },
  *doubled(view, part) {
    if (isLine(part)) yield replaced(view, part, part.text + part.text);
    else yield append(view.squad, parentOf(part.at), part.value);
  },
  *renamed({ squad, word }, { at, key, value }) {
    const half = put(drop(squad, at), `${parentOf(at)}/${word}`, value);
    yield change(half, `${parentOf(parentOf(at))}/required`, (names) =>
      listOf(names).map((name) => (name === key ? word : name)),
    );
  },
  copied: (view, part) => copied(view, part),
  moved: (view, part) => copied(view, part, true),
  *swapped(view, part, same) {
    for (const other of same.slice(same.indexOf(part) + 1)) {
      const isWithin = other.at.startsWith(`${part.at}/`);
      const [one, two] = isLine(part) ? [part.text, other.text] : [part.value, other.value];
      if (isWithin || isSame(one, two) || beginsAlike(part, other)) continue;
      if (!isLine(part)) yield put(put(view.squad, part.at, two), other.at, one);
      else if (part.at === other.at)
        yield edited(view.squad, part.at, [part, other.text], [other, part.text]);
    }
  },
} satisfies Record<string, Edit>;
