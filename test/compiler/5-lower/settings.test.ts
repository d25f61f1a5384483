import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../../src/compiler/ir/options.js';
import { compiled, type Plan } from '../build.js';

const voice = (voiceId: string) => ({ voice: { provider: 'p', voiceId } });
const model = (name: string) => ({ model: { provider: 'p', model: name } });
const branch = ['a > b: 1', 'a > c: 2'];

function settings(plan: Plan, options?: CompileOptions) {
  const { squad, members } = compiled(plan, options);
  return {
    shared: squad['memberOverrides'],
    voices: members.map(({ assistant }) => assistant['voice']),
    models: members.map(({ model: { provider, model: name } }) => `${provider} ${name}`),
  };
}

describe('voices and transcribers', () => {
  it('that all share stand in the overrides, and nowhere else', () => {
    const transcriber = { provider: 't' };
    const plan: Plan = {
      nodes: { a: 'A', b: 'B', c: 'C' },
      edges: branch,
      ...voice('1'),
      transcriber,
    };
    expect(settings(plan)).toMatchObject({
      shared: { ...voice('1'), transcriber },
      voices: [undefined, undefined, undefined],
    });
    const own: Plan = {
      nodes: { a: voice('1'), b: { firstMessage: 'B', ...voice('1') }, c: voice('1') },
      edges: branch,
    };
    expect(settings(own)).toMatchObject({ shared: voice('1'), voices: Array(3).fill(undefined) });
  });

  it('that differ stand with each assistant: its own, else the workflow’s', () => {
    const plan: Plan = { nodes: { a: 'A', b: voice('2'), c: 'C' }, edges: branch, ...voice('1') };
    expect(settings(plan)).toEqual({
      shared: undefined,
      voices: ['1', '2', '1'].map((id) => voice(id).voice),
      models: Array(3).fill('openai gpt-4o'),
    });
    const { voice: none, ...without } = plan;
    expect(none).toBeDefined();
    expect(settings(without as Plan).voices).toEqual([undefined, voice('2').voice, undefined]);
  });

  it('of the option win over all others', () => {
    const plan: Plan = {
      nodes: { a: voice('3'), b: voice('2'), c: 'C' },
      edges: branch,
      ...voice('1'),
    };
    const memberOverrides = { ...voice('9'), backgroundSound: 'office' };
    expect(settings(plan, { memberOverrides })).toMatchObject({
      shared: memberOverrides,
      voices: [undefined, undefined, undefined],
    });
  });

  it('are of the first talk node, or of the one that an answer names', () => {
    const plan: Plan = {
      nodes: { a: voice('1'), a2: voice('2'), b: voice('3'), c: 'C' },
      edges: ['a > a2', 'a2 > b: 1', 'a2 > c: 2'],
    };
    const [question] = compiled(plan).result.questions;
    const answered = (answer: { choice: string; value?: string }) =>
      settings(plan, { answers: { answers: { [question!.id]: answer } } }).voices[0];
    expect(answered({ choice: 'first' })).toEqual(voice('1').voice);
    expect(answered({ choice: 'use', value: 'a2' })).toEqual(voice('2').voice);
  });
});

describe('the model', () => {
  const nodes = { a: model('own'), b: 'B', c: 'C' };

  it('is the option’s, the node’s, the workflow’s, the default', () => {
    const plan: Plan = { nodes, edges: branch };
    expect(settings(plan).models).toEqual(['p own', 'openai gpt-4o', 'openai gpt-4o']);
    expect(settings({ ...plan, ...model('all') }).models).toEqual(['p own', 'p all', 'p all']);
    const option = { model: { provider: 'x', model: 'y' } };
    expect(settings({ ...plan, ...model('all') }, option).models).toEqual(Array(3).fill('x y'));
  });

  it('keeps its other fields', () => {
    const { members } = compiled({
      nodes: { a: { model: { provider: 'p', model: 'm', temperature: 0.2 } } },
    });
    expect(members[0]!.model).toMatchObject({ provider: 'p', model: 'm', temperature: 0.2 });
  });

  it('brings no messages or tools of its own without a word', () => {
    const messages = [{ role: 'system', content: 'KEEP THIS' }];
    const plan: Plan = { nodes: { a: 'A' }, model: { provider: 'p', model: 'm', messages } };
    const { result, squad } = compiled(plan);
    const isTold = result.diagnostics.some(({ at, message }) =>
      `${at}${message}`.includes('messages'),
    );
    expect(isTold || JSON.stringify(squad).includes('KEEP THIS')).toBe(true);
    const outputs = result.sourceMap.map(({ output, range }) => `${output} ${range ?? ''}`);
    expect(new Set(outputs).size).toBe(outputs.length);
  });
});
