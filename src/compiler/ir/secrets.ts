/**
 * Secrets: literals that authenticate. They stand in the squad and nowhere else: whatever shows
 * part of a workflow hides them, and the reader warns about the same ones.
 *
 * A literal is taken for a secret by its place: the value of a header or of a field of a body or
 * query whose name has a word such as `key`, the user and password of a URL, and elsewhere a member
 * whose name ends in such a word (`apiKey`, but neither `key` nor `keyTerms`). Answers, policies,
 * names and what is extracted have none. Beside a template output only the literal part counts,
 * without the scheme and the names of cookies: `Bearer {{token}}` has no secret.
 */
import { groupBy } from '../../graph/lists.js';
import { child, type JsonPointer } from './ids.js';

/** Replaces what is hidden. */
export const hidden = '••••';

const names: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie']);
const words: ReadonlySet<string> = new Set([
  ...['key', 'apikey', 'token', 'secret', 'auth', 'password'],
]);

/** Where a member stands: among the fields of a request, where members are named, or elsewhere. */
export type Place = 'field' | 'naming' | 'other';

/** The place of the members of the value that stands under `key`. */
export function placeWithin(place: Place, key: string): Place {
  if (place === 'field' || /^(?:headers|body|parameters)$/.test(key)) return 'field';
  const isNaming = /^(?:answers|policies|names|toolNames|aliases|variableExtractionPlan)$/.test(
    key,
  );
  return isNaming ? 'naming' : place;
}

/** Returns true if a value of this name is secret: `X-Api-Key` is, `Idempotency-Key` is not. */
export function isSecretName(name: string, place: Place = 'field'): boolean {
  const cased = name.replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3-$2');
  const parts = cased.toLowerCase().split(/[-_]/);
  if (place === 'naming' || parts.includes('idempotency')) return false;
  if (names.has(name.toLowerCase())) return true;
  if (place === 'field') return parts.some((part) => words.has(part));
  return words.has(parts.at(-1)!) && name !== 'key';
}

/** A literal that authenticates: its name, and the secret texts in it. */
export interface Secret {
  readonly at: JsonPointer;
  readonly name: string;
  readonly texts: readonly string[];
}

/** Members of a schema that hold a value rather than describe one. */
const valueMembers: ReadonlySet<string> = new Set(['value', 'default', 'const', 'enum']);

/** Members that name things: hiding their texts would hide everything about the thing. */
const naming: ReadonlySet<string> = new Set([
  ...['id', 'name', 'type', 'from', 'to', 'source', 'target'],
]);

/** A shorter secret is hidden only where it stands: elsewhere it may be an ordinary word. */
const recognizable = 6;

/** What stands in the place of a secret. */
type Write = (secret: string) => string;
const hide: Write = () => hidden;

type Members = Readonly<Record<string, unknown>>;

/**
 * Finds the secrets of a document and replaces them where they stand; a document without secrets is
 * returned unchanged. `texts` are the secrets that can be recognized elsewhere.
 */
