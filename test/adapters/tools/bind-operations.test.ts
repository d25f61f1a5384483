import { describe, expect, it } from 'vitest';
import { bindFor, compileBound } from '../../../src/adapters/tools/compile-bound.js';
import { compile, verify } from '../../../src/index.js';
import { type BindOptions, bindOperations } from '../../../src/tools.js';

type Fields = Readonly<Record<string, unknown>>;

const find = {
  id: 'find-bill',
  type: 'apiRequest',
  method: 'GET',
  url: 'https://pay.example.com/api/Bill/{{bill_id}}',
  headers: { requestToken: '{{pay_token}}' },
  responseVariables: [{ name: 'amount', path: 'responseData.NetAmount' }],
};

/** A call that looks a bill up and tells what is due. */
const rent = (request: Fields = find) => ({
  name: 'Rent payments',
  nodes: [
    {
      id: 'ask',
      type: 'gather',
      firstMessage: 'Rent office.',
      systemPrompt: 'Ask for the number of the bill.',
      extractVariables: [{ name: 'bill_id', type: 'string', description: 'number of the bill' }],
    },
    request,
    { id: 'tell', type: 'conversation', systemPrompt: 'Tell that {{amount}} euros are due.' },
    { id: 'end', type: 'endCall' },
  ],
  edges: [
    { from: 'ask', to: 'find-bill' },
    { from: 'find-bill', to: 'tell' },
    { from: 'tell', to: 'end' },
  ],
});

/** The same call as the platform exports it. */
const exported = {
  name: 'Rent payments',
  nodes: [
    { name: 'ask', type: 'conversation', isStart: true, prompt: 'Ask for the number.' },
    {
      name: 'find-bill',
      type: 'tool',
      tool: {
        type: 'apiRequest',
        name: 'look_up',
        description: 'Looks the bill up.',
        messages: [{ type: 'request-start', content: 'One moment.' }],
        timeoutSeconds: 9,
        variableExtractionPlan: { aliases: [{ key: 'amount', value: '{{ $.netAmount }}' }] },
      },
    },
    { name: 'tell', type: 'conversation', prompt: 'Tell that {{amount}} euros are due.' },
  ],
  edges: [
    { from: 'ask', to: 'find-bill' },
    { from: 'find-bill', to: 'tell' },
  ],
};

const toolServer = { url: 'https://tools.example.com/calls', credentialId: 'tool-calls' };
const bindings = (operation: string, bind: Fields = {}) =>
  ({ bindings: { 'find-bill': { operation, bind } } }) as BindOptions;

const said = (diagnostics: readonly { code: string; at: string; in?: string }[]) =>
  diagnostics.map(({ code, at, in: part }) => [code, part, at].filter(Boolean).join(' '));

const nodeOf = (options: BindOptions, request?: Fields) =>
  (bindOperations(rent(request), options).workflow as ReturnType<typeof rent>).nodes[1] as Fields;

describe('a request that a server answers', () => {
  const options = { ...bindings('bills.get', { idBill: '{{bill_id}}' }), toolServer };

  it('is a function tool: static what is bound, and of the response what may be said', () => {
    expect(nodeOf(options)).toEqual({
      id: 'find-bill',
      type: 'tool',
      tool: {
        type: 'function',
        function: {
          name: 'find-bill',
          description: expect.stringContaining('Gives the number, amount'),
          parameters: { type: 'object', properties: {}, required: [] },
        },
        server: toolServer,
        parameters: [{ key: 'idBill', value: '{{bill_id}}' }],
        variableExtractionPlan: { aliases: [{ key: 'amount', value: '{{ $.netAmount }}' }] },
      },
    });
  });

  it('keeps what a tool of the platform says, but for how the request was sent', () => {
    const { workflow } = bindOperations(exported, options);
    const { tool } = (workflow as typeof exported).nodes[1]!;
    expect(tool).toMatchObject({
      function: { name: 'look_up', description: 'Looks the bill up.' },
      messages: [{ type: 'request-start', content: 'One moment.' }],
      variableExtractionPlan: { aliases: [{ key: 'amount', value: '{{ $.netAmount }}' }] },
    });
    expect(tool).not.toHaveProperty('timeoutSeconds');
  });

  it('leaves to the model what nobody binds, in the words that the platform takes', () => {
    const { tool } = nodeOf({ ...bindings('bills.get'), toolServer }) as never as {
      tool: { function: { parameters: Fields }; parameters?: unknown };
    };
    expect(tool.parameters).toBeUndefined();
    expect(tool.function.parameters).toMatchObject({
      properties: {
        idBill: { type: 'integer', description: expect.stringContaining('minimum: 1') },
      },
      required: ['idBill'],
    });
    expect(JSON.stringify(tool.function.parameters)).not.toContain('"minimum"');
  });

  it('is what the server has to know, but for values that the platform fills in', () => {
    const create = bindings('bills.create', {
      entry: '{{shop}}',
      netAmount: '{{amount}}',
      vendorNumber: 'V-7',
      mode: null,
    });
    expect(bindOperations(rent(), create).toolBindings).toEqual({
      'find-bill': {
        operation: 'bills.create',
        bind: { netAmount: '{{amount}}', vendorNumber: 'V-7' },
      },
    });
    const account = bindings('bills.get', { idBill: 17, entry: 'main', orgId: 5 });
    expect(bindOperations(rent(), account).toolBindings).toEqual({
      'find-bill': { operation: 'bills.get', bind: { idBill: 17, entry: 'main', orgId: 5 } },
    });
    expect(JSON.stringify(nodeOf(account))).not.toContain('main');
  });

  it('gives two tools two names', () => {
    const source = rent();
    source.nodes.push({ ...find, id: 'again', name: 'Find bill' } as never);
    const named = { ...find, name: 'find_bill' };
    source.nodes[1] = named as never;
    const both = {
      bindings: { again: { operation: 'bills.get' }, 'find-bill': { operation: 'bills.list' } },
    };
    expect(Object.keys(bindOperations(source, both).toolBindings)).toEqual([
      'find_bill',
      'Find_bill_2',
    ]);
  });
});

