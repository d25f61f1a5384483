/** Which nodes become one assistant, in which order, by which rule; the laws compare this with a reference. */
import { describe, expect, it } from 'vitest';
import type { Answers, CompileOptions } from '../../src/index.js';
import { emit } from '../../src/report/representations.js';
import { settle } from '../../src/testing.js';
import {
  answer,
  captures,
  compile,
  compiled,
  exported,
  type Fields,
  request,
  says,
  sketch,
  tableOf,
  verify,
  withRoles,
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

const voice = (voiceId: string) => ({ voice: { provider: 'p', voiceId } });
const branches = 'a > b: 1 | a > c: 2';
const roles = {
  same: says('The same.'),
  greets: { firstMessage: 'Hi.' },
  one: voice('1'),
  two: voice('2'),
  sets: captures('v'),
  filters: says('For {{v | upcase}}.'),
};

/** Rows of `what || edges || assistants || roles of nodes || the name of options`. */
function table(text: string, options: Readonly<Record<string, CompileOptions>> = {}): void {
  it.each(tableOf(text))('%s', (_, edges = '', expected, given = '', named = 'usual') => {
    expect(grouped(sketch(edges, withRoles(given, roles)), options[named])).toBe(expected);
  });
}

describe('grouping', () => {
  const cycle = 'a > b | b > t | t > c | c > d | d > b: again | d > e: done';
  const tools = 's > a | a > t1: 1 | t1 > b | b > a: 2 | a > c: 3 | c > t2 | t2 > a';
  const ask = (edges: string) => compile(sketch(edges)).questions[0]!.id;
  const group = (edges: string, ...value: string[][]) => answer(ask(edges), 'group', value);
  table(
    `
    merges equal nodes with equal continuations || a > b: 1 | a > c: 2 | a > d: 3 | b > x | c > x || a | b | d || b same, c same
    keeps equal nodes with different continuations apart || a > b: 1 | a > c: 2 | b > x: 3 | c > x: 4 || a | b | c || b same, c same
    merges equal nodes that could be the start || b > c: 1 | b > x: 2 | c > c: 1 | c > x: 2 || b c || b same, c same
    keeps equal global nodes apart || a > g1 | g2 || a | g1 | g2 || g1 same, g2 same
    keeps nodes apart that differ in a text or a setting || a > b: 1 | a > c: 2 | a > d: 3 || a | b | c | d || b same greets, c same one, d same
    follows an answer about a cycle with a tool || ${cycle} || a | b t c | d | e || || grouped
    keeps a cycle split with any boundary || ${cycle} || a | b t | c | d e || || apart
    does not make a stage of a group of tools || ${tools} || s | a t1 | c t2 | b || || ofTools
    copies tools around a stage that reads too early || a > b | b > t1 | t1 > c | c > t2 | t2 > t1 || a b t1 | c t1 t2 || a sets, c filters || early
    gives tools at the start to their only successor || t > a | a > b: 1 | a > c: 2 | g > a || t a | b | c | g
    `,
    {
      grouped: group(cycle, ['b', 't', 'c'], ['d']),
      apart: { ...answer(ask(cycle), 'keep-split'), boundary: 'tools' },
      ofTools: group(tools, ['t1', 't2']),
      early: answer('read-too-early:c', 'keep-split'),
    },
  );

  it('records each merge with its rule, the first of equal nodes in walk order', () => {
    const edges = `${branches} | b > d: 3 | c > d: 3 | d > c: 4`;
    const [first, ...others] = regionsOf(sketch(edges, { b: roles.same, c: roles.same }));
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
    // A node without settings has those of the workflow, or is no side.
    expect(asked(sketch('a > b', one))).toEqual([]);
    expect(asked({ ...sketch('a > b', one), ...voice('2') })).toHaveLength(1);
    expect(asked({ ...sketch('a > b', one), ...voice('1') })).toEqual([]);
  });

  describe('where a call returns from a global node', () => {
    const returning = sketch('s > a | a > b | g > a', { ...two, s: voice('1'), g: voice('3') });
    const answered = (policies: Answers['policies']) =>
      asked(returning, { answers: { policies } as Answers });

    it('raise a question about the assistants after the answer about the node', () => {
      expect(answered({})).toEqual([
        'global-returns /nodes/3 /nodes/1',
        'conflicting-settings /nodes/1 /nodes/2',
      ]);
      expect(answered({ 'global-returns': 'consolidate' })).toEqual([
        'conflicting-settings /nodes/3 /nodes/1 /nodes/2',
      ]);
    });

    it('split an assistant without a second question about the node', () => {
      expect(answered({ 'conflicting-settings': 'keep-split' })).toEqual([
        'global-returns /nodes/3 /nodes/1',
      ]);
    });

    it.each(['first', 'keep-split'])('are verified after the answers: %s', (choice) => {
      for (const joined of ['consolidate', 'keep-split']) {
        const policies = { 'global-returns': joined, 'conflicting-settings': choice };
        const options = { answers: { policies } as Answers };
        const { output } = compiled(returning, options);
        expect(verify(returning, output, options).holds).toBe(true);
      }
    });
  });

  it('are those of the last answer, if an assistant is asked about again after a split', () => {
    const last = { ...says('{% if x %}Yes.{% endif %}'), ...voice('2') };
    const nodes = { a: { ...captures('x'), ...voice('1') }, b: voice('2'), c: last };
    const { result, asked: all } = settle(sketch('a > b | b > c', nodes), {}, ({ kind, at }) => {
      if (kind === 'read-too-early') return { choice: 'keep-split' };
      return at.length > 2 ? { choice: 'use', value: 'b' } : { choice: 'first' };
    });
    const conflicts = all.filter(({ kind }) => kind === 'conflicting-settings');
    expect([all.length, conflicts.length]).toEqual([3, 2]);
    const { members } = result.output!['squad'] as { members: { assistant: Fields }[] };
    expect(members.map(({ assistant }) => assistant['voice'])).toEqual([
      voice('1').voice,
      voice('2').voice,
    ]);
  });

  table(
    `
    split the assistant at edges whose ends differ || a > b | b > c | c > d | d > e || a b | c d | e || a one, b one, c two, d two, e one
    split the assistant across tools || a > t | t > b || a t | b || a one, b two
    `,
    { usual: { answers: { policies: { 'conflicting-settings': 'keep-split' } } } },
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
  const kinds = { inline, saved: saved('1'), another: saved('2') };
  const tool = { ...request(), prompt: null };

  it.each(
    tableOf(`
    stays one || a > b | b > r | r > c | c > d || a b | r | c d || r inline
    is equal to none || a > r: 1 | a > s: 2 || a | r | s || r inline, s inline
    is equal to the same saved assistant || a > r: 1 | a > s: 2 || a | r || r saved, s saved
    is not equal to another saved assistant || a > r: 1 | a > s: 2 || a | r | s || r saved, s another
    is no part of a cycle || a > r | r > a: 1 | r > b: 2 || a | r | b || r inline
    takes over tools || a > b: 1 | a > t: 2 | t > r | r > u || a | b | t r u || r inline
    leaves tools to others if it is saved || a > b: 1 | a > t: 2 | t > r | r > u | u > c || a t | b | r | u c || r saved
    leaves a tool at the start alone if it is saved || t > r || t | r || r saved
    `),
  )('%s', (_, edges = '', expected, given = '') => {
    const more = withRoles(given, kinds);
    const ids = [...new Set(edges.replaceAll(/: \d+|[>|]/g, '').split(/ +/))];
    const nodes = ids.map((id) => [id, more[id] ?? (/[tu]/.test(id) ? tool : {})] as const);
    const workflow = exported(Object.fromEntries(nodes), edges);
    expect(grouped(workflow, { target: 'vapi' })).toBe(expected);
  });
});
