/** Values as text: JSON for digests and comparisons, and system errors. */
import { hash } from 'node:crypto';

/** JSON that does not depend on the order of keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
    // From entries, since a key may be `__proto__`.
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

export function digestOf(content: string | Uint8Array): string {
  return hash('sha256', content).slice(0, 16);
}

/** The reason of a failed system call, without the path and the call that Node adds. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EISDIR') return 'it is a directory';
  const match = /^[A-Z][A-Z0-9_]*: ([^,]+)/.exec(error.message);
  return match?.[1] ?? error.message;
}
