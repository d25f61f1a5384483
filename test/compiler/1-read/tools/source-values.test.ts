import { describe, expect, it } from 'vitest';
import { type CompileOptions, type CompileResult, compile } from '../../../../src/index.js';
import {
  bound,
  callAt,
  compileCall,
  exported,
  ids,
  saidOf,
  type Tool,
  toolsOf,
} from './rent-office.js';

const bill = {
  netAmount: 125.5,
  billDate: '2026-08-01',
  vendor: { vendorNumber: 'V-1' },
  entry: 'main',
};
const fixedBill = [
  { key: 'netAmount', value: 125.5 },
  { key: 'billDate', value: '2026-08-01' },
  { key: 'vendorNumber', value: 'V-1' },
  { key: 'entry', value: 'main' },
];

/** An answer to the question that a request without an address raises. */
function answered(operation: string): CompileOptions {
  const answer = { choice: 'operation', value: { operation } };
  return { answers: { answers: { 'missing-endpoint:call': answer } } };
}

function toolOf(result: CompileResult): Tool | undefined {
  return toolsOf(result).find(({ type }) => type === 'function');
}

/** Why a value was left out, by its place. */
function leftOut(result: CompileResult): Record<string, string> {
  const found = result.diagnostics.filter(({ code }) => code === 'tools/no-such-value');
  return Object.fromEntries(found.map(({ at, message }) => [at.slice(callAt.length), message]));
}

describe('a body of plain values', () => {
  it.each([
    ['a binding', bound('bills.create')],
    ['an answer', answered('bills.create')],
  ])('is fixed where %s names the operation', (_, options) => {
    const result = compileCall({ body: bill }, options);
    expect(result.status).toBe('complete');
    expect(toolOf(result)?.parameters).toEqual(fixedBill);
    expect(Object.keys(toolOf(result)?.function?.parameters.properties ?? {})).toEqual([
      'dueDate',
      'endDate',
      'billNumber',
    ]);
    expect(saidOf(result)).toEqual([]);
  });

  it('gives way to what a human fixes', () => {
    const result = compileCall({ body: bill }, bound('bills.create', { netAmount: 7 }));
    expect(toolOf(result)?.parameters?.[0]).toEqual({ key: 'netAmount', value: 7 });
    const misfit = { ...bill, netAmount: 'many' };
    expect(saidOf(compileCall({ body: misfit }, bound('bills.create', { netAmount: 7 })))).toEqual(
      [],
    );
  });

  it('is read inside of lists', () => {
    const body = { workflowId: 'wf_1', files: [{ url: 'https://x.example.com/a.pdf' }] };
    const result = compileCall({ body }, bound('documents.workflowRuns.create'));
    expect(toolOf(result)?.parameters).toEqual([
      { key: 'fileUrl', value: 'https://x.example.com/a.pdf' },
      { key: 'workflowId', value: 'wf_1' },
    ]);
  });

  it('is whole where a parameter takes an object or a list', () => {
    const config = { schema: { a: 1 } };
    const billItems = [{ itemMode: 1 }];
    const extraction = { file: { url: 'https://x.example.com/a.pdf' }, config };
    const extract = compileCall({ body: extraction }, bound('documents.extract'));
    expect(toolOf(extract)?.parameters).toContainEqual({ key: 'config', value: config });
    const create = compileCall({ body: { ...bill, billItems } }, bound('bills.create'));
    expect(toolOf(create)?.parameters).toContainEqual({ key: 'billItems', value: billItems });
  });
});

