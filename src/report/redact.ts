/**
 * Hides literal secrets in a document that may be shared: values under names such as
 * `Authorization` or `apiKey`, in whatever form the workflow or the options hold them, and the same
 * values wherever else they stand. Templates (`{{token}}`) hold no secret and stay.
 *
 * A value that is also the name of something in the document, such as the id of a node, is hidden
 * only where it stands: everything that speaks of the node would be hidden with it.
 */
import { isAuthLike } from '../diagnostics/excerpt.js';

/** Stands for what is hidden. */
export const hidden = '••••';

/** What a transcriber listens for, and keypads: names that only sound like those of secrets. */
const harmless = /^key(?:words?|terms?(?:Prompt)?|padInputPlan)$/i;

/** Members whose texts are names of things. */
const naming: ReadonlySet<string> = new Set([
  'id',
  'name',
  'type',
  'from',
  'to',
  'source',
  'target',
]);

/** Below this length a secret is hidden only where it stands: elsewhere it is any word. */
const recognizable = 8;

/** Members of a schema that hold a value rather than describe one. */
const valueMembers: ReadonlySet<string> = new Set([
  'value',
  'default',
  'const',
  'enum',
  'examples',
]);

/** The document without its secrets; the members of the objects in `names` are none. */
export function redact<Document>(document: Document, names: ReadonlySet<unknown>): Document {
  const { masked, secrets } = maskSecrets(document, names);
  return withoutSecrets(masked, secrets);
}

export interface Masked<Document> {
  readonly masked: Document;
  /** What was masked and would be recognized elsewhere. */
  readonly secrets: readonly string[];
}

/** Hides secrets where they stand; what holds none is the same object as before. */
export function maskSecrets<Document>(
  document: Document,
  names: ReadonlySet<unknown>,
): Masked<Document> {
  const [secrets, words] = [new Set<string>(), new Set<string>()];
  const masked = mask(document, false, { names, secrets, words }) as Document;
  const isKnown = (secret: string) => secret.length >= recognizable && !words.has(secret);
  return { masked, secrets: [...secrets].filter(isKnown) };
}

/** Hides known secrets in all texts. */
export function withoutSecrets<Document>(document: Document, secrets: readonly string[]): Document {
  if (secrets.length === 0) return document;
  return mapTexts(document, (text) => without(text, secrets)) as Document;
}

interface Masking {
  readonly names: ReadonlySet<unknown>;
  /** The secrets that were found. */
  readonly secrets: Set<string>;
  /** Names of things that were found. */
  readonly words: Set<string>;
}

/** As deep as the document, which a reader of JSON has limited. */
function mask(value: unknown, isSecret: boolean, masking: Masking): unknown {
  if (typeof value === 'string') {
    if (!isSecret || value.includes('{{')) return value;
    masking.secrets.add(value);
    return hidden;
  }
  if (Array.isArray(value)) return mapped(value, (each) => mask(each, isSecret, masking));
  if (!isObject(value)) return value;
  const hides = memberRule(value, isSecret, masking);
  return withMembers(value, (key, member) => {
    const isHidden = hides(key);
    if (!isHidden && typeof member === 'string' && naming.has(key)) masking.words.add(member);
    return mask(member, isHidden, masking);
  });
}

/** Which members of an object hold secrets. */
function memberRule(
  object: Readonly<Record<string, unknown>>,
  isSecret: boolean,
  { names }: Masking,
): (key: string) => boolean {
  if (names.has(object)) return () => false;
  const { key: name = object.name } = object;
  if (typeof name === 'string' && 'value' in object) {
    const hidesValue = isSecret || isSecretName(name);
    return (key) => (key === 'value' ? hidesValue : key !== 'key' && isSecretName(key));
  }
  const isSchema = typeof object.type === 'string';
  if (isSecret && isSchema) return (key) => valueMembers.has(key);
  return (key) => isSecret || isSecretName(key);
}

function isSecretName(name: string): boolean {
  return isAuthLike(name) && !harmless.test(name);
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return mapped(value, (each) => mapTexts(each, change));
  return isObject(value) ? withMembers(value, (_, member) => mapTexts(member, change)) : value;
}

function without(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, hidden), text);
}

/** The list itself where nothing changes, and then nothing is made. */
function mapped(list: readonly unknown[], change: (each: unknown) => unknown): readonly unknown[] {
  let changed: unknown[] | null = null;
  for (let at = 0; at < list.length; at += 1) {
    const each = change(list[at]);
    if (each === list[at]) continue;
    changed ??= [...list];
    changed[at] = each;
  }
  return changed ?? list;
}

/** The object itself where nothing changes, and then nothing is made. */
function withMembers(
  object: Readonly<Record<string, unknown>>,
  change: (key: string, member: unknown) => unknown,
): Readonly<Record<string, unknown>> {
  let changes: Map<string, unknown> | null = null;
  for (const key of Object.keys(object)) {
    const changed = change(key, object[key]);
    if (changed === object[key]) continue;
    changes ??= new Map();
    changes.set(key, changed);
  }
  return changes === null ? object : withChanges(object, changes);
}

function withChanges(
  object: Readonly<Record<string, unknown>>,
  changes: ReadonlyMap<string, unknown>,
): Record<string, unknown> {
  // From entries, since a key may be called `__proto__`.
  return Object.fromEntries(
    Object.entries(object).map(([key, member]) => [
      key,
      changes.has(key) ? changes.get(key) : member,
    ]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