describe('a request that the platform makes itself', () => {
  const direct = {
    tools: 'direct',
    ...bindings('bills.get', { idBill: '{{ bill_id }}' }),
  } as const;

  it('has all that is bound in its address, encoded where it is known in the call alone', () => {
    expect(nodeOf(direct)).toEqual({
      ...find,
      url: 'https://pay.example.com/api/Bill/{{ bill_id | url_encode }}',
    });
    const list = bindings('bills.list', { entry: 'a/b', status: '{{wanted}}', limitRecord: 5 });
    const serviceUrls = { bills: 'https://api.example.com/v1/' };
    expect(nodeOf({ ...direct, ...list, serviceUrls })).toMatchObject({
      url: 'https://api.example.com/v1/Query/bills/a%2Fb?status(eq)={{ wanted | url_encode }}&limitRecord=5'.replace(
        '(eq)',
        encodeURIComponent('(eq)'),
      ),
    });
  });

  it('asks the model for what is needed and not bound, and asks nobody else', () => {
    const request = { ...direct, ...bindings('bills.get') };
    expect(nodeOf(request)).toMatchObject({
      url: 'https://pay.example.com/api/Bill/{{ idBill | url_encode }}',
      body: { properties: { idBill: { type: 'integer' } }, required: ['idBill'] },
    });
    const result = compileBound(compile, rent(), { ...request, dynamicVariables: ['pay_token'] });
    expect(result).toMatchObject({ status: 'complete', questions: [] });
  });

  it('leaves a tool of the platform as it is otherwise', () => {
    const serviceUrls = { bills: 'https://api.example.com' };
    const { workflow } = bindOperations(exported, { ...direct, serviceUrls });
    expect((workflow as typeof exported).nodes[1]!.tool).toMatchObject({
      type: 'apiRequest',
      method: 'GET',
      url: 'https://api.example.com/Bill/{{ bill_id | url_encode }}',
      timeoutSeconds: 9,
    });
  });

  it.each<[string, Fields, RegExp | null]>([
    ['bills.delete', { idBill: 1 }, /does more than read/],
    ['bills.get', { idBill: 'a{{x}}' }, /single variable/],
    ['bills.list', { entry: 'main' }, /base address/],
    ['bills.get', { idBill: 1 }, null],
  ])('needs a server for %s with %j: %s', (operation, bind, why) => {
    const { diagnostics } = bindOperations(rent(), { ...direct, ...bindings(operation, bind) });
    const wrong = diagnostics.filter(({ code }) => code === 'tools/needs-server');
    expect(wrong.map(({ message }) => why?.test(message))).toEqual(why === null ? [] : [true]);
  });

  it('warns where nobody checks whose bill it is', () => {
    const unchecked = { ...direct, ...bindings('bills.get', { idBill: 1, entry: 'main' }) };
    expect(
      said(
        bindOperations(rent({ ...find, url: 'https://a.example/Bill/1' }), unchecked).diagnostics,
      ),
    ).toEqual(['tools/account-unchecked /nodes/1']);
  });

  it.each<[string, Fields, RegExp | null]>([
    ['an id that nobody binds', {}, /the caller chooses “idBill”\.$/],
    ['an id that a variable gives', { idBill: '{{billId}}' }, /the caller chooses “idBill”\.$/],
    ['an id that is fixed', { idBill: 1 }, null],
  ])('warns of %s, which a credential of everybody opens', (_, bind, said) => {
    const { diagnostics } = bindOperations(rent({ ...find, url: 'https://a.example/Bill/1' }), {
      ...direct,
      ...bindings('bills.get', bind),
    });
    const found = diagnostics.filter(({ code }) => code === 'tools/account-unchecked');
    expect(found.map(({ message }) => said?.test(message))).toEqual(said === null ? [] : [true]);
  });

  it.each([
    'http://a.example',
    'https://u:p@a.example',
    'ftp://a.example',
    'a.example',
    'https://a?b',
  ])('refuses the address %s for services and for the server of tools', (url) => {
    const service = { ...direct, ...bindings('bills.get'), serviceUrls: { bills: url } };
    const server = { ...bindings('bills.get'), toolServer: { url } };
    for (const options of [service, server]) {
      const { diagnostics } = bindOperations(rent(), options);
      expect(diagnostics.map(({ code }) => code)).toContain('api/option');
    }
  });

  it('takes plain http to this machine', () => {
    const server = { ...bindings('bills.get'), toolServer: { url: 'http://localhost:8080/tools' } };
    const codes = bindOperations(rent(), server).diagnostics.map(({ code }) => code);
    expect(codes).not.toContain('api/option');
  });
});

