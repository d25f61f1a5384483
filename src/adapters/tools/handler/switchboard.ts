/**
 * From a call to what became of it: which tool, may it be called, with what, once, until when.
 *
 * In: the options of a handler. Out: for each message, the function that answers its calls. A call
 * is judged whole before anything is asked of a service.
 */
import { within } from '../../http/response.js';
import { type FileHosts, readValues, takeFiles } from './arguments.js';
import type { Tool } from './board.js';
import { type BoundTool, bindTool, boardOf } from './board.js';
import { keyOf } from './call-key.js';
import { type CallNames, type CallReport, isReportable } from './call-report.js';
import { carryOut, type Job } from './carry-out.js';
import { createOnce } from './once.js';
import type { Bound, Eventual, HandlerSettings, Limits } from './options.js';
import { conversationOf, type ToolCall, type ToolCallsMessage } from './request.js';
import { createMemoryStore } from './store.js';
import type { CallResult } from './texts.js';
import { texts } from './texts.js';

/** Who is told of the calls of a message: what became of each, and what went wrong with it. */
export interface Listener {
  readonly onCall: (report: CallReport) => void;
  readonly onError: (error: unknown, call: CallNames) => void;
}

/** The calls of a message are counted from 0. */
export type AnswerCall = (call: ToolCall, index: number) => Promise<CallResult>;

/** How much earlier than the answer all that only looks has to end, at most. */
const spareMs = 1000;

export function createSwitchboard(
  options: HandlerSettings,
  limits: Limits,
): (message: ToolCallsMessage, listener: Listener) => AnswerCall {
  const now = () => performance.now();
  const board = boardOf(options, limits);
  const once = createOnce(options.store ?? createMemoryStore());

  /** What it comes to, or `late` where that takes too long. `going` must not reject. */
  function inTime<Result>(until: number, going: Promise<Result>, late: Result): Promise<Result> {
    return within(until - now(), undefined, going).catch(() => late);
  }

  function carryOutOnce(job: Omit<Job, 'leftMs'>, until: number): Promise<CallResult> {
    const leftMs = Math.max(1, until - now() - Math.min(spareMs, limits.deadlineMs / 10));
    const act = () => carryOut({ ...job, leftMs }, options);
    const { key, failed } = job;
    const going = key === null ? act() : once({ key, until, act, failed });
    const reads = job.tool.definition.effect === 'reads';
    return inTime(until, going, reads ? texts.unreachable : texts.open);
  }

  return (message, { onCall, onError }) => {
    const until = now() + limits.deadlineMs;
    const conversation = conversationOf(message);
    const { bind } = options;
    const late = { error: new Error('`bind` took too long') };
    const shared =
      typeof bind === 'function' ? inTime(until, boundBy(bind, message), late) : undefined;

    async function answer(call: ToolCall, tool: Tool | undefined, index: number, failed: Failed) {
      if (!tool) return texts.unknownTool;
      const { operation, effect } = tool.definition;
      const say = board.sayers.get(operation);
      if (!say) return texts.notAllowed;
      if (index >= limits.calls || now() >= until) return texts.busy;
      const bound = await shared;
      if (bound && 'error' in bound) {
        failed(bound.error);
        return texts.unavailable;
      }
      const ready = bound ? bindTool(tool, bound) : board.bound.get(tool);
      const judged = judge(ready, call.given, board.hosts, limits);
      if ('code' in judged) return judged;
      const { account, values } = judged;
      if (conversation !== null) {
        const key = await keyOf({ conversation, toolCallId: call.id, account, operation, values });
        return carryOutOnce({ ...judged, say, key, failed }, until);
      }
      // Nothing tells a repeat from another conversation's call.
      if (effect === 'reads') return carryOutOnce({ ...judged, say, key: null, failed }, until);
      failed(new Error('The message names neither a call nor a chat, so a change is refused'));
      return texts.unavailable;
    }

    return async (call, index) => {
      const start = now();
      const tool = board.tools.get(call.name);
      const names = named(conversation?.id, call, tool);
      const failed = (error: unknown) => tell(() => onError(error, names));
      const result = await answer(call, tool, index, failed);
      tell(() => onCall({ ...names, code: result.code, durationMs: now() - start }));
      return result;
    };
  };
}

/** Called with what was thrown. */
type Failed = (error: unknown) => void;

/** The call with values that are right; or why it is refused. */
function judge(
  ready: BoundTool | null | undefined,
  given: unknown,
  hosts: FileHosts,
  { argumentChars }: Limits,
): Pick<Job, 'tool' | 'values' | 'account'> | CallResult {
  if (!ready || ready.fault !== undefined) return texts.unavailable;
  const { tool, bound } = ready;
  const { values, refusal } = readValues(ready, given, argumentChars);
  if (refusal) return refusal;
  const taken = takeFiles(tool.definition, values, bound, hosts);
  return taken ? { tool, values: taken, account: bound } : texts.badAddress;
}

/** It is called once for a message; where it fails it binds nothing, and no tool works. */
async function boundBy(
  bind: (message: ToolCallsMessage) => Eventual<Bound>,
  message: ToolCallsMessage,
): Promise<Bound | { readonly error: unknown }> {
  try {
    const bound = await bind(message);
    return bound instanceof Object ? bound : { error: new TypeError('`bind` gave no object') };
  } catch (error) {
    return { error };
  }
}

/** Which call it was: nothing that is not an id, or not of the configuration. */
function named(callId = '', { id }: ToolCall, tool: Tool | undefined): CallNames {
  return {
    ...(isReportable(callId) && { callId }),
    ...(isReportable(id) && { toolCallId: id }),
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
