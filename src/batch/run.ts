/**
 * A run over many workflows, from its sources to its summaries.
 *
 *     sources ─▶ items ─▶ threads ─▶ outcomes in the order of the input ─▶ folders ─▶ summaries
 *
 * A run can end at any moment, and the next one does the rest: each folder says whether it is up to
 * date. Everything outside `.squadc` depends only on the sources, answers, options and version, not
 * on what was there before.
 */
import { setFlagsFromString } from 'node:v8';
import { reasonOf } from '../io/files.js';
import type { RowFacts, Totals, WorkflowRow } from '../report/model.js';
import { type SarifFinding, SarifResults } from '../report/sarif.js';
import { type SummaryName, summaryNames, writeSummaries } from '../report/summaries.js';
import { place, WriteFault } from './folder.js';
import { type Item, itemsOf } from './items.js';
import { type OpenOutput, Summaries } from './output.js';
import type { Plan, SourceFault } from './sources.js';
import {
  failedRow,
  type Outcome,
  type RunRequest,
  type SquadDiff,
  unread,
  type WorkSetup,
} from './work.js';

/** Threads that work on items. */
export interface Threads {
  /** The outcomes; null for a workflow of another shard. */
  run(items: readonly Item[]): Promise<(Outcome | null)[]>;
  close(): Promise<void>;
}

/** Starts threads with this setup. */
export type OpenThreads = (setup: WorkSetup, jobs: number) => Promise<Threads>;

/** Starts threads of the built package: `url` is that of the module with `doItems`. */
export async function openThreads(url: string, setup: WorkSetup, jobs: number): Promise<Threads> {
  const { Tinypool } = await import('tinypool');
  // By default, V8 lets each thread's heap grow to a multiple of its live data.
  setFlagsFromString('--heap-growing-percent=40');
  const options = { name: 'doItems', workerData: setup, minThreads: jobs, maxThreads: jobs };
  const pool = new Tinypool({ filename: url, ...options });
  return { run: (items) => pool.run(items), close: () => pool.destroy() };
}

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
  /** How many workflows are done, and how many of them failed or are invalid. */
  progress(workflows: number, bad: number): void;
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
  readonly rows: readonly WorkflowRow[];
  /** Sources without a workflow, found while reading. */
  readonly sourceFaults: readonly SourceFault[];
  /** Summaries that could not be written. */
  readonly faults: readonly WriteFault[];
  /** What is wrong with workflows and answers, one for each. */
  readonly reasons: readonly Reason[];
}

/** Why a workflow is invalid or failed, or what is wrong with an answer, at `file:line:column`. */
export type Reason = SarifFinding & { readonly place: string };

/** Null if the user stopped the run. */
export async function doRun(input: RunInput, hooks: RunHooks): Promise<FinishedRun | null> {
  const { request, output } = input;
  // A partial run has no summary, and removes an outdated one.
  if (request.shard !== null && !request.dry) {
    new Summaries(output).remove([...summaryNames, 'summary.html']);
  }
  const { out, tmp, force } = output;
  const threads = await hooks.open({ out, tmp, force, request }, input.jobs);
  const run = new Run(input, hooks, threads);
  await run.doAll().finally(() => threads.close());
  return hooks.stop.aborted ? null : run.finish();
}

class Run {
  private readonly rows: WorkflowRow[] = [];
  /** Where each key occurred first, as text. */
  private readonly keys = new Map<string, string>();
  private readonly results = new SarifResults();
  private readonly sourceFaults: SourceFault[] = [];
  private readonly reasons: Reason[] = [];
  private seen = 0;
  private bad = 0;

  constructor(
    private readonly input: RunInput,
    private readonly hooks: RunHooks,
    private readonly threads: Threads,
  ) {}

