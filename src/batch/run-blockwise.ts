/**
 * Does a run: gives blocks of the input to threads, and ends with the summaries.
 *
 * The threads read, compile and write; here only places of lines are kept.
 */
import { type FinishedRun, findForeignSummary, finishRun } from './ending/finish-run.js';
import { buildKnown } from './journal/known.js';
import { Gathering } from './outcomes/gather.js';
import { Outcomes } from './outcomes/outcomes.js';
import type { Block, Plan } from './plan.js';
import { ForeignSummary, type RunHooks, type RunInput, type StoppedRun } from './run.js';
import { runAgain, withJournals } from './run-again.js';
import type { BlockOutcome, RunSetup } from './setup.js';
import { blocksOf } from './sources/blocks.js';
import { type BlockWorkers, runBlocks, runCarefully, type Watching } from './workers/run-blocks.js';

export async function runBlockwise(
  input: RunInput,
  made: RunSetup['made'],
  hooks: RunHooks,
): Promise<FinishedRun | StoppedRun> {
  const { request, out, plan, state } = input;
  const known = buildKnown(state.journals);
  const { spread } = plan;
  const { firstJournal, path } = state;
  const foreign = request.dry ? null : findForeignSummary(input, known);
  if (foreign !== null) throw new ForeignSummary(foreign);
  const stop = new SharedArrayBuffer(4);
  const pages = hooks.report?.pages === 'all';
  const facts = { spread, known, made, stop, firstJournal, pages };
  const setup: RunSetup = { ...request, out, state: path, ...facts };
  const outcomes = new Outcomes();
  const unread = new Set<string>();
  const gathering = new Gathering(hooks.wantsDiffs);
  try {
    const progress = { outcomes, gathering, unread };
    const stopped = await runFirst(input, setup, progress, hooks);
    if (stopped !== null) return stopped;
    const again = await runAgain(setup, outcomes, hooks);
    const gathered = again ? gatherAll(outcomes, hooks) : gathering;
    return await finishRun({ input, known, made, outcomes, unread, gathering: gathered }, hooks);
  } finally {
    outcomes.close();
  }
}

/** From the start, where lines have changed since. */
function gatherAll(outcomes: Outcomes, { wantsDiffs }: RunHooks): Gathering {
  const gathering = new Gathering(wantsDiffs);
  for (const line of outcomes.lines()) gathering.add(line);
  return gathering;
}

/** What is filled while blocks end. */
interface Gathered {
  readonly outcomes: Outcomes;
  readonly gathering: Gathering;
  readonly unread: Set<string>;
}

/** Null where all blocks were done. */
async function runFirst(
  { plan, jobs, request }: RunInput,
  setup: RunSetup,
  { outcomes, gathering, unread }: Gathered,
  hooks: RunHooks,
): Promise<StoppedRun | null> {
  const stop = new AbortController();
  const signal = AbortSignal.any([hooks.stop, stop.signal]);
  const flag = new Int32Array(setup.stop);
  signal.addEventListener('abort', () => Atomics.store(flag, 0, 1));
  const sums = { workflows: 0, bytes: 0 };
  const bad = { invalid: 0, failed: 0, bugs: 0 };
  const take = (block: Block, parts: readonly BlockOutcome[], known: RunSetup['known']): void => {
    outcomes.add(block, parts, known.paths);
    for (const line of outcomes.newLines()) gathering.add(line);
    for (const { notes, unread: names, bad: more } of parts) {
      for (const note of notes) hooks.note(note);
      for (const name of names) unread.add(name);
      bad.invalid += more.invalid;
      bad.failed += more.failed;
      bad.bugs += more.bugs;
    }
    sums.workflows += parts[0]?.items ?? 0;
    sums.bytes += bytesOf(block);
    hooks.progress(sums.workflows, sums.bytes, bad.invalid + bad.failed);
    if (request.failFast && bad.invalid + bad.failed > 0) stop.abort();
  };
  const lost = await withWorkers(setup, jobs, hooks, (workers) => {
    const done: Watching['done'] = (block, parts) => take(block, parts, setup.known);
    const watching = { stop: signal, jobs, atOnce: atOnce(plan, jobs), done };
    return runBlocks(blocksOf(plan), workers, watching);
  });
  if (lost.length > 0) {
    const after = withJournals(setup);
    await withWorkers(after, 1, hooks, async (workers) => {
      for (const block of lost) {
        if (!signal.aborted) take(block, await runCarefully(block, workers), after.known);
      }
    });
  }
  const isStopped = signal.aborted && outcomes.blocks < countBlocks(plan);
  return isStopped ? { bad, byUser: hooks.stop.aborted } : null;
}

async function withWorkers<Result>(
  setup: RunSetup,
  jobs: number,
  { open }: RunHooks,
  use: (workers: BlockWorkers) => Promise<Result>,
): Promise<Result> {
  const workers = await open(setup, jobs);
  try {
    return await use(workers);
  } finally {
    await workers.close();
  }
}

function countBlocks(plan: Plan): number {
  let count = 0;
  for (const _ of blocksOf(plan)) count += 1;
  return count;
}

/** Few enough that all threads are at work to the end. */
function atOnce({ sources }: Plan, jobs: number): number {
  const bytes = sources.reduce((sum, source) => sum + source.bytes, 0);
  return Math.min(8, Math.max(1, Math.floor(bytes / (jobs * 16 * 1024 * 1024))));
}

function bytesOf(block: Block): number {
  if (block.kind === 'lines') return block.end - block.start;
  return block.sources.reduce((sum, { bytes }) => sum + bytes, 0);
}
