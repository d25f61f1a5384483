/**
 * Files that are not of one workflow alone, such as summaries, or are made after it, such as pages.
 *
 * They are put in place as workflows' files are: known by the journal, so that nothing that somebody
 * else wrote is lost.
 */
import { join } from 'node:path';
import { WriteFault, writeFault } from '../faults.js';
import type { KnownTable } from '../journal/known.js';
import { type JournalRecord, keyOf, planLine } from '../journal/records.js';
import { type OutputRules, OutputWriter, type PlannedFiles } from './output-writer.js';
import { OwnRecords } from './own-records.js';
import { pathIn } from './ownership.js';
import type { Text } from './write-file.js';

export interface OwnFilesOptions extends Pick<OutputRules, 'out' | 'durable' | 'force'> {
  /** Folder of the journals. */
  readonly state: string;
}

export class OwnFiles {
  /** What could not be written, and why. */
  readonly faults: WriteFault[] = [];
  /** Paths of files that went, being outdated. */
  readonly removed: string[] = [];
  /** Paths of files that would have gone, had somebody not changed them. */
  readonly kept: string[] = [];
  /** Whether anything was put in place. */
  hasChanged = false;
  readonly records: OwnRecords;
  private readonly output: OutputWriter;
  private plans: PlannedFiles[] = [];

  constructor(options: OwnFilesOptions, known: KnownTable) {
    const { state, durable } = options;
    const temporary = join(state, 'tmp');
    this.records = new OwnRecords(state, durable, known);
    this.output = new OutputWriter({ ...options, temporary, prefix: 'own' });
  }

  /** The first of the files that somebody else wrote; null where all may be written. */
  findForeign(folder: string, names: readonly string[]): WriteFault | null {
    for (const name of names) {
      try {
        this.output.ownership.findOwn({ folder, name }, this.records.of(folder));
      } catch (error) {
        if (error instanceof WriteFault) return error;
        throw error;
      }
    }
    return null;
  }

  /**
   * Writes the temporary file; `stale` are names of files that are made of it, see `WantedFiles`.
   * Pieces are taken to their end even where they cannot be written: others may count on them.
   */
  stage(folder: string, name: string, text: Text, stale: readonly string[] = []): void {
    const pieces = typeof text === 'string' ? text : resumable(text);
    try {
      const texts = new Map([[name, pieces]]);
      this.plans.push(
        this.output.plan({ folder, texts, gone: [], stale }, this.records.of(folder)),
      );
    } catch (error) {
      this.faults.push(writeFault(pathIn({ folder, name }), error));
      for (const _ of pieces);
    }
  }

  /** Puts in place what was staged. */
  commit(): void {
    const plans = this.plans;
    this.plans = [];
    try {
      this.records.append(
        plans.map(({ folder, files }) => planLine({ key: keyOf(folder), folder, files })),
      );
    } catch (error) {
      for (const plan of plans) this.output.discard(plan);
      this.faults.push(writeFault('.squadc', error));
      return;
    }
    this.hasChanged ||= plans.some(({ moves }) => moves.length > 0);
    const lines = plans.map((plan) => {
      const { files, removed, fault } = this.output.commit(plan);
      this.removed.push(...removed);
      this.kept.push(...plan.kept);
      if (fault !== null) this.faults.push(fault);
      return this.records.keep(plan.folder, files);
    });
    try {
      if (plans.some(({ moves }) => moves.length > 0)) this.records.append(lines);
    } catch (error) {
      this.faults.push(writeFault('.squadc', error));
    }
  }

  /** Writes one file; a path is POSIX. Throws where it cannot be written. */
  write(path: string, text: string): 'written' | 'unchanged' | 'foreign' {
    const at = path.lastIndexOf('/');
    const folder = at === -1 ? '.' : path.slice(0, at);
    const faults = this.faults.length;
    this.stage(folder, path.slice(at + 1), text);
    const isSame = this.plans.every(({ moves }) => moves.length === 0);
    this.commit();
    const fault = this.faults[faults];
    if (fault === undefined) return isSame ? 'unchanged' : 'written';
    this.faults.length = faults;
    if (fault.code === 'batch/foreign-file') return 'foreign';
    throw fault;
  }

  /** Whether a file is there as it was written. */
  isThere(folder: string, name: string): boolean {
    return this.output.ownership.isUntouched({ folder, name }, this.records.of(folder));
  }

  /** Removes files of ours; the result is what somebody has changed, and stays. */
  remove(folder: string, names: readonly string[], records: readonly JournalRecord[]): string[] {
    const places = names.map((name) => ({ folder, name }));
    const [removals, kept] = this.output.ownership.sorted(places, records);
    for (const path of removals) this.output.remove(path);
    return kept;
  }

  close(): void {
    this.records.close();
  }
}

/** Can be taken up again where somebody has stopped in the middle, which ends a generator. */
function resumable<Piece>(pieces: Iterable<Piece>): Iterable<Piece> {
  const iterator = pieces[Symbol.iterator]();
  return { [Symbol.iterator]: () => ({ next: () => iterator.next() }) };
}
