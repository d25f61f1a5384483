import { describe, expect, it } from 'vitest';
import { sayLine } from '../../../src/compiler/4-lower/spoken.js';
import { compiled, type Plan, parsed, request } from '../build.js';

describe('sayLine', () => {
  const line = (firstMessage?: string) =>
    sayLine(parsed({ nodes: { a: firstMessage === undefined ? {} : { firstMessage } } }).nodes[0]!);

  it('quotes the line word for word, and knows where it stands', () => {
    const segments = line(' "Hi", {{now}}.\n');
    expect(segments.map(({ text }) => text).join('')).toBe('Say: " "Hi", {{now}}.\n"\n');
    expect(segments[1]!.origin).toEqual({ kind: 'source', at: '/nodes/0/firstMessage' });
  });

  it('is nothing where nothing is said', () => {
    expect(line()).toEqual([]);
  });
});

describe('the lines of later steps', () => {
  it('stand before what is done at the step', () => {
    const plan: Plan = {
      nodes: {
        a: { firstMessage: 'Hi.' },
        t: request({ firstMessage: 'One moment.' }),
        b: { firstMessage: 'So.' },
      },
      edges: ['a > t', 't > b'],
    };
    const { prompt, firstMessage } = compiled(plan).members[0]!;
    expect(firstMessage).toBe('Hi.');
    expect(prompt).toContain('Step 2\nSay: "One moment."\n- call the tool t\n');
    expect(prompt).toContain('Step 3\nSay: "So."\n');
    expect(prompt).not.toContain('Hi.');
  });
});
