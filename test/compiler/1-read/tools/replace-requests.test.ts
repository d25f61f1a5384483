import { describe, expect, it } from 'vitest';
import { type CompileResult, compile } from '../../../../src/index.js';
import {
  bound,
  callAt,
  compileCall,
  direct,
  exported,
  ids,
  rentOffice,
  toolsOf,
} from './rent-office.js';

/** What became of a part of the request. */
function fateOf({ ledger }: CompileResult, part: string) {
  const entry = ledger.find(({ at }) => at === `${callAt}/${part}`);
  if (entry === undefined) return null;
  const { kind, status, reason = null, outputs } = entry;
  return { kind, status, reason, stands: outputs.length > 0 };
}

const dropped = {
  kind: 'field',
  status: 'dropped',
  reason: 'replaced by the operation bills.list',
  stands: false,
};
const converted = { kind: 'field', status: 'converted', reason: null, stands: true };

describe('the ledger of a request that calls an operation', () => {
  const request = {
    url: 'https://pay.example.com/api/Query/bills/main',
    method: 'GET',
    headers: { requestToken: '{{bill}}' },
    body: { limitRecord: 5, colour: 'red' },
    timeoutSeconds: 20,
  };

  it('has all of it where a server answers', () => {
    const result = compileCall(request, bound('bills.list'));
    expect(fateOf(result, 'url')).toEqual(converted);
    expect(fateOf(result, 'body')).toEqual(converted);
    for (const part of ['method', 'headers', 'timeoutSeconds']) {
      expect([part, fateOf(result, part)]).toEqual([part, dropped]);
    }
  });

  it('has what does not stand in the address where the platform calls it', () => {
    const result = compileCall(request, bound('bills.list', {}, direct));
    expect(fateOf(result, 'url')).toEqual(converted);
    expect(fateOf(result, 'body')).toEqual(converted);
    const elsewhere = { ...request, url: 'https://old.example.com/bills', body: { colour: 'red' } };
    const other = compileCall(elsewhere, bound('bills.list', { entry: 'main' }, direct));
    expect(fateOf(other, 'url')).toEqual(dropped);
    expect(fateOf(other, 'body')).toEqual(dropped);
  });

  it('has the address whose base is kept, whatever is fixed in it otherwise', () => {
    const { serviceUrls: _, ...unaddressed } = direct;
    const result = compileCall(request, bound('bills.list', { entry: 'other' }, unaddressed));
    expect(fateOf(result, 'url')).toEqual(converted);
  });

  it('says of an equal request that it was folded', () => {
    const { nodes, edges, ...workflow } = rentOffice(request);
    // How it was sent makes no difference any more.
    const twin = { ...nodes[3]!, id: 'twin', headers: { other: '{{bill}}' }, timeoutSeconds: 9 };
    const both = {
      ...workflow,
      nodes: [...nodes, twin],
      edges: [...edges, { from: 'keys', to: 'twin' }],
    };
    const binding = { operation: 'bills.list' };
    const result = compile(both, { bindings: { call: binding, twin: binding } });
    const entry = result.ledger.find(({ at }) => at === '/nodes/4/headers');
    expect(entry).toMatchObject({ status: 'folded', reason: 'equal to call' });
  });

  it('has what an export says of the tool', () => {
    const tool = {
      credentialId: 'cred-1',
      parameters: [
        { key: 'limitRecord', value: 5 },
        { key: 'colour', value: 'red' },
      ],
      backoffPlan: { type: 'fixed', maxRetries: 2 },
      messages: [{ type: 'request-start', content: 'One moment.' }],
    };
    const bindings = { find: { operation: 'bills.list', bind: { entry: 'main' } } };
    const { ledger } = compile(exported(tool), { bindings });
    const fates = ledger
      .filter(({ at }) => at.startsWith('/nodes/1/tool/'))
      .map(({ at, status, reason }) => [at.slice('/nodes/1/tool/'.length), reason ?? status]);
    expect(Object.fromEntries(fates)).toEqual({
      credentialId: dropped.reason,
      'parameters/0/value': 'converted',
      'parameters/1/value': dropped.reason,
      backoffPlan: dropped.reason,
      messages: 'converted',
    });
  });
});

