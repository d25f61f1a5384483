import { describe, expect, it } from 'vitest';
import { compiled, destinations, type Plan, properties } from '../build.js';

/** Two captures of one variable, on two ways to the same handoff. */
const twoWays = (one: object, other: object): Plan => ({
  nodes: {
    a: 'A',
    b: { type: 'gather', extractVariables: [{ name: 'x', ...one }] },
    c: { systemPrompt: 'C', extractVariables: [{ name: 'x', ...other }] },
    d: 'D {{x}}',
    e: 'E',
  },
  edges: ['a > b: 1', 'a > c: 2', 'b > a', 'c > a', 'a > d: 3', 'a > e: 4'],
});
const property = (one: object, other: object = one) => {
  const answers = {
    policies: { 'cyclic-stages': 'consolidate' },
    answers: { 'ambiguous-start:workflow': { choice: 'node', value: 'a' } },
  };
  const [first] = compiled(twoWays(one, other), { answers }).members;
  return properties(destinations(first!)[0]!)['x'];
};

describe('a property of a plan', () => {
  it('has the type and the description of the capture', () => {
    expect(property({ type: 'boolean', description: 'is it so?' })).toEqual({
      type: 'boolean',
      description: 'is it so?',
    });
  });

  it('is described by the variable’s name where the source says nothing', () => {
    expect(property({ type: 'string' })).toEqual({ type: 'string', description: 'x' });
  });

  it('joins descriptions that differ, in source order, and not those that do not', () => {
    const described = (description: string) => ({ type: 'string', description });
    expect(property(described('one'), described('two'))).toMatchObject({
      description: 'one; or two',
    });
    expect(property(described('one'), { type: 'string' })).toMatchObject({ description: 'one' });
    expect(property(described('one'), described('one'))).toMatchObject({ description: 'one' });
  });

  it('is a text where types differ', () => {
    expect(property({ type: 'number' }, { type: 'boolean' })).toEqual({
      type: 'string',
      description: 'x',
    });
  });

  it('allows what any of the captures allows', () => {
    const listed = (...values: string[]) => ({ type: 'string', enum: values });
    expect(property(listed('1', '2'), listed('2', '3'))).toMatchObject({ enum: ['1', '2', '3'] });
    expect(property(listed('1'), { type: 'string' })).not.toHaveProperty('enum');
  });

  it('is required', () => {
    const plan: Plan = {
      nodes: {
        a: { extractVariables: ['y', 'x'].map((name) => ({ name, type: 'string' })) },
        b: '{{x}} {{y}}',
        c: 'C',
      },
      edges: ['a > b: 1', 'a > c: 2'],
    };
    const [to] = destinations(compiled(plan).members[0]!);
    expect(to!['variableExtractionPlan']).toMatchObject({
      schema: { type: 'object', required: expect.arrayContaining(['x', 'y']) },
    });
    expect(destinations(compiled(plan).members[0]!)[1]).not.toHaveProperty(
      'variableExtractionPlan',
    );
  });
});
