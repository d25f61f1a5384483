/**
 * A run over many workflows, from its sources to its summaries.
 *
 *     sources ─▶ items ─▶ threads ─▶ outcomes in the order of the input ─▶ folders ─▶ summaries
 *
 * It can end at any moment, and the next run does what is missing: what is up to date says so itself.
 * What stands outside of `.squadc` depends on the sources, the answers, the options and the version
 * alone, whatever was there before.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Totals } from '../report/model.js';
import { rowText } from '../report/model.js';
import { SarifResults } from '../report/sarif.js';
import { type SummaryName, summaryNames, writeSummaries } from '../report/write-summaries.js';
import { discard, foreignFile, place, remove, WriteFault } from './folder.js';
import { type Item, itemsOf } from './items.js';
import { keyForm } from './key.js';
import type { Workers } from './pool.js';
import { readRecord } from './record.js';
import type { Plan, SourceFault } from './sources.js';
import { type OpenOutput, Summaries } from './state.js';
import { reasonOf } from './system-error.js';
import {
  failedRow,
  type Outcome,
  type RunRequest,
  type SquadDiff,
  unread,
  type WorkSetup,
} from './work.js';

type Threads = Workers<readonly Item[], (Outcome | null)[]>;

/** Opens threads that work by the setup. */
export type OpenThreads = (setup: WorkSetup, jobs: number) => Promise<Threads>;

export interface RunInput {
  readonly request: RunRequest;
  readonly plan: Plan;
  /** Of a run that writes nothing, one that is not used. */
  readonly output: OpenOutput;
  readonly jobs: number;
  /** The first workflow that is invalid or failed stops the run, and is named. */
  readonly failFast: boolean;
  /** Removes the files of workflows that are gone. */
  readonly prune: boolean;
  /** Whether there is to be a `summary.html`. */
  readonly hasPages: boolean;
}

export interface RunHooks {
  readonly open: OpenThreads;
  /** Aborted where the user wants to stop. */
  readonly stop: AbortSignal;
  /** Workflows and bytes that were done, and how many of them are failed or invalid. */
  progress(workflows: number, bytes: number, bad: number): void;
  /** Something to say beside the summary. */
  note(text: string): void;
  /** The summary that is shown, beside being written. */
  readonly shows: SummaryName | null;
  show(text: string): void;
  /** How a squad differs from the one that is there. */
  diff(path: string, diff: SquadDiff): void;
}

/** How many workflows are not what they should be. */
export interface Bad {
  readonly invalid: number;
  readonly failed: number;
  /** Those among the failed that failed by a bug of squadc's own. */
  readonly bugs: number;
}

export interface FinishedRun {
  readonly totals: Totals;
  /** Of each workflow, as `summary.json` has it. */
  readonly rows: readonly string[];
  readonly bad: Bad;
  /** How many workflows failed, by code. */
  readonly failures: ReadonlyMap<string, number>;
  /** Each that failed, in words. */
  readonly failed: readonly string[];
  /** Sources without a workflow, found while they were read. */
  readonly sourceFaults: readonly SourceFault[];
  /** Keys of workflows that are gone from the input, whose files were removed or stay. */
  readonly orphans: readonly string[];
  /** Whether they are removed; a dry run only says so. */
  readonly pruned: boolean;
  /** Whether a workflow of the run has the key. */
  has(key: string): boolean;
  /** What of the summaries could not be written. */
  readonly faults: readonly WriteFault[];
}

/** What was done of a run that was stopped. */
export interface StoppedRun {
  /** Not by a workflow that is bad. */
  readonly byUser: boolean;
  readonly bad: Bad;
}

/** A file stands where a summary would that squadc did not write; nothing was done. */
export class ForeignSummary extends Error {
  override readonly name = 'ForeignSummary';
}

const bugCodes: ReadonlySet<string> = new Set(['batch/internal-error', 'batch/refuted']);

export function doRun(input: RunInput, hooks: RunHooks): Promise<FinishedRun | StoppedRun> {
  return new Run(input, hooks).run();
}

class Run {
  private readonly rows: string[] = [];
  /** Where each key was met first, in words. */
  private readonly keys = new Map<string, string>();
  private readonly results = new SarifResults();
  private readonly failures = new Map<string, number>();
  private readonly failed: string[] = [];
  private readonly diffs: [string, SquadDiff][] = [];
  private readonly unread = new Set<string>();
  private readonly sourceFaults: SourceFault[] = [];
  private readonly summaries: Summaries;
  private readonly sums = { bytes: 0, invalid: 0 };
  private hasStopped = false;

