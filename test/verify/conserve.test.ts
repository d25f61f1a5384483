/** The rules of `conserve`: it is silent on sound squads, and notices what one changes in a source. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/compiler/compile.js';
import { type CompileOptions, compile, type Json, readWorkflow } from '../../src/index.js';
import { conserve } from '../../src/verify/conserve.js';
import type { ConserveOptions } from '../../src/verify/conserve-source.js';
import { listFolders, readCase } from '../golden/cases.js';
import { change } from '../json.js';
import { runs } from '../seed.js';

const policies = {
  ...{ 'missing-auth': 'none', 'undefined-variable': 'caller', 'cyclic-stages': 'consolidate' },
  ...{ 'global-returns': 'consolidate', 'conflicting-settings': 'first' },
  ...{ 'logical-condition': 'prose', 'critical-variable': 'best-effort' },
  'values-after-call': 'structured-output',
};
const corpus = process.env['SQUADC_CORPUS'];

interface Sample {
  readonly name: string;
  readonly workflow: unknown;
  readonly options: CompileOptions;
}

const goldens = listFolders().flatMap((name): Sample[] => {
  const each = readCase(name);
  return each === null ? [] : [{ name, workflow: each.reading.workflow, options: each.options }];
});

function inCorpus(folder: string): Sample[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.json'))
    .map((name) => ({
      name,
      workflow: readWorkflow(readFileSync(join(folder, name), 'utf8')).workflow,
      options: { answers: { policies } },
    }));
}

/** The squad as it is made; what it is worth is for other tests to say. */
function build(workflow: unknown, options: CompileOptions) {
  const built = run(workflow, options);
  if ('status' in built) return null;
  const { diagnostics, dialogue, assembled } = built;
  const isInvalid = diagnostics.some(({ severity }) => severity === 'error');
  return isInvalid || dialogue.open.length > 0 ? null : assembled.document;
}

const given = ({ answers, model, memberOverrides }: CompileOptions): ConserveOptions => ({
  answers: answers?.answers ?? {},
  policies: answers?.policies ?? {},
  overrides: { ...(model && { model }), ...memberOverrides },
});

