/**
 * From a call to what became of it: which tool, may it be called, with what, once, until when.
 *
 * In: the options of a handler. Out: for each message, the function that answers its calls. A call
 * is judged whole before anything is asked of a service.
 */
import type { Deadlines } from '../../http/deadlines.js';
import { bindingFault, boundFor } from './binding.js';
import { type Board, boardOf } from './board.js';
import { storeKey } from './call-key.js';
import type { CallReport } from './call-report.js';
import { readValues } from './call-values.js';
import { carryOut, type Job, type Workplace } from './carry-out.js';
import { mayTakeFiles } from './file-hosts.js';
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
  const board = boardOf(options);
  const once = createOnce(options.store ?? createMemoryStore(), deadlines);
  const place: Workplace = {
    services: options,
    sayable: board.sayable,
    maxChars: limits.resultChars,
  };

  /** Until then, or as if it had failed. */
  async function inTime<Result>(until: number, going: Promise<Result>): Promise<Result | null> {
    const ended = await deadlines.wait(
      until,
      undefined,
      going.then((result) => ({ result })),
    );
    return 'result' in ended ? ended.result : null;
  }

  async function carryOutOnce(judged: Judged, until: number): Promise<CallResult> {
    const leftMs = Math.max(1, until - now() - Math.min(spareMs, limits.deadlineMs / 10));
    const going = once(judged.key, until, () => carryOut({ ...judged, leftMs }, place));
    const late = judged.tool.definition.effect === 'reads' ? texts.unreachable : texts.open;
    return (await inTime(until, going)) ?? late;
  }

  return (message, onCall) => {
    const until = now() + limits.deadlineMs;
    const bound = inTime(until, boundBy(options, message));

    async function answer(call: ToolCall, tool: Tool | undefined, index: number) {
      if (!tool) return texts.unknownTool;
      if (!board.allowed.has(tool.definition.operation)) return texts.notAllowed;
      if (index >= limits.calls || now() >= until) return texts.busy;
      const key = storeKey(callIdOf(message), call.id);
      const judged = judge(board, { tool, key, given: call.given }, await bound, limits);
      return 'code' in judged ? judged : carryOutOnce(judged, until);
    }

    return async (call, index) => {
      const start = now();
      const tool = board.tools.get(call.name);
      const result = await answer(call, tool, index);
      report(onCall, tool, result, now() - start);
      return result;
    };
  };
}

type Judged = Omit<Job, 'leftMs'>;

/** The call with values that are right; or why it is refused. */
function judge(
  { hosts }: Board,
  { tool, key, given }: { readonly tool: Tool; readonly key: string; readonly given: unknown },
  shared: Bound | null,
  { argumentChars }: Limits,
): Judged | CallResult {
  const account = shared && boundFor(tool, shared);
  if (!account || bindingFault(tool, account) !== undefined) return texts.unavailable;
  const { values, refusal } = readValues(tool, given, account, argumentChars);
  if (refusal) return refusal;
  const files = mayTakeFiles(tool.definition, values, account, hosts);
  return files ? { tool, values, account, key } : texts.badAddress;
}

/** A function is called once for a message; one that fails binds nothing, and no tool works. */
async function boundBy(
  { bind = {} }: HandlerSettings,
  message: ToolCallsMessage,
): Promise<Bound | null> {
  if (typeof bind !== 'function') return bind;
  try {
    const bound = await bind(message);
    return bound instanceof Object ? bound : null;
  } catch {
    return null;
  }
}

function report(
  onCall: (report: CallReport) => void,
  tool: Tool | undefined,
  { code }: CallResult,
  durationMs: number,
): void {
  try {
    const named = tool && { tool: tool.name, operation: tool.definition.operation };
    onCall({ ...named, code, durationMs });
  } catch {
    // A log that cannot be written is no reason to leave a caller without an answer.
  }
}