describe('what is said of a bound request', () => {
  const place = '/nodes/1';
  it.each<[string, BindOptions, Fields, string[]]>([
    [
      'nothing where all is in order',
      { ...bindings('bills.get'), toolServer },
      { id: 'find-bill', type: 'apiRequest' },
      [],
    ],
    [
      'its headers',
      { ...bindings('bills.get'), toolServer },
      { ...find, url: 'https://a.example/Bill/1' },
      ['tools/headers-left-out /nodes/1/headers'],
    ],
    [
      'what it sent itself',
      { ...bindings('bills.get'), toolServer },
      { ...find, headers: {}, body: { a: 1 } },
      ['tools/no-such-value /nodes/1/url', 'tools/no-such-value /nodes/1/body'],
    ],
    [
      'a response that is never told',
      { ...bindings('bills.get'), toolServer },
      {
        id: 'find-bill',
        type: 'apiRequest',
        responseVariables: [{ name: 'amount', path: 'note' }],
      },
      ['tools/never-told /nodes/1/responseVariables/0'],
    ],
    [
      'a server that is missing',
      bindings('bills.get'),
      { id: 'find-bill', type: 'apiRequest' },
      [`lower/tool-to-provide ${place}`],
    ],
    [
      'an account that nobody binds',
      { ...bindings('bills.list'), toolServer },
      { id: 'find-bill', type: 'apiRequest' },
      [`tools/unbound ${place}`],
    ],
    [
      'no account where it is bound',
      { ...bindings('bills.list', { entry: '{{shop}}' }), toolServer },
      { id: 'find-bill', type: 'apiRequest' },
      [],
    ],
  ])('%s', (_, options, request, expected) => {
    expect(said(bindOperations(rent(request), options).diagnostics)).toEqual(expected);
  });

  it.each<[unknown, string[]]>([
    [
      { bindings: { 'find-bil': { operation: 'bills.get' } } },
      ['tools/unknown-node options /bindings/find-bil'],
    ],
    [bindings('bills.fetch'), ['tools/unknown-operation options /bindings/find-bill/operation']],
    [bindings('constructor'), ['tools/unknown-operation options /bindings/find-bill/operation']],
    [
      bindings('bills.get', { idBill: 'many', 'a/b': 1 }),
      [
        'tools/bad-value options /bindings/find-bill/bind/a~1b',
        'tools/bad-value options /bindings/find-bill/bind/idBill',
      ],
    ],
    [
      bindings('bills.get', { entry: '{{who}}' }),
      ['tools/bad-value options /bindings/find-bill/bind/entry'],
    ],
    [
      bindings('bills.create', { idempotencyKey: 'k' }),
      ['tools/bad-value options /bindings/find-bill/bind/idempotencyKey'],
    ],
    [{ bindings: [] }, ['api/option options /bindings']],
    [
      { bindings: { 'find-bill': { op: 'bills.get' } } },
      ['api/option options /bindings/find-bill'],
    ],
    [{ tools: 'both' }, ['api/option options /tools']],
    [{ toolServer: { url: 'tools.example.com' } }, ['api/option options /toolServer']],
    [{ toolServer: { url: 'https://me:secret@example.com' } }, ['api/option options /toolServer']],
    [{ tools: 'direct', toolServer }, ['api/option options /toolServer']],
    [{ serviceUrls: { mail: 'https://a.example' } }, ['api/option options /serviceUrls']],
  ])('options that are wrong: %j', (options, expected) => {
    const { diagnostics, workflow } = bindOperations(rent(), options as BindOptions);
    expect(said(diagnostics)).toEqual(expected);
    expect(workflow).toEqual(rent());
  });

  it.each([
    undefined,
    null,
    7,
    [],
    {},
    { nodes: 1 },
    { nodes: [null, 7, { id: 'find-bill' }] },
    { workflow: { nodes: {} } },
  ])('hands back what is no workflow: %j', (document) => {
    const { workflow, diagnostics } = bindOperations(document, bindings('bills.get'));
    expect(workflow).toBe(document);
    expect(said(diagnostics)).toEqual(['tools/unknown-node options /bindings/find-bill']);
  });

  it('changes nothing of what it is given', () => {
    const source = rent();
    bindOperations(source, { ...bindings('bills.get'), toolServer });
    expect(source).toEqual(rent());
  });
});

