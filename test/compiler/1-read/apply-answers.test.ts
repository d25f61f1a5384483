import { describe, expect, it } from 'vitest';
import { applyDecisions } from '../../../src/compiler/1-read/apply-answers.js';
import { listSupplied } from '../../../src/compiler/1-read/supplied.js';
import type { QuestionKind } from '../../../src/compiler/ir/answers.js';
import type { Decision, Subject } from '../../../src/compiler/ir/inquiry.js';
import type { Json } from '../../../src/compiler/ir/json.js';
import type { Workflow } from '../../../src/compiler/ir/workflow.js';
import {
  anytime,
  captures,
  capturing,
  compiled,
  end,
  type Plan,
  parsed,
  request,
  setter,
} from '../build.js';

/** A decision about the node at the position, unless another subject is given. */
function decision(
  kind: QuestionKind,
  choice: string,
  value: Json = null,
  subject: unknown = { of: 'node', node: 1 },
): Decision {
  const question = { id: `${kind}:q`, kind, at: [], text: '', choices: [], proposal: null };
  const inquiry = {
    question,
    subject: subject as Subject,
    allowed: new Map(),
    assumed: { choice },
  };
  return { inquiry, choice, value, by: 'answer' };
}

const unreached = { texts: new Set(), conditions: new Set(), globals: new Set() };
const about = (name: string) => ({ of: 'variable', name, unreached });
const apply = (plan: Plan, ...decisions: Decision[]): Workflow =>
  applyDecisions(parsed(plan), decisions);
const answer = (kind: QuestionKind) => ({ kind: 'answer', question: `${kind}:q` });

const open: Plan = { nodes: { a: 'A', t: { type: 'apiRequest' } }, edges: ['a > t'] };

