/** For `squadc report`: writes into the output folder of a finished run. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ResultFile, WorkflowRow } from '../report/model.js';
import { SarifResults } from '../report/sarif.js';
import { writeSummaries } from '../report/summaries.js';
import {
  foreignFile,
  place,
  type ReadRecord,
  readRecord,
  stageChange,
  WriteFault,
} from './folder.js';
import { keyForm } from './key.js';
import { openOutput, Summaries } from './output.js';
import { byParts } from './sources.js';

export interface ReportFiles {
  /** Puts a file in place; a path is POSIX, below the folder. Throws where it cannot be written. */
  write(path: string, text: string): 'written' | 'unchanged' | 'foreign';
  /**
   * Writes the summary of a folder that has none, because shards write none. Returns how many
   * workflows were made with other options than the first, or by another version.
   */
  summarize(): Promise<number>;
  close(): void;
}

/** Throws `FolderInUse` during a run. `out` is absolute. */
export function openReportFiles(out: string, force: boolean): ReportFiles {
  const output = openOutput(out, force, null);
  const summaries = new Summaries(output);

  /** Adds the page to the files of its workflow, and rewrites the record. */
  const writePage = (key: string, text: string): 'written' | 'unchanged' => {
    const folder = join(out, key);
    const record = readRecord(folder);
    if (record === null) throw foreignFile(`${key}/result.json`);
    const path = join(folder, 'report.html');
    if (existsSync(path) && readFileSync(path, 'utf8') === text) return 'unchanged';
    const staged = join(output.tmp, 'page.0');
    stageChange(staged, folder, record, { files: new Map([['report.html', text]]) });
    place(key, staged, output);
    return 'written';
  };

  return {
    write: (path, text) => {
      try {
        const [key, name] = path.split('/');
        if (name === undefined) return summaries.write(path, text);
        return writePage(key as string, text);
      } catch (error) {
        if (error instanceof WriteFault && error.code === 'batch/foreign-file') return 'foreign';
        throw error;
      }
    },
    summarize: async () => {
      const records = recordsIn(out);
      const [first] = records;
      if (first === undefined || existsSync(join(out, 'summary.json'))) return 0;
      const rows = records.map(({ row }, index): WorkflowRow => ({ index, ...row }));
      const results = new SarifResults();
      for (const [at, row] of rows.entries()) results.add(row, records[at]!.findings);
      const text = readFileSync(join(out, first.row.key, 'result.json'), 'utf8');
      const { squadc, options }: ResultFile = JSON.parse(text);
      await writeSummaries({ squadc, options, rows, results }, (name, text) => {
        summaries.write(name, text);
      });
      return records.filter(({ run }) => run !== first.run).length;
    },
    close: output.close,
  };
}

/** In the order of their sources. */
function recordsIn(out: string): ReadRecord[] {
  const keys = readdirSync(out).filter((name) => keyForm.test(name));
  const records = keys.map((key) => readRecord(join(out, key))).filter((each) => each !== null);
  return records.sort(
    (a, b) =>
      byParts(a.row.source, b.row.source) ||
      (a.row.line ?? 0) - (b.row.line ?? 0) ||
      (a.row.key < b.row.key ? -1 : 1),
  );
}
