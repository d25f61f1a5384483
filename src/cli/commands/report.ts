/** `squadc report`: pages of a run that has ended, to be looked at in a browser. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Option } from 'commander';
import type { ReportFiles } from '../../batch/report-files.js';
import type { WrittenReport } from '../../report/write-report.js';
import type { CommandData } from '../command.js';
import { type ExitCode, exitCodes, Refusal } from '../exit.js';
import type { Io } from '../io.js';
import { openProgress, type Progress } from '../output/progress.js';
import { count, printable } from '../output/terminal.js';
import { jsonText } from '../output/write.js';

interface ReportFlags {
  /** False with `--no-pages`. */
  readonly pages: boolean;
  readonly force?: boolean;
  readonly json?: true;
}

export const reportCommand: CommandData<[out: string], ReportFlags> = {
  name: 'report',
  summary: 'write the pages of a migration',
  description:
    'Writes summary.html, and for each workflow a page with both graphs, the source of every ' +
    'line, the open questions as a form, the checklist and the ledger.',
  arguments: [['<out>', 'output folder of squadc migrate']],
  options: [
    new Option('--no-pages', 'write only summary.html'),
    new Option('--force', 'overwrite files that squadc did not write'),
    new Option('--json', 'print what was written as JSON'),
  ],
  notes: 'Open summary.html in a browser; no server is needed.',
  exitCodes: [
    [0, 'written'],
    [1, 'the folder holds no summary that squadc migrate wrote'],
    [64, 'wrong usage'],
    [70, "a bug of squadc's own"],
    [74, 'a result could not be read, or a page could not be written'],
  ],
  examples: ['squadc report out'],
  action: ([out], flags, { io }) => report(out, flags, io),
};

async function report(out: string, flags: ReportFlags, io: Io): Promise<ExitCode> {
  const folder = resolve(io.cwd, out);
  if (!['.squadc', 'summary.json'].some((name) => existsSync(join(folder, name)))) {
    throw noSummary(out, 'there is no summary.json');
  }
  const written = await writePages(out, folder, flags, io);
  for (const path of written.foreign) {
    io.stderr.write(printable(`${path} already exists and was not written by squadc (--force)\n`));
  }
  for (const { key, reason } of written.unread) {
    io.stderr.write(printable(`no page of ${key}: ${reason}\n`));
  }
  if (flags.json) io.stdout.write(jsonText(written));
  else {
    const pages = flags.pages ? ` and ${count(written.pages, 'page')} of workflows` : '';
    io.stderr.write(printable(`${join(out, 'summary.html')}${pages}: open it in a browser\n`));
  }
  const isWhole = written.foreign.length === 0 && written.unread.length === 0;
  return isWhole ? exitCodes.complete : exitCodes.failed;
}

async function writePages(
  out: string,
  folder: string,
  { pages, force = false }: ReportFlags,
  io: Io,
): Promise<WrittenReport> {
  const { readRun } = await import('../../report/read-summary.js');
  const { NotASummary } = await import('../../report/read-summary.js');
  const { writeReport } = await import('../../report/write-report.js');
  const { openReportFiles } = await import('../../batch/report-files.js');
  const { refusalOf } = await import('../runs/run.js');
  let progress: Progress | null = null;
  let files: ReportFiles | null = null;
  try {
    files = openReportFiles(folder, force);
    const others = await files.summarize();
    if (others > 0) {
      const amount = count(others, 'workflow');
      io.stderr.write(`${amount} made by other options, or by another version, than the first\n`);
    }
    if (!existsSync(join(folder, 'summary.json'))) {
      throw new NotASummary('there is no summary.json, and no workflow to make one of');
    }
    const { totals } = readRun(folder);
    if (pages) progress = await openProgress(totals.workflows, 'pages', io);
    return await writeReport(folder, {
      pages: pages ? 'all' : 'none',
      writeFile: files.write,
      onPage: (done) => progress?.update(done, 0),
    });
  } catch (error) {
    throw error instanceof NotASummary ? noSummary(out, error.message) : refusalOf(error, out);
  } finally {
    progress?.stop();
    files?.close();
  }
}

function noSummary(out: string, why: string): Refusal {
  return new Refusal(
    `${out} is no folder of squadc migrate: ${why}\n` +
      '  help: Give the folder that squadc migrate has as --output.',
    exitCodes.invalid,
  );
}
