/** Requests of a workflow become tools of operations, and these a squad that holds. */
import { describe, expect, it } from 'vitest';
import { compile, verify } from '../../src/index.js';
import { bindFor, compileBound } from '../../src/serve/compile-bound.js';
import { type BindOptions, bindOperations } from '../../src/tools.js';

type Fields = Readonly<Record<string, unknown>>;

/** A request without any details. */
const open = { id: 'find-bill', type: 'apiRequest' };
const find = {
  ...open,
  method: 'GET',
  url: 'https://pay.example.com/api/Bill/{{bill_id}}',
  headers: { requestToken: '{{pay_token}}' },
  responseVariables: [{ name: 'amount', path: 'responseData.NetAmount' }],
};
const atBase = { ...find, url: 'https://a.example/Bill/1' };

/** A call that looks up a bill and says what is due. */
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

/** Codes with their places, without the area that most of them have. */
const said = (diagnostics: readonly { code: string; at: string; in?: string }[]) =>
  diagnostics
    .map(({ code, at, in: part }) => `${code.replace('tools/', '')} ${part ?? 'source'} ${at}`)
    .join(', ');

const nodeOf = (options: BindOptions, request?: Fields) =>
  (bindOperations(rent(request), options).workflow as ReturnType<typeof rent>).nodes[1] as Fields;

