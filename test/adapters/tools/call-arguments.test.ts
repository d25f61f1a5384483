/** Values become arguments that the clients take, and can go nowhere but to their own places. */
import { describe, expect, it } from 'vitest';
import { callArguments } from '../../../src/adapters/tools/table.js';
import { toolDefinitions } from '../../../src/tools.js';

const tool = (operation: string) => toolDefinitions[operation] ?? expect.fail(operation);

describe('the arguments of', () => {
  it.each<[string, Readonly<Record<string, unknown>>, unknown[]]>([
    ['bills.get', { idBill: 17 }, [17]],
    ['bills.update', { idBill: 17, netAmount: 12.5 }, [17, { netAmount: 12.5 }]],
    ['bills.update', { idBill: 17 }, [17, {}]],
    ['bills.update', { idBill: 17, netAmount: undefined }, [17, {}]],
    [
      'bills.create',
      { netAmount: 1, vendorNumber: 'V-1', entry: 'e', idempotencyKey: 'k' },
      ['e', { netAmount: 1, vendor: { vendorNumber: 'V-1' } }, { idempotencyKey: 'k' }],
    ],
    ['bills.setApprovers', { idBill: 17, users: ['kim'] }, [17, ['kim']]],
    [
      'bills.sendToApproval',
      { autocreateUser: false, users: ['kim'], idBill: 17 },
      [17, ['kim'], { autocreateUser: false }],
    ],
    ['bills.setApproved', { approved: false, idBill: 17 }, [17, false, {}]],
    [
      'bills.setApproved',
      { approved: true, idBill: 17, email: 'kim' },
      [17, true, { email: 'kim' }],
    ],
    ['bills.getAttachment', { idBill: 17, filename: 'a' }, [17, 'a', { returnObject: true }]],
    [
      'bills.getAttachment',
      { idBill: 17, filename: 'a', returnObject: false },
      [17, 'a', { returnObject: true }],
    ],
    ['bills.deleteAttachment', { filename: 'a', idBill: 17 }, [17, 'a', {}]],
    ['bills.list', { entry: 'e' }, ['e', {}]],
    ['bills.list', { entry: 'e', status: '2' }, ['e', { rawFilters: { 'status(eq)': '2' } }]],
    [
      'bills.listByOrg',
      {
        orgId: 100,
        limitRecord: 5,
        rawFilters: { 'status(eq)': 20, 'method(eq)': 'ach' },
        status: '2',
      },
      [100, { limitRecord: 5, rawFilters: { 'status(eq)': 20, 'method(eq)': 'ach' } }],
    ],
    ['documents.extractRuns.get', { id: 'exr_1' }, ['exr_1']],
    [
      'documents.extract',
      { fileUrl: 'https://a.example/b', fileName: 'b', extractorId: 'ex_1', version: '2' },
      [
        {
          file: { url: 'https://a.example/b', name: 'b' },
          extractor: { id: 'ex_1', version: '2' },
        },
      ],
    ],
    [
      'documents.extract',
      {
        fileUrl: 'https://a.example/b',
        fileName: 'b',
        fileId: 'f',
        extractorId: 'ex_1',
        config: {},
      },
      [{ file: { id: 'f' }, config: {} }],
    ],
    [
      'documents.workflowRuns.create',
      { workflowId: 'workflow_1', fileUrl: 'https://a.example/b', fileName: 'b' },
      [{ workflowId: 'workflow_1', files: [{ url: 'https://a.example/b', fileName: 'b' }] }],
    ],
  ])('%s with %j', (operation, values, expected) => {
    expect(callArguments(tool(operation), values)).toEqual(expected);
  });

  it('a tool hold nothing of names that it does not have, however they are called', () => {
    const hostile: Record<string, unknown> = JSON.parse(
      '{ "idBill": 17, "__proto__": { "netAmount": 1 }, "constructor": 1, "at": "/x", "entry": "e" }',
    );
    const [path, body, ...rest] = callArguments(tool('bills.update'), hostile);
    expect([path, body, rest]).toEqual([17, {}, []]);
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['netAmount']).toBeUndefined();
  });

  it('a tool are new with each call', () => {
    const values = { idBill: 17, netAmount: 1 };
    const [, first] = callArguments(tool('bills.update'), values) as [
      unknown,
      { netAmount: number },
    ];
    first.netAmount = 2;
    expect(callArguments(tool('bills.update'), values)).toEqual([17, { netAmount: 1 }]);
  });
});
