/**
 * Puts files below the output folder: a temporary file beside, then a rename.
 *
 * In: the texts, and what the journals know of the folder. In two steps, so that the journal can say
 * in between what is about to be ours: `plan` writes the temporary files and refuses what is in the
 * way, `commit` puts them in place and removes what is outdated.
 */
import { renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type WriteFault, writeFault } from '../faults.js';
import type { KnownFile, KnownFiles } from '../journal/records.js';
import { encodeInRoom } from './encode.js';
import { Folders } from './folders.js';
import { type FilePlace, Ownership, pathIn, type Records } from './ownership.js';
import { syncFolder, type Text, type WritingRules, writeTemporary } from './write-file.js';

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
  /** What went wrong, where something did. */
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

export class OutputWriter {
  readonly ownership: Ownership;
  private readonly folders: Folders;
  private readonly writing: WritingRules;
  private temporaries = 0;

  constructor(private readonly rules: OutputRules) {
    this.ownership = new Ownership(rules.out, rules.force);
    this.folders = new Folders(rules.out);
    this.writing = { durable: rules.durable, encode: encodeInRoom() };
  }

  /** Throws a `WriteFault`, with nothing left behind. `records` are those of the same key. */
  plan({ folder, texts, gone, stale }: WantedFiles, records: Records): PlannedFiles {
    const moves: Move[] = [];
    const files: Record<string, KnownFile> = {};
    try {
      const isNew = this.folders.make(folder);
      for (const [name, text] of texts) {
        const there = isNew ? null : this.ownership.findOwn({ folder, name }, records);
        const made = this.stage({ folder, name }, text, there);
        files[name] = made.as;
        if (made.from !== null) moves.push({ from: made.from, name, as: made.as });
      }
      const leaving = moves.length === 0 ? gone : [...gone, ...stale];
      const outdated = isNew ? [] : leaving.map((name) => ({ folder, name }));
      const places = [...outdated, ...elsewhere(folder, records)];
      const [removals, kept] = this.ownership.sorted(places, records);
      return { folder, files, moves, removals, kept };
    } catch (error) {
      discard(moves);
      throw writeFault(folder, error);
    }
  }

  /**
   * Puts the files in place, after what is outdated has gone: beside new ones, it would look as if
   * it were made of them. So where it cannot be removed, nothing else is done either.
   */
  commit(plan: PlannedFiles): CommittedFiles {
    const { folder, moves } = plan;
    const { removed, fault } = this.clear(plan);
    const { left, why } = fault === null ? this.move(plan) : { left: moves, why: fault };
    discard(left);
    const missing = new Set(left.map(({ name }) => name));
    const files = Object.entries(plan.files).filter(([name]) => !missing.has(name));
    const unsynced = this.rules.durable ? this.attempt(folder, () => this.sync(folder)) : null;
    return { files: Object.fromEntries(files), removed, fault: why ?? unsynced };
  }

  /** Undoes a plan. */
  discard({ moves }: PlannedFiles): void {
    discard(moves);
  }

  /** Removes a file, and its folder where it was the last in it; not `kept`, which is in use. */
  remove(path: string, kept: string | null = null): void {
    rmSync(this.pathOf(path), { force: true });
    const folder = dirname(path);
    if (folder !== '.' && folder !== kept) this.folders.removeEmpty(folder);
  }

  /** Removes what is outdated, up to what cannot be removed. */
  private clear({ folder, removals }: PlannedFiles): Pick<CommittedFiles, 'removed' | 'fault'> {
    const removed: string[] = [];
    for (const path of removals) {
      const fault = this.attempt(path, () => this.remove(path, folder));
      if (fault !== null) return { removed, fault };
      removed.push(path);
    }
    return { removed, fault: null };
  }

  /** Renames the temporary files; the result is those that could not be, and why. */
  private move({ folder, moves }: PlannedFiles): { left: readonly Move[]; why: WriteFault | null } {
    let why: WriteFault | null = null;
    const left = moves.filter(({ from, name }) => {
      const path = pathIn({ folder, name });
      const fault = this.attempt(path, () => renameSync(from, this.pathOf(path)));
      why ??= fault;
      return fault !== null;
    });
    return { left, why };
  }

  private attempt(path: string, act: () => void): WriteFault | null {
    try {
      act();
      return null;
    } catch (error) {
      return writeFault(path, error);
    }
  }

  /** Writes a temporary file, unless what is there is the same. */
  private stage(place: FilePlace, text: Text, there: KnownFile | null) {
    const from = join(this.rules.temporary, `${this.rules.prefix}-${this.temporaries}`);
    this.temporaries += 1;
    try {
      return writeTemporary(from, text, there, this.writing);
    } catch (error) {
      throw writeFault(pathIn(place), error);
    }
  }

  private sync(folder: string): void {
    syncFolder(this.pathOf(folder));
  }

  private pathOf(path: string): string {
    return join(this.rules.out, path);
  }
}

function discard(moves: readonly Move[]): void {
  for (const { from } of moves) rmSync(from, { force: true });
}

/** Where the same workflow had its files before, when the layout was another. */
function elsewhere(folder: string, records: Records): FilePlace[] {
  const before = records.filter((record) => record.folder !== folder);
  const paths = before.flatMap((record) =>
    Object.keys(record.files).map((name) => `${record.folder}/${name}`),
  );
  return [...new Set(paths)].map((path) => {
    const at = path.lastIndexOf('/');
    return { folder: path.slice(0, at), name: path.slice(at + 1) };
  });
}
