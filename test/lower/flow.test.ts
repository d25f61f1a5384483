/** What crosses handoffs, and how reads get their values: cases that generated workflows rarely have. */
import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../src/index.js';
import {
  captures,
  compile,
  crossings,
  exported,
  promptOf,
  request,
  says,
  sketch,
  told,
} from '../compiler/build.js';

/** A node of an export that captures variables and derives others. */
function extracts(names: readonly string[], derived: Readonly<Record<string, string>> = {}) {
  const output = names.map((title) => ({ title, type: 'string' }));
  const aliases = Object.entries(derived).map(([key, value]) => ({ key, value }));
  return { variableExtractionPlan: { output, aliases } };
}

function made(workflow: object, options: CompileOptions = {}) {
  const policies = { 'missing-auth': 'none', 'undefined-variable': 'caller' };
  const answers = { policies, ...options.answers };
  const result = compile(workflow, { target: 'vapi', ...options, answers });
  expect(result.status).toBe('complete');
  return result;
}

describe('a handoff', () => {
  it('carries a derived value instead of an earlier capture', () => {
    const nodes = {
      ask: extracts(['x']),
      fix: extracts([], { x: 'fixed' }),
      b: 'Say {{x}}.',
      c: 'C',
    };
    const result = made(exported(nodes, 'ask > fix | fix > b: one | fix > c: two'));
    expect(crossings(result)).toEqual(['ask > b: =x']);
  });

  it('carries no capture that a response has replaced', () => {
    const t = { responseVariables: [{ name: 'v', path: 'v' }] };
    const more = { a: captures('v'), t, b: says('Say {{v}}.') };
    expect(crossings(made(sketch('a > t | t > b: one | t > c: two', more)))).toEqual([]);
  });

  it('carries what an alias of any of several equal nodes reads', () => {
    const equal = { prompt: 'Wait.', ...extracts([], { k: '{{x}}!' }) };
    const nodes = {
      w: extracts(['x']),
      s: 'S',
      u: 'U',
      p: equal,
      q: equal,
      r: 'Say {{k}}.',
      t: 'T',
    };
    const ways = ['p', 'q'].flatMap((it) => [`${it} > r: one`, `${it} > t: two`]);
    const edges = ['w > s: one', 'w > u: two', 's > p', 'u > q', 's > t: no', 'u > r: no', ...ways];
    expect(crossings(made(exported(nodes, edges)))).toEqual(['w > s: x', 'w > u: x', 'p > r: =k']);
  });

  it('carries what the global prompt reads', () => {
    const workflow = sketch('a > b: one | a > c: two', { a: captures('v') });
    const result = made({ ...workflow, globalPrompt: 'Be kind to {{v}}.' });
    expect(crossings(result)).toEqual(['a > b: v', 'a > c: v']);
  });

  it('is reported if a tool that the assistant can call sets the variable, too', () => {
    const tool = { type: 'function', function: { name: 'look_up' } };
    const variableExtractionPlan = { aliases: [{ key: 'x', value: '{{ $.x }}' }] };
    const ask = { ...extracts(['x']), tools: [{ ...tool, variableExtractionPlan }] };
    const nodes = { ask, b: 'Say {{x}}.', c: 'C' };
    const result = made(exported(nodes, 'ask > b: one | ask > c: two'));
    expect([crossings(result), told(result, 'data/mixed').length]).toEqual([['ask > b: x'], 1]);
  });

  it.each(['a line', 'instructions'])(
    'leaves %s that one way tells and another renders',
    (kind) => {
      const text = 'Is it {{v}}?';
      const edges =
        'a > b: 1 | a > end: 2 | b > end: 3 | b > t: 4 | t > b: 5 | t > c: 6 | b > d: 7';
      const end = kind === 'a line' ? { firstMessage: text } : { systemPrompt: text };
      const result = made(
        sketch(edges, {
          b: captures('v'),
          d: says('Say {{v}}.'),
          end: { type: 'endCall', ...end },
          t: request({ responseVariables: [{ name: 'v', path: 'v' }] }),
        }),
      );
      expect(promptOf(result)).toContain(text);
      expect(promptOf(result)).toContain('Is it {% raw %}{{v}}{% endraw %}?');
    },
  );
});

describe('a tool that decides about a global node', () => {
  /** The value of v, which the condition needs, comes from a tool. */
  const deciding = (edges: string, more: Readonly<Record<string, object>>) => {
    const workflow = sketch(edges, { ...more, g: { ...more['g'], condition: "v == 'x'" } });
    const { questions } = compile(workflow);
    const asked = questions.filter(({ kind }) => kind === 'logical-condition');
    const tool = { choice: 'tool', value: { tool: 'look_up' } };
    const answers = Object.fromEntries(asked.map(({ id }) => [id, tool]));
    return made(workflow, { answers: { answers } });
  };

  it('gives the value with which its assistant begins', () => {
    const result = deciding('a > b: one | a > c: two | g', { g: says('Say {{v}}.') });
    const kinds = result.reads.filter(({ at }) => at.includes('/nodes/3/systemPrompt'));
    expect(kinds.map(({ kind }) => kind)).toEqual(['rendered']);
    expect(told(result, 'data/')).toEqual([]);
  });

  it('gives the value that is known on entry before the caller says another', () => {
    const more = { g: captures('v'), h: says('Say {{v}}.') };
    const result = deciding('a > b: one | a > c: two | g > h', more);
    expect(promptOf(result, 3)).toContain('Known on entry');
  });
});

it('an alias replaces what an earlier assistant captured, without a tool or a handoff in between', () => {
  const nodes = {
    n0: extracts(['a']),
    n5: { prompt: 'Five.', globalNodePlan: { enabled: true, enterCondition: 'wants five' } },
    n3: { prompt: 'Three.', ...extracts([], { a: 'fixed' }) },
    n6: 'Six.',
  };
  const result = made(exported(nodes, 'n5 > n3: three | n3 > n6: says {{a}}'));
  expect(crossings(result)).toEqual([]);
});

it('an alias that is derived from itself crosses with what it was before', () => {
  const nodes = {
    n0: extracts(['a'], { m: '<{{a}}>' }),
    n1: {
      ...extracts([], { k: '<{{k}}>' }),
      prompt: 'One.',
      globalNodePlan: { enabled: true, enterCondition: 'wants one' },
    },
    n2: 'Two {{m}}.',
  };
  const edges = ['n0 > n2: two', 'n0 > n1: one', 'n1 > n2: back'];
  const policies = { 'global-returns': 'keep-split', 'undefined-variable': 'caller' };
  const result = made(exported(nodes, edges), { answers: { policies } });
  expect(crossings(result)).toContain('n1 > n2: =k');
});
