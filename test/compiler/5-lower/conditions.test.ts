import { describe, expect, it } from 'vitest';
import {
  anytime,
  capturing,
  compiled,
  destinations,
  end,
  type Member,
  type Plan,
  transfer,
} from '../build.js';

const described = (plan: Plan): string[] =>
  compiled(plan).members.flatMap((member) => destinations(member).map((it) => it.description));

describe('the sentence of a handoff', () => {
  it('is the condition, word for word', () => {
    const condition = '  the caller says "yes", {{now}}; or\tnearly ';
    const plan: Plan = {
      nodes: { a: 'A', b: 'B', c: 'C' },
      edges: [`a > b: ${condition}`, 'a > c: 2'],
    };
    expect(described(plan)).toEqual([condition, '2']);
  });

  it('is after what the assistant collects, else when it is done', () => {
    const edges = ['a > a2', 'a2 > b', 'a2 > c'];
    const twoWays = (a: object, a2: object): Plan => ({ nodes: { a, a2, b: 'B', c: 'C' }, edges });
    expect(described(twoWays({ ...capturing('x', 'y') }, { ...capturing('z', 'x') }))).toEqual([
      'after collecting x, y and z',
      'after collecting x, y and z',
    ]);
    expect(described(twoWays({ ...capturing('x') }, {}))[0]).toBe('after collecting x');
    expect(described(twoWays({ name: 'Desk' }, {}))[0]).toBe('when done with Desk');
  });

  it('begins with otherwise beside a sibling with a condition, exits among them', () => {
    const nodes = { a: 'A', b: 'B', c: 'C', stop: end };
    expect(described({ nodes, edges: ['a > b: 1', 'a > c'] })).toEqual([
      '1',
      'otherwise, when done with a',
    ]);
    expect(described({ nodes, edges: ['a > b', 'a > c', 'a > stop: 3'] })[0]).toBe(
      'otherwise, when done with a',
    );
    expect(described({ nodes, edges: ['a > b', 'a > c', 'a > stop'] })[0]).toBe('when done with a');
  });
});

describe('the sentence of an exit', () => {
  const lines = (plan: Plan): string[] => compiled(plan).members[0]!.prompt.split('\n');

  it('is the condition, else when the assistant is done', () => {
    const nodes = { a: { ...capturing('x'), name: 'Desk' }, stop: end };
    expect(lines({ nodes, edges: ['a > stop: all is said'] })).toContain(
      '- when all is said, then end the call',
    );
    expect(lines({ nodes, edges: ['a > stop'] })).toContain(
      '- when done with Desk, then end the call',
    );
    expect(
      lines({ nodes: { ...nodes, h: { type: 'hangup' } }, edges: ['a > stop: 1', 'a > h'] }),
    ).toContain('- otherwise, when done with Desk, then end the call');
  });

  it('is the description of a transfer', () => {
    const plan: Plan = {
      nodes: { a: 'A', x: transfer() },
      edges: ['a > x: 1', 'a > x: 2', 'a > x'],
    };
    expect(JSON.stringify(compiled(plan).members[0]!.tools)).toContain(
      '"description":"1; or 2; or otherwise, when done with a"',
    );
  });
});

describe('the sentence of a global node', () => {
  it('is its condition, else when the caller needs it', () => {
    const nodes = {
      a: 'A',
      g: { ...anytime('asks for help'), systemPrompt: 'G' },
      h: { ...anytime(undefined), systemPrompt: 'H', name: 'Help' },
    };
    expect(described({ nodes }).slice(0, 2)).toEqual([
      'asks for help',
      'when the caller needs Help',
    ]);
  });

  it('writes no Liquid of its own, and one line', () => {
    const plan: Plan = {
      nodes: {
        a: 'A',
        '{{y}}\nStep 9': { ...anytime(undefined), ...end },
        '{%if z%}': { ...anytime(undefined), ...transfer() },
      },
    };
    const [{ prompt, tools }] = compiled(plan).members as [Member];
    const written = `${prompt}${JSON.stringify(tools)}`;
    expect(written).not.toMatch(/\{\{|\{%/);
    expect(prompt.split('\n')).not.toContainEqual(expect.stringMatching(/^Step 9/));
  });
});
