import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/compiler/ir/json.js';
import type { CompileOptions } from '../../src/compiler/ir/options.js';
import { compile } from '../../src/index.js';
import type { SpecWorkflow } from '../../src/testing/spec-workflow.js';
import { findSettingFaults } from '../../src/verify/settings.js';
import {
  clinic,
  compareMigration,
  edge,
  type Migration,
  member,
  migrate,
  talk,
  valueAt,
  without,
  withValue,
} from './migration.js';

const v1 = { provider: 'acme', voiceId: 'v1', version: 2 };
const v2 = { provider: 'acme', voiceId: 'v2' };
const m1 = { provider: 'acme', model: 'm1', temperature: 0 };
const transcriber = { provider: 'acme', language: 'en' };

function faultsOf(input: Migration) {
  const comparison = compareMigration(input);
  return findSettingFaults(comparison, comparison.grouping.decisions).map(
    ({ text, source, output }) => ({
      text: typeof text === 'string' ? text : text(),
      source,
      output,
    }),
  );
}

function textsOf(input: Migration): string[] {
  return faultsOf(input).map(({ text }) => text);
}

/** One voice for all, a model of its own for scheduling. */
const shared: SpecWorkflow = {
  ...clinic,
  voice: v1,
  transcriber,
  nodes: clinic.nodes.map((node) => (node.id === 'scheduling' ? { ...node, model: m1 } : node)),
};

/** A voice of its own for billing. */
const own: SpecWorkflow = {
  ...clinic,
  voice: v1,
  nodes: clinic.nodes.map((node) => (node.id === 'billing' ? { ...node, voice: v2 } : node)),
};

describe.each(['squad', 'vapi'] as const)('settings for target %s', (target) => {
  const given = migrate(shared, { target });
  const each = migrate(own, { target });
  const overrides = target === 'squad' ? '/squad/memberOverrides' : '/membersOverrides';
  const at = (name: string, field: string) => `${member(given, name)}/assistant/${field}`;

  it('are as source and default give them', () => {
    expect(faultsOf(given)).toEqual([]);
    expect(faultsOf(each)).toEqual([]);
    expect(faultsOf(migrate(clinic, { target }))).toEqual([]);
  });

  it('fail where a shared one is dropped or changed, for every assistant', () => {
    const dropped = faultsOf(without(given, `${overrides}/voice`));
    expect(dropped).toHaveLength(4);
    expect(dropped[0]).toEqual({
      text: '“greeting” does not have the voice that the source or the options give it.',
      source: ['/voice'],
      output: [member(given, 'greeting')],
    });
    expect(faultsOf(withValue(given, `${overrides}/voice/voiceId`, 'v3'))[3]).toEqual({
      text: '“operator” has another voice than the source or the options give it.',
      source: ['/voice'],
      output: [`${overrides}/voice`],
    });
    expect(faultsOf(without(given, overrides))).toHaveLength(8);
  });

  it('fail where an assistant’s own is dropped, changed or moved', () => {
    const voice = `${member(each, 'billing')}/assistant/voice`;
    expect(faultsOf(without(each, voice))).toEqual([
      {
        text: '“billing” does not have the voice that the source or the options give it.',
        source: ['/nodes/3/voice'],
        output: [member(each, 'billing')],
      },
    ]);
    expect(textsOf(withValue(each, voice, v1))).toEqual([
      '“billing” has another voice than the source or the options give it.',
    ]);
    expect(faultsOf(withValue(each, overrides, { voice: v1 }))).toHaveLength(1);
  });

  it('may stand in overrides of the member', () => {
    const place = `${member(each, 'billing')}/assistantOverrides`;
    const voice = `${member(each, 'billing')}/assistant/voice`;
    expect(faultsOf(without(withValue(each, place, { voice: v2 }), voice))).toEqual([]);
    expect(textsOf(withValue(each, place, { voice: v1 }))).toHaveLength(1);
  });

  it('fail where one is there that nobody asked for', () => {
    const plain = migrate(clinic, { target });
    const voice = `${member(plain, 'billing')}/assistant/voice`;
    expect(textsOf(withValue(plain, voice, v1))).toEqual([
      '“billing” has a voice, which neither the source nor the options give it.',
    ]);
    expect(faultsOf(withValue(given, `${overrides}/firstMessage`, 'Hi.'))[0]).toMatchObject({
      text: 'An override sets “firstMessage”, which neither the source nor the options ask for.',
      output: [`${overrides}/firstMessage`],
    });
    const place = `${member(given, 'billing')}/assistantOverrides`;
    expect(textsOf(withValue(given, place, { maxDurationSeconds: 3 }))).toHaveLength(1);
    const model = { messages: [{ role: 'system', content: 'Be rude.' }], tools: [] };
    expect(textsOf(withValue(given, `${overrides}/model`, model))).toEqual([
      'An override sets “messages”, which neither the source nor the options ask for.',
      'An override sets “tools”, which neither the source nor the options ask for.',
    ]);
  });

  it.each<[string, string, Json]>([
    ['greeting', 'model/model', 'gpt-4o-mini'],
    ['greeting', 'model/provider', 'anthropic'],
    ['greeting', 'model/temperature', 1],
    ['scheduling', 'model/model', 'gpt-4o'],
    ['scheduling', 'model/temperature', 1],
  ])('fail where the model of %s differs in %s', (name, field, value) => {
    const key = field.replace('model/', '');
    expect(faultsOf(withValue(given, at(name, field), value))).toEqual([
      {
        text: `The model of “${name}” differs in “${key}” from what the source or the options give it.`,
        source: [name === 'greeting' ? '/nodes/0' : '/nodes/2/model'],
        output: [at(name, field)],
      },
    ]);
  });

  it('fail where a model says more, whatever the key', () => {
    const place = at('greeting', 'model');
    const model = valueAt(given.document, place) as JsonObject;
    const more = JSON.parse('{ "__proto__": { "temperature": 1 } }') as JsonObject;
    expect(textsOf(withValue(given, place, { ...model, ...more }))).toEqual([
      'The model of “greeting” differs in “__proto__” from what the source or the options give it.',
    ]);
  });

  it('are those of the options before those of the source', () => {
    const options: CompileOptions = {
      target,
      model: { provider: 'acme', model: 'm9' },
      memberOverrides: { voice: v2, backgroundSound: 'office', model: { temperature: 1 } },
    };
    const optional = migrate(own, options);
    expect(faultsOf(optional)).toEqual([]);
    expect(faultsOf(without(optional, `${overrides}/backgroundSound`))).toHaveLength(4);
    expect(faultsOf(without(optional, `${overrides}/model`))).toHaveLength(4);
    expect(faultsOf(withValue(optional, `${overrides}/voice`, v1))).toHaveLength(4);
    const model = `${member(optional, 'billing')}/assistant/model/model`;
    expect(faultsOf(withValue(optional, model, 'gpt-4o'))).toHaveLength(1);
  });

  it('are not looked for in saved assistants, but seen beside them', () => {
    const saved = withValue(given, member(given, 'billing'), { assistantId: 'saved' });
    expect(
      faultsOf(without(saved, overrides)).filter(({ text }) => text.includes('billing')),
    ).toEqual([]);
    const assistantOverrides = { voice: v2 };
    const member_ = { assistantId: 'saved', assistantOverrides };
    expect(textsOf(withValue(given, member(given, 'billing'), member_))).toHaveLength(1);
  });

  it('survive any value', () => {
    for (const value of [null, 3, 'x', [], {}] as Json[]) {
      for (const place of [overrides, `${overrides}/voice`, at('billing', 'model')]) {
        expect(faultsOf(withValue(given, place, value))).toBeDefined();
      }
    }
  });
});