describe('a value that the operation leaves out', () => {
  it('is named, with the reason and without the value', () => {
    const body = { ...bill, netAmount: 'many', vendor: { vendorNumber: 'V-1', name: 'Acme' } };
    const found = leftOut(compileCall({ body }, bound('bills.create')));
    expect(found).toEqual({
      '/body/netAmount':
        '“call” sends “netAmount”, which bills.create leaves out: it must be of type number.',
      '/body/vendor/name':
        '“call” sends “vendor/name”, which bills.create leaves out: it has no parameter for it.',
    });
  });

  it.each<[string, object]>([
    ['a list', { tags: ['a', { b: 1 }] }],
    ['an object', { tags: { a: 1, b: { c: 2 } } }],
    ['an empty list', { tags: [] }],
    ['an empty object', { tags: {} }],
    ['nothing', { tags: null }],
  ])('is told of once where it is %s', (_, more) => {
    const result = compileCall({ body: { ...bill, ...more } }, bound('bills.create'));
    expect(Object.keys(leftOut(result))).toEqual(['/body/tags']);
  });

  it('is one that the server makes itself', () => {
    const body = { ...bill, idempotencyKey: 'k' };
    const result = compileCall({ body }, bound('bills.create'));
    expect(toolOf(result)?.parameters).toEqual(fixedBill);
    expect(Object.values(leftOut(result))).toEqual([
      expect.stringContaining('a new one is made for each call'),
    ]);
  });

  it('is another than the one that goes out in any case', () => {
    const file = { idBill: 7, filename: 'a.pdf' };
    const asking = (returnObject: boolean) =>
      compileCall({ body: { ...file, returnObject } }, bound('bills.getAttachment'));
    expect(Object.keys(leftOut(asking(false)))).toEqual(['/body/returnObject']);
    expect(leftOut(asking(true))).toEqual({});
    for (const result of [asking(true), asking(false)]) {
      expect(toolOf(result)?.parameters?.map(({ key }) => key)).toEqual(['idBill', 'filename']);
    }
  });

  it('is one that another part of the request says otherwise', () => {
    const url = 'https://pay.example.com/api/Bill/single/other';
    const result = compileCall({ url, method: 'POST', body: bill }, bound('bills.create'));
    expect(toolOf(result)?.parameters).toContainEqual({ key: 'entry', value: 'other' });
    expect(Object.keys(leftOut(result))).toEqual(['/body/entry']);
    const same = { url: url.replace('other', 'main'), method: 'POST', body: bill };
    expect(leftOut(compileCall(same, bound('bills.create')))).toEqual({});
  });

  it('is a part of the query that is no parameter', () => {
    const url =
      'https://pay.example.com/api/Query/bills/main?limitRecord=5&colour=red&status(eq)=7';
    const result = compileCall({ url, method: 'GET' }, bound('bills.list'));
    expect(toolOf(result)?.parameters).toEqual([
      { key: 'limitRecord', value: 5 },
      { key: 'entry', value: 'main' },
    ]);
    const messages = result.diagnostics
      .filter(({ at }) => at === `${callAt}/url`)
      .map(({ message }) => message);
    expect(messages).toEqual([
      '“call” sends “colour”, which bills.list leaves out: it has no parameter for it.',
      expect.stringMatching(/“status\(eq\)”.+it must be one of/),
    ]);
    expect(JSON.stringify(messages)).not.toContain('red');
  });
});

describe('a body that is a schema', () => {
  const properties = {
    netAmount: { type: 'number', value: 5 },
    vendor: { type: 'object', properties: { vendorNumber: { const: 'V-1' } } },
    tags: { type: 'object', properties: { one: { type: 'string' }, two: { type: 'string' } } },
    odd: true,
  };
  const body = { type: 'object', properties };

  it('fixes what has one value, and leaves out as a whole what has no place', () => {
    const result = compileCall(
      { body },
      bound('bills.create', { entry: 'main', billDate: '2026-08-01' }),
    );
    expect(toolOf(result)?.parameters).toEqual([
      { key: 'netAmount', value: 5 },
      { key: 'billDate', value: '2026-08-01' },
      { key: 'vendorNumber', value: 'V-1' },
      { key: 'entry', value: 'main' },
    ]);
    expect(Object.keys(leftOut(result))).toEqual(['/body/properties/odd', '/body/properties/tags']);
  });

  it('goes with static fields beside it', () => {
    const parameters = [{ key: 'billNumber', value: 'A-1' }];
    const bindings = { find: { operation: 'bills.create', bind: { entry: 'main' } } };
    const answers = { policies: { 'missing-parameter': 'caller' } };
    const result = compile(exported({ body, parameters }), { bindings, answers });
    const keys = toolOf(result)?.parameters?.map(({ key }) => key);
    expect(keys).toEqual(['netAmount', 'billNumber', 'vendorNumber', 'entry']);
  });
});

describe('a field that the source has the model fill', () => {
  const schema = (properties: object) => ({ body: { type: 'object', properties } });

  it('is left to the model', () => {
    const open = schema({ netAmount: { type: 'number' }, vendor: { properties: {} } });
    const options = bound(
      'bills.create',
      {},
      { answers: { policies: { 'missing-parameter': 'caller' } } },
    );
    expect(ids(compileCall(open, options))).toEqual(['missing-parameter:call.entry']);
  });

  it('is left out where nobody says it in a call', () => {
    const open = { ...schema({ comments: { type: 'string' }, entry: { type: 'string' } }) };
    const result = compileCall(open, bound('bills.create'));
    // What is needed is asked for, so nothing more is to be said of it.
    expect(leftOut(result)).toEqual({
      '/body/properties/comments':
        '“call” sends “comments”, which bills.create leaves out: it is nothing for a model to fill.',
    });
    const fixed = compileCall(open, bound('bills.create', { comments: 'By phone.' }));
    expect(leftOut(fixed)).toEqual({});
  });
});
