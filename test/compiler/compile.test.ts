import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draftMarker } from '../../src/compiler/2-ask/ask-about-nodes.js';
import { compile } from '../../src/compiler/compile.js';
import type { CompileOptions } from '../../src/compiler/ir/options.js';
import { deterministic, inputNotMutated, workflowArbitrary } from '../../src/testing.js';
import { runs, seed } from '../seed.js';
import {
  captures,
  capturing,
  carried,
  codes,
  compiled,
  destinations,
  end,
  type Plan,
  request,
  transfer,
  workflow,
} from './build.js';

const voice = { provider: 'p', version: 2, voiceId: 'v' };

/** The worked pattern of spec/3. */
const worked: Plan = {
  name: 'Clinic',
  voice,
  nodes: {
    greeting: { systemPrompt: 'Greet the caller.', firstMessage: 'Hello!' },
    collection: { type: 'gather', systemPrompt: 'Collect both.', ...captures('topic', 'patient') },
    scheduling: 'Find a date for {{patient}}.',
    billing: 'Explain the bill of {{patient}}.',
    stop: end,
  },
  edges: [
    'greeting > collection',
    'collection > scheduling: {{topic}} is an appointment',
    'collection > billing: {{topic}} is a bill',
    'scheduling > stop',
    'billing > stop',
  ],
};

