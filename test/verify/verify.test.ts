import { describe, expect, it } from 'vitest';
import { compile, verify } from '../../src/index.js';
import type { SpecWorkflow } from '../../src/testing/spec-workflow.js';
import { clinic, edge, places, talk, valueAt } from './migration.js';

const options = { dynamicVariables: ['secret'] };
const squad = compile(clinic, options).output!;

/** The squad with another text at the place. */
function altered(at: string, change: (text: string) => string) {
  const copy = structuredClone(squad);
  const keys = at.split('/').slice(1);
  const last = keys.pop()!;
  const parent = valueAt(copy, keys.map((key) => `/${key}`).join('')) as Record<string, unknown>;
  parent[last] = change(String(parent[last]));
  return copy;
}

function promptOf(name: string): string {
  const { at } = places(squad).find(
    ({ at: place, value }) => place.endsWith('/assistant/name') && value === name,
  )!;
  return at.replace(/name$/, 'model/messages/0/content');
}

function faults(workflow: unknown, document: unknown, given = options): string[] {
  return verify(workflow, document, given).diagnostics.map(({ code }) => code);
}

describe('verify', () => {
  it('holds for what compile has made', () => {
    const found = verify(clinic, squad, options);
    expect(found.holds).toBe(true);
    expect(found.checklist.map(({ item, holds }) => [item, holds])).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((item) => [item, true]),
    );
    expect(found.counterexamples).toEqual([]);
    expect(found.diagnostics).toEqual([]);
  });

  it('does not believe a source map', () => {
    const text = altered(promptOf('billing'), (it) => it.replace('Explain', 'Hide'));
    const { sourceMap } = compile(clinic, options);
    expect(verify(clinic, text, { ...options, sourceMap }).holds).toBe(false);
  });

  it('shows the shortest call on which the squad differs', () => {
    const text = altered(promptOf('billing'), (it) => it.replace('Explain', 'Hide'));
    const { holds, counterexamples } = verify(clinic, text, options);
    expect(holds).toBe(false);
    const [walk] = counterexamples;
    expect(walk?.steps.map(({ node }) => node)).toEqual(['greeting', 'collect', 'billing']);
    expect(walk?.steps[2]).toEqual({ node: 'billing', at: '/nodes/3', via: '/edges/2' });
    expect(walk?.text).toContain('Explain the bill');
    expect(walk?.source).toEqual(['/nodes/3/systemPrompt']);
    expect(walk?.output).toEqual([promptOf('billing')]);
  });

  it('reads what a step says about the next one', () => {
    const text = altered(promptOf('greeting'), (it) => it.replace('go to step 2', 'go to step 1'));
    expect(faults(clinic, text)).toContain('check/walk');
  });

  it.each([
    ['a line that nothing accounts for', (it: string) => `${it}Be nice.\n`],
    [
      'a step that no node has',
      (it: string) => it.replace('\n\nAt any', '\n\nStep 3\nX\n\nAt any'),
    ],
    ['a line said twice', (it: string) => it.replace('Do the work of collect.\n', '$&$&')],
    ['a global node that is not spoken of', (it: string) => it.replace(/\n\nAt any[\s\S]*/, '\n')],
    ['another name of its own', (it: string) => it.replace('"greeting"', '"billing"')],
  ])('refutes a prompt with %s', (_what, change) => {
    const text = altered(promptOf('greeting'), change);
    expect(text).not.toEqual(squad);
    expect(faults(clinic, text)).toContain('check/walk');
  });

  it('shows the call on which a variable is missing', () => {
    const copy = structuredClone(squad);
    const plan = places(copy).find(({ at }) =>
      /destinations\/0\/variableExtractionPlan$/.test(at),
    )!;
    const destination = valueAt(copy, plan.at.replace(/\/\w+$/, '')) as Record<string, unknown>;
    delete destination['variableExtractionPlan'];
    const { checklist, counterexamples } = verify(clinic, copy, options);
    expect(checklist[3]?.holds).toBe(false);
    const walk = counterexamples.find(({ text }) => text.includes('does not carry'));
    expect(walk?.steps.map(({ node }) => node)).toEqual(['greeting', 'collect', 'scheduling']);
  });

  it('reads squadc’s own sentences: another assistant’s name, other variables, no "otherwise"', () => {
    const captures = [{ name: 'day', type: 'string' as const, description: 'a day' }];
    const workflow = {
      name: 'Sentences',
      nodes: [
        talk('hall', { extractVariables: captures }),
        talk('left', { systemPrompt: 'Left on {{day}}.' }),
        talk('right'),
        { id: 'end', type: 'endCall' as const },
      ],
      edges: ['hall>left', 'hall>right: turns right', 'left>end', 'right>end'].map(edge),
    };
    const text = JSON.stringify(compile(workflow).output);
    for (const [said, other] of [
      ['- otherwise, after collecting day, hand', '- otherwise, after collecting hour, hand'],
      ['- otherwise, after collecting day, hand', '- after collecting day, hand'],
      ['when done with left, then', 'when done with right, then'],
    ] as const) {
      expect(text).toContain(said);
      const { diagnostics } = verify(workflow, JSON.parse(text.replace(said, other)));
      expect(diagnostics.map(({ code }) => code)).toContain('check/walk');
    }
  });

  it('wants the answers that the squad was made with', () => {
    const open = { ...clinic, nodes: [...clinic.nodes] } satisfies SpecWorkflow;
    const { holds, diagnostics, checklist } = verify(open, squad);
    expect(holds).toBe(false);
    expect(checklist[3]?.holds).toBe(false);
    expect(diagnostics.map(({ code }) => code)).toContain('check/open-question');
  });

  it('finds nodes with the same texts by what follows them', () => {
    const same = { systemPrompt: 'Ask.' };
    const workflow = {
      name: 'Twins',
      nodes: [talk('hall'), talk('one', same), talk('two', same), talk('red'), talk('blue')],
      edges: [
        'hall>one: left',
        'hall>two: right',
        'one>red: yes',
        'two>blue: yes',
        'one>blue: no',
      ].map(edge),
    };
    const { output } = compile(workflow);
    expect(verify(workflow, output).holds).toBe(true);
  });

  it('takes a condition that reads like a sentence of squadc’s own', () => {
    const desk = { id: 'desk', type: 'transferCall', destination: '+14155550100' } as const;
    const edges = ['hall>desk: otherwise, when done with hall', 'hall>desk'].map(edge);
    const workflow = { name: 'Echo', nodes: [talk('hall'), desk], edges };
    expect(compile(workflow).status).toBe('complete');
  });

  it('says what it cannot read, and throws nothing', () => {
    expect(faults({ nodes: 1 }, squad)).toContain('shape/no-nodes');
    expect(faults(clinic, null)).toContain('check/not-a-squad');
    expect(faults(clinic, clinic)).toContain('check/not-a-squad');
    expect(faults(clinic, { squad: { members: 'none' } })).toContain('check/not-a-squad');
    const endless: Record<string, unknown> = {};
    endless['squad'] = endless;
    expect(faults(clinic, endless)).toContain('check/not-a-squad');
    expect(verify(clinic, squad, { target: 'other' as never }).holds).toBe(false);
    expect(verify(clinic, {}).holds).toBe(false);
  });

  it('reports saved assistants as not seen', () => {
    const { members } = squad['squad'] as { members: object[] };
    const saved = { squad: { members: [...members.slice(0, 3), { assistantId: 'a-1' }] } };
    expect(faults(clinic, saved)).toContain('check/not-seen');
  });
});

