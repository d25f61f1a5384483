/**
 * The log of `squadc serve`: one line of JSON for each call, for what went wrong with one, and for
 * each request without one.
 *
 * Nothing that anybody said stands in it: names come from the configuration, ids are checked.
 *
 * Lines are gathered and written together: a write of each holds up the call that it is about, and
 * all others. None is held back for longer than a few milliseconds, and none at the end.
 */
import type { CallNames, CallReport } from '../adapters/tools/options.js';
import type { RequestReport } from '../adapters/tools/server.js';
import { idHeader } from '../adapters/tools/server.js';
import type { TextOutput } from './io.js';

/** What is looked at of a request. */
type Sent = Readonly<{ headers: Pick<Headers, 'get'> }>;

export interface ServeLog {
  call(report: CallReport, request: Sent): void;
  failed(error: unknown, call: CallNames, request: Sent): void;
  refused(report: RequestReport): void;
  /** Writes what is still held back. */
  flush(): void;
}

/** For so long a line may be held back. */
const heldMs = 10;

/** More is written at once: a line has a few hundred characters. */
const heldChars = 16_384;

export function serveLog(output: TextOutput, now = () => new Date()): ServeLog {
  let held = '';
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const text = held;
    held = '';
    if (text !== '') output.write(text);
  }

  function write(facts: object): void {
    held += `${JSON.stringify(facts)}\n`;
    if (held.length >= heldChars) flush();
    else timer ??= setTimeout(flush, heldMs);
  }

  return {
    flush,
    call({ callId, toolCallId, tool, operation, code, durationMs }, { headers }) {
      const request = headers.get(idHeader);
      const about = { request, callId, toolCallId, tool, operation };
      write({
        time: now().toISOString(),
        event: 'call',
        ...about,
        outcome: code,
        ms: rounded(durationMs),
      });
    },
    failed(error, { callId, toolCallId, tool, operation }, { headers }) {
      const request = headers.get(idHeader);
      const about = { request, callId, toolCallId, tool, operation };
      write({ time: now().toISOString(), event: 'error', ...about, error: factsOf(error) });
    },
    refused({ request, status, durationMs }) {
      write({
        time: now().toISOString(),
        event: 'refused',
        request,
        status,
        ms: rounded(durationMs),
      });
    },
  };
}

/** An ApiError without the words of the service, which may repeat what somebody said. */
function factsOf(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  if (error.name !== 'ApiError') return { name: error.name, message: error.message };
  const { message: _, serviceMessage: __, ...facts } = JSON.parse(JSON.stringify(error));
  return facts;
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
