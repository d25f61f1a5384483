/**
 * From a call to its result: which tool it is, whether it may be called, with what, once, and by when.
 *
 * A call is checked completely before a service is asked. The credential opens all bills of its owner,
 * and the numbers of bills can be guessed; so a bill is read first, and one of another account cannot be
 * told from one that does not exist. Nothing is thrown.
 */
import type { BillRecord, BillsClient, GetBillResponse } from '../bills.js';
import { isObject } from '../text/json.js';
import { callArguments, memberOf, namesBill } from './arguments.js';
import {
  type BoundTool,
  bindTool,
  checkNames,
  readFileHosts,
  readValues,
  resolveTools,
  type Tool,
  type Values,
} from './bind.js';
import { createMemoryStore, doOnce } from './memory.js';
import {
  type Bound,
  type CallNames,
  type Limits,
  type ToolCallsMessage,
  type ToolHandlerOptions,
  wrongOption,
} from './options.js';
import { type CallResult, factsOf, failureOf, results, sayAnswer, sayValue } from './say.js';
import { type Effect, toolDefinitions } from './table.js';

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments, unchecked. */
  readonly given: unknown;
}

/** A call that was found valid. */
interface Job {
  readonly tool: BoundTool;
  readonly values: Values;
  /** The same for every delivery of the call, and for no other; null without a conversation. */
  readonly key: string | null;
  readonly failed: (error: unknown) => void;
  /** Whether this conversation started the run; `isNew` notes that it did. */
  readonly isOwnRun: (runId: unknown, isNew?: boolean) => Promise<boolean>;
  /** Milliseconds that reading may take; a change is never given up. */
  readonly leftMs: number;
}

/** For each message, the function that answers its calls, which are counted from 0. */
export function createCaller(options: ToolHandlerOptions, limits: Limits) {
  const tools = resolveTools(options);
  const hosts = readFileHosts(options.fileHosts);
  const allowed = new Set(options.allow);
  const store = options.store ?? createMemoryStore();
  const { bind = {} } = options;

  return (message: ToolCallsMessage, request: Request) => {
    const until = performance.now() + limits.deadlineMs;
    const conversation = conversationOf(message);
    const settled = (async () => (typeof bind === 'function' ? bind(message) : bind))();
    // Awaited by each call; without calls, by nobody.
    const binding = inTime<unknown>(settled, limits.deadlineMs, undefined);
    binding.catch(() => {});

    async function answer(
      call: ToolCall,
      tool: Tool | undefined,
      index: number,
      failed: Job['failed'],
    ): Promise<CallResult> {
      if (call.id === '') return results.noId;
      if (!tool) return results.unknownTool;
      const { operation, effect } = tool.definition;
      if (!allowed.has(operation)) return results.notAllowed;
      if (index >= limits.calls) return results.busy;
      const bound = await binding;
      if (!isObject(bound)) throw new TypeError('`bind` did not return an object in time');
      checkNames(bound, 'bind', []);
      const ready = bindTool(tool, bound);
      if (ready.fault !== undefined) throw wrongOption(`bind.${ready.fault}`);
      const judged = readValues(ready, call.given, hosts);
      if ('code' in judged) return judged;
      const { values } = judged;
      const reads = effect === 'reads';
      if (conversation === null && !reads) {
        throw new Error('The message names neither a call nor a chat, so a change is refused');
      }
      // The values include what is bound, so the account too.
      const key = conversation && (await digestOf([conversation, call.id, operation, values]));
      const left = until - performance.now();
      // Reading ends earlier than the answer is due.
      const leftMs = Math.max(1, left - Math.min(1000, limits.deadlineMs / 10));
      const isOwnRun: Job['isOwnRun'] = async (runId, isNew) => {
        const own = await digestOf([conversation, 'run', runId]);
        if (isNew) await store.claim(own, own, true);
        if (isNew) await store.settle(own, results.nothingToTell);
        return conversation !== null && (await store.read(own)) !== undefined;
      };
      const job = { tool: ready, values, key, failed, leftMs, isOwnRun };
      const act = () => carryOut(options, job, limits);
      const going =
        conversation === null || key === null
          ? act()
          : doOnce(
              store,
              [await digestOf([conversation, call.id]), key, reads],
              until,
              act,
              failed,
            );
      return inTime(going, left, reads ? results.unreachable : results.open);
    }

    return async (call: ToolCall, index: number): Promise<CallResult> => {
      const start = performance.now();
      const tool = tools.get(call.name);
      const names = namesOf(conversation?.id, call, tool);
      const failed = (error: unknown) => report(() => options.onError?.(error, names, request));
      // What throws does so before anything is sent.
      const result = await answer(call, tool, index, failed).catch((error) => {
        failed(error);
        return results.unavailable;
      });
      const durationMs = performance.now() - start;
      report(() => options.onCall?.({ ...names, code: result.code, durationMs }, request));
      return result;
    };
  };
}

/** The result, or `late` if it takes too long. */
function inTime<Result>(going: Promise<Result>, ms: number, late: Result): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(late), ms);
    going.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** A phone call or a chat; null if the message does not say to which of them it belongs. */
function conversationOf(message: ToolCallsMessage) {
  for (const of of ['call', 'chat'] as const) {
    const id = memberOf(message[of], 'id');
    if (typeof id === 'string' && id !== '') return { of, id };
  }
  return null;
}