describe('a squad that squadc did not make', () => {
  const byHand = {
    squad: {
      members: [
        {
          assistant: {
            name: 'Front desk',
            firstMessage: 'Hello!',
            model: {
              provider: 'openai',
              model: 'gpt-4o',
              messages: [{ role: 'system', content: 'Be kind. Do the work of hall. Thanks.' }],
              tools: [
                {
                  type: 'handoff',
                  destinations: [
                    {
                      type: 'assistant',
                      assistantName: 'Reds',
                      description: 'wants red',
                      contextEngineeringPlan: { type: 'all' },
                    },
                    {
                      type: 'assistant',
                      assistantName: 'Blues',
                      description: 'wants blue',
                      contextEngineeringPlan: { type: 'all' },
                    },
                  ],
                },
              ],
            },
          },
        },
        assistant('Reds', 'Do the work of red.'),
        assistant('Blues', '# Task\nDo the work of blue.\n'),
      ],
    },
  };
  const workflow = {
    name: 'W',
    nodes: [talk('hall', { firstMessage: 'Hello!' }), talk('red'), talk('blue')],
    edges: ['hall>red: wants red', 'hall>blue: wants blue'].map(edge),
  };

  function assistant(name: string, content: string) {
    const messages = [{ role: 'system', content }];
    return { assistant: { name, model: { provider: 'openai', model: 'gpt-4o', messages } } };
  }

  it('holds in whatever words, as long as those of the workflow stand in it', () => {
    expect(verify(workflow, byHand).diagnostics).toEqual([]);
    expect(verify(workflow, byHand).holds).toBe(true);
  });

  it('is refuted where a text is lost, a condition reworded, or a handoff leads elsewhere', () => {
    const change = (from: string, to: string) =>
      JSON.parse(JSON.stringify(byHand).replace(from, to));
    expect(verify(workflow, change('work of red', 'task of red')).holds).toBe(false);
    expect(verify(workflow, change('wants red', 'likes red')).checklist[2]?.holds).toBe(false);
    expect(
      verify(workflow, change('wants red', 'wants red; or is bored')).checklist[2]?.holds,
    ).toBe(false);
    expect(verify(workflow, change('"Reds"', '"Blues"')).holds).toBe(false);
    expect(verify(workflow, change('Hello!', 'Hi.')).holds).toBe(false);
  });

  it('places reworded nodes by what they speak of, and says so', () => {
    const reworded = JSON.parse(
      JSON.stringify(byHand).replace(
        'Do the work of red.',
        'Handle everything in red working clothes.',
      ),
    );
    const found = faults(workflow, reworded, { dynamicVariables: [] });
    expect(found).toContain('check/walk');
    expect(found).not.toContain('check/not-placed');
  });
});