export function maskSecrets<Document>(document: Document, write = hide) {
  const secrets: Secret[] = [];
  const known = new Set<string>();
  const mask = (value: unknown, at: JsonPointer, place: Place, owner: string | null): unknown => {
    if (typeof value === 'string') {
      const found = owner === null ? secretsOfAddress(value) : secretsOfValue(value, owner);
      if (found.length === 0) return value;
      secrets.push({ at, name: found[0]!.name, texts: found.map(({ text }) => text) });
      return replaceParts(value, found, write);
    }
    if (Array.isArray(value)) return value.map((it, at_) => mask(it, child(at, at_), place, owner));
    return mapMembers(value, (member, key) => {
      const next = ownerOf(key, value as Members, place, owner);
      if (next === null && typeof member === 'string' && naming.has(key)) known.add(member);
      return mask(member, child(at, key), placeWithin(place, key), next);
    });
  };
  const masked = mask(document, '', 'other', null) as Document;
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
function ownerOf(key: string, members: Members, place: Place, owner: string | null): string | null {
  const { key: pair, name = pair } = members;
  const called = typeof pair === 'string' ? pair : name;
  if (typeof called === 'string' && Object.hasOwn(members, 'value')) {
    if (key === 'value') return owner ?? (isSecretName(called, place) ? called : null);
    if (key === 'key' || key === 'name') return null;
  }
  if (isSecretName(key, place)) return key;
  const isSchema = Object.hasOwn(members, 'type') || Object.hasOwn(members, 'description');
  if (!isSchema) return owner;
  // Several values are a choice, and no literal.
  const { enum: choices } = members;
  const isChoice = key === 'enum' && Array.isArray(choices) && choices.length > 1;
  return valueMembers.has(key) && !isChoice ? owner : null;
}

/** A secret text at its place in a value. */
interface Part {
  readonly name: string;
  readonly text: string;
  readonly start: number;
}

function replaceParts(value: string, parts: readonly Part[], write: Write): string {
  let [shown, end] = ['', 0];
  for (const { text, start } of parts.toSorted((a, b) => a.start - b.start)) {
    if (start < end) continue;
    shown += value.slice(end, start) + write(text);
    end = start + text.length;
  }
  return shown + value.slice(end);
}

const scheme = /^\s*(?:(?:bearer|basic|token|digest|api-?key)(?:\s+|(?=\{\{)|$))?/i;
/** What somebody still has to fill in. */
const placeholder = /^(?:\$\{[^}]*\}|<[\w .-]+>|your[-_]\w+)$/i;
/** Outputs, names of cookies, and other literals. */
const pieces = /\{\{[\s\S]*?(?:\}\}|$)|[\w-]+=(?=[^\s;,=]|\{\{)|[^\s;,&:{-](?:(?!\{\{)[^\s;,&:])*/g;

/** The secret parts of a value that authenticates. */
function secretsOfValue(value: string, name: string, offset = 0): Part[] {
  const start = scheme.exec(value)![0].length;
  const rest = value.slice(start).trimEnd();
  const isParted = rest.includes('{{') || /^cookie$/i.test(name);
  const found = isParted
    ? [...rest.matchAll(pieces)].map(({ 0: text, index }) => [text, index] as const)
    : [[rest, 0] as const];
  return found.flatMap(([text, at]) => {
    const isSecret = isParted ? text.length >= 4 && !/^\{\{|^[\w-]+=$/.test(text) : text !== '';
    return isSecret && !placeholder.test(text) ? { name, text, start: offset + start + at } : [];
  });
}

/** The secret parts of a URL, or of a text that contains one. */
export function secretsOfAddress(text: string): Part[] {
  const users = text.matchAll(/:\/\/([^\s/?#@:]*)(:?)([^\s/?#@]*)@/g);
  const query = text.matchAll(/[?&]([\w.%[\]-]{1,80})=([^\s&#"'<>]+)/g);
  return [
    ...[...users].flatMap(({ 1: user = '', 2: colon = '', 3: password = '', index }) => {
      const parts = secretsOfValue(password, 'user:password', index + 3 + user.length + 1);
      // A user without a literal password is no secret.
      const isAlone = colon === '' || parts.length > 0;
      return isAlone ? [...secretsOfValue(user, 'user:password', index + 3), ...parts] : [];
    }),
    ...[...query].flatMap(({ 0: all, 1: name = '', 2: value = '', index }) =>
      isSecretName(name) ? secretsOfValue(value, name, index + all.length - value.length) : [],
    ),
  ];
}

/** Members of a result that are sentences or values; the others are names and places. */
const sentences = /^(?:message|help|text|label|effect|reason|description|proposalValue)$/;

/** Hides secrets in the sentences of a result; ids and places, which answers refer to, are kept. */
export function hideInSentences<Result>(result: Result, texts: readonly string[]): Result {
  return replaceTexts(result, texts, hide, sentences);
}

/** Replaces secrets in all texts. */
export function hideTexts<Document>(document: Document, texts: readonly string[], write = hide) {
  return replaceTexts(document, texts, write, /^/);
}

function replaceTexts<Document>(
  document: Document,
  texts: readonly string[],
  write: Write,
  members: RegExp,
): Document {
  if (texts.length === 0) return document;
  const byHead = groupBy(texts, headOf);
  const walk = (value: unknown, isInside: boolean): unknown => {
    if (typeof value === 'string') {
      return isInside ? replaceParts(value, partsAmong(value, byHead), write) : value;
    }
    if (Array.isArray(value)) return value.map((each) => walk(each, isInside));
    return mapMembers(value, (member, key) => walk(member, isInside || members.test(key)));
  };
  return walk(document, members.test('')) as Document;
}

const headOf = (text: string) => text.slice(0, 4);

/** Where these secrets stand in a text as whole words, or truncated by a message. */
function partsAmong(text: string, byHead: ReadonlyMap<string, readonly string[]>): Part[] {
  const parts: Part[] = [];
  const isInWord = (at: number) =>
    /[\p{L}\p{N}_]-?$/u.test(text.slice(Math.max(0, at - 2), at)) &&
    /^-?[\p{L}\p{N}_]/u.test(text.slice(at, at + 2));
  for (let at = 0; at < text.length; at += 1) {
    const [longest = ''] = (byHead.get(headOf(text.slice(at, at + 4))) ?? [])
      .map((secret) => {
        if (text.startsWith(secret, at)) return isInWord(at + secret.length) ? '' : secret;
        const cut = text.slice(at, at + secret.length).split('…', 1)[0]!;
        return secret.startsWith(cut) && text[at + cut.length] === '…' ? cut : '';
      })
      .sort((a, b) => b.length - a.length);
    if (longest !== '' && !isInWord(at)) parts.push({ name: '', text: longest, start: at });
  }
  return parts;
}

/** The document without its secrets, wherever they stand. */
export function redact<Document>(document: Document): Document {
  const { masked, texts } = maskSecrets(document);
  return hideTexts(masked, texts);
}

const token = /squadc-secret-\d+/g;

/** Returns true if a token stands somewhere in the document. */
export function isTokenized(document: unknown): boolean {
  return JSON.stringify(document ?? null).search(token) >= 0;
}

/**
 * The document with a token in the place of each secret, so that it compiles like the document.
 * Equal secrets have equal tokens, and tokens that stand there stay. `texts` as in `maskSecrets`.
 */
export function tokenize<Document>(document: Document) {
  const taken = new Set<string>(JSON.stringify(document ?? null).match(token));
  const tokens = new Map<string, string>();
  const { secrets, texts } = maskSecrets(document);
  for (const secret of secrets.flatMap((each) => each.texts)) {
    if (taken.has(secret) || tokens.has(secret) || secret.includes(hidden)) continue;
    let number = tokens.size + 1;
    while (taken.has(`squadc-secret-${number}`)) number += 1;
    tokens.set(secret, `squadc-secret-${number}`);
    taken.add(`squadc-secret-${number}`);
  }
  const write: Write = (secret) => tokens.get(secret) ?? secret;
  return { tokenized: hideTexts(maskSecrets(document, write).masked, texts, write), texts };
}
