/**
 * From a call to what became of it: which tool, may it be called, with what, once, until when.
 *
 * A call is judged whole before anything is asked of a service. A caller names bills by numbers, and
 * numbers can be guessed; the credential opens all bills of its owner. So a bill that is named is read
 * first, and one of another account is told from none at all by nothing that is said. A document is
 * given to a run, of which the id is told where it is not done in time. Nothing is thrown.
 */
import type { BillRecord, BillsClient, GetBillResponse } from '../../bills.js';
import {
  type Account,
  type BoundTool,
  bindTool,
  fileHostsOf,
  readValues,
  settleTools,
  type Tool,
  type Values,
} from './bind.js';
import { isObject } from './check.js';
import type { Bound, CallNames, Limits, ToolCallsMessage, ToolHandlerOptions } from './options.js';
import {
  type CallResult,
  factsOf,
  failureOf,
  results,
  type SayableFact,
  sayAnswer,
  sayValue,
} from './say.js';
import { createMemoryStore, createOnce } from './store.js';
import { callArguments, namesBill } from './table.js';

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** As they came: what they are worth is judged where the tool is known. */
  readonly given: unknown;
}

/** Called with what was thrown. */
type Failed = (error: unknown) => void;

/** A call that was found right. */
interface Job {
  readonly tool: BoundTool;
  readonly values: Values;
  /** Repeats of the call have the same; null where nothing tells what a repeat would be. */
  readonly key: string | null;
  readonly failed: Failed;
  /** Milliseconds within which what only looks has to be done; a change takes its time. */
  readonly leftMs: number;
}

/** How much earlier than the answer all that only looks has to end, at most. */
const spareMs = 1000;

/** For each message the function that answers its calls; they are counted from 0. */
export function createCaller(
  options: ToolHandlerOptions,
  limits: Limits,
): (
  message: ToolCallsMessage,
  request: Request,
) => (call: ToolCall, index: number) => Promise<CallResult> {
  const tools = settleTools(options);
  const hosts = fileHostsOf(options.fileHosts);
  const allowed = new Set(options.allow);
  const once = createOnce(options.store ?? createMemoryStore());
  const { bind = {}, say = {} } = options;

  async function carryOut(job: Job): Promise<CallResult> {
    const { definition, bound } = job.tool;
    const { operation, effect, sayable } = definition;
    const more: readonly SayableFact[] = Object.hasOwn(say, operation) ? say[operation]! : [];
    const tell = (answer: unknown) =>
      sayAnswer(answer, [...sayable, ...more], effect, limits.resultChars);
    if (options.bills && namesBill(definition)) {
      try {
        const bill = await ownBill(options.bills, job, bound);
        if (!bill) return results.notFound;
        if (operation === 'bills.get') return tell(bill);
      } catch (error) {
        job.failed(error);
        // Nothing was asked for but to look.
        return failureOf(error, 'reads');
      }
    }
    try {
      return tell(await askService(options, job));
    } catch (error) {
      const run = sayValue(factsOf(error).runId, 'identifier');
      if (run) return results.started(run.said);
      job.failed(error);
      return failureOf(error, effect);
    }
  }

  return (message, request) => {
    const until = performance.now() + limits.deadlineMs;
    const conversation = conversationOf(message);
    // It is called once for a message; where it fails it binds nothing, and no tool works.
    const binding = inTime(
      limits.deadlineMs,
      Promise.resolve(message).then(async (it) => (typeof bind === 'function' ? bind(it) : bind)),
      () => Promise.reject(new Error('`bind` took too long')),
    );
    binding.catch(() => {});

    async function answer(call: ToolCall, tool: Tool | undefined, index: number, failed: Failed) {
      if (!tool) return results.unknownTool;
      const { operation, effect } = tool.definition;
      if (!allowed.has(operation)) return results.notAllowed;
      if (index >= limits.calls) return results.busy;
      let ready: BoundTool;
      try {
        ready = bindTool(tool, objectIn(await binding));
      } catch (error) {
        failed(error);
        return results.unavailable;
      }
      if (ready.fault !== undefined) return results.unavailable;
      const judged = readValues(ready, call.given, hosts, limits.argumentChars);
      if ('code' in judged) return judged;
      const { values } = judged;
      const reads = effect === 'reads';
      // Nothing tells a repeat from another conversation's call.
      if (conversation === null && !reads) {
        failed(new Error('The message names neither a call nor a chat, so a change is refused'));
        return results.unavailable;
      }
      // What is bound, the account too, is among the values.
      const key = conversation && (await keyOf([conversation, call.id, operation, values]));
      const left = until - performance.now();
      const leftMs = Math.max(1, left - Math.min(spareMs, limits.deadlineMs / 10));
      const act = () => carryOut({ tool: ready, values, key, failed, leftMs });
      const going = key === null ? act() : once({ key, until, act, failed });
      return inTime(left, going, async () => (reads ? results.unreachable : results.open));
    }

    return async (call, index) => {
      const start = performance.now();
      const tool = tools.get(call.name);
      const names = named(conversation?.id, call, tool);
      const failed = (error: unknown) => tell(() => options.onError?.(error, names, request));
      const result = await answer(call, tool, index, failed);
      const durationMs = performance.now() - start;
      tell(() => options.onCall?.({ ...names, code: result.code, durationMs }, request));
      return result;
    };
  };
}