describe('the answer `operation`', () => {
  const open = { id: 'find-bill', type: 'apiRequest' };
  const answer = (value: unknown) => ({
    answers: {
      'missing-endpoint:find-bill': { choice: 'operation', value },
      other: { choice: 'x' },
    },
    policies: { 'missing-auth': 'none' },
  });

  it('binds like the option, and is no answer any more', () => {
    const answers = answer({ operation: 'bills.get', bind: { idBill: '{{bill_id}}' } });
    const bound = bindOperations(rent(open), { answers: answers as never, toolServer });
    expect(bound.answers).toEqual({
      answers: { other: { choice: 'x' } },
      policies: { 'missing-auth': 'none' },
    });
    expect(Object.keys(bound.toolBindings)).toEqual(['find-bill']);
  });

  it('is told where it is wrong', () => {
    const answers = answer({ operation: 'bills.fetch' });
    expect(said(bindOperations(rent(open), { answers: answers as never }).diagnostics)).toEqual([
      'tools/unknown-operation answers /answers/missing-endpoint:find-bill/value/operation',
    ]);
  });

  it('is nothing that `compile` can carry out by itself', () => {
    const answers = answer({ operation: 'bills.get' });
    const { status, diagnostics, questions } = compile(rent(open), { answers: answers as never });
    expect(status).toBe('invalid');
    expect(diagnostics.some(({ message }) => message.includes('`bindOperations`'))).toBe(true);
    expect(questions.map(({ id }) => id)).toContain('missing-endpoint:find-bill');
  });
});

describe('what is compiled of it', () => {
  const dynamicVariables = ['pay_token'];
  const own = bindings('bills.get', { idBill: '{{bill_id}}' });
  const served = { ...own, toolServer };
  // The address encodes the id, which the platform would do before the caller has said it.
  const answers = { policies: { 'read-too-early': 'keep-split' } };
  const direct = { ...own, tools: 'direct', answers } as const;
  it.each(
    (['squad', 'vapi'] as const).flatMap((target) => [
      { target, dynamicVariables, ...served },
      { target, dynamicVariables, ...direct },
    ]),
  )('is a squad that holds: $target, $tools', (options) => {
    const result = compileBound(compile, rent(), options);
    expect(result.questions).toEqual([]);
    expect(result.status).toBe('complete');
    const { workflow, options: left } = bindFor(rent(), options);
    expect(verify(workflow, result.output, left).holds).toBe(true);
    expect(Object.keys(result.toolBindings ?? {})).toEqual(options.tools ? [] : ['find-bill']);
  });

  it('speaks of places that the source has', () => {
    const result = compileBound(compile, rent(), { target: 'vapi', ...served });
    const places = [
      ...result.ledger.map(({ at }) => at),
      ...result.diagnostics.map(({ at }) => at),
      ...result.sourceMap.map(({ origin }) => (origin.kind === 'source' ? origin.at : '')),
    ];
    expect(places).toContain('/nodes/1');
    expect(places.filter((at) => at.startsWith('/nodes/1/tool'))).toEqual([]);
    expect(result.diagnostics.map(({ code }) => code)).not.toContain('shape/dialect');
  });

  it('is nothing where a binding is wrong', () => {
    const { status, output, diagnostics } = compileBound(compile, rent(), bindings('bills.list'));
    expect({ status, output }).toEqual({ status: 'invalid', output: null });
    expect(diagnostics[0]).toMatchObject({ code: 'tools/no-such-value' });
    expect(diagnostics.map(({ code }) => code)).toContain('tools/unbound');
  });
});