describe('conserve', () => {
  it.each(['squad', 'vapi'] as const)('is silent on the squads of the goldens for %s', (target) => {
    for (const { name, workflow, options } of goldens) {
      const { output } = compile(workflow, { ...options, target });
      if (output !== null)
        expect([name, conserve(workflow, output, given(options))]).toEqual([name, []]);
    }
  });

  it.skipIf(corpus === undefined)('is silent on the squads of real workflows', () => {
    for (const { name, workflow, options } of inCorpus(corpus!)) {
      const { output } = compile(workflow, { ...options, target: 'vapi' });
      if (output !== null)
        expect([name, conserve(workflow, output, given(options))]).toEqual([name, []]);
    }
  });

  it('does not expect the condition of a global node that no other node can leave for it', () => {
    const nodes = [
      {
        id: 'hall',
        type: 'conversation',
        systemPrompt: 'Help.',
        isGlobal: true,
        condition: 'lost',
      },
      { id: 'end', type: 'hangup' },
    ];
    const workflow = {
      name: 'Alone',
      nodes,
      edges: [{ from: 'hall', to: 'end', condition: 'bye' }],
    };
    const answers = { 'ambiguous-start:workflow': { choice: 'node', value: 'hall' } };
    const { output } = compile(workflow, { answers: { answers } });
    expect(conserve(workflow, output, { answers })).toEqual([]);
    const other = { id: 'desk', type: 'conversation', systemPrompt: 'Ask.', isStart: true };
    const lost = conserve({ ...workflow, nodes: [...nodes, other] }, output);
    expect(lost.map(({ at }) => at)).toContain('/nodes/0/condition');
  });

  const exempt = new RegExp(
    [
      // Names and ids select nothing that is said, and a squad may name things otherwise.
      ...['(?:^|/)(?:name|id|key)$', '/(?:toolId|assistantVersion|version)$'],
      // What a node is, and whether every node leads to it, is for a walk to tell.
      '/(?:type|isGlobal|enabled|exact)$',
      // An alias of a conversation is set by the handoffs behind it, where something reads it.
      '^/nodes/#/variableExtractionPlan/aliases/#/value$',
      // How the tool says the line that ends the call is compared with the tool.
      '/tool/messages/#/(?:blocking|role)$',
      // What an assistant around the workflow says.
      '^/model/messages/#/content$',
    ].join('|'),
  );

  it('notices any change of a value that changes the squad, but for the exempt ones', () => {
    const missed: string[] = [];
    let noticed = 0;
    // A third of them, unless more runs are asked for.
    const some = goldens.filter((_, index) => index % 3 === 0 || runs(0) > 0);
    for (const { name, workflow, options } of some) {
      const output = build(workflow, options);
      // The settings that an answer does not use are lost there.
      if (output === null || name === 'conflicting-settings-use') continue;
      for (const at of leavesOf(workflow as Json)) {
        const path = at.replaceAll(/\/\d+(?=\/|$)/g, '/#');
        if (exempt.test(path)) continue;
        const changed = change(workflow as never, at, (value) =>
          typeof value === 'number'
            ? value + 1
            : typeof value === 'boolean'
              ? !value
              : `${value} Z`,
        );
        const now = build(changed, options);
        if (now === null || JSON.stringify(now) === JSON.stringify(output)) continue;
        if (conserve(changed, output, given(options)).length > 0) noticed += 1;
        else missed.push(`${name} ${at}`);
      }
    }
    expect(noticed).toBeGreaterThan(150);
    expect(missed).toEqual([]);
  });

  const prompt = '/squad/members/0/assistant/model/messages/0/content';
  it.each([
    ['a description in the instructions', ': number on the card', ''],
    ['a choice in a condition', 'one of pay, book', 'one of book'],
    ['a condition in another one', '- If: the caller wants to pay\n', ''],
  ])('finds what stands in a longer text only, such as %s', (_, lost, left) => {
    const purpose = { name: 'purpose', type: 'string', enum: ['pay', 'book'] };
    const card = { name: 'card', type: 'string', description: 'number on the card' };
    const nodes = [
      {
        ...{ id: 'hall', type: 'conversation', systemPrompt: 'Ask for the number on the card.' },
        extractVariables: [card, purpose],
      },
      { id: 'end', type: 'endCall' },
      { id: 'bye', type: 'endCall', firstMessage: 'Bye.' },
    ];
    const edges = [
      { from: 'hall', to: 'end', condition: 'the caller wants to pay' },
      { from: 'hall', to: 'bye', condition: 'nobody knows whether the caller wants to pay' },
    ];
    const workflow = { name: 'W', nodes, edges };
    const squad = compile(workflow, { target: 'squad' }).output!;
    const damaged = change(squad, prompt, (text) => `${text}`.replace(lost, left));
    expect(damaged).not.toEqual(squad);
    expect(conserve(workflow, squad)).toEqual([]);
    expect(conserve(workflow, damaged)).toHaveLength(1);
    expect(conserve(workflow, damaged, { isProse: true })).toEqual([]);
  });

  describe('a property of a plan', () => {
    const nodes = [
      {
        ...{ id: 'ask', type: 'conversation', systemPrompt: 'Ask.' },
        extractVariables: [
          { name: 'count', type: 'number', description: 'how many' },
          { name: 'size', type: 'string', description: 'how large', enum: ['small', 'large'] },
        ],
      },
      { id: 'tell', type: 'conversation', systemPrompt: 'Confirm {{count}} of {{size}}.' },
      { id: 'other', type: 'conversation', systemPrompt: 'Say that there is none.' },
    ];
    const edges = [
      { from: 'ask', to: 'tell', condition: 'there is one' },
      { from: 'ask', to: 'other', condition: 'there is none' },
    ];
    const workflow = { name: 'W', nodes, edges };
    const squad = compile(workflow, { target: 'squad' }).output!;
    const plan = JSON.stringify(squad).match(/"properties":\{.*?\}\}/)![0];

    it.each([
      ['another type', '"number"', '"string"'],
      ['another type in one of several', '"type":"string"', '"type":"boolean"'],
      ['no description', '"description":"how many"', '"description":"count"'],
      ['a choice less', '["small","large"]', '["small"]'],
      ['a choice more', '["small","large"]', '["small","large","huge"]'],
      ['no choices', ',"enum":["small","large"]', ''],
    ])('is noticed with %s', (_, from, to) => {
      expect(conserve(workflow, squad)).toEqual([]);
      const changed = plan.replace(from, to);
      expect(changed).not.toBe(plan);
      const damaged = JSON.parse(JSON.stringify(squad).replace(plan, changed));
      expect(conserve(workflow, damaged)).toHaveLength(1);
    });

    it('may be what either of two captures says', () => {
      const [ask, tell, other] = nodes;
      const again = { name: 'count', type: 'string', description: 'the number' };
      const two = [ask, { ...tell, extractVariables: [again] }, other];
      const at = '/nodes/1/extractVariables/0/description';
      // The other node asks for it nowhere; of the plan nothing is said.
      expect(conserve({ ...workflow, nodes: two }, squad).map((it) => it.at)).toEqual([at]);
    });
  });

  describe('a tool', () => {
    const send = (name: string, key: string) => ({
      ...{ type: 'apiRequest', name, method: 'POST', url: `https://api.example.com/${name}` },
      body: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      parameters: [{ key, value: 'north' }],
    });
    const desk = {
      type: 'transferCall',
      destinations: [{ type: 'number', number: '+4930123456', message: '' }],
    };
    const workflow = {
      nodes: [
        { name: 'ask', type: 'conversation', prompt: 'Ask.', isStart: true },
        { name: 'one', type: 'tool', tool: send('one', 'shop') },
        { name: 'two', type: 'tool', tool: send('two', 'place') },
        { name: 'desk', type: 'tool', tool: desk },
      ],
      edges: [
        { from: 'ask', to: 'one', condition: { type: 'ai', prompt: 'wants one' } },
        { from: 'ask', to: 'two', condition: { type: 'ai', prompt: 'wants two' } },
        { from: 'ask', to: 'desk', condition: { type: 'ai', prompt: 'wants a person' } },
      ],
    };
    const answers = { policies: { 'missing-auth': 'none' } };
    const squad = compile(workflow, { target: 'vapi', answers }).output!;

    it.each([
      ['what another tool sends', '"key":"shop"', '"key":"place"'],
      [
        'another value, which another tool has',
        '"key":"shop","value":"north"',
        '"key":"shop","value":"two"',
      ],
      ['a property that it does not require', '"required":["id"]', '"required":[]'],
      [
        'a body of another type',
        '"required":["id"],"type":"object"',
        '"required":["id"],"type":"string"',
      ],
      ['a line of the platform for its silence', '"message":""', '"message":null'],
    ])('is noticed with %s', (_, from, to) => {
      expect(conserve(workflow, squad)).toEqual([]);
      const text = JSON.stringify(squad);
      expect(text).toContain(from);
      expect(conserve(workflow, JSON.parse(text.replace(from, to)))).not.toEqual([]);
    });
  });

  describe('a schema', () => {
    const size = { type: 'string', description: 'how large', enum: ['s', 'm'] };
    const large = { description: 'how large' };
    const properties = {
      size: { type: 'string', value: '{{size}}' },
      day: { type: 'string', value: '{{day}}' },
      note: { type: 'string', ...large },
      number: { type: 'number', ...large },
    };
    const order = {
      ...{ type: 'apiRequest', name: 'order', method: 'POST' },
      url: 'https://api.example.com/order',
      body: { type: 'object', properties },
    };
    const captured = { type: 'object', properties: { size, day: { type: 'string' } } };
    const ask = { name: 'ask', type: 'conversation', prompt: 'Ask.', isStart: true };
    const workflow = {
      nodes: [
        { ...ask, variableExtractionPlan: { schema: captured } },
        { name: 'order', type: 'tool', tool: order },
      ],
      edges: [{ from: 'ask', to: 'order' }],
    };
    const policies = { 'missing-auth': 'none', 'values-after-call': 'none' };
    const squad = JSON.stringify(compile(workflow, { answers: { policies } }).output);
    const say = (it: object) => JSON.stringify(it);

    it('is held also if an answer names a start that is no node', () => {
      const answers = { 'ambiguous-start:workflow': { choice: 'node', value: 'gone' } };
      const damaged = JSON.parse(squad.replace('"Ask.', '"Wait.').replace('Ask.', 'Wait.'));
      expect(conserve(workflow, JSON.parse(squad), { answers })).toEqual([]);
      expect(conserve(workflow, damaged, { answers })).not.toEqual([]);
    });

    it.each<[string, string, string]>([
      [
        'types that are exchanged',
        `"note":${say({ ...large, type: 'string' })},"number":${say({ ...large, type: 'number' })}`,
        `"note":${say({ ...large, type: 'number' })},"number":${say({ ...large, type: 'string' })}`,
      ],
      [
        'a description less, which another property has',
        `"note":${say({ ...large, type: 'string' })}`,
        `"note":${say({ type: 'string' })}`,
      ],
      ['no description of a capture that has none', ',"description":"day"', ''],
      ['choices that are lost', ',"enum":["s","m"]', ''],
    ])('is noticed with %s', (_, from, to) => {
      const answered = { 'critical-variable:size': { choice: 'plan' } };
      for (const answers of [{}, answered]) {
        expect(conserve(workflow, JSON.parse(squad), { answers })).toEqual([]);
        expect(squad).toContain(from);
        const damaged = JSON.parse(squad.replace(from, to));
        expect(conserve(workflow, damaged, { answers })).not.toEqual([]);
      }
    });
  });

  it.each<[string, (text: string) => string]>([
    ['an `if` that is never true', (text) => `{% if false %}${text}{% endif %}`],
    ['a comment', (text) => `{% comment %}${text}{% endcomment %}`],
    ['an assignment before it', (text) => `{% assign full_name = "Bob" %}${text}`],
    ['a capture around it', (text) => `{% capture x %}${text}{% endcapture %}`],
  ])('finds %s around a prompt', (_, hide) => {
    const { workflow } = goldens.find(({ name }) => name === 'worked-pattern')!;
    const squad = compile(workflow).output!;
    const hidden = change(squad, prompt, (text) => hide(text as string));
    expect(conserve(workflow, hidden).map((it) => it.in)).toContain('squad');
  });

  it('finds a tag of the source that stands a second time in the squad', () => {
    const { workflow, options } = goldens.find(({ name }) => name === 'liquid-for-loop')!;
    const squad = compile(workflow, options).output!;
    const own = /\{% if .*?%\}/.exec(JSON.stringify(workflow))![0];
    const hidden = change(squad, prompt, (text) => `${own}${text}{% endif %}`);
    expect(conserve(workflow, squad)).toEqual([]);
    expect(conserve(workflow, hidden).map(({ value }) => value)).toEqual([own, '{% endif %}']);
  });
});

function leavesOf(value: Json, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([key, each]) =>
    leavesOf(each, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}
