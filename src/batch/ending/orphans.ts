/** Workflows that are no longer in the input, and their files. */
import { Known, type KnownTable } from '../journal/known.js';
import type { JournalRecord } from '../journal/records.js';
import type { KeyOwners } from '../outcomes/key-owners.js';
import type { OwnFiles } from '../output/own-files.js';

/** A workflow that is gone. */
export interface Orphan {
  readonly key: string;
  readonly folder: string;
  readonly names: readonly string[];
}

/**
 * The workflows that journals know with files, but not the input. One whose source could not be
 * read is not gone.
 */
export function findOrphans(
  table: KnownTable,
  present: KeyOwners,
  unread: ReadonlySet<string>,
): Orphan[] {
  const known = new Known(table);
  try {
    return orphansAmong(recordsWithout(present, known), unread);
  } finally {
    known.close();
  }
}

function* recordsWithout(present: KeyOwners, known: Known): Generator<JournalRecord> {
  for (let entry = 0; entry < known.count; entry += 1) {
    const record = present.has(...known.keyNumbersOf(entry)) ? null : known.recordOf(entry);
    if (record !== null) yield record;
  }
}

/** The same, of records that are of no workflow of the input; the last one of a key counts. */
export function orphansAmong(
  records: Iterable<JournalRecord>,
  unread: ReadonlySet<string>,
): Orphan[] {
  const orphans = new Map<string, Orphan>();
  for (const record of records) {
    if (record.key.includes('/')) continue;
    const orphan = orphanOf(record, unread);
    if (orphan === null) orphans.delete(record.key);
    else orphans.set(record.key, orphan);
  }
  return [...orphans.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

function orphanOf(record: JournalRecord, unread: ReadonlySet<string>): Orphan | null {
  const { key, folder, files } = record;
  const names = Object.keys(files);
  const source = record.kind === 'done' ? record.source : null;
  if (names.length === 0 || (source !== null && unread.has(source))) return null;
  return { key, folder, names };
}

/** Removes their files, and the pages made of them; the result is what stays, being changed. */
export function pruneOrphans(
  orphans: readonly Orphan[],
  table: KnownTable,
  own: OwnFiles,
): readonly string[] {
  const known = new Known(table);
  const kept = orphans.flatMap(({ key, folder, names }) => {
    const pages = own.records.of(folder);
    const pageNames = pages.flatMap(({ files }) => Object.keys(files));
    return [
      ...own.remove(folder, names, known.byKey(key)),
      ...own.remove(folder, [...new Set(pageNames)], pages),
    ];
  });
  known.close();
  return kept;
}
