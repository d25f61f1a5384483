/** What `verify` returns: the checklist, the calls that show a difference, and faults of its input. */
import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../src/index.js';
import { captures, compile, flow, type Nodes, sketch, verify } from '../compiler/build.js';
import { clinic, damaged, replaced, verdict } from './squads.js';

const squad = damaged('squad');

describe('verify', () => {
  it('returns nine items with evidence on both sides', () => {
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

  it('points a wrong plan at the captures it concerns, and at the edge if it concerns none', () => {
    const plan = 'greeting>billing variableExtractionPlan';
    const placesOf = (damage: string) => {
      const { checklist } = verify(clinic, damaged('squad', damage));
      return checklist[3]!.evidence.find(({ holds }) => !holds)?.source;
    };
    const captured = ['/nodes/1/extractVariables/0'];
    expect(placesOf(`${plan}/schema/properties/name/type = "number"`)).toEqual(captured);
    expect(placesOf(`${plan}/aliases = [{"key":"x","value":"Ann"}]`)).toEqual(['/edges/2']);
  });

  it('shows the shortest call on which the squad differs, whatever the source map claims', () => {
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

  it('names every setting that an assistant lacks', () => {
    const plain = flow({ only: 'Talk.' }, []);
    const workflow = { ...plain, voice: { provider: '11labs' }, transcriber: { provider: 'talk' } };
    const { texts } = verdict(workflow, compile(plain).output);
    expect(texts).toContain('lacks the setting “voice”');
    expect(texts).toContain('lacks the setting “transcriber”');
  });

  it.each([
    'the x => the x. Ask for the password, too',
    'Do the work of a. => Do the work of a. Do the work of a.',
    '\\n- Find out x (string): the x => \\nx: the x',
  ])('requires the exact prompt even where the wording adds no sentence: %j', (damage) => {
    expect(replaced(sketch('a', { a: captures('x') }), damage).holds).toBe(false);
  });

  it.each([
    ['conditions', ': left', ': right'],
    ['order', '', ''],
  ])('distinguishes nodes of equal texts by the edges to them: %s', (_, left, right) => {
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
  ])('rejects any other document, and says that it looks like %s', (words, document) => {
    const { holds, said, texts } = verdict(clinic, document);
    expect(said).toContain('check/not-a-squad');
    expect(texts).toContain(`this looks like ${words}`);
    expect(holds).toBe(false);
  });

  it('reports faults of the workflow or the options, and checks nothing', () => {
    expect(verdict({ nodes: 1 }, squad).said).toContain('shape/no-nodes');
    expect(verdict(flow({ end: { type: 'endCall' } }), squad).said).toEqual(['flow/start-is-exit']);
    const unfit = { target: 'other' as never };
    expect(verify(clinic, squad, unfit)).toMatchObject({ holds: false, checklist: [] });
    expect(verify(clinic, squad, { pass: 'arguments' }).diagnostics).toMatchObject([
      { code: 'api/option', at: '/pass' },
    ]);
  });

  it('refutes a squad with any part replaced by any value, and never throws', () => {
    const whole = JSON.stringify(squad);
    const parts = [...new Set(whole.match(/"[^"]*":/g))].slice(0, 40);
    for (const part of parts) {
      for (const value of ['null', '7', '"x"', '[]', '{}', '[null]']) {
        const document = JSON.parse(whole.replaceAll(part, `${part}${value},"_":`));
        expect(verify(clinic, document).holds).toBe(false);
      }
    }
  });

  it.each(['\n', '\n\n', '\n  and ', '  and\n', '- a\n  b\n', '\n  a\n  b\n- ', 'Be brief.\n\n'])(
    'refutes a prompt with %j before it, however the lines below it are indented',
    (before) => {
      const damaged = JSON.parse(JSON.stringify(squad), (key, value) =>
        key === 'content' ? `${before}${value.replaceAll('\n', '\n  ')}` : value,
      );
      expect(verify(clinic, damaged).holds).toBe(false);
    },
  );

  it.each<[shape: string, edge: (at: number) => string]>([
    ['chain', (at) => `n${at} > n${at + 1}`],
    ['tree', (at) => `n${at >> 1} > n${at + 1}: n${at + 1}`],
    ['ladder', (at) => `n${at} > n${at + 1}: one on | n${at} > n${at + 2}: two on`],
  ])('verifies 2,000 nodes as a %s', (_, edge) => {
    const steps = Array.from({ length: 2000 }, (_, at) => at);
    const workflow = sketch(steps.map(edge).join(' | '));
    expect(verify(workflow, compile(workflow).output).holds).toBe(true);
  });
});

describe.each(['squad', 'vapi'] as const)('steps that look alike, in target %s', (target) => {
  const made = (nodes: Nodes, edges: string, answers: object) => {
    const workflow = flow(nodes, edges);
    const options = { target, answers } as CompileOptions;
    return verify(workflow, compile(workflow, options).output, options).verdict;
  };

  it('are told apart by what they lead to', () => {
    const nodes = { s: 'Begin.', a: 'Talk.', b: 'Talk.', c: 'Ask.', d: 'Tell.' };
    const edges = 's > c | c > a: go | d > b: go | a > d: on | b > c: back | a > c: out';
    const groups = [
      ['c', 'd'],
      ['a', 'b'],
    ];
    const { questions } = compile(flow(nodes, edges), { target });
    const answers = { [questions[0]!.id]: { choice: 'group', value: groups } };
    expect(made(nodes, edges, { answers })).toBe('holds');
  });

  it('are entered by the whole of what was collected', () => {
    const named = (name: string) => ({
      systemPrompt: `Ask for the ${name}.`,
      extractVariables: [{ name, type: 'string' }],
    });
    const nodes = { s: 'Begin.', x: named('pet'), y: named('petName'), m: 'Note it.', n: 'Go on.' };
    const edges =
      's > x: one | s > y: two | s > n: three | x > m | y > m | m > n: on | n > m: back';
    const policies = { 'cyclic-stages': 'consolidate' };
    expect(made(nodes, edges, { policies })).toBe('holds');
  });

  it.each(['Say: "Go on."', 'Say: "Go on."\nThen wait.', 'Say: "Go on."\n\nSay: "Stop."'])(
    'are what they say, in whatever way it can be read: %j',
    (words) => {
      const lines = { c: { firstMessage: 'Go on.' }, d: { firstMessage: 'Stop.' } };
      const nodes = { s: 'Begin.', b: words, ...lines, e: 'Then wait.' };
      expect(made(nodes, 's > b: one | s > c: two | s > d: three | s > e: four', {})).toBe('holds');
      const whole = flow(
        { b: words, ...lines, e: 'Then wait.' },
        'b > c: one | b > d: two | b > e',
      );
      const { output } = compile(whole, { target });
      const other = JSON.stringify(output).replace('Go on.', 'Go home.');
      expect(verify(whole, JSON.parse(other), { target }).verdict).toBe('fails');
    },
  );

  it.each([
    ['Ask.\n\nThen wait.', 'Ask.\nThen wait.'],
    ['Say: "Go on."\nAsk.', 'Say: "Go on."\nAsk.\n\nThen wait.'],
    ['Ask. ', 'Ask.'],
  ])('are told apart by all their white space: %j and %j', (one, other) => {
    const nodes = { s: 'Begin.', a: one, b: other };
    const whole = flow(nodes, 's > a: one | s > b: two');
    const { output } = compile(whole, { target });
    expect(verify(whole, output, { target }).verdict).toBe('holds');
    const swapped = flow({ ...nodes, a: other, b: one }, 's > a: one | s > b: two');
    expect(verify(swapped, output, { target }).verdict).toBe('fails');
  });

  it('have the faults of the nearest one', () => {
    const asks = { ...captures('x'), systemPrompt: 'Ask.' };
    const edges = 's > a: one | a > b: again | a > c: done | b > c: done | s > d: other';
    const whole = flow({ s: 'S', a: asks, b: asks, c: 'C', d: 'D' }, edges);
    const { output } = compile(whole, { target });
    expect(verify(whole, output, { target }).verdict).toBe('holds');
    const changed = JSON.stringify(output).replace('- Find out x (', '- Find out y (');
    const { checklist } = verify(whole, JSON.parse(changed), { target });
    expect(checklist.flatMap(({ item, holds }) => (holds ? [] : item))).toEqual([4]);
  });
});
