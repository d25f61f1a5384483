/** Nodes that are assistants already: what the checks accept, and what they refuse. */
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/compiler/ir/json.js';
import type { CompileOptions } from '../../src/compiler/ir/options.js';
import { compile, verify } from '../../src/index.js';
import { valueAt } from './migration.js';

const talk = (name: string, more: object = {}) => {
  return { name, type: 'conversation', prompt: `Do the work of ${name}.`, ...more };
};
const edge = (from: string, to: string, prompt?: string) =>
  prompt === undefined ? { from, to } : { from, to, condition: { type: 'ai', prompt } };
const inline = (name: string, more: object = {}) => {
  const messages = [{ role: 'system', content: `Be ${name}.` }];
  const model = { provider: 'openai', model: 'gpt-4o', temperature: 0.5, messages };
  return { name, type: 'assistant', assistant: { model, ...more } };
};

/** A saved assistant and an inline one behind a greeting; both lead to a farewell. */
const shop = {
  name: 'Shop',
  voice: { provider: '11labs', voiceId: 'otto' },
  backgroundSound: 'office',
  nodes: [
    talk('greet', { isStart: true }),
    { name: 'repair', type: 'assistant', assistantId: 'asst-1' },
    inline('sales', { firstMessage: 'Sales.', backgroundSound: 'off', endCallMessage: 'Bye.' }),
    talk('farewell'),
    { name: 'desk', type: 'transfer', destination: '+14155550100' },
    { name: 'end', type: 'hangup' },
  ],
  edges: [
    edge('greet', 'repair', 'a repair'),
    edge('greet', 'sales', 'a sale'),
    edge('repair', 'farewell'),
    edge('repair', 'desk', 'a human'),
    edge('sales', 'farewell'),
    edge('sales', 'greet', 'something else'),
    edge('farewell', 'end'),
  ],
};
const vapi: CompileOptions = { target: 'vapi' };
const output = compile(shop, vapi).output as unknown as Json;

/** The squad with other values at places, or without them. */
function damaged(...changes: readonly (readonly [at: string, value?: Json])[]): Json {
  const document = structuredClone(output);
  for (const [at, value] of changes) {
    const last = at.lastIndexOf('/');
    const parent = valueAt(document, at.slice(0, last)) as Record<string, Json>;
    const key = at.slice(last + 1);
    if (value === undefined) delete parent[key];
    else parent[key] = value;
  }
  return document;
}

function faults(document: Json, options = vapi): string[] {
  const { diagnostics, holds } = verify(shop, document, options);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  expect(holds).toBe(errors.length === 0);
  return errors.map(({ message }) => message);
}

const saved = '/members/1';
const append = `${saved}/assistantOverrides/tools:append`;
const whole = valueAt(output, '/members/2') as Json;

describe('a squad with assistants of the source', () => {
  it('is accepted, and what is saved is told as not seen', () => {
    expect(valueAt(output, saved)).toMatchObject({ assistantId: 'asst-1' });
    expect(faults(output)).toEqual([]);
    const { diagnostics } = verify(shop, output, vapi);
    expect(diagnostics.map(({ code, at }) => [code, at])).toEqual([
      ['check/not-seen', '/members/1/assistantId'],
    ]);
  });

  it('says why handoffs from and to them are there', () => {
    const { checklist } = verify(shop, output, vapi);
    const texts = checklist[1]!.evidence.map(({ text }) => text);
    expect(checklist[1]).toMatchObject({ holds: true });
    expect(checklist[1]).not.toHaveProperty('waivedBy');
    expect(texts).toContain('“repair” is the saved assistant “asst-1”.');
    expect(texts).toContainEqual(
      expect.stringContaining('in a circle; one of them is an assistant'),
    );
  });
});

