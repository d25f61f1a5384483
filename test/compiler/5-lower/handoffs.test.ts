import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../../src/compiler/ir/options.js';
import { anytime, compiled, type Plan } from '../build.js';

/** Per tool the destinations that it offers. */
const tools = (plan: Plan, options?: CompileOptions): string[][] =>
  compiled(plan, options).members.flatMap(({ tools: all }) =>
    all
      .filter(({ type }) => type === 'handoff')
      .map((tool) =>
        (tool['destinations'] as { assistantName: string; description: string }[]).map(
          (to) => `${to.assistantName}: ${to.description}`,
        ),
      ),
  );

const plan: Plan = {
  nodes: { a: 'A', a2: 'A2', b: 'B', c: 'C', d: 'D' },
  edges: ['a > a2: 0', 'a2 > a: back', 'a > c: 1', 'a > b: 2', 'a2 > b: 3', 'a > b: 4', 'a2 > d'],
};
const together: CompileOptions = {
  answers: {
    policies: { 'cyclic-stages': 'consolidate' },
    answers: { 'ambiguous-start:workflow': { choice: 'node', value: 'a' } },
  },
};

describe('handoff tools', () => {
  it('are one per node, with its destinations in source order', () => {
    expect(tools(plan, together)).toEqual([
      ['c: 1', 'b: 2; or 4'],
      ['b: 3', 'd: otherwise, when done with a'],
    ]);
  });

  it('are one per destination where they are to be separate', () => {
    expect(tools(plan, { ...together, handoffTools: 'separate' })).toEqual([
      ['c: 1'],
      ['b: 2; or 4'],
      ['b: 3'],
      ['d: otherwise, when done with a'],
    ]);
  });

  it('go by the family of the model where that is to decide', () => {
    const auto = { ...together, handoffTools: 'auto' } as const;
    expect(tools(plan, auto)).toHaveLength(4);
    const model = { provider: 'anthropic', model: 'm' };
    expect(tools(plan, { ...auto, model })).toHaveLength(2);
  });

  it('say a condition once that several edges share', () => {
    const nodes = { a: 'A', b: 'B', b2: 'B2', c: 'C' };
    const edges = ['a > b: 1', 'a > b2: 1', 'b > b2: on', 'b2 > b: back', 'a > c: 2'];
    expect(tools({ nodes, edges }, together)).toEqual([['b: 1', 'c: 2']]);
  });

  it('lead to every global talk node of another assistant, in one more tool', () => {
    const nodes = {
      a: 'A',
      g: { ...anytime('asks'), systemPrompt: 'G' },
      h: { ...anytime('wants'), systemPrompt: 'H' },
    };
    expect(tools({ nodes })).toEqual([['g: asks', 'h: wants'], ['h: wants'], ['g: asks']]);
  });

  it('have the context that the options ask for', () => {
    const context = { type: 'lastNMessages', maxMessages: 4 } as const;
    const { members } = compiled(plan, { ...together, context });
    const written = JSON.stringify(members[0]!.tools);
    expect(
      written.match(
        /"contextEngineeringPlan":\{"maxMessages":4,"type":"lastNMessages"\}|"contextEngineeringPlan":\{"type":"lastNMessages","maxMessages":4\}/g,
      ),
    ).toHaveLength(4);
    expect(JSON.stringify(compiled(plan, together).members)).toContain(
      '"contextEngineeringPlan":{"type":"all"}',
    );
  });

  it('name no assistant that is not there, and never their own', () => {
    const { members } = compiled(plan, together);
    const names = members.map(({ name }) => name);
    for (const { name, tools: all } of members) {
      for (const [, to] of JSON.stringify(all).matchAll(/"assistantName":"([^"]+)"/g)) {
        expect(names).toContain(to);
        expect(to).not.toBe(name);
      }
    }
  });
});
