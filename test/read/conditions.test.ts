/** Which conditions are expressions, what they read, and the guards that say the same in Liquid. */
import { Liquid } from 'liquidjs';
import { describe, expect, it } from 'vitest';
import { compile, toGraph } from '../../src/index.js';
import { exported, findings, readsOf, spec } from './read.js';

const nodes = { a: { systemPrompt: 'A.' }, b: { systemPrompt: 'B.' }, c: { systemPrompt: 'C.' } };
const edge = (condition: string) => spec(nodes, [`a > b: ${condition}`, 'a > c']);

/** Whether squadc asks how the condition is met, and what the condition reads. */
function read(condition: string) {
  const { questions } = compile(edge(condition));
  const isLogical = questions.some(({ kind }) => kind === 'logical-condition');
  return [isLogical ? 'expression' : 'sentence', ...readsOf(edge(condition))];
}

describe('a condition is an expression', () => {
  it.each<[string, string[]]>([
    ["tier == 'gold'", ['tier']],
    ['tier === "gold" && !vip', ['tier', 'vip']],
    ['not (a.b[0] >= 2 or c) and d != nil', ['a', 'c', 'd']],
    ['x[y.z] <= x["k"] || TRUE', ['x', 'y']],
    ['balance >= $1,000.50', ['balance']],
    ['\u201cgold\u201d == tier', ['tier']],
    ['items contains "x"', ['items']],
    ['items contains item', ['item', 'items']],
    ['{{ a }} == {{ b | upcase }}', ['a', 'b']],
    ['{{ a }}', ['a']],
    ['{% if a %}true{% endif %} {{ b }}', ['a', 'b']],
    [' true ', []],
    ['the score (score >= 7) is good', ['score']],
    ['an-id == other-id', ['an-id', 'other-id']],
    ['ünï == 1', ['ünï']],
  ])('%s', (condition, reads) => {
    expect(read(condition)).toEqual(['expression', ...reads]);
  });
});

describe('a condition is a sentence', () => {
  it.each<[string, string[]]>([
    ['the caller wants an appointment', []],
    ['the message contains their anger', []],
    ["the caller's answer contains the caller's name", []],
    ['more than < 5 items', []],
    ['a => b, or a == ', []],
    ['the caller says {{ word }}', ['word']],
    ['{{ a }} and more', ['a']],
    ['it is true', []],
    ['a < 5, and == nothing', []],
    ['||', []],
    ['"quoted" only', []],
  ])('%s', (condition, reads) => {
    expect(read(condition)).toEqual(['sentence', ...reads]);
  });

  it('is none at all where it is blank', () => {
    expect(compile(spec(nodes, ['a > b:  \n'])).output).toEqual(
      compile(spec(nodes, ['a > b'])).output,
    );
  });

  it('is an error where its Liquid is broken', () => {
    expect(findings(edge('{{ a == 1'))).toEqual(['shape/liquid-syntax /edges/0/condition']);
  });
});

