import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../../src/compiler/ir/options.js';
import { compile } from '../../../src/index.js';
import { compileVapi } from '../6-emit/vapi-documents.js';
import { captures, type Plan, request, workflow } from '../build.js';

const talk = (id: string) => ({ type: 'conversation', prompt: `Node ${id}.` });
const saved = (more: object = {}) => ({ type: 'assistant', assistantId: 'asst-1', ...more });
const end = (more: object = {}) => ({ type: 'hangup', ...more });
const transfer = (more: object = {}) => ({
  type: 'transfer',
  destination: '+14155550100',
  ...more,
});
const vapi: CompileOptions = { target: 'vapi', dynamicVariables: ['tier'] };

/** What a squad cannot say to the saved assistant: the code, the place and what it is. */
function refusals(plan: Plan, options: CompileOptions = vapi): string[] {
  const { diagnostics, status } = compile(workflow(plan), options);
  const found = diagnostics.filter(({ code }) => code.startsWith('lower/saved'));
  expect(status).toBe(found.length > 0 ? 'invalid' : 'complete');
  return found.map(({ code, at, message }) => `${code} ${at}: ${message}`);
}

/** The member of the saved assistant. */
function memberOf(plan: Plan, options: CompileOptions = {}): unknown {
  const { members } = compileVapi(workflow(plan), options).document;
  return members.find((it) => 'assistantId' in it);
}

describe('in target squad a saved assistant', () => {
  const squad: CompileOptions = { target: 'squad' };

  it('is left as it is at the end of the call', () => {
    const plan = { nodes: { a: talk('a'), s: saved() }, edges: ['a > s'] };
    expect(refusals(plan, squad)).toEqual([]);
    const { output } = compile(workflow(plan), squad);
    expect(output).toMatchObject({ squad: { members: [{}, { assistantId: 'asst-1' }] } });
    expect(JSON.stringify(output)).toContain('hand off to \\"asst-1\\"');
  });

  it.each([
    ['a conversation', { b: talk('b') }, '/edges/1', 'when to go to “b”'],
    ['a transfer', { b: transfer() }, '/edges/1', 'when to go to “b”'],
    ['the end', { b: end() }, '/edges/1', 'when to go to “b”'],
  ])('cannot be told the way to %s', (_, node, at, what) => {
    const plan = { nodes: { a: talk('a'), s: saved(), ...node }, edges: ['a > s', 's > b'] };
    const text = `The saved assistant “asst-1” cannot be told ${what} in target squad.`;
    expect(refusals(plan, squad)).toEqual([`lower/saved-as-it-is ${at}: ${text}`]);
  });

  it('cannot be told the way to a global node', () => {
    const g = { ...talk('g'), isGlobal: true, condition: 'complains' };
    const plan = { nodes: { a: talk('a'), s: saved(), g }, edges: ['a > s'] };
    expect(refusals(plan, squad)).toEqual([
      expect.stringMatching('lower/saved-as-it-is /nodes/2: .*when to go to “g”'),
    ]);
  });

  it('cannot be told a setting', () => {
    const voice = { provider: '11labs', voiceId: 'anna' };
    const plan = { nodes: { a: talk('a'), s: saved({ voice }) }, edges: ['a > s'] };
    expect(refusals(plan, squad)).toEqual([
      expect.stringMatching('lower/saved-as-it-is /nodes/1: .*which voice to use'),
    ]);
  });
});

