/** Which handoffs there are, when they are made, how they are put together, and what crosses. */
import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../src/index.js';
import {
  type Any,
  captures,
  compiled,
  crossings,
  destinationsOf,
  flow,
  request,
  says,
  told,
  toolsOf,
  variable,
} from '../compiler/build.js';

const asks = { isGlobal: true, condition: 'the caller asks' };
const branches = flow(
  { s: 'S', a: 'A', b: 'B', g: { ...asks, systemPrompt: 'G' } },
  's > a: x | s > b: y',
);
const namesOf = ({ destinations }: Any) => destinations.map((it: Any) => it.assistantName).join();
const described = (result: Any, index = 0) =>
  destinationsOf(result, index).map((it) => `${it.assistantName}: ${it.description}`);

describe('the description of a handoff', () => {
  it.each([
    ['is its condition', [], 's > a: x', ['a: x', 'b: last']],
    [
      'says what was collected',
      ['p', 'q', 'r'],
      's > a | s > a: x',
      ['a: otherwise, after collecting p, q and r; or x', 'b: last'],
    ],
    [
      'or that all is done',
      [],
      's > a | s > b',
      ['a: otherwise, when done with s', 'b: otherwise, when done with s; or last'],
    ],
    ['holds each condition once', [], 's > a: x | s > a: z | s > a: x', ['a: x; or z', 'b: last']],
  ])('%s', (_, names, edges, expected) => {
    const s = names.length === 0 ? 'S' : captures(...names);
    const result = compiled(flow({ s, a: 'A', b: 'B' }, `${edges} | s > b: last`));
    expect(described(result)).toEqual(expected);
  });

  it('to a global node is its condition, from every other assistant', () => {
    const result = compiled(branches);
    const to = 'g: the caller asks';
    expect([0, 1, 2, 3].map((index) => described(result, index))).toEqual([
      ...[['a: x', 'b: y', to], [to], [to], []],
    ]);
  });
});

describe('the tools of handoffs', () => {
  const claude = { model: { provider: 'anthropic', model: 'claude-sonnet-4-6' } };

  it.each<[string, CompileOptions, string[]]>([
    ['one for each node and one for the globals', { handoffTools: 'grouped' }, ['a,b', 'g']],
    ['one each', { handoffTools: 'separate' }, ['a', 'b', 'g']],
    ['as the model family likes it: one each', { handoffTools: 'auto' }, ['a', 'b', 'g']],
    ['as the model family likes it: together', { handoffTools: 'auto', ...claude }, ['a,b', 'g']],
  ])('are %s', (_, options, expected) => {
    expect(toolsOf(compiled(branches, options)).map(namesOf)).toEqual(expected);
  });

  it('have functions in target vapi, are silent, and carry the context that is asked for', () => {
    const context = { type: 'lastNMessages', maxMessages: 4 } as const;
    const options = { target: 'vapi', handoffTools: 'grouped', context } as const;
    const [first] = toolsOf(compiled(branches, options));
    expect(Object.keys(first)).toEqual(['type', 'destinations', 'function', 'messages']);
    expect([first.function.name, first.messages]).toEqual(['handoff_to_a_or_b', []]);
    expect(first.destinations[0].contextEngineeringPlan).toEqual(context);
  });
});

describe('arguments of handoffs', () => {
  const readers = { a: 'A {{p}} {{destination}}', b: 'B {{q}}', c: 'C {{p}}', d: 'D' };
  const edges = 's > a: 1 | s > b: 2 | s > c: 3 | s > d: 4';
  const workflow = flow({ s: captures('p', 'q', 'destination'), ...readers }, edges);
  const result = compiled(workflow, { target: 'vapi', pass: 'arguments', handoffTools: 'grouped' });

  it('are required, and the tools whose arguments differ stay apart', () => {
    const tools = toolsOf(result);
    const parameters = tools.map((tool) => tool.function.parameters);
    expect(tools.map(namesOf)).toEqual(['a,c', 'b', 'd']);
    expect(parameters.map((it) => it?.required.join())).toEqual([
      'destination,p',
      'destination,q',
      undefined,
    ]);
    const p = { type: 'string', description: 'the p' };
    expect(parameters[0].properties).toEqual({
      destination: { type: 'string', enum: ['a', 'c'] },
      p,
    });
  });

  it('leave to the plan what cannot be an argument', () => {
    const [first, second] = destinationsOf(result);
    expect(first.variableExtractionPlan.schema.required).toEqual(['destination']);
    expect(second.variableExtractionPlan).toBeUndefined();
  });
});

/**
 * A workflow of small nodes: `s+x` captures x, `a?x` reads it, `r=x` is a request that sets it, and
 * `g!` is global; of edges that all have a condition.
 */
function net(nodes: string, edges: string): object {
  const made = nodes.split(' ').map((text) => {
    const [id = ''] = /^\w+/.exec(text)!;
    const named = (mark: string) =>
      [...text.matchAll(RegExp(`\\${mark}(\\w+)`, 'g'))].map(([, it]) => it!);
    const [sets] = named('=').map((name) => ({ responseVariables: [{ name, path: 'a.b' }] }));
    const reading = named('?').map((name) => `{{${name}}}`);
    const global = text.includes('!') ? { isGlobal: true, condition: `asks for ${id}` } : {};
    const talk = says([`Do ${id}.`, ...reading].join(' '));
    return [id, sets ? request(sets) : { ...talk, ...captures(...named('+')), ...global }] as const;
  });
  const arrows = edges.split(' ').map((it) => it.replace(/(\w+)>(\w+)/, '$1 > $2: $1 to $2'));
  return flow(Object.fromEntries(made), arrows.join(' | '));
}

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

describe('a variable crosses', () => {
  it.each<[string, string, string, string[]]>([
    ['to those that read it', 's+x a?x b', 's>a s>b', ['s > a: x']],
    ['through those that do not', 's+x a b c?x d', 's>a s>b a>c a>d', ['s > a: x']],
    ['to where walks meet again', 's+x a b c?x', 's>a s>b a>c b>c', ['s > a: x', 's > b: x']],
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
    const answers = { policies: { 'critical-variable': 'best-effort' } };
    expect(crossings(compiled(net(nodes, edges), { answers }))).toEqual(expected);
  });

  it('for a condition of another assistant, not for one of its own', () => {
    const nodes = { s: captures('x', 'y'), a: 'A', b: 'B', c: 'C', d: 'D' };
    const edges = 's > a: if {{y}} fits | s > b: 2 | a > c: if {{x}} fits | a > d: 4';
    expect(crossings(compiled(flow(nodes, edges)))).toEqual(['s > a: x']);
  });
});

describe('a plan', () => {
  /** Two captures of x that can both be the latest where the assistant is left. */
  const planOf = (one: object, other: object) => {
    const [t, u] = [one, other].map((it) => ({ extractVariables: [variable('x', { ...it })] }));
    const inside = 's > t: 1 | s > u: 2 | t > w | u > w | w > t: again | w > u: more';
    const nodes = { s: 'S', t: t!, u: u!, w: 'W', a: 'A {{x}}', b: 'B' };
    const policies = { 'cyclic-stages': 'consolidate' };
    const result = compiled(flow(nodes, `${inside} | w > a: 3 | w > b: 4`), {
      answers: { policies },
    });
    const { x } = destinationsOf(result)[0].variableExtractionPlan.schema.properties;
    return [x, told(result, 'data/type-conflict').length];
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