describe('a request that a server answers', () => {
  const bound = served('bills.get', { idBill: '{{bill_id}}' });

  it('becomes a function tool with the bound values, and aliases for what may be told', () => {
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

  it('keeps the name, description, messages and aliases of a tool of the platform', () => {
    const { tool } = nodeOf(bound, exported) as typeof exported;
    const { name, timeoutSeconds: _, description, ...kept } = exported.tool;
    expect(tool).toMatchObject({ ...kept, type: 'function', function: { name, description } });
    expect(tool).not.toHaveProperty('timeoutSeconds');
  });

  it('lets the model fill in what is not bound, with unsupported keywords in the description', () => {
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
    // The platform fills in both templates; only the amount may come with a call.
    [
      'bills.create',
      { entry: '{{shop}}', netAmount: '{{amount}}', vendorNumber: 'V-7', mode: null },
      { netAmount: '{{amount}}', vendorNumber: 'V-7' },
    ],
    ['bills.get', { idBill: 17, entry: 'main', orgId: 5 }, { idBill: 17, entry: 'main', orgId: 5 }],
  ])('%s with %j: the server gets %j', (operation, bind, known) => {
    const { toolBindings, workflow } = bindOperations(rent(), bindings(operation, bind));
    expect(toolBindings).toEqual({ 'find-bill': { operation, bind: known } });
    // The order in which values are written does not matter.
    const names = Object.keys(toolBindings['find-bill']?.bind ?? {});
    expect(names).toEqual([...names].sort());
    expect(JSON.stringify(workflow)).not.toContain('main');
  });

  it('gives each tool a name of its own', () => {
    const source = rent({ ...find, name: 'find_bill' });
    source.nodes.push({ ...find, id: 'again', name: 'Find bill' } as never);
    const both = {
      bindings: { again: { operation: 'bills.get' }, 'find-bill': { operation: 'bills.list' } },
    };
    const { toolBindings } = bindOperations(source, both);
    expect(Object.keys(toolBindings)).toEqual(['find_bill', 'Find_bill-2']);
    expect(source.nodes[1]).toEqual({ ...find, name: 'find_bill' });
  });
});

describe('what is reported', () => {
  const of = (request: Fields, options: BindOptions) =>
    said(bindOperations(rent(request), options).diagnostics);

  it('about a bound request is what it no longer sends, never tells, or lacks', () => {
    const sent = { ...find, headers: {}, body: { a: 1 } };
    const untold = { ...open, responseVariables: [{ name: 'amount', path: 'note' }] };
    const get = served('bills.get');
    expect(of(open, get)).toBe('');
    expect(of(atBase, get)).toBe('headers-left-out source /nodes/1/headers');
    expect(of(sent, get)).toBe(
      'no-such-value source /nodes/1/url, no-such-value source /nodes/1/body',
    );
    expect(of(untold, get)).toBe('never-told source /nodes/1/responseVariables/0');
    expect(of(open, bindings('bills.get'))).toBe('lower/tool-to-provide source /nodes/1');
    expect(of(open, served('bills.list'))).toBe('unbound source /nodes/1');
    expect(of(open, served('bills.list', { entry: '{{shop}}' }))).toBe('');
  });

  /** Options; `#` is the binding. */
  const wrong = `
    {"bindings":{"find-bil":{"operation":"bills.get"}}} => unknown-node options /bindings/find-bil
    {"bindings":{"find-bill":{"operation":"bills.fetch"}}} => unknown-operation options #/operation
    {"bindings":{"find-bill":{"operation":"constructor"}}} => unknown-operation options #/operation
    {"bindings":{"find-bill":{"operation":"bills.get","bind":{"idBill":"many","a/b":1}}}} => bad-value options #/bind/a~1b, bad-value options #/bind/idBill
    {"bindings":{"find-bill":{"operation":"bills.get","bind":{"entry":"{{who}}"}}}} => bad-value options #/bind/entry
    {"bindings":{"find-bill":{"operation":"bills.create","bind":{"idempotencyKey":"k"}}}} => bad-value options #/bind/idempotencyKey
    {"bindings":{"find-bill":{"op":"bills.get"}}} => api/option options #
    {"bindings":[]} => api/option options /bindings
    {"toolServer":{"url":"https://me:secret@example.com"}} => api/option options /toolServer
    {"toolServer":{"url":"http://tools.example"}} => api/option options /toolServer
    {"toolServer":{"url":"http://localhost:8080/tools"}} =>`;

  it.each(wrong.trim().split(/\n */))('about options: %s', (line) => {
    const [options = '', expected = ''] = line.split('=>');
    const { diagnostics, workflow } = bindOperations(rent(), JSON.parse(options));
    expect(said(diagnostics)).toBe(expected.trim().replaceAll('#', '/bindings/find-bill'));
    expect(workflow).toEqual(rent());
  });

  it.each([null, 7, [], { nodes: 1 }, { nodes: [null, { id: 'find-bill' }] }, { workflow: {} }])(
    'about %j, which is no workflow and is returned as it is',
    (document) => {
      const { workflow, diagnostics } = bindOperations(document, bindings('bills.get'));
      expect(workflow).toBe(document);
      expect(said(diagnostics)).toBe('unknown-node options /bindings/find-bill');
    },
  );
});

describe('the answer `operation`', () => {
  const id = 'missing-endpoint:find-bill';
  const policies = { 'missing-auth': 'none' };
  const answers = (operation: string, other = {}): never =>
    ({
      answers: { [id]: { choice: 'operation', value: { operation } }, ...other },
      policies,
    }) as never;

  it('binds like the option, and is removed from the answers', () => {
    const other = { other: { choice: 'x' } };
    const bound = bindOperations(rent(open), { answers: answers('bills.get', other), toolServer });
    expect(bound.answers).toEqual({ answers: other, policies });
    expect(Object.keys(bound.toolBindings)).toEqual(['find-bill']);
    const wrong = bindOperations(rent(open), { answers: answers('bills.fetch') });
    const place = `/answers/${id}/value/operation`;
    expect(said(wrong.diagnostics)).toBe(`unknown-operation answers ${place}`);
  });

  it('cannot be carried out by `compile` itself', () => {
    const result = compile(rent(open), { answers: answers('bills.get') });
    const { status, diagnostics, questions } = result;
    expect(status).toBe('invalid');
    expect(diagnostics.some(({ message }) => message.includes('`bindOperations`'))).toBe(true);
    expect(questions.map((each) => each.id)).toContain(id);
  });
});

describe('compiling a bound workflow', () => {
  const dynamicVariables = ['pay_token'];
  const bind = { idBill: '{{bill_id}}' };
  const policies = { 'values-after-call': 'none' };
  const answers = { policies };

  it.each(['squad', 'vapi'] as const)(
    'gives a squad that holds, with places of the source: %s',
    (target) => {
      const given = { target, dynamicVariables, ...served('bills.get', bind), answers };
      const result = compileBound(compile, rent(), given as never);
      expect(result).toMatchObject({ status: 'complete', questions: [] });
      const { workflow, options } = bindFor(rent(), given as never);
      expect(verify(workflow, result.output, options).holds).toBe(true);
      expect(Object.keys(result.toolBindings ?? {})).toEqual(['find-bill']);
      const places = [
        ...[...result.ledger, ...result.diagnostics].map(({ at }) => at),
        ...result.sourceMap.map(({ origin }) => (origin.kind === 'source' ? origin.at : '')),
      ];
      expect(places).toContain('/nodes/1');
      expect(places.filter((at) => at.startsWith('/nodes/1/tool'))).toEqual([]);
      expect(result.diagnostics.map(({ code }) => code)).not.toContain('shape/dialect');
    },
  );

  it('gives the whole place of a field whose name has a slash', () => {
    const workflow = { ...rent(), 'house/~rule': 'No smoking.' };
    const { diagnostics } = compileBound(compile, workflow, bindings('bills.list'));
    expect(diagnostics.map(({ at }) => at)).toContain('/house~1~0rule');
  });

  it('gives nothing if a binding is wrong', () => {
    const { status, output, diagnostics } = compileBound(compile, rent(), bindings('bills.list'));
    expect({ status, output }).toEqual({ status: 'invalid', output: null });
    expect(diagnostics[0]).toMatchObject({ code: 'tools/no-such-value' });
    expect(diagnostics.map(({ code }) => code)).toContain('tools/unbound');
  });
});
