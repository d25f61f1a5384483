/** Which nodes become one assistant, in which order, by which rule; the laws compare this with a reference. */
import { describe, expect, it } from 'vitest';
import { type CompileOptions, compile, emit } from '../../src/index.js';
import {
  answer,
  captures,
  exported,
  type Fields,
  request,
  says,
  sketch,
} from '../compiler/build.js';

interface Region {
  readonly nodes: readonly string[];
  readonly merges: readonly { rule: string; nodes: readonly string[] }[];
}

function regionsOf(workflow: unknown, options: CompileOptions = {}): readonly Region[] {
  return (emit(workflow, options, 'regions').document as { regions: Region[] }).regions;
}

/** The nodes of each assistant, its first node first: `a b | c`. */
function grouped(workflow: unknown, options?: CompileOptions): string {
  const regions = regionsOf(workflow, options);
  return regions.map(({ nodes }) => nodes.join(' ')).join(' | ');
}

type Row = readonly [string, string, string, Readonly<Record<string, object>>?, CompileOptions?];

/** A name, edges, the expected assistants, fields of some nodes, and options. */
function table(rows: readonly Row[], shared: CompileOptions = {}): void {
  it.each(rows.map((row) => ({ what: row[0], row })))('$what', ({ row }) => {
    const [, edges, expected, more = {}, options = {}] = row;
    expect(grouped(sketch(edges, more), { ...shared, ...options })).toBe(expected);
  });
}

const same = says('The same.');
const voice = (voiceId: string) => ({ voice: { provider: 'p', voiceId } });
const branches = 'a > b: 1 | a > c: 2';

describe('grouping', () => {
  const twins = { b: same, c: same };
  const edges = 'a > b | b > t | t > c | c > d | d > b: again | d > e: done';
  const { id } = compile(sketch(edges)).questions[0]!;
  const group = (...value: string[][]) => answer(id, 'group', value);
  const apart = answer(id, 'keep-split');
  const tools = 's > a | a > t1: 1 | t1 > b | b > a: 2 | a > c: 3 | c > t2 | t2 > a';
  const ofTools = answer(compile(sketch(tools)).questions[0]!.id, 'group', [['t1', 't2']]);
  table([
    [
      'merges equal nodes with equal continuations',
      `${branches} | b > d | c > e`,
      'a | b d | c e',
      twins,
    ],
    [
      'keeps equal nodes with different continuations apart',
      `${branches} | b > x: 3 | c > x: 4`,
      'a | b | c',
      twins,
    ],
    [
      'merges equal nodes that could be the start',
      'b > c: 1 | b > x: 2 | c > c: 1 | c > x: 2',
      'b c',
      twins,
    ],
    ['keeps equal global nodes apart', 'a > g1 | g2', 'a | g1 | g2', { g1: same, g2: same }],
    [
      'keeps nodes apart that differ in a text or a setting',
      `${branches} | a > d: 3`,
      'a | b | c | d',
      { b: { ...same, firstMessage: 'Hi.' }, c: { ...same, ...voice('1') }, d: same },
    ],
    [
      'follows an answer about a cycle with a tool',
      edges,
      'a | b t c | d | e',
      {},
      group(['b', 't', 'c'], ['d']),
    ],
    [
      'keeps a cycle split with any boundary',
      edges,
      'a | b t | c | d e',
      {},
      { ...apart, boundary: 'tools' },
    ],
    ['does not make a stage of a group of tools', tools, 's | a t1 | c t2 | b', {}, ofTools],
    [
      'copies tools around a stage that reads too early',
      'a > b | b > t1 | t1 > c | c > t2 | t2 > t1',
      'a b t1 | c t1 t2',
      { a: captures('v'), c: says('For {{v | upcase}}.') },
      answer('read-too-early:c', 'keep-split'),
    ],
    [
      'gives tools at the start to their only successor',
      't > a | a > b: 1 | a > c: 2 | g > a',
      't a | b | c | g',
    ],
  ]);

  it('records each merge with its rule, the first of equal nodes in walk order', () => {
    const edges = `${branches} | b > d: 3 | c > d: 3 | d > c: 4`;
    const [first, ...others] = regionsOf(sketch(edges, twins));
    expect(others).toEqual([]);
    expect(first!.merges.map(({ rule, nodes }) => [rule, ...nodes].join(' '))).toEqual([
      'equal-nodes b c',
      'component b d',
      'chain a b d',
    ]);
  });
});

