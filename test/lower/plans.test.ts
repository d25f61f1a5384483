/** What crosses with a handoff, and how a plan says it. */
import { describe, expect, it } from 'vitest';
import {
  type Any,
  assistantsOf,
  captures,
  codesOf,
  compiled,
  destinationsOf,
  flow,
  net,
  promptOf,
  variable,
} from './squads.js';

/** All that crosses: `from > to: names`. */
function crossings(workflow: object): string[] {
  const result = compiled(workflow, {
    answers: { policies: { 'critical-variable': 'best-effort' } },
  });
  return assistantsOf(result).flatMap(({ name }, index) =>
    destinationsOf(result, index).flatMap(({ assistantName, variableExtractionPlan: plan }) => {
      const names = plan?.schema?.required?.join() ?? '';
      const aliases = plan?.aliases?.map(({ key }: Any) => `=${key}`).join('') ?? '';
      return plan === undefined ? [] : [`${name} > ${assistantName}: ${names}${aliases}`];
    }),
  );
}

describe('a variable crosses', () => {
  it.each<[string, string, string, string[]]>([
    ['to those that read it', 's+x a?x b', 's>a s>b', ['s > a: x']],
    ['through those that do not', 's+x a b c?x d', 's>a s>b a>c a>d', ['s > a: x']],
    ['not where it is captured again', 's+x a+x b c?x d', 's>a s>b a>c a>d', ['a > c: x']],
    ['not where a tool sets it later', 's+x r=x a?x b', 's>r r>a r>b', []],
    ['where it is captured after that', 's r=x t+x a?x b', 's>r r>t t>a t>b', ['s > a: x']],
    ['to a global node', 's+x a b+x g!?x', 's>a s>b', ['s > a: x', 's > g: x', 'b > g: x']],
    [
      'on a ladder',
      ladder('zero one+ two three?'),
      ladder('zero>one zero>two one>three two>three'),
      ['one0 > three0: v0', 'one1 > three1: v1'],
    ],
    ['where a walk may miss it', 's t+x u a?x b', 's>t s>u t>u u>a u>b', ['t > u: x']],
  ])('%s', (_, nodes, edges, expected) => {
    expect(crossings(net(nodes, edges))).toEqual(expected);
  });

  it('for a condition of another assistant, not for one of its own', () => {
    const nodes = { s: captures('x', 'y'), a: 'A', b: 'B', c: 'C', d: 'D' };
    const edges = 's > a: if {{y}} fits | s > b: 2 | a > c: if {{x}} fits | a > d: 4';
    expect(crossings(flow(nodes, edges))).toEqual(['s > a: x']);
  });
});

/** Three blocks; what one captures in a block is read where the next begins. */
function ladder(block: string): string {
  const blocks = [0, 1, 2].map((at) => {
    const own = block
      .replace('+', `+v${at}`)
      .replace('three?', at > 0 ? `three?v${at - 1}` : 'three');
    return own.replaceAll(/(zero|one|two|three)/g, `$1${at}`);
  });
  const links = ['three0>zero1', 'three1>zero2'];
  return (block.includes('>') ? [...blocks, ...links] : blocks).join(' ');
}

describe('a plan', () => {
  /** Two captures of x that can both be the latest where the assistant is left. */
  const planOf = (one: object, other: object) => {
    const t = { extractVariables: [variable('x', one)] };
    const u = { extractVariables: [variable('x', other)] };
    const inside = 's > t: 1 | s > u: 2 | t > w | u > w | w > t: again | w > u: more';
    const workflow = flow(
      { s: 'S', t, u, w: 'W', a: 'A {{x}}', b: 'B' },
      `${inside} | w > a: 3 | w > b: 4`,
    );
    const result = compiled(workflow, {
      answers: { policies: { 'cyclic-stages': 'consolidate' } },
    });
    const { x } = destinationsOf(result)[0].variableExtractionPlan.schema.properties;
    return [x, codesOf(result, 'data/type-conflict').length];
  };
  const [p, q] = [{ description: 'p' }, { description: 'q' }];
  const [some, more] = [{ enum: ['p', 'q'] }, { enum: ['q', 'r'] }];

  it.each([
    ['says what a capture says', {}, {}, {}, 0],
    ['joins descriptions', p, q, { description: 'p; or q' }, 0],
    ['is a text where types differ', { type: 'number' }, { type: 'boolean' }, {}, 1],
    ['allows the choices of all', some, more, { enum: ['p', 'q', 'r'] }, 0],
    ['allows any where one does', some, {}, {}, 0],
  ])('%s', (_, one, other, property, conflicts) => {
    const whole = { type: 'string', description: 'the x', ...property };
    expect(planOf(one, other)).toEqual([whole, conflicts]);
  });
});

describe('an alias', () => {
  /** An export of the platform: what each node finds out, what it derives, and its prompt. */
  const exported = (
    nodes: Record<string, [found: string[], aliases: object, prompt: string]>,
    edges: string,
  ) => ({
    name: 'W',
    nodes: Object.entries(nodes).map(([name, [found, aliases, prompt]], at) => {
      const properties = Object.fromEntries(found.map((it) => [it, { type: 'string' }]));
      const list = Object.entries(aliases).map(([key, value]) => ({ key, value }));
      const plan = {
        schema: { type: 'object', properties },
        ...(list.length > 0 ? { aliases: list } : {}),
      };
      return {
        name,
        type: 'conversation',
        isStart: at === 0,
        prompt,
        variableExtractionPlan: plan,
      };
    }),
    edges: edges.split(' | ').map((edge) => {
      const [from, to] = edge.split(' > ');
      return { from, to, condition: { type: 'ai', prompt: `${from} is done with ${to}` } };
    }),
  });
  const full = { full: '{{first}} {{last}}' };

  it('crosses with what it reads, which stands before it, and is not derived in the prompt', () => {
    const aliases = { greeting: 'Hi {{full}}', ...full };
    const workflow = exported(
      { s: [['first', 'last'], aliases, 'S'], a: [[], {}, '{{greeting}}'], b: [[], {}, 'B'] },
      's > a | s > b',
    );
    expect(crossings(workflow)).toEqual(['s > a: first,last=full=greeting']);
    const derived = '- derive full as {% raw %}{{first}} {{last}}{% endraw %}\n';
    expect(promptOf(compiled(workflow))).toContain(derived);
  });

  it.each([
    ['{{full}}', ['s > a: first', 'a > c: last=full']],
    ['C', []],
  ])('makes those before it carry what it reads, where it crosses: %s', (prompt, expected) => {
    const ends: [string[], object, string] = [[], {}, 'End'];
    const nodes = {
      s: [['first'], {}, 'S'],
      a: [['last'], full, 'A'],
      b: ends,
      c: [[], {}, prompt],
      d: ends,
    };
    expect(crossings(exported(nodes as never, 's > a | s > b | a > c | a > d'))).toEqual(expected);
  });

  it('is warned about where its own assistant reads it', () => {
    const result = compiled(
      exported({ s: [['first'], { it: '{{first}}!' }, 'S'], t: [[], {}, 'T {{it}}'] }, 's > t'),
    );
    expect(codesOf(result, 'data/alias')).toEqual(['data/alias-read-early /nodes/1']);
  });
});