describe('in target vapi a saved assistant', () => {
  it('is given the means to leave', () => {
    const nodes = { a: talk('a'), s: saved(), b: talk('b'), t: transfer(), e: end() };
    const edges = ['a > s', 's > b: more', 's > t: a human', 's > e'];
    const member = memberOf({ nodes, edges }) as { assistantOverrides: Record<string, unknown> };
    expect(member.assistantOverrides['name']).toBe('s');
    expect(member.assistantOverrides['tools:append']).toMatchObject([
      { type: 'handoff', destinations: [{ assistantName: 'b', description: 'more' }] },
      { type: 'transferCall', destinations: [{ description: 'a human' }] },
      { type: 'endCall' },
    ]);
  });

  it('is given nothing where nothing follows, and is called by the name of its node', () => {
    const plan = { nodes: { a: talk('a'), s: saved({ name: 'Desk' }) }, edges: ['a > s'] };
    expect(memberOf(plan)).toEqual({
      assistantId: 'asst-1',
      assistantOverrides: { name: 'Desk' },
    });
    expect(memberOf(plan, { names: { s: 'Night desk' } })).toMatchObject({
      assistantOverrides: { name: 'Night desk' },
    });
  });

  it('can begin the call', () => {
    const plan = { nodes: { s: saved(), a: talk('a') }, edges: ['s > a'] };
    const { members } = compileVapi(workflow(plan)).document;
    expect(members[0]).toMatchObject({ assistantId: 'asst-1' });
  });

  it('has the settings of its node and none of the workflow', () => {
    const voice = { provider: '11labs', voiceId: 'anna' };
    const model = { provider: 'openai', model: 'gpt-4o-mini' };
    const nodes = { a: talk('a'), s: saved({ voice, model }) };
    const plan = {
      nodes,
      edges: ['a > s'],
      transcriber: { provider: 'deepgram' },
      backgroundSound: 'office',
    };
    expect(memberOf(plan)).toEqual({
      assistantId: 'asst-1',
      assistantOverrides: { name: 's', model, voice },
    });
    const { document } = compileVapi(workflow(plan));
    expect(document.membersOverrides).toBeUndefined();
    expect(document.members[0]!.assistant).toMatchObject({
      transcriber: { provider: 'deepgram' },
      backgroundSound: 'office',
    });
  });

  it('has what the option gives to all', () => {
    const plan = { nodes: { a: talk('a'), s: saved() }, edges: ['a > s'] };
    const memberOverrides = { voice: { provider: '11labs', voiceId: 'otto' } };
    const { document } = compileVapi(workflow(plan), { memberOverrides });
    expect(document.membersOverrides).toEqual(memberOverrides);
  });

  it.each<[string, Plan, string]>([
    [
      'to call a tool',
      {
        nodes: { s: saved(), t: request(), b: talk('b'), c: talk('c') },
        edges: ['s > t', 't > b: 1', 't > c: 2'],
      },
      '/nodes/1: The saved assistant “asst-1” cannot be told to call the tool “t”',
    ],
    [
      'a line before the end',
      { nodes: { s: saved(), e: end({ firstMessage: 'Bye.' }) }, edges: ['s > e'] },
      '/nodes/1/firstMessage: The saved assistant “asst-1” cannot be told the text of “e”',
    ],
    [
      'an instruction before a transfer',
      { nodes: { s: saved(), t: transfer({ prompt: 'Be kind.' }) }, edges: ['s > t'] },
      '/nodes/1/prompt: The saved assistant “asst-1” cannot be told the text of “t”',
    ],
    [
      'when to end the call',
      { nodes: { s: saved(), e: end() }, edges: ['s > e: is done'] },
      '/edges/0: The saved assistant “asst-1” cannot be told when to go to “e”',
    ],
  ])('cannot be told %s', (_, plan, text) => {
    expect(refusals(plan)).toEqual([
      `lower/saved-needs-prompt ${text}, because only its prompt could.`,
    ]);
  });

  it.each([
    ['guard', []],
    ['prose', []],
    ['extract', ['lower/saved-needs-prompt']],
  ])('leaves under a logical condition where the answer is %s', (choice, codes) => {
    const nodes = { s: saved(), b: talk('b'), c: talk('c') };
    const plan = { nodes, edges: ["s > b: {{ tier == 'gold' }}", 's > c'] };
    const answers = { policies: { 'logical-condition': choice } };
    const found = refusals(plan, { ...vapi, answers });
    expect(found.map((it) => it.split(' ')[0])).toEqual(codes);
  });

  it('cannot find anything out', () => {
    const nodes = { s: saved(), b: { ...talk('b'), prompt: 'Greet {{who}}.' } };
    const answer = { choice: 'captured-at', value: 's' };
    const answers = { answers: { 'undefined-variable:who': answer } };
    expect(refusals({ nodes, edges: ['s > b'] }, { ...vapi, answers })).toEqual([
      expect.stringMatching('lower/saved-needs-prompt /nodes/0: .*to find out “who”'),
    ]);
  });

  it('stands once, so its places go on alike', () => {
    const nodes = { a: talk('a'), s: saved(), r: saved(), b: talk('b') };
    const edges = ['a > s: 1', 'a > r: 2', 's > b', 'a > b: 3'];
    expect(refusals({ nodes, edges })).toEqual([
      'lower/saved-twice /nodes/1: The saved assistant “asst-1” is at “s” and “r”, which go on differently.',
    ]);
    expect(refusals({ nodes, edges: [...edges, 'r > b'] })).toEqual([]);
  });
});

describe('a handoff to a saved assistant', () => {
  it('carries what others behind it read', () => {
    const nodes = {
      a: { ...talk('a'), ...captures('who') },
      s: saved(),
      b: { ...talk('b'), prompt: 'Greet {{who}}.' },
    };
    const { members } = compileVapi(workflow({ nodes, edges: ['a > s', 's > b'] })).document;
    const [tool] = members[0]!.assistant.model.tools!;
    expect(tool!.destinations).toMatchObject([
      {
        assistantId: 'asst-1',
        variableExtractionPlan: { schema: { required: ['who'] } },
      },
    ]);
  });
});
