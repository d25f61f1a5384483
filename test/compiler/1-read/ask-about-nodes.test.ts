import { describe, expect, it } from 'vitest';
import { draftMarker } from '../../../src/compiler/1-read/draft-marker.js';
import { compile } from '../../../src/compiler/compile.js';
import type { CompileOptions } from '../../../src/compiler/ir/options.js';
import {
  anytime,
  capturing,
  codes,
  compiled,
  end,
  findings,
  type Plan,
  request,
  setter,
  transfer,
  workflow,
} from '../build.js';

const questions = (plan: Plan, options?: CompileOptions) =>
  compiled(plan, options).result.questions;
const asked = (plan: Plan, options?: CompileOptions) =>
  questions(plan, options).map(({ id, at }) => `${id} ${at.join(' ')}`);
const answering = (id: string, choice: string, value?: unknown): CompileOptions => ({
  answers: { answers: { [id]: { choice, ...(value === undefined ? {} : { value }) } as never } },
});

describe('the question ambiguous-start', () => {
  const plan: Plan = { nodes: { stop: end, a: 'A', b: 'B', c: 'C' }, edges: ['a > c', 'b > c'] };

  it('offers every node that a call can start at, and proposes the first without a way in', () => {
    const [question, ...others] = questions(plan);
    expect(others).toEqual([]);
    expect(question).toMatchObject({
      id: 'ambiguous-start:workflow',
      at: ['/nodes/1', '/nodes/2'],
      proposal: 'node',
      proposalValue: 'a',
    });
    expect(JSON.stringify(question!.choices[0]!.value)).toContain('["a","b","c"]');
  });

  it('starts where it is told', () => {
    const { members } = compiled(plan, answering('ambiguous-start:workflow', 'node', 'b'));
    expect(members.map(({ name }) => name)).toEqual(['b']);
    const wrong = answering('ambiguous-start:workflow', 'node', 'stop');
    expect(codes(findings(plan, wrong))).toContain('api/answer-value');
  });

  it('is no question where only exits are there', () => {
    expect(codes(findings({ nodes: { stop: end } }))).toEqual(['flow/start-is-exit']);
  });
});

describe('the question missing-destination', () => {
  const plan: Plan = {
    nodes: { a: 'A', x: { type: 'transferCall' }, y: transfer() },
    edges: ['a > x: 1', 'a > y: 2'],
  };

  it('is asked about each transfer that goes nowhere, with a mark in the draft', () => {
    expect(asked(plan)).toEqual(['missing-destination:x /nodes/1']);
    expect(JSON.stringify(compiled(plan).squad)).toContain(`"number":"${draftMarker}"`);
  });

  it('is not asked about one that no call reaches', () => {
    expect(asked({ ...plan, edges: ['a > y'] })).toEqual([]);
  });

  it('takes a number and a sip address, and nothing else', () => {
    const tool = (choice: string, value: string) =>
      compiled(plan, answering('missing-destination:x', choice, value)).members[0]!.tools[0];
    expect(tool('number', '+4930123456')).toMatchObject({
      destinations: [{ type: 'number', number: '+4930123456' }],
    });
    expect(tool('sip', 'sip:desk@example.com')).toMatchObject({
      destinations: [{ type: 'sip', sipUri: 'sip:desk@example.com' }],
    });
    const wrong = answering('missing-destination:x', 'number', '0800');
    expect(codes(findings(plan, wrong))).toContain('api/answer-value');
  });
});

describe('the question missing-endpoint', () => {
  it.each([
    ['url', { method: 'GET' }],
    ['method', { url: 'https://x.example.com' }],
    ['url or method', {}],
  ])('is asked about a request without %s', (_, fields) => {
    const headers = { Authorization: 'x' };
    const plan: Plan = {
      nodes: { a: 'A', t: { type: 'apiRequest', headers, ...fields } },
      edges: ['a > t'],
    };
    expect(asked(plan)).toEqual(['missing-endpoint:t /nodes/1']);
  });

  it('takes a request, and then asks how it authenticates', () => {
    const plan: Plan = { nodes: { a: 'A', t: { type: 'apiRequest' } }, edges: ['a > t'] };
    const value = { url: 'https://x.example.com/{{customer.number}}', method: 'POST' };
    const options = answering('missing-endpoint:t', 'request', value);
    expect(asked(plan, options)).toEqual(['missing-auth:t /nodes/1']);
    const { tools } = compiled(plan, options).members[0]!;
    expect(tools).toMatchObject([{ type: 'apiRequest', name: 't', ...value }]);
  });

  it('takes an operation, which brings its own way to authenticate', () => {
    const plan: Plan = { nodes: { a: 'A', t: { type: 'apiRequest' } }, edges: ['a > t'] };
    const value = { operation: 'bills.get', bind: { idBill: 17 } };
    const options = answering('missing-endpoint:t', 'operation', value);
    expect(asked(plan, options)).toEqual([]);
    expect(compiled(plan, options).members[0]!.tools).toMatchObject([
      { type: 'function', function: { name: 't' } },
    ]);
  });
});

