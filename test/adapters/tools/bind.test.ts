/** Requests of a workflow become tools of operations, and these a squad that holds. */
import { describe, expect, it } from 'vitest';
import { bindFor, compileBound } from '../../../src/adapters/tools/compile-bound.js';
import { compile, verify } from '../../../src/index.js';
import { type BindOptions, bindOperations } from '../../../src/tools.js';

type Fields = Readonly<Record<string, unknown>>;

/** A request of which nothing is said but that there is one. */
const open = { id: 'find-bill', type: 'apiRequest' };
const find = {
  ...open,
  method: 'GET',
  url: 'https://pay.example.com/api/Bill/{{bill_id}}',
  headers: { requestToken: '{{pay_token}}' },
  responseVariables: [{ name: 'amount', path: 'responseData.NetAmount' }],
};
const atBase = { ...find, url: 'https://a.example/Bill/1' };

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

/** The request as the platform exports it. */
const exported = {
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
};

const toolServer = { url: 'https://tools.example.com/calls', credentialId: 'tool-calls' };
const bindings = (operation: string, bind: Fields = {}) =>
  ({ bindings: { 'find-bill': { operation, bind } } }) as BindOptions;
const served = (operation: string, bind?: Fields) => ({ ...bindings(operation, bind), toolServer });
const direct = (operation: string, bind?: Fields, more: BindOptions = {}) =>
  ({ tools: 'direct', ...bindings(operation, bind), ...more }) as const;

const said = (diagnostics: readonly { code: string; at: string; in?: string }[]) =>
  diagnostics.map(({ code, at, in: part }) => [code, part, at].filter(Boolean).join(' '));

const nodeOf = (options: BindOptions, request?: Fields) =>
  (bindOperations(rent(request), options).workflow as ReturnType<typeof rent>).nodes[1] as Fields;