describe('the dialect', () => {
  const way = (condition: unknown) =>
    exported({ a: {}, b: {}, c: {} }, [
      { from: 'a', to: 'b', condition },
      { from: 'a', to: 'c' },
    ]);
  const kinds = (condition: unknown) => {
    const { questions, diagnostics } = compile(way(condition));
    const asked = questions.map(({ kind }) => kind);
    const told = diagnostics.map(({ code, at }) => `${code} ${at}`);
    return [...asked, ...told.filter((it) => !it.startsWith('shape/dialect'))];
  };
  const logical = 'logical-condition';

  it.each<[unknown, string[]]>([
    ['the caller agrees', []],
    [{ type: 'ai', prompt: 'the caller agrees' }, []],
    [{ type: 'AI', prompt: '' }, ['flow/same-condition /edges/1']],
    [{ type: 'ai' }, ['flow/same-condition /edges/1']],
    [
      { type: 'always', prompt: 'x' },
      ['shape/unknown-field /edges/0/condition/prompt', 'flow/same-condition /edges/1'],
    ],
    [{ type: 'logic', liquid: '{{ call }}' }, [logical]],
    [{ type: 'logic', expression: 'call is mine' }, [logical]],
    [{ type: 'semantic', matches: ['yes', ' ', 'sure'] }, []],
    [{ type: 'semantic', matches: [7] }, ['shape/wrong-type /edges/0/condition/matches/0']],
    [{ type: 'failed' }, []],
    [{ type: 'programmatic' }, ['shape/missing-field /edges/0/condition']],
    [{ type: 'dream', text: 'x' }, ['shape/unknown-condition-type /edges/0/condition/type']],
    [{ type: 'ai', prompt: 'x', tint: 1 }, ['shape/unknown-field /edges/0/condition/tint']],
  ])('knows other forms: %j', (condition, expected) => {
    expect(kinds(condition)).toEqual(expected);
  });

  it('may list texts of which one has to hold, and marks a tool that failed', () => {
    const described = (condition: unknown) => JSON.stringify(compile(way(condition)).output);
    expect(described({ type: 'semantic', matches: ['yes', 'sure'] })).toContain('yes; or sure');
    const { at } = toGraph(way({ type: 'ai', matches: ['yes', 'sure'] })).getEdgeAttributes(
      'a',
      'b',
    );
    expect(at).toEqual(['/edges/0', '/edges/0/condition/matches/1']);
    expect(described({ type: 'failed' })).toContain('the tool call failed');
  });
});

describe('a guard', () => {
  const liquid = new Liquid();
  const policies = { 'logical-condition': 'guard' };

  /** The guard's verdict on these values; null where none is offered. */
  function judge(condition: string, values: Record<string, unknown>): boolean | null {
    const dynamicVariables = ['tier', 'n', 'ok', 'list'];
    const { output } = compile(edge(condition), {
      target: 'vapi',
      answers: { policies },
      dynamicVariables,
    });
    const plan = /"rejectionPlan":(\{"conditions":\[.*?\]\})/.exec(JSON.stringify(output))?.[1];
    if (plan === undefined) return null;
    const { conditions } = JSON.parse(plan) as { conditions: { liquid: string }[] };
    return !conditions.every(({ liquid: it }) => liquid.parseAndRenderSync(it, values) === 'true');
  }

  it.each<[string, Record<string, unknown>, boolean | null]>([
    ["tier == 'gold'", { tier: 'gold' }, true],
    ["tier == 'gold'", { tier: 'silver' }, false],
    ["tier == 'gold'", {}, false],
    ['n == 5', { n: '5' }, true],
    ["n != '5'", { n: 5 }, false],
    ['tier == nil', { tier: '' }, true],
    ['n >= 5', { n: '' }, false],
    ['n >= 0', { n: '' }, false],
    ['n >= 5', { n: 7 }, true],
    ['ok && n >= 5', { ok: 'false', n: 7 }, false],
    ['ok && n >= 5', { ok: true, n: 7 }, true],
    ["!ok && (tier == 'a' || tier == 'b')", { ok: false, tier: 'b' }, true],
    ["!ok && (tier == 'a' || tier == 'b')", { ok: true, tier: 'b' }, false],
    ["tier == 'a' || ok && n == 1", { tier: 'a', n: 2 }, true],
    ["list contains 'x'", { list: ['x'] }, true],
    ["{{ tier }} == 'gold'", { tier: 'gold' }, true],
    ['tier == \u201cgo"ld\u201d', { tier: 'go"ld' }, true],
    ['{% if tier == "gold" %} true {% endif %}', { tier: 'gold' }, true],
    ['{{ ok }}', { ok: 'false' }, false],
    ['n >= $5', { n: 7 }, null],
    ["!ok == 'x'", { ok: 'x' }, null],
    ['the number n >= 5', { n: 7 }, null],
  ])('holds as the condition does: %s with %j', (condition, values, expected) => {
    expect(judge(condition, values)).toBe(expected);
  });

  it('is read in time that grows with the condition', () => {
    for (const part of ['a == 1 && ', '(', '!', 'a[', '" \u201c', "x) == (y '", '== ']) {
      const start = process.cpuUsage();
      compile(edge(`a == 1 && ${part.repeat(100_000 / part.length)}`));
      const { user, system } = process.cpuUsage(start);
      expect((user + system) / 1000, part).toBeLessThan(4000);
    }
  });
});
