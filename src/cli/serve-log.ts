/**
 * The log of `squadc serve`: one line of JSON for each call, and for each request without one.
 *
 * Nothing that anybody said stands in it: names come from the configuration, ids are checked.
 */
import type { CallReport } from '../adapters/tools/handler/call-report.js';
import type { ToolRequest } from '../adapters/tools/handler/options.js';
import { idHeader } from '../adapters/tools/server/request-id.js';
import type { RequestReport } from '../adapters/tools/server/tool-server.js';
import type { TextOutput } from './io.js';

export interface ServeLog {
  call(report: CallReport, request: ToolRequest): void;
  refused(report: RequestReport): void;
}

export function serveLog(output: TextOutput, now = () => new Date()): ServeLog {
  const write = (event: string, facts: object) =>
    output.write(`${JSON.stringify({ time: now().toISOString(), event, ...facts })}\n`);
  return {
    call({ tool, operation, code, durationMs }, { headers }) {
      const request = headers.get(idHeader);
      write('call', { request, tool, operation, outcome: code, ms: rounded(durationMs) });
    },
    refused({ request, status, durationMs }) {
      write('refused', { request, status, ms: rounded(durationMs) });
    },
  };
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