/** 64 hex digits. That of everything that makes a call this one is its key for the services. */
async function digestOf(facts: readonly unknown[]): Promise<string> {
  const text = JSON.stringify(facts, (_, value) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).sort()) : value,
  );
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** For logs. Ids come from outside: one that does not look like an id may hold what somebody said. */
function namesOf(callId = '', { id }: ToolCall, tool: Tool | undefined): CallNames {
  const isId = (text: string) => /^[\w-]{1,128}$/.test(text);
  return {
    ...(isId(callId) && { callId }),
    ...(isId(id) && { toolCallId: id }),
    ...(tool && { tool: tool.name, operation: tool.definition.operation }),
  };
}

/** A log that fails must not leave a caller without an answer. */
function report(write: () => void): void {
  try {
    write();
  } catch {}
}

/** Carries out a call, and says what came of it; does not reject. */
async function carryOut(
  services: ToolHandlerOptions,
  job: Job,
  { resultChars }: Limits,
): Promise<CallResult> {
  const { definition, bound } = job.tool;
  const { operation, effect } = definition;
  const sayable = [...definition.sayable, ...(services.say?.[operation] ?? [])];
  const decision = definition.done?.[job.values['approved'] === true ? 0 : 1];
  const done = decision === undefined ? results.done : results.doneAs(decision);
  const isRun = operation.endsWith('Runs.get');
  const { metadata } = bound;
  /** Notes a run as that of this conversation; the run goes on, even if that fails. */
  const note = (runId: unknown) => job.isOwnRun(runId, true).catch(job.failed);
  // Until the service is asked for a change, a bill is only read.
  let current: Effect = 'reads';
  try {
    let answer: unknown;
    if (services.bills && namesBill(definition)) {
      answer = await ownBill(services.bills, job);
      if (answer === null) return results.notFound;
    }
    // Whose run it is, only its metadata tell, or that this conversation started it.
    const isOthers = isRun && metadata === undefined && !(await job.isOwnRun(job.values['id']));
    if (isOthers) return results.notFound;
    current = effect;
    if (operation !== 'bills.get') answer = await askService(services, job);
    if (isRun && !hasAll(memberOf(answer, 'metadata'), metadata)) return results.notFound;
    if (effect === 'processes') await note(memberOf(answer, 'id'));
    return sayAnswer(answer, sayable, effect, done, resultChars);
  } catch (error) {
    const { runId, code } = factsOf(error);
    if (code !== 'api/still-running') job.failed(error);
    const run = sayValue(runId, 'identifier');
    if (!run) return failureOf(error, current, done);
    await note(runId);
    return results.started(run.said);
  }
}

/** Whether what is bound, if anything, is in the metadata of a run. */
function hasAll(metadata: unknown, bound: unknown): boolean {
  return Object.entries(Object(bound)).every(
    ([name, value]) => JSON.stringify(memberOf(metadata, name)) === JSON.stringify(value),
  );
}

/** The answer with the bill; null if the account has no such bill, or the bill no such file. */
async function ownBill(
  bills: BillsClient,
  { tool, values, leftMs }: Job,
): Promise<GetBillResponse | null> {
  const { idBill, filename } = values;
  const answer = await bills.get(Number(idBill), { deadlineMs: leftMs }).catch((error) => {
    // The service has no status of its own for a bill that does not exist.
    if (/^(?:400|404|410)$/.test(`${factsOf(error).status}`)) return null;
    throw error;
  });
  const bill = answer?.responseData ?? {};
  const files = bill.DocumentsRef?.filelist ?? [];
  const hasFile = filename === undefined || files.some(({ zipName }) => zipName === filename);
  return isOf(bill, tool.bound) && hasFile ? answer : null;
}

/** Whatever is bound of entry and organization has to match; one of them is always bound. */
function isOf(bill: BillRecord, { entry, orgId }: Bound): boolean {
  const isOfEntry = entry === undefined || bill.PaypointEntryname === entry;
  return isOfEntry && (orgId === undefined || bill.ParentOrgId === orgId);
}

/** Calls the method of the client that the operation is named after. */
function askService(services: ToolHandlerOptions, job: Job): Promise<unknown> {
  // Of an organization, whoever is bound to an entry hears only of its bills.
  const { bound, definition: own } = job.tool;
  const isNarrower = own.operation === 'bills.listByOrg' && bound['entry'] !== undefined;
  const definition = isNarrower ? toolDefinitions['bills.list']! : own;
  const { operation, effect, parameters } = definition;
  const isKeyed = job.key !== null && parameters.some(({ name }) => name === 'idempotencyKey');
  const values = isKeyed ? { ...job.values, idempotencyKey: job.key } : job.values;
  const given = callArguments(definition, values);
  // Instead of holding a connection until the document is done, a run is started and waited for.
  const isRun = effect === 'processes' && operation !== 'documents.workflowRuns.create';
  if (isRun) given.length = 1;
  const options = isRun || effect === 'reads' ? { deadlineMs: job.leftMs } : {};
  const path = isRun ? `${operation}Runs.createAndPoll` : operation;
  const method = path.split('.').reduce<unknown>(memberOf, services);
  return (method as (...given: unknown[]) => Promise<unknown>)(...given, options);
}
