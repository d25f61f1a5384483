/** `squadc report`: writes the pages of a finished run, to view in a browser. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openReportFiles, type ReportFiles } from '../../batch/report-files.js';
import { NotASummary, readRun } from '../../report/summaries.js';
import { type WrittenReport, writeReport } from '../../report/write-report.js';
import { counted } from '../../text/counted.js';
import type { CommandData } from '../command.js';
import { type ExitCode, exitCodes, type Io } from '../io.js';
import { openProgress, printable } from '../output/terminal.js';
import { refusalOf } from '../running.js';

interface ReportFlags {
  /** False with `--no-pages`. */
  readonly pages: boolean;
  readonly force?: boolean;
}

export const command: CommandData<[out: string], ReportFlags> = {
  description:
    'Writes summary.html, and for each workflow a page with both graphs, the source of every ' +
    'line, the open questions as a form, the checklist and the ledger.',
  arguments: { '<out>': 'output folder of squadc migrate' },
  options: {
    'Output:': {
      '--no-pages': 'write only summary.html',
      '--force': 'overwrite files that squadc did not write',
    },
  },
  notes: { '': 'Open summary.html in a browser; no server is needed.' },
  exits: [74],
  examples: ['squadc report out'],
  action: ([out], flags, { io }) => report(out, flags, io),
};

async function report(out: string, flags: ReportFlags, io: Io): Promise<ExitCode> {
  const { foreign, unread, pages } = await writePages(out, flags, io);
  const lines = [
    ...foreign.map((path) => `${path} already exists and was not written by squadc (--force)`),
    ...unread.map(({ key, reason }) => `no page of ${key}: ${reason}`),
  ];
  const others = flags.pages ? ` and ${counted(pages, 'page')} of workflows` : '';
  const summary = `${join(out, 'summary.html')}${others}: open it in a browser`;
  io.stderr.write(printable([...lines, summary].map((line) => `${line}\n`).join('')));
  return lines.length === 0 ? exitCodes.complete : exitCodes.failed;
}

async function writePages(out: string, flags: ReportFlags, io: Io): Promise<WrittenReport> {
  const { pages, force = false } = flags;
  const folder = resolve(io.cwd, out);
  const has = (name: string) => existsSync(join(folder, name));
  let files: ReportFiles | null = null;
  try {
    // Writes nothing into a folder that does not hold a run.
    if (!has('.squadc') && !has('summary.json')) throw new NotASummary('there is no summary.json');
    files = openReportFiles(folder, force);
    const others = await files.summarize();
    if (others > 0) {
      const amount = counted(others, 'workflow');
      io.stderr.write(`${amount} compiled with other options or another version than the first\n`);
    }
    if (!has('summary.json')) {
      throw new NotASummary('there is no summary.json, and no workflow to write one from');
    }
    const progress = openProgress(readRun(folder).totals.workflows, 'pages', io);
    return await writeReport(folder, {
      pages: pages ? 'all' : 'none',
      writeFile: files.write,
      onPage: (done) => progress.update(done, 0),
    }).finally(progress.stop);
  } catch (error) {
    throw refusalOf(error, out);
  } finally {
    files?.close();
  }
}
