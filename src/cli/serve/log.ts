/**
 * The log of `squadc serve`: one line of JSON for each call, for what went wrong with one, and for
 * each request without one.
 *
 * Nothing that anybody said stands in it: names come from the configuration, ids are checked.
 */
import type { CallNames, CallReport } from '../../adapters/tools/options.js';
import type { RequestReport } from '../../adapters/tools/server.js';
import { idHeader } from '../../adapters/tools/server.js';
import type { TextOutput } from '../io.js';

/** What is looked at of a request. */
type Sent = Readonly<{ headers: Pick<Headers, 'get'> }>;

export interface ServeLog {
  call(report: CallReport, request: Sent): void;
  failed(error: unknown, call: CallNames, request: Sent): void;
  refused(report: RequestReport): void;
}

export function serveLog(output: TextOutput, now = () => new Date()): ServeLog {
  const write = (facts: object) =>
    output.write(`${JSON.stringify({ time: now().toISOString(), ...facts })}\n`);
  return {
    call({ callId, toolCallId, tool, operation, code, durationMs }, { headers }) {
      const request = headers.get(idHeader);
      const about = { request, callId, toolCallId, tool, operation };
      write({
        event: 'call',
        ...about,
        outcome: code,
        ms: rounded(durationMs),
      });
    },
    failed(error, { callId, toolCallId, tool, operation }, { headers }) {
      const request = headers.get(idHeader);
      const about = { request, callId, toolCallId, tool, operation };
      write({ event: 'error', ...about, error: factsOf(error) });
    },
    refused({ request, status, durationMs }) {
      write({
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
