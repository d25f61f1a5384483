import { describe, expect, it } from 'vitest';
import { composeBy } from '../../../src/compiler/5-lower/pens.js';
import { writeLine } from '../../../src/compiler/5-lower/spoken.js';
import { compiled, type Plan, parsed, request } from '../build.js';

describe('writeLine', () => {
  const line = (firstMessage?: string) => {
    const node = firstMessage === undefined ? {} : { firstMessage };
    const [spoken] = parsed({ nodes: { a: node } }).nodes;
    return composeBy(writeLine, spoken!);
  };

  it('quotes the line word for word, and knows where it stands', () => {
    const { text, segments } = line(' "Hi", {{now}}.\n');
    expect(text).toBe('Say: " "Hi", {{now}}.\n"\n');
    expect(segments.map((it) => it.text).join('')).toBe(text);
    expect(segments[1]!.origin).toEqual({ kind: 'source', at: '/nodes/0/firstMessage' });
  });

  it('is nothing where nothing is said', () => {
    expect([line().text, line().segments]).toEqual(['', []]);
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
