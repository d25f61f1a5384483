/**
 * Documents as fields with digests: enough to tell what changed and what somebody edited, without
 * keeping the values, which may contain secrets.
 *
 * A field is a path of names: `model.tools`, `members.1.assistant.voice.voiceId`. A list is one
 * field, except for the members of a squad. Null counts as absent, and the order of keys, which
 * databases change, has no meaning.
 */
import { digestOf } from '../io/digest.js';
import { canonicalJson, isObject } from '../text/json.js';

/** Digests by the paths of fields. */
export type Digests = Readonly<Record<string, string>>;

/** A version of a thing that the platform may have. */
export interface Version {
  readonly sent: Digests;
  /** What the platform answered, if that was more than an id. */
  readonly held?: Digests;
}

/** Fields that the platform adds to what it was sent. */
const keptByPlatform = /^(?:id|orgId|createdAt|updatedAt|latestVersion|isServerUrlSecretSet)$/;

/** The fields of a document that is sent, or that the platform has. */
export function fieldsOf(document: unknown): Digests {
  const fields: [string, string][] = [];
  const visit = (value: unknown, path: readonly string[]) => {
    if (value === null || value === undefined) return;
    const isDescended = !Array.isArray(value) || path.join() === 'members';
    const entries = typeof value === 'object' && isDescended ? Object.entries(value) : [];
    if (entries.length === 0 || path.length > 20)
      fields.push([path.join('.'), digestOfValue(value)]);
    else for (const [key, inner] of entries) visit(inner, [...path, key]);
  };
  for (const [key, value] of Object.entries(document ?? {})) {
    if (!keptByPlatform.test(key)) visit(value, [key]);
  }
  return Object.fromEntries(fields);
}

/** The digest of a value; the order of keys does not matter, and null counts as absent. */
export function digestOfValue(value: unknown): string {
  const withoutNull = (each: unknown) =>
    isObject(each)
      ? Object.fromEntries(Object.entries(each).filter(([, member]) => member !== null))
      : each;
  return digestOf(canonicalJson(value, withoutNull));
}

/** The fields that differ between two documents. */
export function changedFields(before: Digests, after: Digests): string[] {
  const names = Object.keys({ ...before, ...after });
  return names.filter((name) => before[name] !== after[name]).sort();
}

/** The fields that differ both from what was sent and from what the platform answered. */
export function editedFields(versions: readonly Version[], now: Digests): string[] {
  const names = new Set(
    [now, ...versions.flatMap(({ sent, held = {} }) => [sent, held])].flatMap(Object.keys),
  );
  // If the platform never showed the document, fields that were not sent may be its own.
  const isOurs = (name: string, { sent, held }: Version) =>
    (now[name] !== undefined && now[name] === sent[name]) ||
    (held ? now[name] === held[name] : sent[name] === undefined);
  return [...names].filter((name) => !versions.some((each) => isOurs(name, each))).sort();
}
