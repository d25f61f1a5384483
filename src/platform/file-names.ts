/**
 * File names for ids that anybody may have made up.
 *
 * An id that is a safe name everywhere is its own name. Any other keeps what is safe of it and
 * gets a part of its hash, as do ids that some file systems take for one name. The name depends
 * on the ids alone, not on their order.
 */
import { createHash } from 'node:crypto';

/** In code points, so that name and hash stay below the 255 bytes that file systems allow. */
const maxLength = 50;

/** Names that Windows keeps for devices, whatever follows the first dot. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** A name without extension for each of the ids. */
export function fileNamesFor(ids: readonly string[]): ReadonlyMap<string, string> {
  const distinct = [...new Set(ids)];
  const bearers = new Map<string, number>();
  for (const id of distinct) bearers.set(folded(id), (bearers.get(folded(id)) ?? 0) + 1);
  return new Map(distinct.map((id) => [id, nameOf(id, bearers.get(folded(id)) !== 1)]));
}

/** What a file system may take for the same name. */
function folded(id: string): string {
  return safePart(id).toLowerCase();
}

function nameOf(id: string, isShared: boolean): string {
  const safe = safePart(id);
  if (safe === id && !isShared && !reserved.test(safe)) return safe;
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 12);
  return `${reserved.test(safe) ? '_' : ''}${safe}-${hash}`;
}

/** In NFC, with letters, digits, dots, dashes and underscores; dots at no end. */
function safePart(id: string): string {
  const kept = id
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}._-]/gu, '_')
    .replaceAll(/^[.-]+|\.+$/g, '_');
  return [...kept].slice(0, maxLength).join('');
}