describe('a request that a server answers', () => {
  const bound = served('bills.get', { idBill: '{{bill_id}}' });

  it('is a function tool: static what is bound, and of the response what may be said', () => {
    expect(nodeOf(bound)).toEqual({
      id: 'find-bill',
      type: 'tool',
      tool: {
        type: 'function',
        function: {
          name: 'find-bill',
          description: expect.stringContaining('Returns the number, amount'),
          parameters: { type: 'object', properties: {}, required: [] },
        },
        server: toolServer,
        parameters: [{ key: 'idBill', value: '{{bill_id}}' }],
        variableExtractionPlan: { aliases: [{ key: 'amount', value: '{{ $.netAmount }}' }] },
      },
    });
  });

  it('keeps what a tool of the platform says, but for how the request was sent', () => {
    const { tool } = nodeOf(bound, exported) as typeof exported;
    const { name, timeoutSeconds: _, description, ...kept } = exported.tool;
    expect(tool).toMatchObject({ ...kept, type: 'function', function: { name, description } });
    expect(tool).not.toHaveProperty('timeoutSeconds');
  });

  it('leaves to the model what nobody binds, in the words that the platform takes', () => {
    const { tool } = nodeOf(served('bills.get')) as never as {
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

  it.each<[string, Fields, Fields]>([
    // The platform fills in the entry and the amount; only the amount it may send.
    [
      'bills.create',
      { entry: '{{shop}}', netAmount: '{{amount}}', vendorNumber: 'V-7', mode: null },
      { netAmount: '{{amount}}', vendorNumber: 'V-7' },
    ],
    ['bills.get', { idBill: 17, entry: 'main', orgId: 5 }, { idBill: 17, entry: 'main', orgId: 5 }],
  ])('%s with %j: the server has to know %j', (operation, bind, known) => {
    const { toolBindings, workflow } = bindOperations(rent(), bindings(operation, bind));
    expect(toolBindings).toEqual({ 'find-bill': { operation, bind: known } });
    // The order in which values are written decides nothing.
    const names = Object.keys(toolBindings['find-bill']?.bind ?? {});
    expect(names).toEqual([...names].sort());
    expect(JSON.stringify(workflow)).not.toContain('main');
  });

  it('gives two tools two names', () => {
    const source = rent({ ...find, name: 'find_bill' });
    source.nodes.push({ ...find, id: 'again', name: 'Find bill' } as never);
    const both = {
      bindings: { again: { operation: 'bills.get' }, 'find-bill': { operation: 'bills.list' } },
    };
    const { toolBindings } = bindOperations(source, both);
    expect(Object.keys(toolBindings)).toEqual(['find_bill', 'Find_bill_2']);
    expect(source.nodes[1]).toEqual({ ...find, name: 'find_bill' });
  });
});

describe('a request that the platform makes itself', () => {
  const serviceUrls = { bills: 'https://api.example.com/v1/' };

  it.each<[BindOptions, Fields, Fields]>([
    [
      direct('bills.get', { idBill: '{{ bill_id }}' }),
      find,
      { ...find, url: 'https://pay.example.com/api/Bill/{{ bill_id | url_encode }}' },
    ],
    [
      direct('bills.get'),
      find,
      {
        url: 'https://pay.example.com/api/Bill/{{ idBill | url_encode }}',
        body: { properties: { idBill: { type: 'integer' } }, required: ['idBill'] },
      },
    ],
    [
      direct('bills.list', { entry: 'a/b', status: '{{wanted}}', limitRecord: 5 }, { serviceUrls }),
      find,
      {
        url: 'https://api.example.com/v1/Query/bills/a%2Fb?status(eq)={{ wanted | url_encode }}&limitRecord=5'.replace(
          '(eq)',
          encodeURIComponent('(eq)'),
        ),
      },
    ],
    [
      direct('bills.get', { idBill: '{{ bill_id }}' }, { serviceUrls }),
      exported,
      {
        tool: {
          type: 'apiRequest',
          method: 'GET',
          url: 'https://api.example.com/v1/Bill/{{ bill_id | url_encode }}',
          timeoutSeconds: 9,
        },
      },
    ],
  ])('has all that is bound in its address, and asks the model for the rest: %j', (...row) => {
    const [options, request, expected] = row;
    expect(nodeOf(options, request)).toMatchObject(expected);
  });

  it.each<[string, Fields, Fields, string, RegExp]>([
    ['bills.delete', { idBill: 1 }, atBase, 'needs-server', /does more than read/],
    ['bills.get', { idBill: 'a{{x}}' }, atBase, 'needs-server', /single variable/],
    ['bills.list', { entry: 'main' }, atBase, 'needs-server', /base address/],
    // The credential opens the bills of everybody.
    ['bills.get', {}, atBase, 'account-unchecked', /the caller chooses “idBill”\.$/],
    ['bills.get', { idBill: '{{x}}' }, atBase, 'account-unchecked', /chooses “idBill”\.$/],
    ['bills.get', { idBill: 1, entry: 'main' }, atBase, 'account-unchecked', /“entry”/],
  ])('%s with %j of %j: %s', (operation, bind, request, code, message) => {
    const { diagnostics } = bindOperations(rent(request), direct(operation, bind));
    expect(diagnostics).toMatchObject([
      { code: `tools/${code}`, at: '/nodes/1', message: expect.stringMatching(message) },
    ]);
  });

  it('is left alone where the record is fixed', () => {
    expect(bindOperations(rent(atBase), direct('bills.get', { idBill: 1 })).diagnostics).toEqual(
      [],
    );
  });
});

describe('what is said', () => {
  it.each<[string, BindOptions, Fields, string[]]>([
    ['nothing where all is in order', served('bills.get'), open, []],
    ['headers', served('bills.get'), atBase, ['tools/headers-left-out /nodes/1/headers']],
    [
      'what the request sent itself',
      served('bills.get'),
      { ...find, headers: {}, body: { a: 1 } },
      ['tools/no-such-value /nodes/1/url', 'tools/no-such-value /nodes/1/body'],
    ],
    [
      'a response that is never told',
      served('bills.get'),
      { ...open, responseVariables: [{ name: 'amount', path: 'note' }] },
      ['tools/never-told /nodes/1/responseVariables/0'],
    ],
    ['a server that is missing', bindings('bills.get'), open, ['lower/tool-to-provide /nodes/1']],
    ['an account that nobody binds', served('bills.list'), open, ['tools/unbound /nodes/1']],
    ['no account where it is bound', served('bills.list', { entry: '{{shop}}' }), open, []],
  ])('of a bound request: %s', (_, options, request, expected) => {
    expect(said(bindOperations(rent(request), options).diagnostics)).toEqual(expected);
  });

  const own = 'options /bindings/find-bill';
  it.each<[unknown, string[]]>([
    [
      { bindings: { 'find-bil': { operation: 'bills.get' } } },
      ['tools/unknown-node options /bindings/find-bil'],
    ],
    [bindings('bills.fetch'), [`tools/unknown-operation ${own}/operation`]],
    [bindings('constructor'), [`tools/unknown-operation ${own}/operation`]],
    [
      bindings('bills.get', { idBill: 'many', 'a/b': 1 }),
      [`tools/bad-value ${own}/bind/a~1b`, `tools/bad-value ${own}/bind/idBill`],
    ],
    [bindings('bills.get', { entry: '{{who}}' }), [`tools/bad-value ${own}/bind/entry`]],
    [
      bindings('bills.create', { idempotencyKey: 'k' }),
      [`tools/bad-value ${own}/bind/idempotencyKey`],
    ],
    [{ bindings: [] }, ['api/option options /bindings']],
    [{ bindings: { 'find-bill': { op: 'bills.get' } } }, [`api/option ${own}`]],
    [{ tools: 'both' }, ['api/option options /tools']],
    [{ toolServer: { url: 'https://me:secret@example.com' } }, ['api/option options /toolServer']],
    [{ toolServer: { url: 'http://tools.example' } }, ['api/option options /toolServer']],
    [{ toolServer: { url: 'http://localhost:8080/tools' } }, []],
    [{ tools: 'direct', toolServer }, ['api/option options /toolServer']],
    [{ serviceUrls: { mail: 'https://a.example' } }, ['api/option options /serviceUrls']],
    [{ serviceUrls: { bills: 'https://a?b' } }, ['api/option options /serviceUrls']],
  ])('of wrong options: %j', (options, expected) => {
    const { diagnostics, workflow } = bindOperations(rent(), options as BindOptions);
    expect(said(diagnostics)).toEqual(expected);
    expect(workflow).toEqual(rent());
  });

  it.each([null, 7, [], { nodes: 1 }, { nodes: [null, { id: 'find-bill' }] }, { workflow: {} }])(
    'of what is no workflow, which is handed back: %j',
    (document) => {
      const { workflow, diagnostics } = bindOperations(document, bindings('bills.get'));
      expect(workflow).toBe(document);
      expect(said(diagnostics)).toEqual(['tools/unknown-node options /bindings/find-bill']);
    },
  );
});

describe('the answer `operation`', () => {
  const answers = (operation: string, other = {}): never =>
    ({
      answers: {
        'missing-endpoint:find-bill': { choice: 'operation', value: { operation } },
        ...other,
      },
      policies: { 'missing-auth': 'none' },
    }) as never;

  it('binds like the option, and is no answer any more', () => {
    const other = { other: { choice: 'x' } };
    const given = { answers: answers('bills.get', other), toolServer };
    const bound = bindOperations(rent(open), given);
    expect(bound.answers).toEqual({ answers: other, policies: { 'missing-auth': 'none' } });
    expect(Object.keys(bound.toolBindings)).toEqual(['find-bill']);
  });

  it('is told where it is wrong', () => {
    const given = { answers: answers('bills.fetch') };
    expect(said(bindOperations(rent(open), given).diagnostics)).toEqual([
      'tools/unknown-operation answers /answers/missing-endpoint:find-bill/value/operation',
    ]);
  });

  it('is nothing that `compile` can carry out by itself', () => {
    const result = compile(rent(open), { answers: answers('bills.get') });
    const { status, diagnostics, questions } = result;
    expect(status).toBe('invalid');
    expect(diagnostics.some(({ message }) => message.includes('`bindOperations`'))).toBe(true);
    expect(questions.map(({ id }) => id)).toContain('missing-endpoint:find-bill');
  });
});

describe('what is compiled of it', () => {
  const dynamicVariables = ['pay_token'];
  const bind = { idBill: '{{bill_id}}' };
  // The address encodes the id, which the platform would do before the caller has said it.
  const answers = { policies: { 'read-too-early': 'keep-split' } };

  it.each(
    (['squad', 'vapi'] as const).flatMap((target) => [
      { target, dynamicVariables, ...served('bills.get', bind) },
      { target, dynamicVariables, ...direct('bills.get', bind), answers },
    ]),
  )('is a squad that holds, and speaks of places that the source has: $target, $tools', (given) => {
    const result = compileBound(compile, rent(), given as never);
    expect(result).toMatchObject({ status: 'complete', questions: [] });
    const { workflow, options } = bindFor(rent(), given as never);
    expect(verify(workflow, result.output, options).holds).toBe(true);
    expect(Object.keys(result.toolBindings ?? {})).toEqual('tools' in given ? [] : ['find-bill']);
    const places = [
      ...[...result.ledger, ...result.diagnostics].map(({ at }) => at),
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