describe('a request that the platform sends itself', () => {
  it('has all that is fixed in its address, and keeps how it is sent', () => {
    const backoffPlan = { type: 'fixed', maxRetries: 2 };
    const tool = { parameters: [{ key: 'limitRecord', value: 5 }], backoffPlan };
    const bindings = { find: { operation: 'bills.list', bind: { entry: 'main' } } };
    expect(toolsOf(compile(exported(tool), { ...direct, bindings }))).toContainEqual({
      type: 'apiRequest',
      name: 'find',
      url: 'https://pay.example.com/api/Query/bills/main?limitRecord=5',
      method: 'GET',
      backoffPlan,
    });
  });
});

describe('an operation that changes something', () => {
  const request = { body: { vendor: { vendorNumber: '{{bill}}' } } };
  const bind = { netAmount: 5, billDate: '2026-08-01', entry: 'main' };

  it.each([
    ['without a method', request],
    [
      'with the method of something else',
      { ...request, url: 'https://x.example.com', method: 'GET' },
    ],
  ])('asks about what it is sent, for a request %s', (_, given) => {
    const result = compileCall(given, bound('bills.create', bind));
    expect(ids(result)).toEqual(['critical-variable:bill']);
  });

  it('asks nothing where the operation only reads', () => {
    const posting = { url: 'https://x.example.com', method: 'POST' };
    const result = compileCall(posting, bound('bills.get', { idBill: '{{bill}}' }));
    expect(ids(result)).toEqual([]);
  });
});

describe('a request that a server answers', () => {
  const bindings = { find: { operation: 'bills.list', bind: { entry: 'main' } } };

  it('has no credential beside its headers that could clash', () => {
    const tool = { credentialId: 'cred-1', headers: { authorization: '{{token}}' } };
    const { diagnostics } = compile(exported(tool), { bindings });
    expect(diagnostics.map(({ code }) => code)).not.toContain('data/two-authorizations');
  });

  it('reads the variables of what is said meanwhile, and of nothing that is left out', () => {
    const tool = {
      messages: [{ type: 'request-start', content: 'One moment, {{caller_name}}.' }],
      parameters: [{ key: 'colour', value: '{{colour}}' }],
    };
    expect(ids(compile(exported(tool), { bindings }))).toEqual(['undefined-variable:caller_name']);
  });

  it('is refused where the source has it so, and retried by nobody', () => {
    const tool = {
      rejectionPlan: { conditions: [{ type: 'liquid', liquid: '{{ "false" }}' }] },
      backoffPlan: { type: 'fixed', maxRetries: 2 },
    };
    const [found] = toolsOf(compile(exported(tool), { bindings }));
    expect(found).toMatchObject({ type: 'function', rejectionPlan: tool.rejectionPlan });
    expect(found).not.toHaveProperty('backoffPlan');
  });

  it('takes variables of a schema by their names, told or not', () => {
    const property = { type: 'string', description: 'd' };
    const schema = { type: 'object', properties: { bills: property, colour: property } };
    const result = compile(exported({ variableExtractionPlan: { schema } }), { bindings });
    const aliases = [
      { key: 'bills', value: '{{ $.bills }}' },
      { key: 'colour', value: '{{ $.colour }}' },
    ];
    expect(toolsOf(result)).toContainEqual(
      expect.objectContaining({ variableExtractionPlan: { aliases } }),
    );
    const untold = result.diagnostics.filter(({ code }) => code === 'tools/never-told');
    expect(untold.map(({ message }) => message)).toEqual([expect.stringContaining('“colour”')]);
  });

  it('is answered by the server of the options', () => {
    const toolServer = { url: 'https://tools.example.com/calls', credentialId: 'c' };
    const options = bound('bills.get', { idBill: 17 }, { toolServer });
    expect(toolsOf(compileCall({}, options))).toContainEqual(
      expect.objectContaining({ server: toolServer }),
    );
  });

  it('is sent what is fixed in the order of the table, whoever fixed it', () => {
    const answers = {
      'missing-parameter:call.netAmount': { choice: 'fixed', value: 5 },
      'missing-parameter:call.billDate': { choice: 'caller' },
      'missing-parameter:call.vendorNumber': { choice: 'caller' },
    };
    const options = bound('bills.create', { entry: 'main' }, { answers: { answers } });
    const tool = toolsOf(compileCall({}, options)).find(({ type }) => type === 'function');
    expect(tool?.parameters?.map(({ key }) => key)).toEqual(['netAmount', 'entry']);
  });
});
