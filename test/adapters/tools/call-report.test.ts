/** What a log gets of a call: enough to find it again, and nothing that anybody said. */
import { describe, expect, it } from 'vitest';
import type { CallReport } from '../../../src/tools.js';
import { messageOf, newBill, requestOf, resultsOf, stage } from './stage.js';

const durationMs = expect.any(Number);

describe('a log', () => {
  it('gets one report per call, without anything that was said', async () => {
    const reports: unknown[] = [];
    const on = await stage({
      onCall: (report, request) => {
        reports.push({ ...report, url: request.url });
        throw new Error('the log is full');
      },
    });
    const idBill = await newBill(on);
    const calls = [
      { id: '1', name: 'get_bill', arguments: { idBill } },
      { id: '2', name: 'Ann Miller', arguments: { phone: '555' } },
    ];
    expect(await resultsOf(await on.handle(requestOf(messageOf(calls))))).toHaveLength(2);
    const common = { callId: 'call-1', durationMs, url: 'https://tools.example/calls' };
    const named = { tool: 'get_bill', operation: 'bills.get' };
    expect(reports).toHaveLength(2);
    expect(reports).toContainEqual({ ...common, toolCallId: '1', ...named, code: 'done' });
    expect(reports).toContainEqual({ ...common, toolCallId: '2', code: 'unknown-tool' });
  });

  it.each([
    ['a service', { code: 'api/server-error', status: 500, name: 'ApiError' }, {}],
    [
      '`bind`',
      { message: 'no database' },
      { bind: () => Promise.reject(new Error('no database')) },
    ],
  ])('gets what %s threw, which nobody else hears', async (_, error, options) => {
    const errors: unknown[] = [];
    const on = await stage({ ...options, onError: (...given) => errors.push(given.slice(0, 2)) });
    on.sandbox.faults.next('status=500', { operation: 'bills.list', times: 9 });
    const result = await on.call('list_bills', {}, '7');
    expect(result.error).not.toMatch(/500|database/);
    const names = {
      callId: 'call-1',
      toolCallId: '7',
      tool: 'list_bills',
      operation: 'bills.list',
    };
    expect(errors).toEqual([[expect.objectContaining(error), names]]);
  });

  const reportOf = async (id: string, callId: string) => {
    const reports: CallReport[] = [];
    const { send } = await stage({ onCall: (report) => void reports.push(report) });
    await send([{ id, name: 'none' }], callId);
    return reports[0];
  };

  it.each(['call_aB-9', 'x', 'x'.repeat(128)])(
    'gets an id that can only be one: %s',
    async (id) => {
      expect(await reportOf(id, id)).toMatchObject({ callId: id, toolCallId: id });
    },
  );

  it.each(['Ann Miller', 'x'.repeat(129), 'a\n', '\na', 'a@b.c', '"},{"', 'é'])(
    'gets no id that could be anything else: %j',
    async (id) => {
      expect(await reportOf(id, id)).toEqual({ code: 'unknown-tool', durationMs });
    },
  );
});
