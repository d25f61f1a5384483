/**
 * Secrets: literals that authenticate. They stand in the squad and nowhere else: whatever shows
 * part of a workflow hides them, and the reader warns about the same ones.
 *
 * A literal is secret if its name is one such as `Authorization`, `Cookie` or `apiKey` (a member of
 * an object, a pair of key and value, a schema property with a value), if it stands in the query of
 * a URL under such a name, or if it is a URL's user and password. Beside a template output only the
 * literal part counts, without the scheme and the names of cookies: `Bearer {{token}}` has no
 * secret.
 */
import { child, type JsonPointer } from './ids.js';

/** Replaces what is hidden. */
export const hidden = '••••';

const names: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie']);
const words: ReadonlySet<string> = new Set([
  ...['key', 'apikey', 'token', 'secret', 'auth', 'password'],
]);

/** Returns true if a value of this name is secret: `X-Api-Key` is, `Idempotency-Key` is not. */
export function isSecretName(name: string): boolean {
  const parts = name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_]/);
  if (parts.includes('idempotency')) return false;
  return names.has(name.toLowerCase()) || parts.some((part) => words.has(part));
}

/** A literal that authenticates: its name, and the secret texts in it. */
export interface Secret {
  readonly at: JsonPointer;
  readonly name: string;
  readonly texts: readonly string[];
}

/** Members of a schema that hold a value rather than describe one. */
const valueMembers: ReadonlySet<string> = new Set([
  ...['value', 'default', 'const', 'enum', 'examples'],
]);

/** Members that name things: hiding their texts would hide everything about the thing. */
const naming: ReadonlySet<string> = new Set([
  ...['id', 'name', 'type', 'from', 'to', 'source', 'target'],
]);

/** A shorter secret is hidden only where it stands: elsewhere it may be an ordinary word. */
const recognizable = 6;

type Members = Readonly<Record<string, unknown>>;

/**
 * Finds the secrets of a document and hides them where they stand; a document without secrets is
 * returned unchanged. `texts` are the secrets that can be recognized elsewhere. Objects in `apart`
 * have members that name secrets but are not secret.
 */
export function maskSecrets<Document>(document: Document, apart: ReadonlySet<unknown> = new Set()) {
  const secrets: Secret[] = [];
  const known = new Set<string>();
  const mask = (value: unknown, at: JsonPointer, owner: string | null): unknown => {
    if (typeof value === 'string') {
      const found = owner === null ? secretsOfAddress(value) : secretsOfValue(value, owner);
      if (found.length === 0) return value;
      secrets.push({ at, name: found[0]!.name, texts: found.map(({ text }) => text) });
      if (owner !== null && !value.includes('{{')) return hidden;
      return createHider(found.map(({ text }) => text))(value);
    }
    if (Array.isArray(value)) return value.map((each, at_) => mask(each, child(at, at_), owner));
    return mapMembers(value, (member, key) => {
      const next = apart.has(value) ? null : ownerOf(key, value as Members, owner);
      if (next === null && typeof member === 'string' && naming.has(key)) known.add(member);
      return mask(member, child(at, key), next);
    });
  };
  const masked = mask(document, '', null) as Document;
  const texts = new Set(secrets.flatMap((it) => it.texts));
  return {
    masked: secrets.length === 0 ? document : masked,
    secrets: secrets as readonly Secret[],
    texts: [...texts].filter((text) => text.length >= recognizable && !known.has(text)),
  };
}

/** The object with each member changed; other values unchanged. */
function mapMembers(value: unknown, map: (member: unknown, key: string) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, map(it, key)]));
}

/** The name that makes a member secret; null if it is not. */
function ownerOf(key: string, members: Members, owner: string | null): string | null {
  const { key: pair, name = pair, type } = members;
  const called = typeof pair === 'string' ? pair : name;
  if (
    typeof called === 'string' &&
    Object.hasOwn(members, 'value') &&
    /^(?:key|name|value)$/.test(key)
  ) {
    return key === 'value' ? (owner ?? (isSecretName(called) ? called : null)) : null;
  }
  if (owner === null) return isSecretName(key) ? key : null;
  return typeof type === 'string' && !valueMembers.has(key) ? null : owner;
}

interface Part {
  readonly name: string;
  readonly text: string;
}

const scheme = /^\s*(?:(?:bearer|basic|token|digest|api-?key)(?:\s+|$))?/i;

/** The secret parts of a value that authenticates. */
function secretsOfValue(value: string, name: string): Part[] {
  const [first = '', ...pieces] = value.split('{{');
  const whole = first.replace(scheme, '').trim();
  if (pieces.length === 0) return whole === '' ? [] : [{ name, text: whole }];
  const literals = [whole, ...pieces.map((it) => it.split('}}').slice(1).join(' '))];
  const runs = literals.flatMap(
    (it) => it.replace(/(?<![\w-])[\w-]+=/g, ' ').match(/[^\s;,&:]{4,}/g) ?? [],
  );
  return runs.map((text) => ({ name, text }));
}