describe('applyDecisions', () => {
  it('changes nothing in place, and nothing where nothing is to be changed', () => {
    const source = parsed(open);
    const before = structuredClone(source);
    applyDecisions(source, [decision('missing-auth', 'credential', { credentialId: 'c' })]);
    expect(source).toEqual(before);
    const passed = [
      decision('cyclic-stages', 'keep-split'),
      decision('critical-variable', 'best-effort'),
    ];
    expect(applyDecisions(source, passed)).toBe(source);
  });

  it('leaves the workflow that it was given as it was', () => {
    const source = parsed({ nodes: { a: 'Ask.', b: request() }, edges: ['a > b: x == 1'] });
    const before = structuredClone(source);
    const subject = { of: 'edge', edge: 0 };
    const changed = applyDecisions(source, [
      decision('missing-auth', 'none'),
      decision('logical-condition', 'prose', null, subject),
    ]);
    expect(source).toEqual(before);
    expect(changed.nodes[1]!.request!.authenticated).toBe(true);
    expect(changed.edges[0]!.condition!.routing).toBe('prose');
  });

  it('gives a transfer its destination', () => {
    const plan: Plan = {
      nodes: { a: 'A', x: { type: 'transferCall', transferPlan: { message: 'm' } } },
    };
    const set = (choice: string, value: string) =>
      apply(plan, decision('missing-destination', choice, value)).nodes[1]!.transfer;
    const origin = answer('missing-destination');
    expect(set('number', '+49301')).toMatchObject({
      destination: { value: { type: 'number', number: '+49301' }, origin },
      message: { value: 'm' },
    });
    expect(set('sip', 'sip:a@b')?.destination?.value).toEqual({ type: 'sip', sipUri: 'sip:a@b' });
  });

  it('gives a request its endpoint, and reads the texts anew', () => {
    const value = {
      url: 'https://x.example.com/{{u}}',
      method: 'PUT',
      headers: { 'X-Key': '{{k}}' },
      body: { b: '{{v}}' },
      timeoutSeconds: 4,
    };
    const { request: call } = apply(open, decision('missing-endpoint', 'request', value)).nodes[1]!;
    expect(call).toMatchObject({
      url: { value: value.url, origin: answer('missing-endpoint') },
      method: { value: 'PUT' },
      timeoutSeconds: { value: 4 },
    });
    const reads = call!.texts.flatMap(({ uses }) => uses.map(({ name }) => name));
    expect(reads).toEqual(['u', 'k', 'v']);
  });

  it('keeps what the source has where the answer says nothing of it', () => {
    const plan: Plan = {
      nodes: { a: 'A', t: { type: 'apiRequest', headers: { Accept: '{{x}}' }, timeoutSeconds: 3 } },
    };
    const value = { url: 'https://x.example.com', method: 'GET' };
    const { request: call } = apply(plan, decision('missing-endpoint', 'request', value)).nodes[1]!;
    expect(call).toMatchObject({
      headers: { value: { Accept: '{{x}}' }, origin: { kind: 'source' } },
      timeoutSeconds: { value: 3, origin: { kind: 'source' } },
    });
    expect(call!.texts.flatMap(({ uses }) => uses)).toHaveLength(1);
  });

  it('puts an operation in the place of an endpoint', () => {
    const value = { operation: 'bills.get', bind: { idBill: 17 } };
    const { request: call } = apply(open, decision('missing-endpoint', 'operation', value))
      .nodes[1]!;
    const origin = answer('missing-endpoint');
    expect(call!.operation).toEqual({
      id: { value: 'bills.get', origin },
      bound: [{ key: 'idBill', value: { value: 17, origin } }],
      account: [],
      direct: false,
      server: null,
      replaced: [],
    });
  });

  it.each<[string, object | null, object]>([
    ['no headers', null, { 'X-Key': '{{k}}' }],
    ['plain headers', { Accept: 'x' }, { Accept: 'x', 'X-Key': '{{k}}' }],
    [
      'a schema of headers',
      { type: 'object', properties: { Accept: { type: 'string', value: 'x' } } },
      {
        type: 'object',
        properties: {
          Accept: { type: 'string', value: 'x' },
          'X-Key': { type: 'string', value: '{{k}}' },
        },
      },
    ],
  ])('adds a header to %s, and the read of its secret', (_, headers, expected) => {
    const plan: Plan = { nodes: { a: 'A', t: request({ headers }) } };
    const value = { header: 'X-Key', secret: 'k' };
    const { request: call } = apply(plan, decision('missing-auth', 'header', value)).nodes[1]!;
    expect(call!.headers!.value).toEqual(expected);
    expect(call!.authenticated).toBe(true);
    expect(call!.texts.some(({ uses }) => uses[0]?.name === 'k')).toBe(true);
  });

  it('keeps the origin of the headers that the source has', () => {
    const plan: Plan = {
      nodes: { a: 'A', t: request({ headers: { Accept: 'x' } }) },
      edges: ['a > t'],
    };
    const value = { header: 'X-Key', secret: 'k' };
    const { result } = compiled(plan, {
      answers: { answers: { 'missing-auth:t': { choice: 'header', value } } },
    });
    const origin = (name: string) =>
      result.sourceMap.find(({ output }) => output.endsWith(`/headers/${name}`))!.origin;
    expect(origin('X-Key')).toEqual({ kind: 'answer', question: 'missing-auth:t' });
    expect(origin('Accept')).toEqual({ kind: 'source', at: '/nodes/1/headers/Accept' });
  });

  it('is content with a credential or none', () => {
    const set = (choice: string, value: Json = null) =>
      apply(open, decision('missing-auth', choice, value)).nodes[1]!.request;
    expect(set('credential', { credentialId: 'c' })).toMatchObject({
      credentialId: { value: 'c', origin: answer('missing-auth') },
      authenticated: true,
    });
    expect(set('none')).toMatchObject({ credentialId: null, headers: null, authenticated: true });
  });

  describe('of a logical condition', () => {
    const plan: Plan = {
      nodes: { a: capturing('x'), b: 'B', c: 'C', t: setter('x') },
      edges: ["a > b: x == 'yes'", "a > c: x == 'no'", 'b > t', 'c > t'],
    };
    const onEdge = (edge: number) => ({ of: 'edge', edge });
    const routed = (choice: string, value: Json = null) =>
      apply(plan, decision('logical-condition', choice, value, onEdge(0)));

    it.each(['extract', 'prose'])(
      'notes the answer %s on the edge, and changes no text',
      (choice) => {
        const { edges, nodes } = routed(choice);
        expect(edges[0]!.condition).toMatchObject({
          value: "x == 'yes'",
          routing: choice,
          guard: null,
        });
        expect(edges[1]!.condition!.routing).toBeNull();
        expect(nodes.every(({ calls }) => calls.length === 0)).toBe(true);
      },
    );

    it('writes a guard that prints whether the condition holds', () => {
      expect(routed('guard').edges[0]!.condition!.guard).toContain('x');
    });

    it('has the tool called before the node is left', () => {
      const provided = routed('tool', { tool: 'confirm' });
      const call = {
        tool: 'confirm',
        node: null,
        variables: ['x'],
        question: 'logical-condition:q',
      };
      expect(provided.edges[0]!.condition!.call).toMatchObject(call);
      expect(provided.nodes[0]!.calls).toMatchObject([call]);
      expect(routed('tool', { tool: 't' }).nodes[0]!.calls).toMatchObject([{ tool: 't', node: 3 }]);
    });

    it('has one tool called once for several edges', () => {
      const both = [0, 1].map((edge) =>
        decision('logical-condition', 'tool', { tool: 'confirm' }, onEdge(edge)),
      );
      expect(apply(plan, ...both).nodes[0]!.calls).toHaveLength(1);
    });

    it('notes the answer on a global node', () => {
      const global: Plan = { nodes: { a: 'A', g: { ...anytime("x == 'no'"), ...end } } };
      const { nodes } = apply(global, decision('logical-condition', 'extract'));
      expect(nodes[1]!.global!.condition!.routing).toBe('extract');
    });
  });

  it('has a tool called after every capture of a critical variable', () => {
    const plan: Plan = {
      nodes: {
        a: capturing('x'),
        b: capturing('y'),
        c: { systemPrompt: 'C', ...captures('y', 'x') },
      },
    };
    const decided = decision('critical-variable', 'tool', { tool: 'confirm' }, about('x'));
    const { nodes } = apply(plan, decided);
    expect(nodes.map(({ calls }) => calls.map(({ variables }) => variables.join()))).toEqual([
      ['x'],
      [],
      ['x'],
    ]);
  });

  it('adds a capture where the answer puts it', () => {
    const decided = decision('undefined-variable', 'captured-at', 'a', about('x'));
    const { nodes } = apply({ nodes: { a: capturing('y'), b: '{{x}}' } }, decided);
    expect(nodes[0]!.captures.map(({ name }) => name)).toEqual(['y', 'x']);
    expect(nodes[0]!.captures[1]).toMatchObject({
      type: 'string',
      origin: answer('undefined-variable'),
    });
  });

  it('leaves a variable of the caller’s as it is', () => {
    const source = parsed({ nodes: { a: '{{x}}' } });
    const decided = decision('undefined-variable', 'caller', null, about('x'));
    expect(applyDecisions(source, [decided])).toBe(source);
  });

  it('looks at an edge a few times, however many variables are renamed', () => {
    const ids = Array.from({ length: 60 }, (_, at) => `n${at}`);
    const nodes = Object.fromEntries(ids.map((id) => [id, 'Talk.']));
    const { edges, ...source } = parsed({ nodes, edges: ids.map((id) => `n0 > ${id}: {{v}}`) });
    let looks = 0;
    const counted = edges.map((edge) => ({
      ...edge,
      get from() {
        looks += 1;
        return edge.from;
      },
    }));
    const reads = { ...unreached, conditions: new Set([1]) };
    const decided = ids.map((id) =>
      decision('undefined-variable', 'rename', 'x', { ...about(id), unreached: reads }),
    );
    applyDecisions({ ...source, edges: counted }, decided);
    expect(looks).toBeLessThan(3 * edges.length);
  });
});

describe('listSupplied', () => {
  it('lists secrets of headers and variables of the caller, and nothing else', () => {
    expect(
      listSupplied([
        decision('missing-auth', 'header', { header: 'X-Key', secret: 'k' }),
        decision('missing-auth', 'none'),
        decision('missing-auth', 'credential', { credentialId: 'c' }),
        decision('undefined-variable', 'caller', null, about('x')),
        decision('undefined-variable', 'rename', 'z', about('y')),
      ]),
    ).toEqual(['k', 'x']);
  });
});