  constructor(
    private readonly input: RunInput,
    private readonly hooks: RunHooks,
  ) {
    this.summaries = new Summaries(input.output);
  }

  async run(): Promise<FinishedRun | StoppedRun> {
    const { request, output } = this.input;
    const names = [...summaryNames, 'summary.html', 'squadc.js'];
    if (!request.dry) {
      const wanted = this.input.hasPages ? names : summaryNames;
      const foreign = wanted.find((name) => this.summaries.isForeign(name));
      if (foreign !== undefined) throw new ForeignSummary(foreignFile(foreign).message);
      // A part of the whole has no summary, and leaves none that is out of date.
      if (request.shard !== null) this.summaries.remove(names);
    }
    const { out, tmp, durable, force } = output;
    const threads = await this.hooks.open({ out, tmp, durable, force, request }, this.input.jobs);
    try {
      await this.doAll(threads);
    } finally {
      await threads.close();
    }
    if (this.hasStopped) return { bad: this.bad(), byUser: this.hooks.stop.aborted };
    return this.finish();
  }

  /** Outcomes are taken in the order of the items, some of which are under way meanwhile. */
  private async doAll(threads: Threads): Promise<void> {
    const underWay: { items: readonly Item[]; ended: ReturnType<Threads['run']> }[] = [];
    const takeFirst = async () => {
      const { items, ended } = underWay.shift() as (typeof underWay)[number];
      // A thread that died has died of one of them.
      const outcomes = await ended.catch(() => this.doOneByOne(items, threads));
      for (const [at, item] of items.entries()) this.take(item, outcomes[at] ?? null);
    };
    for (const items of this.batches()) {
      this.hasStopped ||= this.hooks.stop.aborted;
      if (this.hasStopped) break;
      const ended = threads.run(items);
      // It is waited for later.
      ended.catch(() => {});
      underWay.push({ items, ended });
      if (underWay.length >= 4 * this.input.jobs) await takeFirst();
    }
    while (underWay.length > 0) await takeFirst();
  }

  private async doOneByOne(items: readonly Item[], threads: Threads): ReturnType<Threads['run']> {
    const outcomes: (Outcome | null)[] = [];
    for (const item of items) {
      const [outcome = null] = await threads.run([item]).catch((error: unknown) => {
        const message = `its worker thread ended: ${reasonOf(error)}`;
        return [unread(item, { code: 'batch/internal-error', message }, this.input.request)];
      });
      outcomes.push(outcome);
    }
    return outcomes;
  }

  private *batches(): Generator<Item[]> {
    let items: Item[] = [];
    let bytes = 0;
    for (const source of this.input.plan.sources) {
      let isEmpty = true;
      for (const item of itemsOf(source)) {
        isEmpty = false;
        items.push(item);
        bytes += item.bytes;
        if (items.length < 16 && bytes < 256 * 1024) continue;
        yield items;
        [items, bytes] = [[], 0];
      }
      if (isEmpty) {
        const message = 'it contains no workflow';
        this.sourceFaults.push({ name: source.name, code: 'batch/empty', message });
      }
    }
    if (items.length > 0) yield items;
  }

  private take(item: Item, outcome: Outcome | null): void {
    this.sums.bytes += item.bytes;
    if (outcome === null) return;
    const { row, findings } = this.settle(outcome);
    const { key, source, status, failure } = row;
    const { line, diff } = outcome;
    const index = this.rows.length;
    if (outcome.isUnread) this.unread.add(source);
    this.rows.push(rowText(row, index, line));
    const at = line === undefined ? {} : { line };
    this.results.add({ index, key, source, ...at }, findings);
    if (diff !== undefined) this.diffs.push([`${key}/squad.json`, diff]);
    const place = line === undefined ? source : `${source}:${line}`;
    if (status === 'invalid') this.sums.invalid += 1;
    if (failure !== undefined) {
      this.failures.set(failure.code, (this.failures.get(failure.code) ?? 0) + 1);
      this.failed.push(`${failure.code}: ${key} (${place}): ${failure.message}`);
    }
    this.hooks.progress(this.rows.length, this.sums.bytes, this.sums.invalid + this.failed.length);
    if (!this.input.failFast || (status !== 'invalid' && status !== 'failed')) return;
    if (!this.hasStopped) this.hooks.note(`${status}: ${key} (${place})`);
    this.hasStopped = true;
  }