/** The secret parts of a URL, or of a text that contains one. */
export function secretsOfAddress(text: string): Part[] {
  const users = text.matchAll(/:\/\/([^\s/?#@]+)@/g);
  const query = text.matchAll(/[?&]([\w.%[\]-]{1,80})=([^\s&#"'<>]+)/g);
  return [
    ...[...users].flatMap(([, user]) => secretsOfValue(user!, 'user:password')),
    ...[...query].flatMap(([, name, value]) =>
      isSecretName(name!) ? secretsOfValue(value!, name!) : [],
    ),
  ];
}

/** Members of a result that are sentences or values; the others are names and places. */
const sentences = /^(?:message|help|text|label|effect|reason|description|proposalValue)$/;

/** Hides secrets in the sentences of a result; ids and places, which answers refer to, are kept. */
export function hideInSentences<Result>(result: Result, texts: readonly string[]): Result {
  return hide(result, texts, sentences);
}

/** Hides secrets in all texts. */
export function hideTexts<Document>(document: Document, texts: readonly string[]): Document {
  return hide(document, texts, /^/);
}

function hide<Document>(document: Document, texts: readonly string[], members: RegExp): Document {
  if (texts.length === 0) return document;
  const withoutTexts = createHider(texts);
  const walk = (value: unknown, isInside: boolean): unknown => {
    if (typeof value === 'string') return isInside ? withoutTexts(value) : value;
    if (Array.isArray(value)) return value.map((each) => walk(each, isInside));
    return mapMembers(value, (member, key) => walk(member, isInside || members.test(key)));
  };
  return walk(document, members.test('')) as Document;
}

/**
 * Hides secrets wherever they occur in a text, and what is left of one before an ellipsis.
 *
 * An automaton of Aho and Corasick finds all of them in one pass. Its states are the beginnings of
 * the secrets, numbered from 0, the empty one; it is in the longest that the text so far ends with.
 */
function createHider(secrets: Iterable<string>): (text: string) => string {
  /** Of each state: the unit and the state that follow it first; all others are in `others`. */
  const [units, nexts] = [[-1], [0]];
  const others = new Map<number, number>();
  /** Of each state: the longest other one, and the longest secret, that it ends with. */
  const [lengths, shorter, found] = [[0], [0], [0]];
  const step = (state: number, unit: number): number | undefined =>
    units[state] === unit ? nexts[state] : others.get(state * 0x10000 + unit);
  const follow = (from: number, unit: number): number => {
    let state = from;
    while (state > 0 && step(state, unit) === undefined) state = shorter[state]!;
    return step(state, unit) ?? 0;
  };
  const addState = (before: number, unit: number, length: number): number => {
    const other = before === 0 ? 0 : follow(shorter[before]!, unit);
    const state = lengths.push(length) - 1;
    shorter.push(other);
    found.push(found[other]!);
    units.push(-1);
    nexts.push(0);
    if (units[before] === -1) {
      units[before] = unit;
      nexts[before] = state;
    } else others.set(before * 0x10000 + unit, state);
    return state;
  };
  let open = Array.from(secrets, (secret) => ({ secret, state: 0 }));
  for (let length = 1; open.length > 0; length += 1) {
    for (const each of open) {
      const unit = each.secret.charCodeAt(length - 1);
      each.state = step(each.state, unit) ?? addState(each.state, unit, length);
      if (each.secret.length === length) found[each.state] = length;
    }
    open = open.filter(({ secret }) => secret.length > length);
  }
  return (text) => {
    /** Where secrets stand, in order and without overlap. */
    const ranges: [start: number, end: number][] = [];
    const add = (length: number, end: number): void => {
      if (length === 0) return;
      let start = end - length;
      while ((ranges.at(-1)?.[1] ?? 0) > start) start = Math.min(start, ranges.pop()![0]);
      ranges.push([start, end]);
    };
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      const length = lengths[state]!;
      if (text[at] === '…' && length >= 4) add(length, at);
      state = follow(state, text.charCodeAt(at));
      add(found[state]!, at + 1);
    }
    const rests = [0, ...ranges.map(([, end]) => end)];
    return rests.map((rest, at) => text.slice(rest, ranges[at]?.[0])).join(hidden);
  };
}

/** The document without its secrets, wherever they stand. */
export function redact<Document>(document: Document, apart?: ReadonlySet<unknown>): Document {
  const { masked, texts } = maskSecrets(document, apart);
  return hideTexts(masked, texts);
}
