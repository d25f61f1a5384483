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
import { child, type JsonPointer } from '../../text/pointer.js';

/** Replaces what is hidden. */
export const hidden = '••••';

const names = /^(?:authorization|proxy-authorization|cookie)$/i;
const words = /^(?:key|apikey|token|secret|auth|password)$/;

/** Where a member stands: among the fields of a request, where members are named, or elsewhere. */
export type Place = 'field' | 'naming' | 'other';
const fields = /^(?:headers|body|parameters)$/;
const namings = /^(?:answers|policies|names|toolNames|aliases|variableExtractionPlan)$/;

/** The place of the members of the value that stands under `key`. */
export function placeWithin(place: Place, key: string): Place {
  if (place === 'field' || fields.test(key)) return 'field';
  return namings.test(key) ? 'naming' : place;
}

/** Returns true if a value of this name is secret: `X-Api-Key` is, `Idempotency-Key` is not. */
function isSecretName(name: string, place: Place = 'field'): boolean {
  const cased = name.replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3-$2');
  const parts = cased.toLowerCase().split(/[-_]/);
  if (place === 'naming' || parts.includes('idempotency')) return false;
  const isNamed = place === 'field' ? parts.some((part) => words.test(part)) : name !== 'key';
  return names.test(name) || (isNamed && (place === 'field' || words.test(parts.at(-1)!)));
}

/** A literal that authenticates: its name, and the secret texts in it. */
export interface Secret {
  readonly at: JsonPointer;
  readonly name: string;
  readonly texts: readonly string[];
}

/** Members of a schema that hold a value rather than describe one. */
const valueMembers = /^(?:value|default|const|enum)$/;
/** Members that name things: hiding their texts would hide everything about the thing. */
const naming = /^(?:id|name|type|from|to|source|target)$/;
/** Elsewhere this may be an ordinary word, so it is hidden only where it is a secret. */
const ordinary = /^(?:.{0,5}|\p{L}\p{Ll}*|\p{Lu}*)$/u;

/** What stands in the place of a secret. */
type Write = (secret: string) => string;
const hide: Write = () => hidden;

type Members = Readonly<Record<string, unknown>>;

/**
 * Finds the secrets of a document and replaces them where they stand; a document without secrets is
 * returned unchanged. `texts` are the secrets that can be recognized elsewhere; `authenticates` is
 * true if something stands where a secret can, be it an output.
 */
export function maskSecrets<Document>(document: Document, write = hide) {
  const secrets: Secret[] = [];
  const known = new Set<string>();
  let authenticates = false;
  const mask = (value: unknown, at: JsonPointer, place: Place, owner: string | null): unknown => {
    if (typeof value === 'string') {
      authenticates ||= owner !== null && value.replace(scheme, '').trim() !== '';
      const found = owner === null ? secretsOfAddress(value) : secretsOfValue(value, owner);
      if (found.length === 0) return value;
      secrets.push({ at, name: found[0]!.name, texts: found.map(({ text }) => text) });
      return replaceParts(value, found, write);
    }
    if (Array.isArray(value)) return value.map((it, at_) => mask(it, child(at, at_), place, owner));
    return mapMembers(value, (member, key) => {
      const next = ownerOf(key, value as Members, place, owner);
      if (next === null && typeof member === 'string' && naming.test(key)) known.add(member);
      return mask(member, child(at, key), placeWithin(place, key), next);
    });
  };
  const masked = mask(document, '', 'other', null) as Document;
  const texts = new Set(secrets.flatMap((it) => it.texts));
  return {
    masked: secrets.length === 0 ? document : masked,
    secrets: secrets as readonly Secret[],
    authenticates,
    texts: [...texts].filter((text) => !ordinary.test(text) && !known.has(text)),
  };
}

/** The object with each member changed; other values unchanged. */
function mapMembers(value: unknown, map: (member: unknown, key: string) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, map(it, key)]));
}

/**
 * The name that makes a member secret; null if it is not. `owner` is that of the object around it.
 */
export function ownerOf(key: string, members: Members, place: Place, owner: string | null = null) {
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
  return valueMembers.test(key) && !isChoice ? owner : null;
}

/** A secret text at its place in a value. */
interface Part {
  readonly name: string;
  readonly text: string;
  readonly start: number;
}