  /** Takes outcomes in the order of the items, while later ones are in progress. */
  async doAll(): Promise<void> {
    const underWay: Promise<(Outcome | null)[]>[] = [];
    const takeFirst = async () => {
      for (const outcome of (await underWay.shift()) ?? []) this.take(outcome);
    };
    for (const items of this.batches()) {
      if (this.hooks.stop.aborted) break;
      underWay.push(this.work(items));
      if (underWay.length >= 4 * this.input.jobs) await takeFirst();
    }
    while (underWay.length > 0) await takeFirst();
  }

  /** An item that kills its thread fails alone. */
  private async work(items: readonly Item[]): Promise<(Outcome | null)[]> {
    const [item] = items;
    try {
      return await this.threads.run(items);
    } catch (error) {
      if (items.length === 1 && item !== undefined) {
        const message = `its worker thread ended: ${reasonOf(error)}`;
        const failure = { code: 'batch/internal-error', message };
        return [unread(item, failure, this.input.request.shard)];
      }
      const outcomes: (Outcome | null)[] = [];
      for (const each of items) outcomes.push(...(await this.work([each])));
      return outcomes;
    }
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

  private take(outcome: Outcome | null): void {
    this.seen += 1;
    if (outcome === null) return;
    const { row: facts, findings } = this.settle(outcome);
    const row: WorkflowRow = { index: this.rows.length, ...facts };
    this.rows.push(row);
    this.results.add(row, findings);
    if (outcome.diff) this.hooks.diff(`${row.key}/squad.json`, outcome.diff);
    const isBad = row.status === 'invalid' || row.status === 'failed';
    if (isBad) this.bad += 1;
    const first = isBad ? findings.find(({ severity }) => severity === 'error') : undefined;
    const ofAnswers = findings.filter(({ subject }) => subject?.startsWith('answers:'));
    for (const each of new Set([first ?? [], ofAnswers].flat())) {
      const at = row.line === undefined && each.line ? `:${each.line}:${each.column}` : '';
      this.reasons.push({ ...each, place: `${placeOf(row)}${at}` });
    }
    this.hooks.progress(this.seen, this.bad);
  }

  /** Puts the files in place, unless another workflow has the key or the place. */
  private settle({ row, findings, staged }: Outcome): Pick<Outcome, 'row' | 'findings'> {
    const { key } = row;
    const first = this.keys.get(key);
    if (first !== undefined) {
      const message = `${first} has an earlier workflow with the same id or name`;
      return failedRow(row, { code: 'batch/same-key', message });
    }
    this.keys.set(key, placeOf(row));
    if (staged === undefined) return { row, findings };
    try {
      const { removed, kept } = place(key, staged, this.input.output);
      for (const name of removed) this.hooks.note(`removed because it is outdated: ${key}/${name}`);
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
    const { rows, results, sourceFaults, reasons } = this;
    const { request, output, hasPages } = this.input;
    const summaries = new Summaries(output);
    const faults: WriteFault[] = [];
    const isWritten = !request.dry && request.shard === null;
    const write = (name: string, text: string): 'written' | 'unchanged' => {
      try {
        return isWritten ? summaries.write(name, text) : 'unchanged';
      } catch (error) {
        if (!(error instanceof WriteFault)) throw error;
        faults.push(error);
        return 'unchanged';
      }
    };
    const { squadc, options } = request;
    const totals = await writeSummaries({ squadc, options, rows, results }, (name, text) => {
      write(name, text);
      if (this.hooks.shows === name) this.hooks.show(text);
    });
    // An old one may be of another run.
    const gone = isWritten && !hasPages ? summaries.remove(['summary.html']) : [];
    for (const name of gone) this.hooks.note(`removed because it is outdated: ${name}`);
    if (isWritten && hasPages && faults.length === 0) {
      const { writeReport } = await import('../report/write-report.js');
      await writeReport(output.out, { pages: 'none', writeFile: write });
    }
    return { totals, rows, sourceFaults, faults, reasons };
  }
}

/** The place of a workflow, for messages. */
function placeOf({ source, line }: Pick<RowFacts, 'source' | 'line'>): string {
  return line === undefined ? source : `${source}:${line}`;
}