describe('a squad is refused', () => {
  it.each<[string, Json]>([
    ['another id', damaged([`${saved}/assistantId`, 'asst-2'])],
    [
      'another id everywhere',
      damaged(
        [`${saved}/assistantId`, 'asst-2'],
        ['/members/0/assistant/model/tools/0/destinations/0/assistantId', 'asst-2'],
      ),
    ],
    [
      'an inline assistant',
      damaged([saved, { assistant: { ...assistantOf(whole), name: 'repair' } }]),
    ],
  ])('where the saved assistant is %s', (_, document) => {
    expect(faults(document)).toContainEqual(expect.stringContaining('“asst-1”'));
  });

  it('where an assistant of the source is a saved one', () => {
    const document = damaged([
      '/members/2',
      { assistantId: 'asst-3', assistantOverrides: { name: 'sales' } },
    ]);
    expect(faults(document)).toContainEqual(expect.stringContaining('“sales” is saved elsewhere'));
  });

  it('where another node is to be the saved assistant’s', () => {
    const at = '/members/2/assistant/model/tools/0/destinations/0';
    const toSaved = { ...(valueAt(output, at) as object), assistantId: 'asst-1' };
    const { assistantName: _, ...byId } = toSaved as Record<string, Json>;
    expect(faults(damaged([at, byId]))).not.toEqual([]);
  });

  it.each([
    ['a handoff', `${append}/0`],
    ['a transfer', `${append}/1`],
  ])('where the saved assistant lacks %s', (_, at) => {
    const tools = (valueAt(output, append) as readonly Json[]).filter(
      (_tool, index) => !at.endsWith(`/${index}`),
    );
    expect(faults(damaged([append, tools]))).not.toEqual([]);
  });

  it('where a handoff of the saved assistant leads elsewhere, or says otherwise when', () => {
    const destination = `${append}/0/destinations/0`;
    expect(faults(damaged([`${destination}/assistantName`, 'sales']))).not.toEqual([]);
    expect(faults(damaged([`${append}/1/destinations/0/description`, 'a robot']))).not.toEqual([]);
  });

  it.each<[string, Json]>([
    [
      'a setting of the workflow',
      damaged([`${saved}/assistantOverrides/backgroundSound`, 'office']),
    ],
    ['a voice of the workflow', damaged([`${saved}/assistantOverrides/voice`, shop.voice])],
    ['another’s setting', damaged([`${saved}/assistantOverrides/endCallMessage`, 'Bye.'])],
    ['a line', damaged([`${saved}/assistantOverrides/firstMessage`, 'Hi.'])],
    ['a prompt', damaged([`${saved}/assistantOverrides/model`, { messages: [] }])],
    [
      'a model',
      damaged([`${saved}/assistantOverrides/model`, { provider: 'openai', model: 'gpt-4o' }]),
    ],
  ])('where the saved assistant is given %s', (_, document) => {
    expect(faults(document)).not.toEqual([]);
  });

  it.each<[string, Json]>([
    ['lacks a setting of its own', damaged(['/members/2/assistant/endCallMessage'])],
    ['has another value', damaged(['/members/2/assistant/endCallMessage', 'Ciao.'])],
    ['has the workflow’s instead', damaged(['/members/2/assistant/backgroundSound', 'office'])],
    ['has another temperature', damaged(['/members/2/assistant/model/temperature', 1])],
    ['has its setting from the squad', damaged(['/membersOverrides', { endCallMessage: 'Bye.' }])],
  ])('where the inline assistant %s', (_, document) => {
    expect(faults(document)).not.toEqual([]);
  });

  it('where another assistant has a setting of the inline one', () => {
    expect(faults(damaged(['/members/3/assistant/endCallMessage', 'Bye.']))).not.toEqual([]);
  });

  it('where an inline assistant is joined with another', () => {
    const joined = {
      ...shop,
      nodes: shop.nodes.map((node) => (node.name === 'sales' ? talk('sales') : node)),
    };
    const other = compile(joined, vapi).output as unknown as Json;
    expect(faults(other)).not.toEqual([]);
  });
});

describe('how an inline assistant opens', () => {
  const opening = (mode: string, firstMessage: string | undefined): Json => {
    const assistant = inline('sales', {
      firstMessageMode: mode,
      ...(firstMessage === undefined ? {} : { firstMessage }),
    });
    const document = {
      name: 'Shop',
      nodes: [talk('greet', { isStart: true }), assistant],
      edges: [edge('greet', 'sales')],
    };
    const { status, output: squad } = compile(document, vapi);
    expect(status).toBe('complete');
    const { assistant: written } = valueAt(squad as unknown as Json, '/members/1') as {
      assistant: Record<string, Json>;
    };
    return [written['firstMessageMode'] ?? null, written['firstMessage'] ?? null];
  };

  it('is its own', () => {
    expect(opening('assistant-waits-for-user', 'Hi.')).toEqual(['assistant-waits-for-user', 'Hi.']);
    expect(opening('assistant-waits-for-user', undefined)).toEqual([
      'assistant-waits-for-user',
      null,
    ]);
    expect(opening('assistant-speaks-first', 'Hi.')).toEqual(['assistant-speaks-first', 'Hi.']);
  });

  it('is found where it would speak first and has nothing to say', () => {
    expect(opening('assistant-speaks-first', undefined)).toEqual([
      'assistant-speaks-first-with-model-generated-message',
      '',
    ]);
  });
});

function assistantOf(member: Json): Record<string, Json> {
  return valueAt(member, '/assistant') as Record<string, Json>;
}
