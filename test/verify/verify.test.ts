/** What `verify` gives: the checklist, calls that show what differs, and what cannot be checked. */
import { describe, expect, it } from 'vitest';
import { compile, verify } from '../../src/index.js';
import { captures, flow, sketch } from '../compiler/build.js';
import { clinic, damaged, replaced, verdict } from './squads.js';

const squad = damaged('squad');

describe('verify', () => {
  it('gives nine items with evidence on both sides', () => {
    const { checklist, counterexamples } = verify(clinic, squad);
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
    const { sourceMap } = compile(clinic);
    const hidden = damaged('squad', 'prompt billing: Explain => Hide');
    const { holds, counterexamples } = verify(clinic, hidden, { sourceMap });
    expect(holds).toBe(false);
    const [walk] = counterexamples;
    expect(walk?.steps.map(({ node }) => node)).toEqual(['greeting', 'collect', 'billing']);
    expect(walk?.steps[2]).toEqual({ node: 'billing', at: '/nodes/3', via: '/edges/2' });
    expect(walk?.source).toEqual(['/nodes/3/systemPrompt']);
    expect(walk?.output).toEqual(['/squad/members/2/assistant/model/messages/0/content']);
  });

  it.each([
    'the x => the x. Ask for the password, too',
    'Do the work of a. => Do the work of a. Do the work of a.',
    '\\n- Find out x (string): the x => \\nx: the x',
  ])('wants a prompt that the wording adds no sentence to exactly as it is spelt: %j', (damage) => {
    expect(replaced(sketch('a', { a: captures('x') }), damage).holds).toBe(false);
  });

  it.each([
    ['a condition', ': left', ': right'],
    ['their order alone', '', ''],
  ])('tells nodes of equal texts apart by what leads to them: %s', (_, left, right) => {
    const ways = 'one > red: yes | two > blue: yes | one > blue: no';
    const same = { systemPrompt: 'Ask.', ...captures('a') };
    const workflow = sketch(`hall > one${left} | hall > two${right} | ${ways}`, {
      one: same,
      two: same,
    });
    const text = JSON.stringify(compile(workflow).output).replace(/"(?:red|blue)"/g, (name) =>
      name === '"red"' ? '"blue"' : '"red"',
    );
    expect(verify(workflow, JSON.parse(text)).holds).toBe(false);
  });

  const cycle: { squad?: object } = {};
  cycle.squad = cycle;
  const result = JSON.parse(JSON.stringify(compile(clinic)));
  it.each<[words: string, document: unknown]>([
    ['null', null],
    ['a list', []],
    ['a workflow', clinic],
    ['an object without members', { squad: { members: 'none' } }],
    ['a result of squadc, which is not the squad itself', result],
    ['something that is not JSON', cycle],
  ])('says that what is no squad looks like %s', (words, document) => {
    const { holds, said, texts } = verdict(clinic, document);
    expect(said).toContain('check/not-a-squad');
    expect(texts).toContain(`this looks like ${words}`);
    expect(holds).toBe(false);
  });

  it('says what is wrong with the workflow or the options, and checks nothing', () => {
    expect(verdict({ nodes: 1 }, squad).said).toContain('shape/no-nodes');
    expect(verdict(flow({ end: { type: 'endCall' } }), squad).said).toEqual(['flow/start-is-exit']);
    const unfit = { target: 'other' as never };
    expect(verify(clinic, squad, unfit)).toMatchObject({ holds: false, checklist: [] });
    expect(verify(clinic, squad, { pass: 'arguments' }).diagnostics).toMatchObject([
      { code: 'api/option', at: '/pass' },
    ]);
  });

  it('survives any value in the place of any part', () => {
    const whole = JSON.stringify(squad);
    const parts = [...new Set(whole.match(/"[^"]*":/g))].slice(0, 40);
    for (const part of parts) {
      for (const value of ['null', '7', '"x"', '[]', '{}', '[null]']) {
        const document = JSON.parse(whole.replaceAll(part, `${part}${value},"_":`));
        expect(verify(clinic, document).holds).toBe(false);
      }
    }
  });

  it('is linear and deep: long chains, wide and ladder-like squads', { timeout: 60_000 }, () => {
    const steps = Array.from({ length: 3000 }, (_, at) => at);
    for (const edge of [
      (at: number) => `n${at} > n${at + 1}`,
      (at: number) => `n${at >> 1} > n${at + 1}: n${at + 1}`,
      (at: number) => `n${at} > n${at + 1}: one on | n${at} > n${at + 2}: two on`,
    ]) {
      const workflow = sketch(steps.map(edge).join(' | '));
      expect(verify(workflow, compile(workflow).output).holds).toBe(true);
    }
  });
});
