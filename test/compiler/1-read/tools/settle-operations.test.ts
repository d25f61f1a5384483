import { describe, expect, it } from 'vitest';
import { compile } from '../../../../src/index.js';
import { bound, captured, ids, rentOffice, toolsOf } from './rent-office.js';

describe('a variable that a fixed value reads', () => {
  it('crosses to the assistant that has the tool, like any read', () => {
    const result = compile(rentOffice({}), bound('bills.get', { idBill: '{{bill}}' }));
    const [handoff] = toolsOf(result).filter(({ type }) => type === 'handoff');
    const plans = handoff?.destinations?.map((it) => it.variableExtractionPlan?.schema);
    expect(plans).toMatchObject([{ properties: { bill: { type: 'string' } } }, undefined]);
  });

  it('is asked about where nothing sets it, and can be renamed', () => {
    const options = bound('bills.get', { idBill: '{{bil}}' });
    expect(ids(compile(rentOffice({}), options))).toEqual(['undefined-variable:bil']);
    const answers = { 'undefined-variable:bil': { choice: 'rename', value: 'bill' } };
    const result = compile(rentOffice({}), { ...options, answers: { answers } });
    expect(result.status).toBe('complete');
    const tool = toolsOf(result).find(({ type }) => type === 'function');
    expect(tool?.parameters).toEqual([{ key: 'idBill', value: '{{bill}}' }]);
  });

  it('is none any more where it stood in what the operation does not send', () => {
    const request = {
      url: 'https://pay.example.com/api/Bill/{{bill}}',
      method: 'GET',
      headers: { requestToken: '{{token}}' },
    };
    expect(ids(compile(rentOffice(request)))).toEqual(['undefined-variable:token']);
    expect(compile(rentOffice(request), bound('bills.get')).status).toBe('complete');
  });
});

describe('a parameter of the account', () => {
  it('is never taken from what a caller said', () => {
    const workflow = rentOffice({}, [captured('entry')]);
    const result = compile(workflow, bound('bills.list'));
    expect(ids(result)).toEqual(['missing-parameter:call.entry']);
    expect(result.questions[0]!.choices.map(({ key }) => key)).toEqual(['variable', 'fixed']);
  });

  it('is taken from what whoever starts the call supplies', () => {
    const options = bound('bills.list', {}, { dynamicVariables: ['entry'] });
    const result = compile(rentOffice({}), options);
    const tool = toolsOf(result).find(({ type }) => type === 'function');
    expect(tool?.parameters).toEqual([{ key: 'entry', value: '{{entry}}' }]);
    expect(tool?.function?.parameters.properties).not.toHaveProperty('entry');
  });
});

describe('a variable of the name of a parameter', () => {
  const fixedOf = (request: object, captures: readonly object[], operation = 'bills.get') => {
    const result = compile(rentOffice(request, captures), bound(operation, { entry: 'main' }));
    const tool = toolsOf(result).find(({ type }) => type === 'function');
    return tool?.parameters ?? [];
  };
  const filled = [{ key: 'idBill', value: '{{idBill}}' }];

  it('gives the value where the conversation finds it out', () => {
    expect(fixedOf({}, [captured('idBill')])).toEqual(filled);
  });

  it('gives the value where another request sets it, and not the request itself', () => {
    const responseVariables = [{ name: 'idBill', path: 'responseData.IdBill' }];
    const { nodes, edges, ...workflow } = rentOffice({ responseVariables });
    const options = bound('bills.get', {});
    expect(ids(compile({ ...workflow, nodes, edges }, options))).toEqual([
      'missing-parameter:call.idBill',
    ]);
    const before = {
      id: 'before',
      type: 'apiRequest',
      url: 'https://x.example.com',
      method: 'GET',
    };
    const setting = { ...before, headers: { key: '{{bill}}' }, responseVariables };
    const both = {
      ...workflow,
      nodes: [...nodes, setting],
      edges: [
        ...edges.slice(0, 2),
        { from: 'bills', to: 'before' },
        { from: 'before', to: 'call' },
      ],
    };
    const tool = toolsOf(compile(both, options)).find(({ type }) => type === 'function');
    expect(tool?.parameters).toEqual(filled);
  });

  it('gives nothing that is not needed, or that the source has the model fill', () => {
    const account = [{ key: 'entry', value: 'main' }];
    expect(fixedOf({}, [captured('status')], 'bills.list')).toEqual(account);
    const body = { type: 'object', properties: { idBill: { type: 'integer' } } };
    expect(fixedOf({ body }, [captured('idBill')])).toEqual([]);
  });
});

describe('a parameter that another one replaces', () => {
  it('is not asked for where that one is bound', () => {
    const bind = { fileId: 'f_1', extractorId: 'ex_1' };
    const result = compile(rentOffice({}), bound('documents.extract', bind));
    expect(ids(result)).toEqual([]);
    expect(toolsOf(result).find(({ type }) => type === 'function')?.function).toMatchObject({
      parameters: { properties: {} },
    });
  });
});