describe('the question missing-auth', () => {
  const plan = (headers: object): Plan => ({
    nodes: { a: 'A', t: request({ headers }) },
    edges: ['a > t'],
  });

  it.each([
    'Authorization',
    'proxy-authorization',
    'X-Api-Key',
    'access_token',
    'Client-Secret',
    'x-auth',
  ])('is not asked where there is the header %s', (name) => {
    expect(asked(plan({ [name]: '{{customer.number}}' }))).toEqual([]);
  });

  it('is asked where no header authenticates', () => {
    expect(asked(plan({ Accept: 'application/json' }))).toEqual(['missing-auth:t /nodes/1']);
    const schema = { type: 'object', properties: { Authorization: { value: '{{x}}' } } };
    expect(asked(plan(schema), { dynamicVariables: ['x'] })).toEqual([]);
  });

  it('takes a header and the name of its secret, a credential, or none', () => {
    const settled = (choice: string, value?: unknown) =>
      compiled(plan({ Accept: 'x' }), answering('missing-auth:t', choice, value));
    const header = settled('header', { header: 'X-Key', secret: 'my_key' });
    expect(header.result.status).toBe('complete');
    expect(header.members[0]!.tools[0]).toMatchObject({
      headers: { Accept: 'x', 'X-Key': '{{my_key}}' },
    });
    expect(codes(header.result.diagnostics)).toEqual(['lower/supplied-by-caller']);
    expect(settled('credential', { credentialId: 'c1' }).members[0]!.tools[0]).toMatchObject({
      credentialId: 'c1',
    });
    expect(settled('none').members[0]!.tools[0]).toMatchObject({ headers: { Accept: 'x' } });
  });
});

describe('the questions of a workflow', () => {
  it('come in walk order, a node’s before its edges’', () => {
    const plan: Plan = {
      nodes: {
        g: { ...anytime("x == '1'"), ...end },
        x: { type: 'transferCall' },
        t: { type: 'apiRequest' },
        a: capturing('x'),
      },
      edges: ["a > t: x == '2'", "t > x: x == '3'"],
    };
    expect(questions(plan).map(({ at }) => at[0])).toEqual([
      '/edges/0/condition',
      '/nodes/2',
      '/edges/1/condition',
      '/nodes/1',
      '/nodes/0/condition',
      '/nodes/2',
    ]);
  });
});

describe('the question logical-condition', () => {
  const plan: Plan = {
    nodes: { a: capturing('x'), b: 'B', c: 'C' },
    edges: ["a > b: x == 'yes'", 'a > c: otherwise'],
  };
  const [question] = questions(plan);

  it('is asked about an expression, and not about a sentence', () => {
    expect(questions(plan)).toHaveLength(1);
    expect(question).toMatchObject({
      kind: 'logical-condition',
      at: ['/edges/0/condition'],
      proposal: null,
    });
    expect(question!.choices.map(({ key }) => key)).toEqual(['extract', 'tool', 'prose']);
    expect(question!.id).toMatch(/^logical-condition:a->b~[0-9a-f]{8}$/);
  });

  it('offers a guard where the platform can enforce it', () => {
    const [guarded] = compile(workflow(plan), { target: 'vapi' }).questions;
    expect(guarded!.choices.map(({ key }) => key)).toEqual(['extract', 'tool', 'guard', 'prose']);
  });

  it('keeps its id when edges are moved, and changes it with the condition', () => {
    const moved: Plan = { ...plan, edges: [...plan.edges!].reverse() };
    expect(questions(moved)[0]!.id).toBe(question!.id);
    const other: Plan = { ...plan, edges: ["a > b: x == 'no'", 'a > c: otherwise'] };
    expect(questions(other)[0]!.id).not.toBe(question!.id);
  });

  it('proposes to extract what is one of a list, and the tool that sets it', () => {
    const listed = { extractVariables: [{ name: 'x', type: 'string', enum: ['yes', 'no'] }] };
    expect(questions({ ...plan, nodes: { ...plan.nodes, a: listed } })[0]!.proposal).toBe(
      'extract',
    );
    const tool: Plan = {
      nodes: { ...plan.nodes, a: 'A', t: setter('x') },
      edges: ['a > t', "t > b: x == 'yes'", 't > c: otherwise'],
    };
    expect(questions(tool)[0]).toMatchObject({ proposal: 'tool', proposalValue: { tool: 't' } });
  });

  it('is asked about the condition of a global node', () => {
    const global: Plan = { nodes: { a: capturing('x'), g: { ...anytime("x == 'no'"), ...end } } };
    expect(asked(global)[0]).toMatch(/^logical-condition:g~[0-9a-f]{8} \/nodes\/1\/condition$/);
  });
});
