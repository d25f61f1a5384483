/**
 * Which files below the output folder are ours: those that a journal has by their size and time, or
 * by their hash. What is no plain file, such as a link, never is.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { foreignFile } from '../faults.js';
import type { JournalRecord, KnownFile } from '../journal/records.js';
import { isUntouched } from './untouched.js';
import { fileHash } from './write-file.js';

/** What journals have of the files in question. */
export type Records = readonly JournalRecord[];

export interface FilePlace {
  readonly folder: string;
  readonly name: string;
}

export class Ownership {
  constructor(
    private readonly out: string,
    private readonly force: boolean,
  ) {}

  /**
   * What stands there, if it is ours; null where nothing does, or where force lets us overwrite it.
   * Throws where somebody else's file is in the way.
   */
  findOwn(place: FilePlace, records: Records): KnownFile | null {
    const found = this.look(place, records);
    if (found === 'foreign' && !this.force) throw foreignFile(pathIn(place));
    return typeof found === 'string' ? null : found;
  }

  /** Whether a file has the size and the time that a journal has of it. */
  isUntouched(place: FilePlace, records: Records): boolean {
    const stats = lstatSync(this.pathOf(place), { throwIfNoEntry: false });
    return stats?.isFile() === true && knownAs(place, records).some((it) => isUntouched(stats, it));
  }

  /** Paths of files that are there: ours, and those that others have changed. */
  sorted(
    places: readonly FilePlace[],
    records: Records,
  ): readonly [own: string[], others: string[]] {
    const lists: [string[], string[]] = [[], []];
    for (const place of places) {
      const found = this.look(place, records);
      if (found !== 'none') lists[found === 'foreign' ? 1 : 0].push(pathIn(place));
    }
    return lists;
  }

  private look(place: FilePlace, records: Records): KnownFile | 'none' | 'foreign' {
    const path = this.pathOf(place);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return 'none';
    if (!stats.isFile()) return 'foreign';
    const known = knownAs(place, records);
    const same = known.find((each) => isUntouched(stats, each));
    if (same !== undefined) return same;
    const { size, mtimeMs } = stats;
    if (!known.some(([bytes]) => bytes === size)) return 'foreign';
    const hash = fileHash(path);
    return known.some((each) => each[1] === hash) ? [size, hash, mtimeMs] : 'foreign';
  }

  private pathOf(place: FilePlace): string {
    return join(this.out, pathIn(place));
  }
}

/** As it is said: of a file in the output folder itself, the name. */
export function pathIn({ folder, name }: FilePlace): string {
  return folder === '.' ? name : `${folder}/${name}`;
}

/** What journals have of a file; the last of them first. */
function knownAs({ folder, name }: FilePlace, records: Records): KnownFile[] {
  const known = records.map((record) => {
    const isHere = record.folder === folder && Object.hasOwn(record.files, name);
    return isHere ? record.files[name] : undefined;
  });
  return known.filter((each) => each !== undefined).reverse();
}