describe('the result', () => {
  it('says which tool is which operation, and what is fixed or filled in of it', () => {
    const bind = { entry: 'main', status: '{{bill}}' };
    const { toolBindings } = compile(rentOffice({ name: 'Find bills' }), bound('bills.list', bind));
    expect(toolBindings).toEqual({
      Find_bills: { operation: 'bills.list', bind: { entry: 'main', status: '{{bill}}' } },
    });
  });

  it('has the server look whose bill it is, and tells the platform nothing of that', () => {
    const bind = { entry: 'main', idBill: '{{bill}}' };
    const result = compile(rentOffice({}), bound('bills.get', bind));
    expect(result.toolBindings).toEqual({ call: { operation: 'bills.get', bind } });
    expect(JSON.stringify(result.output)).not.toContain('main');
    const wrong = compile(rentOffice({}), bound('bills.get', { ...bind, entry: '{{bill}}' }));
    expect(wrong.diagnostics.map(({ code }) => code)).toContain('tools/bad-value');
  });

  it('leaves out what is the account’s and comes from a variable: the server has its own', () => {
    const options = bound('bills.list', { entry: '{{shop}}' }, { dynamicVariables: ['shop'] });
    const { toolBindings } = compile(rentOffice({}), options);
    expect(toolBindings).toEqual({ call: { operation: 'bills.list', bind: {} } });
  });

  it('says nothing of it where there is no such tool', () => {
    expect(compile(rentOffice({}))).not.toHaveProperty('toolBindings');
  });
});

describe('an operation that the platform calls itself', () => {
  const direct = {
    tools: 'direct',
    serviceUrls: { bills: 'https://pay.example.com/api' },
  } as const;

  it('asks how the request authenticates', () => {
    const options = bound('bills.get', { idBill: 17 }, direct);
    expect(ids(compile(rentOffice({}), options))).toEqual(['missing-auth:call']);
    const answer = { choice: 'credential', value: { credentialId: 'pay' } };
    const answers = { answers: { 'missing-auth:call': answer } };
    expect(toolsOf(compile(rentOffice({}), { ...options, answers }))).toContainEqual({
      type: 'apiRequest',
      name: 'call',
      url: 'https://pay.example.com/api/Bill/17',
      method: 'GET',
      credentialId: 'pay',
    });
  });

  it.each([
    ['a mixed text', 'bills.get', { idBill: '1{{bill}}' }],
    ['a change', 'bills.delete', { idBill: 17 }],
    ['no base address', 'documents.extractRuns.get', { id: 'x' }],
  ])('needs a server for %s', (_, operation, bind) => {
    const { status, diagnostics } = compile(rentOffice({}), bound(operation, bind, direct));
    expect(status).toBe('invalid');
    expect(diagnostics.map(({ code }) => code)).toContain('tools/needs-server');
  });

  it.each(['../../Token', 'a/b', 'a?b=c', 'a#b', 'a%2Fb'])('writes %s as one segment', (entry) => {
    const options = bound('bills.list', { entry }, direct);
    const answers = { policies: { 'missing-auth': 'none' } };
    const [tool] = toolsOf(compile(rentOffice({}), { ...options, answers })).filter(
      ({ type }) => type === 'apiRequest',
    );
    const path = tool?.url?.split('/Query/bills/')[1];
    expect(path).not.toMatch(/[/?#]/);
    expect(decodeURIComponent(path ?? '')).toBe(entry);
  });
});

describe('the question missing-parameter', () => {
  const open = bound('bills.get');
  const answering = (answer: { choice: string; value?: never }) =>
    compile(rentOffice({}), {
      ...open,
      answers: { answers: { 'missing-parameter:call.idBill': answer } },
    });

  it('takes a path into a variable', () => {
    const result = answering({ choice: 'variable', value: 'customer.bill' as never });
    const tool = toolsOf(result).find(({ type }) => type === 'function');
    expect(tool?.parameters).toEqual([{ key: 'idBill', value: '{{customer.bill}}' }]);
  });

  it.each([
    ['variable', 'a }} b'],
    ['variable', 'now | date'],
    ['fixed', '{{bill}}'],
    ['fixed', 'many'],
    ['fixed', -1],
    ['fixed', null],
    ['caller', 'said'],
  ])('does not take %s %j', (choice, value) => {
    const result = answering({ choice, value: value as never });
    expect(ids(result)).toEqual(['missing-parameter:call.idBill']);
    expect(result.diagnostics.map(({ code }) => code)).toContain('api/answer-value');
  });

  it('is answered by a policy where a caller may say it, and only there', () => {
    const answers = { policies: { 'missing-parameter': 'caller' } };
    expect(ids(compile(rentOffice({}), { ...open, answers }))).toEqual([]);
    const list = bound('bills.list', {}, { answers });
    expect(ids(compile(rentOffice({}), list))).toEqual(['missing-parameter:call.entry']);
  });
});
