/**
 * Documents as fields, each with a digest: enough to tell what changed and what somebody edited,
 * without keeping the values, which may hold secrets.
 *
 * A field is a path of names: `model.tools`, `members.1.assistant.voice.voiceId`. Lists are one
 * field, but for the members of a squad. What is null is not there, and the order of keys, which
 * databases change, says nothing.
 */
import { createHash } from 'node:crypto';
import type { Version } from './journal.js';

/** Digests by the paths of fields. */
export type Digests = Readonly<Record<string, string>>;

/** What the platform keeps about a thing beside what it was sent. */
const keptByPlatform = /^(?:id|orgId|createdAt|updatedAt|latestVersion|isServerUrlSecretSet)$/;

/** The fields of what is sent, or of what the platform holds. */
export function fieldsOf(document: unknown): Digests {
  const fields: [string, string][] = [];
  const visit = (value: unknown, path: readonly string[]) => {
    if (value === null || value === undefined) return;
    const isDescended = !Array.isArray(value) || path.join() === 'members';
    const entries = typeof value === 'object' && isDescended ? Object.entries(value) : [];
    if (entries.length === 0 || path.length > 20) fields.push([path.join('.'), digestOf(value)]);
    else for (const [key, inner] of entries) visit(inner, [...path, key]);
  };
  for (const [key, value] of Object.entries(document ?? {})) {
    if (!keptByPlatform.test(key)) visit(value, [key]);
  }
  return Object.fromEntries(fields);
}

/** The same for equal values, however their keys are ordered. */
export function digestOf(value: unknown): string {
  const ordered = (_: string, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    const entries = Object.entries(inner).filter(([, each]) => each !== null);
    return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
  };
  const text = JSON.stringify(value, ordered);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** The fields that differ between two documents. */
export function changedFields(before: Digests, after: Digests): string[] {
  const names = Object.keys({ ...before, ...after });
  return names.filter((name) => before[name] !== after[name]).sort();
}

/** The fields that are neither as they were sent nor as the platform answered that it holds them. */
export function editedFields(versions: readonly Version[], now: Digests): string[] {
  const names = new Set(
    [now, ...versions.flatMap(({ sent, held = {} }) => [sent, held])].flatMap(Object.keys),
  );
  // Of what the platform never showed, fields that were not sent may be its own.
  const isOurs = (name: string, { sent, held }: Version) =>
    (now[name] !== undefined && now[name] === sent[name]) ||
    (held ? now[name] === held[name] : sent[name] === undefined);
  return [...names].filter((name) => !versions.some((each) => isOurs(name, each))).sort();
}
