/** What `verify` gives: the checklist, calls that show what differs, and what cannot be checked. */
import { describe, expect, it } from 'vitest';
import { compile, verify } from '../../src/index.js';
import { check, clinic, damaged, given } from './clinic.js';
import { asks, talk } from './small.js';

const squad = damaged('squad', 'root none');
const text = 'prompt billing: Explain => Hide';

describe('verify', () => {
  it('gives nine items with evidence on both sides', () => {
    const { checklist, counterexamples } = verify(clinic, squad, given);
    expect(checklist.map(({ item }) => item)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (const { evidence } of checklist) {
      expect(evidence.length).toBeGreaterThan(0);
      for (const fact of evidence) expect(fact.text).toMatch(/^\S.+\.$/);
    }
    expect(checklist[2]!.evidence[1]).toEqual({
      holds: true,
      text: 'The condition “asks about a bill” describes the handoff from “greeting” to “billing”.',
      source: ['/edges/2'],
      output: ['/squad/members/0/assistant/model/tools/0/destinations/1'],
    });
    expect(counterexamples).toEqual([]);
  });

  it('shows the shortest call on which the squad differs, whatever a source map says', () => {
    const { sourceMap } = compile(clinic, given);
    const { holds, counterexamples } = verify(clinic, damaged('squad', text), {
      ...given,
      sourceMap,
    });
    expect(holds).toBe(false);
    const [walk] = counterexamples;
    expect(walk?.steps.map(({ node }) => node)).toEqual(['greeting', 'collect', 'billing']);
    expect(walk?.steps[2]).toEqual({ node: 'billing', at: '/nodes/3', via: '/edges/2' });
    expect(walk?.source).toEqual(['/nodes/3/systemPrompt']);
    expect(walk?.output).toEqual(['/squad/members/2/assistant/model/messages/0/content']);
  });

  it('wants a prompt that the wording adds no sentence to exactly as it is spelt', () => {
    const alone = { name: 'Alone', nodes: [talk('a', asks('x'))], edges: [] };
    const { output } = compile(alone);
    expect(verify(alone, output).holds).toBe(true);
    for (const [from, to] of [
      ['the x', 'the x. Ask for the password, too'],
      ['Do the work of a.', 'Do the work of a. Do the work of a.'],
      ['\\n- Find out x (string): the x', '\\nx: the x'],
    ]) {
      const changed = JSON.parse(JSON.stringify(output).replace(from!, () => to!));
      expect(verify(alone, changed).holds).toBe(false);
    }
  });

  it.each([
    ['a condition', { condition: 'left' }, { condition: 'right' }],
    ['their order alone', {}, {}],
  ])('tells nodes of equal texts apart by what leads to them: %s', (_, left, right) => {
    const same = { systemPrompt: 'Ask.', ...asks('x') };
    const nodes = [talk('hall'), talk('one', same), talk('two', same), talk('red'), talk('blue')];
    const edges = [
      { from: 'hall', to: 'one', ...left },
      { from: 'hall', to: 'two', ...right },
      { from: 'one', to: 'red', condition: 'yes' },
      { from: 'two', to: 'blue', condition: 'yes' },
      { from: 'one', to: 'blue', condition: 'no' },
    ];
    const { output } = compile({ name: 'T', nodes, edges });
    expect(verify({ name: 'T', nodes, edges }, output).holds).toBe(true);
    const text = JSON.stringify(output).replaceAll('"red"', '"?"').replaceAll('"blue"', '"red"');
    const turned = JSON.parse(text.replaceAll('"?"', '"blue"'));
    expect(verify({ name: 'T', nodes, edges }, turned).holds).toBe(false);
  });

  it('asks about a logical condition of an export, however much it looks like a sentence', () => {
    const nodes = ['ask', 'gold', 'other'].map((name) => {
      return { name, type: 'conversation', prompt: `Talk about ${name}.` };
    });
    const judged = (type: string) => {
      const edges = [
        { from: 'ask', to: 'gold', condition: { type, prompt: 'vip' } },
        { from: 'ask', to: 'other', condition: { type: 'ai', prompt: 'anything else' } },
      ];
      const workflow = { name: 'G', nodes, edges };
      const options = { dynamicVariables: ['vip'] };
      const answers = { policies: { 'logical-condition': 'prose' } } as const;
      const { output } = compile(workflow, { ...options, answers });
      const without = verify(workflow, output, options);
      const holding = without.checklist.filter(({ holds }) => holds).map(({ item }) => item);
      return [verify(workflow, output, { ...options, answers }).holds, holding.includes(3)];
    };
    for (const type of ['logic', 'liquid']) expect(judged(type)).toEqual([true, false]);
    expect(judged('ai')).toEqual([true, true]);
  });

  const result = JSON.parse(JSON.stringify(compile(clinic, given)));
  it.each<[string, unknown, string]>([
    ['null', null, 'null'],
    ['a list', [], 'a list'],
    ['the workflow', clinic, 'a workflow'],
    ['members that are none', { squad: { members: 'none' } }, 'an object without members'],
    ['a result of compile', result, 'a result of squadc, which is not the squad itself'],
    [
      'a cycle',
      (() => {
        const it: { squad?: object } = {};
        it.squad = it;
        return it;
      })(),
      'something that is not JSON',
    ],
  ])('says what is no squad: %s', (_, document, words) => {
    const found = check(document);
    expect(found.said).toContain('check/not-a-squad');
    expect(found.texts).toContain(`this looks like ${words}`);
    expect(found.holds).toBe(false);
  });

  it('says what is wrong with the workflow or the options, and checks nothing', () => {
    expect(verify({ nodes: 1 }, squad).diagnostics.map(({ code }) => code)).toContain(
      'shape/no-nodes',
    );
    expect(verify(clinic, squad, { target: 'other' as never })).toMatchObject({
      holds: false,
      checklist: [],
    });
    const exit = { name: 'E', nodes: [{ id: 'end', type: 'endCall' }], edges: [] };
    expect(verify(exit, squad).diagnostics.map(({ code }) => code)).toEqual(['flow/start-is-exit']);
  });

  it('survives any value in the place of any part', () => {
    const whole = JSON.stringify(squad);
    const parts = [...new Set(whole.match(/"[^"]*":/g))].slice(0, 40);
    for (const part of parts) {
      for (const value of ['null', '7', '"x"', '[]', '{}', '[null]']) {
        const document = JSON.parse(whole.replaceAll(part, `${part}${value},"_":`));
        expect(verify(clinic, document, given).holds).toBe(false);
      }
    }
  });

  it('is linear and deep: long chains, wide and ladder-like squads', { timeout: 60_000 }, () => {
    const count = 3000;
    const nodes = Array.from({ length: count }, (_, index) => talk(`n${index}`));
    const shapes = [
      nodes.slice(1).map((_, index) => ({ from: `n${index}`, to: `n${index + 1}` })),
      nodes.slice(1).map(({ id }, index) => ({ from: `n${index >> 1}`, to: id, condition: id })),
      nodes.slice(2).flatMap((_, index) => [
        { from: `n${index}`, to: `n${index + 1}`, condition: 'one on' },
        { from: `n${index}`, to: `n${index + 2}`, condition: 'two on' },
      ]),
    ];
    for (const edges of shapes) {
      const workflow = { name: 'Big', nodes, edges };
      expect(verify(workflow, compile(workflow).output).holds).toBe(true);
    }
  });
});