/** What it comes to, or what `late` says where that takes too long. */
async function inTime<Result>(
  ms: number,
  going: Promise<Result>,
  late: () => Promise<Result>,
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([going, tooLong.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}

function objectIn(bound: unknown): Bound {
  if (isObject(bound)) return bound;
  throw new TypeError('`bind` did not return an object');
}

/** A phone call or a chat; null where the message does not tell to which of them it belongs. */
function conversationOf(message: ToolCallsMessage) {
  for (const of of ['call', 'chat'] as const) {
    const id = isObject(message[of]) ? message[of]['id'] : undefined;
    if (typeof id === 'string' && id !== '') return { of, id };
  }
  return null;
}

/**
 * The key of a call: what it is remembered by, and what the services are told to know it by. It is
 * made of all that makes a call this one, so that a repeat has the same key wherever it arrives, and
 * no other call has it, even where ids repeat. A digest of 64 hex digits: nothing can be read out of it.
 */
async function keyOf(facts: readonly unknown[]): Promise<string> {
  const text = JSON.stringify(facts, (_, value) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).sort()) : value,
  );
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Which call it was: nothing that is not an id, or not of the configuration. An id comes from outside
 * and may hold anything that somebody said: only what looks like an id, and like nothing else, is told.
 */
function named(callId = '', { id }: ToolCall, tool: Tool | undefined): CallNames {
  const isId = (text: string) => /^[\w-]{1,128}$/.test(text);
  return {
    ...(isId(callId) && { callId }),
    ...(isId(id) && { toolCallId: id }),
    ...(tool && { tool: tool.name, operation: tool.definition.operation }),
  };
}

function tell(report: () => void): void {
  try {
    report();
  } catch {
    // A log that cannot be written is no reason to leave a caller without an answer.
  }
}

/**
 * The answer with the bill; null where the account has none of this number, or the bill lists no file
 * of the name that is asked for.
 */
async function ownBill(
  bills: BillsClient,
  { values, leftMs }: Job,
  account: Account,
): Promise<GetBillResponse | null> {
  try {
    const answer = await bills.get(Number(values['idBill']), { deadlineMs: leftMs });
    const bill = answer.responseData ?? {};
    const files = bill.DocumentsRef?.filelist ?? [];
    const lists = ({ filename }: Values) => files.some(({ zipName }) => zipName === filename);
    return isOf(bill, account) && (!('filename' in values) || lists(values)) ? answer : null;
  } catch (error) {
    // The service has no status of its own for a bill that is not there.
    if (/^(?:400|404|410)$/.test(`${factsOf(error).status}`)) return null;
    throw error;
  }
}

/** What is bound of both must be so; a bill that does not tell is not this account's. */
function isOf(bill: BillRecord, { entry, orgId }: Account): boolean {
  if (entry === undefined && orgId === undefined) return false;
  const ofEntry = entry === undefined || bill.PaypointEntryname === entry;
  return ofEntry && (orgId === undefined || bill.ParentOrgId === orgId);
}

/** Calls the method of the client that the operation is named after. */
function askService(services: ToolHandlerOptions, job: Job): Promise<unknown> {
  const { definition } = job.tool;
  const { operation, effect, parameters } = definition;
  const keyed = job.key !== null && parameters.some(({ name }) => name === 'idempotencyKey');
  const values = keyed ? { ...job.values, idempotencyKey: job.key } : job.values;
  const given = callArguments(definition, values);
  // What holds the connection until a document is done is started as a run, and waited for.
  const isRun = effect === 'processes' && operation !== 'documents.workflowRuns.create';
  if (isRun) given.length = 1;
  // A change that has begun is not given up: what became of it would not be known.
  const options = isRun || effect === 'reads' ? { deadlineMs: job.leftMs } : {};
  const path = isRun ? `${operation}Runs.createAndPoll` : operation;
  const method = path
    .split('.')
    .reduce<unknown>((group, name) => (group as Record<string, unknown>)[name], services);
  return (method as (...given: unknown[]) => Promise<unknown>)(...given, options);
}
