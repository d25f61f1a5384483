/**
 * A run over many workflows, from its sources to its summaries.
 *
 *     sources ─▶ items ─▶ threads ─▶ outcomes in the order of the input ─▶ folders ─▶ summaries
 *
 * A run can end at any moment, and the next one does the rest: each folder says whether it is up to
 * date. Everything outside `.squadc` depends only on the sources, answers, options and version, not
 * on what was there before.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Totals } from '../report/model.js';
import { rowText } from '../report/model.js';
import { SarifResults } from '../report/sarif.js';
import { type SummaryName, summaryNames, writeSummaries } from '../report/write-summaries.js';
import { discard, place, readRecord, WriteFault } from './folder.js';
import { type Item, itemsOf } from './items.js';
import { keyForm } from './key.js';
import { type OpenOutput, Summaries } from './output.js';
import type { Workers } from './pool.js';
import type { Plan, SourceFault } from './sources.js';
import { reasonOf } from './values.js';
import {
  failedRow,
  type Outcome,
  type RunRequest,
  type SquadDiff,
  unread,
  type WorkSetup,
} from './work.js';

type Threads = Workers<readonly Item[], (Outcome | null)[]>;

/** Starts threads with this setup. */
export type OpenThreads = (setup: WorkSetup, jobs: number) => Promise<Threads>;

export interface RunInput {
  readonly request: RunRequest;
  readonly plan: Plan;
  /** Unused if the run writes nothing. */
  readonly output: OpenOutput;
  readonly jobs: number;
  /** Whether to write `summary.html`. */
  readonly hasPages: boolean;
}

export interface RunHooks {
  readonly open: OpenThreads;
  /** Aborted when the user stops the run. */
  readonly stop: AbortSignal;
  /** Workflows and bytes that are done, and how many workflows failed or are invalid. */
  progress(workflows: number, bytes: number, bad: number): void;
  /** Shows a message. */
  note(text: string): void;
  /** The summary to show, apart from writing it. */
  readonly shows: SummaryName | null;
  show(text: string): void;
  /** Shows how a squad differs from the existing one. */
  diff(path: string, diff: SquadDiff): void;
}

export interface FinishedRun {
  readonly totals: Totals;
  /** The rows of `summary.json`. */
  readonly rows: readonly string[];
  /** How many workflows failed, by code. */
  readonly failures: ReadonlyMap<string, number>;
  /** A sentence for each workflow that failed. */
  readonly failed: readonly string[];
  /** Sources without a workflow, found while reading. */
  readonly sourceFaults: readonly SourceFault[];
  /** Keys of workflows that are no longer in the input; their files stay. */
  readonly orphans: readonly string[];
  /** Whether a workflow of the run has the key. */
  has(key: string): boolean;
  /** Summaries that could not be written. */
  readonly faults: readonly WriteFault[];
}

/** Null if the user stopped the run. */
export async function doRun(input: RunInput, hooks: RunHooks): Promise<FinishedRun | null> {
  const { request, output } = input;
  // A partial run has no summary, and removes an outdated one.
  if (request.shard !== null && !request.dry) {
    new Summaries(output).remove([...summaryNames, 'summary.html', 'squadc.js']);
  }
  const { out, tmp, force } = output;
  const threads = await hooks.open({ out, tmp, force, request }, input.jobs);
  const run = new Run(input, hooks, threads);
  const isDone = await run.doAll().finally(() => threads.close());
  return isDone ? run.finish() : null;
}

class Run {
  private readonly rows: string[] = [];
  /** Where each key occurred first, as text. */
  private readonly keys = new Map<string, string>();
  private readonly results = new SarifResults();
  private readonly failures = new Map<string, number>();
  private readonly failed: string[] = [];
  private readonly diffs: [string, SquadDiff][] = [];
  private readonly unread = new Set<string>();
  private readonly sourceFaults: SourceFault[] = [];
  private bytes = 0;
  private invalid = 0;

  constructor(
    private readonly input: RunInput,
    private readonly hooks: RunHooks,
    private readonly threads: Threads,
  ) {}