describe('settings', () => {
  const one = { a: voice('1') };
  const two = { ...one, b: voice('2') };
  const asked = (workflow: object, options?: CompileOptions) =>
    compile(workflow, options).questions.map(({ kind, at }) => [kind, ...at].join(' '));

  it('raise a question if they differ within one assistant', () => {
    const question = 'conflicting-settings /nodes/0 /nodes/1 /nodes/2';
    expect(asked(sketch('a > b | b > c', two))).toEqual([question]);
    expect(asked(sketch(branches, two))).toEqual([]);
    expect(asked(sketch('a > b', two), { memberOverrides: voice('3') })).toEqual([]);
    expect(asked(sketch('a > t', { ...one, t: voice('2') }))).toEqual([]);
    // A node without settings has those of the workflow.
    expect(asked(sketch('a > b', one))).toHaveLength(1);
    expect(asked({ ...sketch('a > b', one), ...voice('1') })).toEqual([]);
  });

  const parts = { ...one, b: voice('1'), c: voice('2'), d: voice('2'), e: voice('1') };
  table(
    [
      [
        'split the assistant at edges whose ends differ',
        'a > b | b > c | c > d | d > e',
        'a b | c d | e',
        parts,
      ],
      ['split the assistant across tools', 'a > t | t > b', 'a t | b', two],
    ],
    { answers: { policies: { 'conflicting-settings': 'keep-split' } } },
  );
});

describe('a node that only says a line', () => {
  const line = (settings: Fields) => ({
    prompt: null,
    messagePlan: { firstMessage: 'Hi.' },
    ...settings,
  });
  const small = { model: { provider: 'openai', model: 'gpt-4o-mini' } };
  const usual = { model: { provider: 'openai', model: 'gpt-4o' } };
  const edges = 's > a: 1 | s > b: 2 | a > c | b > c';

  it.each<[string, string, Fields, Fields, Fields]>([
    ['the settings of all nodes', 's a | b | c', small, small, {}],
    ['the settings of the workflow', 's a | b | c', small, {}, small],
    ['the default settings', 's a | b | c', usual, {}, {}],
    ['other settings', 's | a | b | c', small, {}, {}],
  ])('becomes an assistant only if its settings differ: %s', (_, expected, own, others, more) => {
    const nodes = { s: others, a: line(own), b: others, c: others };
    const workflow = exported(nodes, edges, more);
    expect(grouped(workflow, { target: 'vapi' })).toBe(expected);
  });
});

describe('a node that is already an assistant', () => {
  const messages = [{ role: 'system', content: 'Help.' }];
  const model = { provider: 'openai', model: 'gpt-4o', messages };
  const inline = { type: 'assistant', assistant: { model }, prompt: null };
  const saved = (assistantId: string) => ({ type: 'assistant', assistantId, prompt: null });
  const tool = { ...request(), prompt: null };

  it.each<[string, string, string, Fields]>([
    ['stays one', 'a > b | b > r | r > c | c > d', 'a b | r | c d', { r: inline }],
    ['is equal to none', 'a > r: 1 | a > s: 2', 'a | r | s', { r: inline, s: inline }],
    [
      'is equal to the same saved assistant',
      'a > r: 1 | a > s: 2',
      'a | r',
      { r: saved('1'), s: saved('1') },
    ],
    [
      'is not equal to another saved assistant',
      'a > r: 1 | a > s: 2',
      'a | r | s',
      { r: saved('1'), s: saved('2') },
    ],
    ['is no part of a cycle', 'a > r | r > a: 1 | r > b: 2', 'a | r | b', { r: inline }],
    ['takes over tools', 'a > b: 1 | a > t: 2 | t > r | r > u', 'a | b | t r u', { r: inline }],
    [
      'leaves tools to others if it is saved',
      'a > b: 1 | a > t: 2 | t > r | r > u | u > c',
      'a t | b | r | u c',
      { r: saved('1') },
    ],
    ['leaves a tool at the start alone if it is saved', 't > r', 't | r', { r: saved('1') }],
  ])('%s: %s', (_, edges, expected, more) => {
    const ids = [...new Set(edges.replaceAll(/: \d+|[>|]/g, '').split(/ +/))];
    const nodes = ids.map((id) => [id, more[id] ?? (/[tu]/.test(id) ? tool : {})] as const);
    const workflow = exported(Object.fromEntries(nodes) as Record<string, object>, edges);
    expect(grouped(workflow, { target: 'vapi' })).toBe(expected);
  });
});