describe('compile', () => {
  it('makes three members of the worked pattern, as spec/3 has it', () => {
    const prose = { answers: { policies: { 'logical-condition': 'prose' } } };
    const { result, members, squad } = compiled(worked, prose);
    expect(result.status).toBe('complete');
    expect(members.map(({ name }) => name)).toEqual(['greeting', 'scheduling', 'billing']);
    const [intake, scheduling, billing] = members;
    expect(intake!.tools.map(({ type }) => type)).toEqual(['handoff']);
    expect(
      destinations(intake!).map((to) => [to.assistantName, to.description, carried(to)]),
    ).toEqual([
      ['scheduling', '{{topic}} is an appointment', ['patient']],
      ['billing', '{{topic}} is a bill', ['patient']],
    ]);
    expect([scheduling!.tools, billing!.tools]).toEqual([[], []]);
    for (const { prompt } of [scheduling!, billing!]) expect(prompt).toContain('end the call');
    expect(intake!.prompt).not.toContain('end the call');
    expect(intake!.firstMessage).toBe('Hello!');
    expect(squad['memberOverrides']).toEqual({ voice });
    for (const { assistant } of members) expect(assistant).not.toHaveProperty('voice');
    expect(result.checklist.map(({ holds }) => holds)).toEqual(Array(9).fill(true));
    expect(result.stats).toEqual({
      nodes: 5,
      edges: 5,
      assistants: 3,
      handoffs: 2,
      extractions: 2,
      tools: 0,
      questions: 0,
    });
  });

  it('ends early where the input leaves nothing to go on with', () => {
    const result = compile(workflow({ nodes: { a: { type: 'menu' } } }));
    expect(result).toMatchObject({
      status: 'invalid',
      output: null,
      draft: null,
      questions: [],
      checklist: [],
      sourceMap: [],
      ledger: [],
      stats: { nodes: 0 },
    });
    expect(codes(result.diagnostics)).toEqual(['shape/unknown-node-type']);
  });

  it('tells faults of the workflow, the options and the answers at once', () => {
    const options = { boundary: 'x', answers: { policies: { nothing: 'x' } } } as unknown;
    const result = compile(workflow({ nodes: { a: { type: 'menu' } } }), options as CompileOptions);
    expect(codes(result.diagnostics)).toEqual(
      expect.arrayContaining(['shape/unknown-node-type', 'api/option', 'api/policy-kind']),
    );
  });

  it('gives a draft while questions are open, and never an output', () => {
    const open: Plan = { nodes: { a: 'A', x: { type: 'transferCall' } }, edges: ['a > x'] };
    const result = compile(workflow(open));
    expect(result).toMatchObject({ status: 'needs-answers', output: null });
    expect(JSON.stringify(result.draft)).toContain(draftMarker);
    expect(result.checklist).toHaveLength(9);
    expect(result.ledger.find(({ at }) => at === '/nodes/1')!.status).toBe('needs-answer');
  });

  it('gives neither where an answer does not fit', () => {
    const open: Plan = { nodes: { a: 'A', x: { type: 'transferCall' } }, edges: ['a > x'] };
    const answers = { answers: { 'missing-destination:x': { choice: 'phone' } } };
    const result = compile(workflow(open), { answers });
    expect(result).toMatchObject({ status: 'invalid', output: null, draft: null });
    expect(result.questions.map(({ id }) => id)).toEqual(['missing-destination:x']);
  });

  it('warns of an answer that no question asked for', () => {
    const answers = { answers: { 'missing-auth:gone': { choice: 'none' } } };
    const result = compile(workflow({ nodes: { a: 'A' } }), { answers });
    expect(result.status).toBe('complete');
    expect(result.diagnostics).toMatchObject([
      { code: 'api/stale-answer', at: '/answers/missing-auth:gone', in: 'answers' },
    ]);
  });

  it('asks what an answer gives rise to, and is complete when all is answered', () => {
    const plan: Plan = {
      nodes: { a: 'A', t: { type: 'apiRequest' }, b: 'B' },
      edges: ['a > t', 't > b'],
    };
    const value = { url: 'https://x.example.com/{{order}}', method: 'GET' };
    const endpoint = { 'missing-endpoint:t': { choice: 'request', value } };
    const auth = { 'missing-auth:t': { choice: 'none' } };
    const order = { 'undefined-variable:order': { choice: 'caller' } };
    const open = (answers: object) =>
      compile(workflow(plan), { answers: { answers } as never }).questions;
    expect(open({}).map(({ id }) => id)).toEqual(['missing-endpoint:t', 'missing-auth:t']);
    expect(open({ ...endpoint, ...auth }).map(({ id }) => id)).toEqual([
      'undefined-variable:order',
    ]);
    const all = compile(workflow(plan), {
      answers: { answers: { ...endpoint, ...auth, ...order } },
    });
    expect(all.status).toBe('complete');
    expect(codes(all.diagnostics)).toEqual(['lower/supplied-by-caller']);
  });

  it('writes ledger and checklist once, when they are first read', () => {
    const result = compile(workflow(worked), {
      answers: { policies: { 'logical-condition': 'prose' } },
    });
    expect(result.ledger).toBe(result.ledger);
    expect(result.checklist).toBe(result.checklist);
  });

  it('keeps nothing from one run to the next', () => {
    const plan: Plan = {
      nodes: {
        a: capturing('x'),
        t: request({ method: 'POST', body: { x: '{{x}}' } }),
        x: transfer(),
      },
      edges: ['a > t', 't > x'],
    };
    const first = JSON.stringify(compile(workflow(plan)));
    compile(workflow(worked), { target: 'vapi' });
    compile(null);
    expect(JSON.stringify(compile(workflow(plan)))).toBe(first);
  });

  it('obeys the laws of a pure function on any workflow', () => {
    fc.assert(
      fc.property(workflowArbitrary({ maxNodes: 6 }), (source) => {
        deterministic(source);
        inputNotMutated(source);
      }),
      { seed, numRuns: runs(100) },
    );
  });

  it('takes a frozen input', () => {
    const frozen = JSON.parse(JSON.stringify(workflow(worked)), (_, value) =>
      typeof value === 'object' && value !== null ? Object.freeze(value) : value,
    );
    const options = Object.freeze({ dynamicVariables: Object.freeze(['x']) as string[] });
    expect(compile(frozen, options).status).not.toBe('invalid');
  });
});