describe('settings that differ within one assistant', () => {
  const conflicting: SpecWorkflow = {
    name: 'C',
    nodes: [talk('a', { voice: v1 }), talk('b', { voice: v2 }), talk('c', { model: m1 })],
    edges: ['a>b', 'b>c'].map(edge),
  };
  const [question] = compile(conflicting).questions;
  const answer = (choice: string, value?: string) =>
    migrate(conflicting, {
      answers: {
        answers: { [question!.id]: value === undefined ? { choice } : { choice, value } },
      },
    });

  it('are those of the first talk node, or of the one that an answer names', () => {
    expect(faultsOf(answer('first'))).toEqual([]);
    for (const id of ['a', 'b', 'c']) expect(faultsOf(answer('use', id))).toEqual([]);
    expect(faultsOf(answer('keep-split'))).toEqual([]);
  });

  it('fail where another node’s are taken', () => {
    const { document } = answer('use', 'b');
    expect(textsOf({ ...answer('first'), document })).toEqual([
      '“a” has another voice than the source or the options give it.',
    ]);
    expect(textsOf({ ...answer('use', 'c'), document })).toEqual([
      'The model of “a” differs in “model” from what the source or the options give it.',
      'The model of “a” differs in “provider” from what the source or the options give it.',
      'The model of “a” differs in “temperature” from what the source or the options give it.',
      '“a” has a voice, which neither the source nor the options give it.',
    ]);
  });
});

describe('how assistants open on the platform', () => {
  const given = migrate(clinic, { target: 'vapi' });
  const at = (name: string, field: string) => `${member(given, name)}/assistant/${field}`;
  const silent = (name: string) =>
    `“${name}” has no line to open with and does not find one: the call falls silent.`;

  it('fails where one falls silent', () => {
    expect(textsOf(without(given, at('billing', 'firstMessageMode')))).toEqual([silent('billing')]);
    for (const mode of ['assistant-speaks-first', 'assistant-waits-for-user']) {
      const waits = withValue(given, at('billing', 'firstMessageMode'), mode);
      expect(faultsOf(waits)).toMatchObject([
        { text: silent('billing'), output: [at('billing', 'firstMessageMode')] },
      ]);
    }
    expect(textsOf(without(given, at('greeting', 'firstMessage')))).toEqual([silent('greeting')]);
  });

  it('fails where one has a line and finds another', () => {
    const mode = 'assistant-speaks-first-with-model-generated-message';
    expect(textsOf(withValue(given, at('greeting', 'firstMessageMode'), mode))).toEqual([
      '“greeting” has a line to open with and does not say it.',
    ]);
    const speaks = withValue(given, at('greeting', 'firstMessageMode'), 'assistant-speaks-first');
    expect(faultsOf(speaks)).toEqual([]);
  });

  it('is as the options want it', () => {
    const memberOverrides = { firstMessageMode: 'assistant-waits-for-user' };
    expect(faultsOf(migrate(clinic, { target: 'vapi', memberOverrides }))).toEqual([]);
  });

  it('is not asked where there is no such mode', () => {
    expect(faultsOf(migrate(clinic))).toEqual([]);
  });
});