  /** Puts the files in place, unless the key or the place is another's. */
  private settle(outcome: Outcome): Pick<Outcome, 'row' | 'findings'> {
    const { row, findings, staged, line } = outcome;
    const { key, source } = row;
    const first = this.keys.get(key);
    if (first !== undefined) {
      if (staged !== undefined) discard(staged);
      const message = `${first} has an earlier workflow with the same id or name`;
      return failedRow(row, { code: 'batch/same-key', message });
    }
    this.keys.set(key, line === undefined ? source : `${source}:${line}`);
    if (staged === undefined) return { row, findings };
    try {
      const { removed, kept } = place(key, staged, this.input.output);
      for (const name of removed) {
        if (name !== 'report.html' || !this.input.request.pages) {
          this.hooks.note(`removed because it is outdated: ${key}/${name}`);
        }
      }
      for (const name of kept) {
        this.hooks.note(`outdated, but kept because it was changed: ${key}/${name}`);
      }
      return { row, findings };
    } catch (error) {
      if (!(error instanceof WriteFault)) throw error;
      const { code, message } = error;
      return failedRow(row, { code, message });
    }
  }

  private async finish(): Promise<FinishedRun> {
    const { request, plan } = this.input;
    const faults: WriteFault[] = [];
    const totals = await this.summarize(faults);
    const isWhole = request.shard === null && request.only === null;
    const orphans = isWhole ? this.orphans() : [];
    const pruned = this.input.prune && this.unread.size + plan.faults.length === 0;
    if (pruned && !request.dry) {
      for (const key of orphans) {
        for (const name of remove(key, this.input.output)) {
          this.hooks.note(`kept because it was changed: ${key}/${name}`);
        }
      }
    }
    const { rows, failures, failed, sourceFaults } = this;
    const has = (key: string) => this.keys.has(key);
    const bad = this.bad();
    return { totals, rows, bad, failures, failed, sourceFaults, orphans, pruned, has, faults };
  }

  private async summarize(faults: WriteFault[]): Promise<Totals> {
    const { request, output, hasPages } = this.input;
    const { squadc, options, shard, dry } = request;
    const isWritten = !dry && shard === null;
    let hasChanged = false;
    const write = (name: string, pieces: Iterable<string>): 'written' | 'unchanged' => {
      if (!isWritten) for (const _ of pieces);
      else {
        try {
          const outcome = this.summaries.write(name, pieces);
          hasChanged ||= outcome === 'written';
          return outcome;
        } catch (error) {
          if (!(error instanceof WriteFault)) throw error;
          faults.push(error);
        }
      }
      return 'unchanged';
    };
    const totals = await writeSummaries(
      { squadc, options, rows: this.rows, results: this.results },
      (name, text) => {
        write(name, [text]);
        if (this.hooks.shows === name) this.hooks.show(text);
      },
    );
    for (const [path, diff] of this.diffs) this.hooks.diff(path, diff);
    // Where none is written, an old one would be of another run.
    if (hasChanged && !hasPages && existsSync(join(output.out, 'summary.html'))) {
      const isGone = this.summaries.remove(['summary.html', 'squadc.js']);
      const what = isGone
        ? 'removed because it is outdated'
        : 'outdated, but kept because it was changed';
      this.hooks.note(`${what}: summary.html`);
    }
    if (isWritten && hasPages && faults.length === 0) {
      const { writeReport } = await import('../report/write-report.js');
      await writeReport(output.out, {
        pages: 'none',
        writeFile: (name, text) => write(name, [text]),
      });
    }
    return totals;
  }

  /** One whose source could not be read is not gone. */
  private orphans(): string[] {
    const { out } = this.input.output;
    return namesIn(out).filter((key) => {
      if (!keyForm.test(key) || this.keys.has(key)) return false;
      const record = readRecord(join(out, key));
      return record !== null && !this.unread.has(record.row.source);
    });
  }

  private bad(): Bad {
    const bugs = [...bugCodes].reduce((sum, code) => sum + (this.failures.get(code) ?? 0), 0);
    return { invalid: this.sums.invalid, failed: this.failed.length, bugs };
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