  /**
   * Takes outcomes in the order of the items, while later ones are in progress. False if the user
   * stopped the run.
   */
  async doAll(): Promise<boolean> {
    const underWay: { items: readonly Item[]; ended: ReturnType<Threads['run']> }[] = [];
    const takeFirst = async () => {
      const { items, ended } = underWay.shift() as (typeof underWay)[number];
      // One of these items killed the thread.
      const outcomes = await ended.catch(() => this.doOneByOne(items));
      for (const [at, item] of items.entries()) this.take(item, outcomes[at] ?? null);
    };
    const { stop } = this.hooks;
    for (const items of this.batches()) {
      if (stop.aborted) break;
      const ended = this.threads.run(items);
      // Awaited later.
      ended.catch(() => {});
      underWay.push({ items, ended });
      if (underWay.length >= 4 * this.input.jobs) await takeFirst();
    }
    while (underWay.length > 0) await takeFirst();
    return !stop.aborted;
  }

  private async doOneByOne(items: readonly Item[]): ReturnType<Threads['run']> {
    const outcomes: (Outcome | null)[] = [];
    for (const item of items) {
      const [outcome = null] = await this.threads.run([item]).catch((error: unknown) => {
        const message = `its worker thread ended: ${reasonOf(error)}`;
        const failure = { code: 'batch/internal-error', message };
        return [unread(item, failure, this.input.request.shard)];
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
    this.bytes += item.bytes;
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
    if (status === 'invalid') this.invalid += 1;
    if (failure !== undefined) {
      this.failures.set(failure.code, (this.failures.get(failure.code) ?? 0) + 1);
      this.failed.push(`${failure.code}: ${key} (${placeOf(outcome)}): ${failure.message}`);
    }
    this.hooks.progress(this.rows.length, this.bytes, this.invalid + this.failed.length);
  }

  /** Puts the files in place, unless another workflow has the key or the place. */
  private settle(outcome: Outcome): Pick<Outcome, 'row' | 'findings'> {
    const { row, findings, staged } = outcome;
    const { key } = row;
    const first = this.keys.get(key);
    if (first !== undefined) {
      if (staged !== undefined) discard(staged);
      const message = `${first} has an earlier workflow with the same id or name`;
      return failedRow(row, { code: 'batch/same-key', message });
    }
    this.keys.set(key, placeOf(outcome));
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

  async finish(): Promise<FinishedRun> {
    const { rows, failures, failed, sourceFaults } = this;
    const faults: WriteFault[] = [];
    const totals = await this.summarize(faults);
    const orphans = this.input.request.shard === null ? this.orphans() : [];
    const has = (key: string) => this.keys.has(key);
    return { totals, rows, failures, failed, sourceFaults, orphans, has, faults };
  }

  private async summarize(faults: WriteFault[]): Promise<Totals> {
    const { request, output, hasPages } = this.input;
    const { squadc, options, shard, dry } = request;
    const summaries = new Summaries(output);
    const isWritten = !dry && shard === null;
    let hasChanged = false;
    const write = (name: string, text: string): 'written' | 'unchanged' => {
      if (!isWritten) return 'unchanged';
      try {
        const outcome = summaries.write(name, text);
        hasChanged ||= outcome === 'written';
        return outcome;
      } catch (error) {
        if (!(error instanceof WriteFault)) throw error;
        faults.push(error);
        return 'unchanged';
      }
    };
    const totals = await writeSummaries(
      { squadc, options, rows: this.rows, results: this.results },
      (name, text) => {
        write(name, text);
        if (this.hooks.shows === name) this.hooks.show(text);
      },
    );
    for (const [path, diff] of this.diffs) this.hooks.diff(path, diff);
    // An old summary would belong to another run.
    if (hasChanged && !hasPages && existsSync(join(output.out, 'summary.html'))) {
      const isGone = summaries.remove(['summary.html', 'squadc.js']);
      const what = isGone
        ? 'removed because it is outdated'
        : 'outdated, but kept because it was changed';
      this.hooks.note(`${what}: summary.html`);
    }
    if (isWritten && hasPages && faults.length === 0) {
      const { writeReport } = await import('../report/write-report.js');
      await writeReport(output.out, { pages: 'none', writeFile: write });
    }
    return totals;
  }

  /** A workflow whose source could not be read does not count as gone. */
  private orphans(): string[] {
    const { out } = this.input.output;
    const names = existsSync(out) ? readdirSync(out).sort() : [];
    return names.filter((key) => {
      if (!keyForm.test(key) || this.keys.has(key)) return false;
      const record = readRecord(join(out, key));
      return record !== null && !this.unread.has(record.row.source);
    });
  }
}

function placeOf({ row, line }: Outcome): string {
  return line === undefined ? row.source : `${row.source}:${line}`;
}
