/** The log of `squadc serve`: lines are gathered, in their order, and none is lost. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../src/bills.js';
import { serveLog } from '../../src/cli/serve/log.js';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

const report = {
  tool: 'get_bill',
  operation: 'bills.get',
  code: 'done',
  durationMs: 1.26,
} as const;
const request = {
  method: 'POST',
  body: null,
  headers: { get: (name: string) => (name === 'x-request-id' ? 'req-1' : null) },
};

function logged() {
  const written: string[] = [];
  const log = serveLog({ isTTY: false, write: (text) => void written.push(text) });
  const outcomes = () => written.map((text) => text.match(/(?<="toolCallId":")\w+/g));
  return { log, written, outcomes };
}

describe('a line', () => {
  it('tells of a call by its ids', () => {
    const { log, written } = logged();
    log.call({ ...report, callId: 'call-1', toolCallId: 'tool-1' }, request);
    expect(written).toEqual([
      '{"time":"1970-01-01T00:00:00.000Z","event":"call","request":"req-1","callId":"call-1",' +
        '"toolCallId":"tool-1","tool":"get_bill","operation":"bills.get","outcome":"done","ms":1.3}\n',
    ]);
  });

  it('tells what went wrong with a call, without the words of the service', () => {
    const { log, written } = logged();
    const error = new ApiError({
      code: 'api/bad-request',
      operation: 'bills.create',
      outcome: 'refused',
      status: 400,
      serviceMessage: 'Ann Miller is no vendor',
    });
    log.failed(error, { toolCallId: 'tool-1', operation: 'bills.create' }, request);
    log.failed(new Error('the store is down'), {}, request);
    const [first, second] = written
      .join('')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(first).toMatchObject({
      event: 'error',
      request: 'req-1',
      toolCallId: 'tool-1',
      error: { code: 'api/bad-request', status: 400, outcome: 'refused' },
    });
    expect(second.error).toEqual({ name: 'Error', message: 'the store is down' });
    expect(written.join('')).not.toContain('Ann');
  });

  it('leaves out what there is not', () => {
    const { log, written } = logged();
    log.call({ code: 'unknown-tool', durationMs: 0 }, request);
    log.refused({ request: 'req-2', status: 401, durationMs: 0 });
    expect(written.join('')).toBe(
      '{"time":"1970-01-01T00:00:00.000Z","event":"call","request":"req-1","outcome":"unknown-tool","ms":0}\n' +
        '{"time":"1970-01-01T00:00:00.000Z","event":"refused","request":"req-2","status":401,"ms":0}\n',
    );
  });
});
