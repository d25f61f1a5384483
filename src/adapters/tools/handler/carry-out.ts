/**
 * Carries out a call that was found right: once, and with an answer whatever happens.
 *
 * In: a tool, its values, whose bills it may touch, until when to wait. Out: what became of it.
 * A bill that is named is read first; a document is given to a run, of which the id is told where it
 * is not done in time. Nothing is thrown.
 */
import { maySay } from '../table/may-say.js';
import { type Account, namesBill } from './binding.js';
import { factsOf, failureOf } from './failure.js';
import { hasFile, ownBill } from './own-bill.js';
import type { CallResult } from './result.js';
import type { Say } from './say-answer.js';
import { callService, runOnService, type Services, takesLong } from './services.js';
import { texts } from './texts.js';
import type { Tool } from './tools-by-name.js';

export interface Job {
  readonly tool: Tool;
  readonly values: Readonly<Record<string, unknown>>;
  readonly account: Account;
  /** How the answer is said. */
  readonly say: Say;
  /** Repeats of the call have the same; null where nothing tells what a repeat would be. */
  readonly key: string | null;
  /** Told of what was thrown. */
  readonly failed: (error: unknown) => void;
  /** Milliseconds within which what only looks has to be done; a change takes its time. */
  readonly leftMs: number;
}

export async function carryOut(job: Job, services: Services): Promise<CallResult> {
  const { bills } = services;
  if (!bills || !namesBill(job.tool)) return act(job, services);
  const { values, account, leftMs, failed } = job;
  try {
    const bill = await ownBill(bills, Number(values['idBill']), account, { deadlineMs: leftMs });
    if (!bill || ('filename' in values && !hasFile(bill, values['filename']))) {
      return texts.notFound;
    }
    if (job.tool.definition.operation === 'bills.get') return tell(bill, job);
  } catch (error) {
    failed(error);
    // Nothing was asked for but to look.
    return failureOf(error, 'reads');
  }
  return act(job, services);
}

async function act(job: Job, services: Services): Promise<CallResult> {
  const { definition } = job.tool;
  const inTime = { deadlineMs: job.leftMs };
  try {
    const values = withKey(job);
    if (takesLong(definition)) {
      return tell(await runOnService(services, definition, values, inTime), job);
    }
    // A change that has begun is not given up: what became of it would not be known.
    const options = definition.effect === 'reads' ? inTime : {};
    return tell(await callService(services, definition, values, options), job);
  } catch (error) {
    const { runId } = factsOf(error);
    if (maySay('identifier', runId)) return stillRunning(`${runId}`);
    job.failed(error);
    return failureOf(error, definition.effect);
  }
}

function withKey({ tool, values, key }: Job): Job['values'] {
  const keyed = tool.definition.parameters.some(({ name }) => name === 'idempotencyKey');
  return keyed && key !== null ? { ...values, idempotencyKey: key } : values;
}

function tell(answer: unknown, { say }: Job): CallResult {
  return { code: 'done', line: say(answer) };
}

function stillRunning(runId: string): CallResult {
  const say = `That is still being worked on. The ID of the run is ${runId}; ask for its status later.`;
  return { code: 'started', line: JSON.stringify({ say, runId }) };
}