function replaceParts(value: string, parts: readonly Part[], write: Write): string {
  let [shown, end] = ['', 0];
  const byStart = (a: Part, b: Part) => a.start - b.start || b.text.length - a.text.length;
  for (const { text, start } of parts.toSorted(byStart)) {
    if (start < end) continue;
    shown += value.slice(end, start) + write(text);
    end = start + text.length;
  }
  return shown + value.slice(end);
}

const scheme = /^\s*(?:(?:bearer|basic|token|digest|api-?key)(?:\s+|(?=\{\{)|$))?/i;
/** What somebody still has to fill in. */
const placeholder = /^(?:\$\{[^}]*\}|<[\w .-]+>|your[-_]\w+)$/i;
/** Outputs, names of cookies, and (in the group) other literals. */
const pieces =
  /\{\{.*?(?:\}\}|$)|(?<![\w-])[\w-]+=(?=[^\s;,=]|\{\{)|([^\s;,&:{-](?:(?!\{\{)[^\s;,&:])*)/gs;

/** The secret parts of a value that authenticates. */
function secretsOfValue(value: string, name: string, offset = 0): Part[] {
  const start = scheme.exec(value)![0].length;
  const rest = value.slice(start).trimEnd();
  const shortest = rest.includes('{{') ? 4 : 1;
  const isWhole = shortest === 1 && !/^cookie$/i.test(name);
  return [...rest.matchAll(isWhole ? /(.+)/gs : pieces)].flatMap(({ 1: text = '', index }) =>
    text.length < shortest || placeholder.test(text)
      ? []
      : { name, text, start: offset + start + index },
  );
}

/** The secret parts of a URL, or of a text that contains one. */
export function secretsOfAddress(text: string): Part[] {
  const users = text.matchAll(/:\/\/([^\s/?#@:]*)(?::([^\s/?#@]*))?@/g);
  const query = text.matchAll(/[?&]([\w.%[\]-]{1,80})=([^\s&#"'<>]+)/g);
  return [
    ...[...users].flatMap(({ 1: user = '', 2: password, index }) => {
      const name = 'user:password';
      const parts = secretsOfValue(password ?? '', name, index + 4 + user.length);
      // A user whose password is an output is no secret.
      if (password !== undefined && parts.length === 0) return [];
      return [...secretsOfValue(user, name, index + 3), ...parts];
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
  return hideTexts(result, texts, hide, sentences);
}

/** Replaces secrets where they stand as whole words. */
export function hideTexts<Document>(
  document: Document,
  texts: readonly string[],
  write = hide,
  members = /^/,
): Document {
  if (texts.length === 0) return document;
  const byStart = groupBy(texts, (text) => text.slice(0, shortest));
  const walk = (value: unknown, isInside: boolean): unknown => {
    if (typeof value === 'string') {
      return isInside ? replaceParts(value, findTexts(value, byStart), write) : value;
    }
    if (Array.isArray(value)) return value.map((each) => walk(each, isInside));
    return mapMembers(value, (member, key) => walk(member, isInside || members.test(key)));
  };
  return walk(document, members.test('')) as Document;
}

const isInWord = (text: string, at: number) =>
  /[\p{L}\p{N}_]-?$/u.test(text.slice(Math.max(0, at - 2), at)) &&
  /^-?[\p{L}\p{N}_]/u.test(text.slice(at, at + 2));

/** A message leaves at least so much of a secret that it truncates. */
const shortest = 4;

/** Finds secrets, given by their first characters, as whole words or truncated by a message. */
function findTexts(text: string, byStart: ReadonlyMap<string, readonly string[]>): Part[] {
  const parts: Part[] = [];
  for (let start = 0; start + shortest <= text.length; start += 1) {
    const candidates = byStart.get(text.slice(start, start + shortest));
    if (candidates === undefined || isInWord(text, start)) continue;
    for (const secret of candidates) {
      let end = start + shortest;
      while (end < text.length && text[end] === secret[end - start]) end += 1;
      const isWhole = end - start === secret.length && !isInWord(text, end);
      if (isWhole || text[end] === '…') {
        parts.push({ name: '', text: text.slice(start, end), start });
      }
    }
  }
  return parts;
}

/** The document without its secrets, wherever they stand. */
export function redact<Document>(document: Document): Document {
  const { masked, texts } = maskSecrets(document);
  return hideTexts(masked, texts);
}
