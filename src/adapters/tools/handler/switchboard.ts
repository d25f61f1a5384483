/**
 * From a call to what became of it: which tool, may it be called, with what, once, until when.
 *
 * In: the options of a handler. Out: for each message, the function that answers its calls. A call
 * is judged whole before anything is asked of a service.
 */
import type { Deadlines } from '../../http/deadlines.js';
import { type BoundTool, bindTool } from './binding.js';
import { boardOf } from './board.js';
import { storeKey } from './call-key.js';
import { type CallReport, isReportable } from './call-report.js';
import { readValues } from './call-values.js';
import { carryOut, type Job } from './carry-out.js';
import type { Eventual } from './eventual.js';
import { type FileHosts, mayTakeFiles } from './file-hosts.js';
import { createOnce } from './once.js';
import type { Bound, HandlerSettings, Limits } from './options.js';
import type { CallResult } from './result.js';
import { createMemoryStore } from './store.js';
import { texts } from './texts.js';
import { callIdOf, type ToolCall, type ToolCallsMessage } from './tool-calls.js';
import type { Tool } from './tools-by-name.js';

/** The calls of a message are counted from 0. */
export type AnswerCall = (call: ToolCall, index: number) => Promise<CallResult>;

/** How much earlier than the answer all that only looks has to end, at most. */
const spareMs = 1000;

export function createSwitchboard(
  options: HandlerSettings,
  limits: Limits,
  deadlines: Deadlines,
): (message: ToolCallsMessage, onCall: (report: CallReport) => void) => AnswerCall {
  const { now } = deadlines.clock;
  const board = boardOf(options, limits);
  const once = createOnce(options.store ?? createMemoryStore(), deadlines);

  /** What it comes to, or `late` where that takes too long. `going` must not reject. */
  function inTime<Result>(until: number, going: Promise<Result>, late: Result): Promise<Result> {
    return new Promise((resolve) => {
      const stop = deadlines.watch(until, undefined, () => resolve(late));
      going.then((result) => {
        stop();
        resolve(result);
      });
    });
  }

  function carryOutOnce(judged: Judged, until: number): Promise<CallResult> {
    const leftMs = Math.max(1, until - now() - Math.min(spareMs, limits.deadlineMs / 10));
    const going = once(judged.key, until, () => carryOut({ ...judged, leftMs }, options));
    const reads = judged.tool.definition.effect === 'reads';
    return inTime(until, going, reads ? texts.unreachable : texts.open);
  }

  return (message, onCall) => {
    const until = now() + limits.deadlineMs;
    const callId = callIdOf(message);
    const { bind } = options;
    const shared =
      typeof bind === 'function' ? inTime(until, boundBy(bind, message), null) : undefined;

    function answer(call: ToolCall, tool: Tool | undefined, index: number) {
      if (!tool) return texts.unknownTool;
      const say = board.sayers.get(tool.definition.operation);
      if (!say) return texts.notAllowed;
      if (index >= limits.calls || now() >= until) return texts.busy;
      const act = (ready: BoundTool | null | undefined) => {
        const judged = judge(ready, call.given, board.hosts, limits);
        const key = storeKey(callId, call.id);
        return 'code' in judged ? judged : carryOutOnce({ ...judged, say, key }, until);
      };
      // What is bound for all messages need not be waited for.
      return shared
        ? shared.then((bound) => act(bound && bindTool(tool, bound)))
        : act(board.bound.get(tool));
    }

    return async (call, index) => {
      const start = now();
      const tool = board.tools.get(call.name);
      const result = await answer(call, tool, index);
      const durationMs = now() - start;
      report(onCall, { ...named(callId, call, tool), code: result.code, durationMs });
      return result;
    };
  };
}

type Judged = Omit<Job, 'leftMs'>;

/** The call with values that are right; or why it is refused. */
function judge(
  ready: BoundTool | null | undefined,
  given: unknown,
  hosts: FileHosts,
  { argumentChars }: Limits,
): Omit<Judged, 'say' | 'key'> | CallResult {
  if (!ready || ready.fault !== undefined) return texts.unavailable;
  const { tool, bound } = ready;
  const { values, refusal } = readValues(ready, given, argumentChars);
  if (refusal) return refusal;
  const files = mayTakeFiles(tool.definition, values, bound, hosts);
  return files ? { tool, values, account: bound } : texts.badAddress;
}

/** It is called once for a message; where it fails it binds nothing, and no tool works. */
async function boundBy(
  bind: (message: ToolCallsMessage) => Eventual<Bound>,
  message: ToolCallsMessage,
): Promise<Bound | null> {
  try {
    const bound = await bind(message);
    return bound instanceof Object ? bound : null;
  } catch {
    return null;
  }
}

/** Which call it was: nothing that is not an id, or not of the configuration. */
function named(callId: string, { id }: ToolCall, tool: Tool | undefined) {
  return {
    ...(isReportable(callId) && { callId }),
    ...(isReportable(id) && { toolCallId: id }),
    ...(tool && { tool: tool.name, operation: tool.definition.operation }),
  };
}

function report(onCall: (report: CallReport) => void, about: CallReport): void {
  try {
    onCall(about);
  } catch {
    // A log that cannot be written is no reason to leave a caller without an answer.
  }
}
