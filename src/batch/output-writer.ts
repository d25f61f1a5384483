/**
 * Puts files below the output folder: a temporary file beside, then a rename.
 *
 * In: the texts, and what the journals know of the folder. In two steps, so that the journal can say
 * in between what is about to be ours: `plan` writes the temporary files and refuses what is in the
 * way, `commit` puts them in place and removes what is outdated.
 *
 * A file is ours where a journal has its size and time, or its hash. Nothing is written through a
 * link.
 */
import { lstatSync, mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { foreignFile, type WriteFault, writeFault } from './faults.js';
import type { JournalRecord, KnownFile, KnownFiles } from './journal/records.js';
import { fileHash, syncFolder, type Text, writeTemporary } from './write-file.js';

/** Files that belong together. */
export interface WantedFiles {
  /** Below the output folder, POSIX. */
  readonly folder: string;
  /** By name. */
  readonly texts: ReadonlyMap<string, Text>;
  /** Names of files that are to go, where they are ours. */
  readonly gone: readonly string[];
  /** Names of files that are made of these, and are to go where any of these changes. */
  readonly stale: readonly string[];
}

export interface PlannedFiles {
  readonly folder: string;
  /** What will be there; those that are there already have their times. */
  readonly files: KnownFiles;
  readonly moves: readonly Move[];
  /** Paths of files that are ours and outdated, below the output folder. */
  readonly removals: readonly string[];
  /** Paths of files that would be outdated if they were ours. */
  readonly kept: readonly string[];
}

interface Move {
  readonly from: string;
  readonly name: string;
  readonly as: KnownFile;
}

export interface CommittedFiles {
  readonly files: KnownFiles;
  readonly removed: readonly string[];
  /** What went wrong, where something did; the rest was done. */
  readonly fault: WriteFault | null;
}

export interface OutputRules {
  /** Absolute. */
  readonly out: string;
  /** For temporary files, on the same file system; absolute. */
  readonly temporary: string;
  /** Begins the names of temporary files; no other writer has it. */
  readonly prefix: string;
  readonly durable: boolean;
  readonly force: boolean;
}

type Records = readonly JournalRecord[];

export class OutputWriter {
  private readonly parents = new Set<string>(['.']);
  private temporaries = 0;

  constructor(private readonly rules: OutputRules) {}

  /** Throws a `WriteFault`, with nothing left behind. `records` are those of the same key. */
  plan({ folder, texts, gone, stale }: WantedFiles, records: Records): PlannedFiles {
    const moves: Move[] = [];
    const files: Record<string, KnownFile> = {};
    try {
      const isNew = this.makeFolder(folder);
      for (const [name, text] of texts) {
        const there = isNew ? null : this.findOwn(folder, name, records);
        const made = this.stage(folder, name, text, there);
        files[name] = made.as;
        if (made.from !== null) moves.push({ from: made.from, name, as: made.as });
      }
      const leaving = moves.length === 0 ? gone : [...gone, ...stale];
      const outdated = isNew ? [] : leaving.map((name) => ({ folder, name }));
      const [removals, kept] = this.sorted([...outdated, ...elsewhere(folder, records)], records);
      return { folder, files, moves, removals, kept };
    } catch (error) {
      discard(moves);
      throw writeFault(folder, error);
    }
  }

  /** Puts the files in place. */
  commit({ folder, files, moves, removals }: PlannedFiles): CommittedFiles {
    const there: Record<string, KnownFile> = { ...files };
    const removed: string[] = [];
    let fault: WriteFault | null = null;
    const attempt = (path: string, act: () => void): boolean => {
      try {
        act();
        return true;
      } catch (error) {
        fault ??= writeFault(path, error);
        return false;
      }
    };
    // First what is outdated: where it stays behind, it would look as if it were made of the rest.
    for (const path of removals) {
      if (attempt(path, () => this.remove(path, folder))) removed.push(path);
    }
    for (const { from, name } of moves) {
      const path = pathIn(folder, name);
      if (attempt(path, () => renameSync(from, this.pathOf(path)))) continue;
      delete there[name];
      rmSync(from, { force: true });
    }
    if (this.rules.durable) attempt(folder, () => syncFolder(this.pathOf(folder)));
    return { files: there, removed, fault };
  }

  /** Undoes a plan. */
  discard({ moves }: PlannedFiles): void {
    discard(moves);
  }

  /** Removes a file, and its folder where it was the last in it; not `kept`, which is in use. */
  remove(path: string, kept: string | null = null): void {
    rmSync(this.pathOf(path), { force: true });
    const folder = dirname(path);
    if (folder === '.' || folder === kept) return;
    try {
      rmdirSync(this.pathOf(folder));
    } catch {
      // Something else is in it.
    }
  }

  /**
   * What stands there, if it is ours; null where nothing does, or where force lets us overwrite it.
   * Throws where somebody else's file is in the way.
   */
  findOwn(folder: string, name: string, records: Records): KnownFile | null {
    const path = pathIn(folder, name);
    const found = this.ownership(path, knownAs(folder, name, records));
    if (found === 'foreign' && !this.rules.force) throw foreignFile(path);
    return typeof found === 'string' ? null : found;
  }

  /** Whether a file has the size and the time that a journal has of it. */
  isUntouched(folder: string, name: string, records: Records): boolean {
    const stats = lstatSync(this.pathOf(pathIn(folder, name)), { throwIfNoEntry: false });
    return knownAs(folder, name, records).some(([size, , time]) => {
      return stats?.isFile() === true && stats.size === size && stats.mtimeMs === time;
    });
  }

  private ownership(path: string, known: readonly KnownFile[]): KnownFile | 'none' | 'foreign' {
    const stats = lstatSync(this.pathOf(path), { throwIfNoEntry: false });
    if (stats === undefined) return 'none';
    if (!stats.isFile()) return 'foreign';
    const { size, mtimeMs } = stats;
    const same = known.find(([bytes, , time]) => bytes === size && time === mtimeMs);
    if (same !== undefined) return same;
    if (!known.some(([bytes]) => bytes === size)) return 'foreign';
    const hash = fileHash(this.pathOf(path));
    return known.some((each) => each[1] === hash) ? [size, hash, mtimeMs] : 'foreign';
  }

  /** Writes a temporary file, unless what is there is the same. */
  private stage(folder: string, name: string, text: Text, there: KnownFile | null) {
    const from = join(this.rules.temporary, `${this.rules.prefix}-${this.temporaries}`);
    this.temporaries += 1;
    try {
      return writeTemporary(from, text, there, this.rules.durable);
    } catch (error) {
      throw writeFault(pathIn(folder, name), error);
    }
  }

  /** Files that are to go: ours, and those that others have changed. */
  sorted(
    places: readonly { readonly folder: string; readonly name: string }[],
    records: Records,
  ): readonly [removals: string[], kept: string[]] {
    const lists: [string[], string[]] = [[], []];
    for (const { folder, name } of places) {
      const path = pathIn(folder, name);
      const found = this.ownership(path, knownAs(folder, name, records));
      if (found !== 'none') lists[found === 'foreign' ? 1 : 0].push(path);
    }
    return lists;
  }

  /** Whether the folder was not there before. */
  private makeFolder(folder: string): boolean {
    if (folder === '.') return false;
    const parent = dirname(folder);
    if (!this.parents.has(parent)) {
      this.makeFolder(parent);
      this.parents.add(parent);
    }
    try {
      mkdirSync(this.pathOf(folder));
      return true;
    } catch (error) {
      const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
      if (!isThere) throw writeFault(folder, error);
      if (!lstatSync(this.pathOf(folder)).isDirectory()) throw foreignFile(folder);
      return false;
    }
  }

  private pathOf(path: string): string {
    return join(this.rules.out, path);
  }
}

/** As it is said: of a file in the output folder itself, the name. */
export function pathIn(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`;
}

function discard(moves: readonly Move[]): void {
  for (const { from } of moves) rmSync(from, { force: true });
}

/** What journals have of a file; the last of them first. */
function knownAs(folder: string, name: string, records: Records): KnownFile[] {
  const known = records.map((record) => {
    const isHere = record.folder === folder && Object.hasOwn(record.files, name);
    return isHere ? record.files[name] : undefined;
  });
  return known.filter((each) => each !== undefined).reverse();
}

/** Where the same workflow had its files before, when the layout was another. */
function elsewhere(folder: string, records: Records) {
  const before = records.filter((record) => record.folder !== folder);
  const paths = before.flatMap((record) =>
    Object.keys(record.files).map((name) => `${record.folder}/${name}`),
  );
  return [...new Set(paths)].map((path) => {
    const at = path.lastIndexOf('/');
    return { folder: path.slice(0, at), name: path.slice(at + 1) };
  });
}
