/** What the journals know of files that are not of one workflow alone, and are told of them. */
import { join } from 'node:path';
import { Known, type KnownTable } from '../journal/known.js';
import {
  doneLine,
  type JournalRecord,
  type KnownFiles,
  keyOf,
  noContent,
} from '../journal/records.js';
import { JournalWriter } from '../journal/writer.js';
import { journalsIn } from '../state/state-folder.js';

export class OwnRecords {
  /** The last line of each key; they belong into the journal. */
  readonly lines = new Map<string, string>();
  private readonly known: Known;
  private readonly written = new Map<string, JournalRecord>();
  private journal: JournalWriter | null = null;

  /** `state` is the folder of the journals. */
  constructor(
    private readonly state: string,
    private readonly durable: boolean,
    known: KnownTable,
  ) {
    this.known = new Known(known);
  }

  /** All records of the folder, the last one at the end. */
  of(folder: string): JournalRecord[] {
    const written = this.written.get(keyOf(folder));
    return [...this.known.byKey(keyOf(folder)), ...(written ? [written] : [])];
  }

  /** Adds files to those of the folder; the result is the line that says so. */
  keep(folder: string, files: KnownFiles): string {
    const key = keyOf(folder);
    const last = this.written.get(key) ?? this.known.lastDone(key)?.record;
    const all = { ...last?.files, ...files };
    const nothing = { content: noContent, made: '', status: null, source: null };
    const record = { ...nothing, key, folder, files: all };
    this.written.set(key, { kind: 'done', ...record });
    const line = doneLine(record, null);
    this.lines.set(key, line);
    return line;
  }

  /** Says what the files of a folder are made of; whether the journals say all of it already. */
  sign(folder: string, made: string): boolean {
    const key = keyOf(folder);
    const known = this.known.lastDone(key)?.record;
    const now = this.written.get(key) ?? known;
    if (now?.kind !== 'done') return false;
    const line = doneLine({ ...now, made }, null);
    // It becomes the last of the lines.
    this.lines.delete(key);
    this.lines.set(key, line);
    return known !== undefined && doneLine(known, null) === line;
  }

  append(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const name = `${journalsIn(this.state).firstJournal}.jsonl`;
    this.journal ??= new JournalWriter(join(this.state, 'journal', name), this.durable);
    this.journal.append(lines);
  }

  close(): void {
    this.journal?.close();
    this.known.close();
  }
}
