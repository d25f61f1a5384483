/**
 * Hides literal secrets in a document that may be shared: values under names such as
 * `Authorization` or `apiKey`, in whatever form the workflow or the options hold them, and the same
 * values wherever else they stand. Templates (`{{token}}`) hold no secret and stay.
 */
import { isAuthLike } from '../diagnostics/render/secrets.js';

const hidden = '••••';

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
export function redact(document: unknown, names: ReadonlySet<unknown>): unknown {
  const secrets = new Set<string>();
  const masked = mask(document, false, { names, secrets });
  const known = [...secrets].filter(({ length }) => length >= recognizable);
  return known.length === 0 ? masked : mapTexts(masked, (text) => without(text, known));
}

interface Masking {
  readonly names: ReadonlySet<unknown>;
  /** The secrets that were found. */
  readonly secrets: Set<string>;
}

/** As deep as the document, which a reader of JSON has limited. */
function mask(value: unknown, isSecret: boolean, masking: Masking): unknown {
  if (typeof value === 'string') {
    if (!isSecret || value.includes('{{')) return value;
    masking.secrets.add(value);
    return hidden;
  }
  if (Array.isArray(value)) return value.map((each) => mask(each, isSecret, masking));
  if (!isObject(value)) return value;
  const hides = memberRule(value, isSecret, masking);
  return fromEntries(value, (key, member) => mask(member, hides(key), masking));
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
    const hidesValue = isSecret || isAuthLike(name);
    return (key) => (key === 'value' ? hidesValue : key !== 'key' && isAuthLike(key));
  }
  const isSchema = typeof object.type === 'string';
  if (isSecret && isSchema) return (key) => valueMembers.has(key);
  return (key) => isSecret || isAuthLike(key);
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  return isObject(value) ? fromEntries(value, (_, member) => mapTexts(member, change)) : value;
}

function without(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, hidden), text);
}

function fromEntries(
  object: Readonly<Record<string, unknown>>,
  change: (key: string, member: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).map(([key, member]) => [key, change(key, member)]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
