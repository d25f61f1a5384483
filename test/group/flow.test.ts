/** Findings about the graph, and about reads that no definition reaches, or not on every walk. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../src/index.js';
import {
  answer,
  captures,
  compile,
  request,
  says,
  sketch,
  tableOf,
  told,
  withRoles,
} from '../compiler/build.js';
import { runs, seed } from '../seed.js';

const roles = {
  sets: captures('v'),
  'sets-two': captures('v', 'w'),
  'sets-time': captures('time'),
  reads: says('Say {{v}}.'),
  'reads-time': says('At {{time}}.'),
  'reads-paths': says('{{v.street}} {{v}} {{v[0]}}'),
  responds: { responseVariables: [{ name: 'v', path: 'v' }] },
  decides: { condition: '{{v}}!' },
  calls: request({ isGlobal: true, condition: 'asks for it' }),
};

/** Rows of `what || edges || findings || roles of nodes`. */
function table(text: string, find: (workflow: object) => string[]): void {
  it.each(tableOf(text))('%s', (_, edges = '', expected = '', given = '') => {
    expect(find(sketch(edges, withRoles(given, roles))).join(', ')).toBe(expected);
  });
}

const found = (prefix: string, options?: CompileOptions) => (workflow: object) =>
  told(compile(workflow, options), prefix);

describe('the findings about a graph include', () => {
  table(
    `
    nothing about a plain workflow || a > b: 1 | a > c: 2 | b > x ||
    nodes that no call reaches || a > b | c > d | d > c || flow/unreachable /nodes/2, flow/unreachable /nodes/3
    an edge out of an exit || a > x | x > a || flow/edge-out-of-exit /edges/1
    a copy of an edge || a > b: 1 | a > b: 1 || flow/copied-edge /edges/1 /edges/0
    no copied edges of unreachable nodes || a | c > d: 1 | d > c: 1 | d > c: 1 || flow/unreachable /nodes/1, flow/unreachable /nodes/2
    walks that never end || a > b: 1 | a > d: 2 | b > c | c > b || flow/endless /nodes/1 /nodes/3
    no walks that a global node can end || a > b | b > c | c > b | g > x ||
    walks that a global node cannot end || a > b | b > c | c > b | g > b || flow/endless /nodes/0 /nodes/1 /nodes/2 /nodes/3
    two edges with the same condition || a > b: 1 | a > c: 1 | a > d | b > c: 1 || flow/same-condition /edges/1 /edges/0
    two edges without a condition || a > b | a > c || flow/same-condition /edges/1 /edges/0
    `,
    found('flow/'),
  );

  it('no unreachable nodes while the start is unknown', () => {
    const workflow = sketch('a > c | b > c');
    expect(found('flow/unreachable')(workflow)).toEqual([]);
    expect(found('flow/unreachable')(sketch('a | b'))).toEqual([]);
    const start = answer('ambiguous-start:workflow', 'node', 'b');
    expect(found('flow/unreachable', start)(workflow)).toEqual(['flow/unreachable /nodes/0']);
  });
});

describe('a call that can come back from a global node', () => {
  table(
    `
    is asked about || a > b: 1 | a > c: 2 | g > b: 3 | g > c: 4 || g at /nodes/3 /nodes/1 /nodes/2
    is not asked about if nothing follows the node || a | g1 | g2 ||
    is asked about if an edge leads to the global node || a > b: 1 | a > g: 2 | g > b || g at /nodes/2 /nodes/1
    is not asked about if every assistant has the tool || a > b: 1 | a > c: 2 | g > b || || g calls
    `,
    (workflow) => {
      const returning = compile(workflow).questions.filter(({ kind }) => kind === 'global-returns');
      return returning.map(({ id, at }) => `${id.split(':')[1]} at ${at.join(' ')}`);
    },
  );
});

describe('the findings about variables include', () => {
  table(
    `
    a capture with a built-in’s name || a > b || data/shadows-builtin /nodes/0/extractVariables/0 || a sets-time, b reads-time
    a capture that nothing reads || a > b: for {{v}} | a > c: 2 || data/unused-capture /nodes/0/extractVariables/1 || a sets-two
    no capture that a global condition reads || a | g || || a sets, g decides
    paths into a string || a > b | b > c: in {{v.city}} || data/path-into-scalar /nodes/1/systemPrompt, data/path-into-scalar /edges/1/condition || a sets, b reads-paths
    a response that stays if the capture fails || a > t | t > b | b > c: for {{v}} | b > d: to {{v}} || data/literal-secret /nodes/1/headers/Authorization, data/mixed-source /nodes/2/extractVariables/0 || t responds, b sets, c reads
    no paths into a response || t > b || data/literal-secret /nodes/0/headers/Authorization || t responds, b reads-paths sets
    `,
    found('data/'),
  );
});

/** The findings about the variable v: the places of the question, and the walks on which v is unset. */
function said(workflow: object): string[] {
  const { questions, diagnostics } = compile(workflow);
  return [
    ...questions
      .filter(({ id }) => id === 'undefined-variable:v')
      .map(({ at }) => `ask ${at.join(' ')}`),
    ...diagnostics
      .filter(({ code }) => code === 'data/maybe-unset')
      .map(({ message }) => message.replace(/^.*: (.*)\.$/, '$1').replaceAll(/[“”]/g, '')),
  ];
}

describe('a read of a variable that may be unset', () => {
  table(
    `
    on some walks || a > b: 1 | a > c: 2 | b > d | c > d || a → c → d || b sets, d reads
    by the nearest of several reads || a > b: 1 | a > c: 2 | b > d | c > d | d > e || a → c → d || b sets, d reads, e reads
    in a cycle || a > b | b > c: 1 | c > b: 2 || a → b || b reads, c sets
    in a longer cycle || a > b | b > c | c > d | d > b || a → b || b reads, c sets
    in a condition || a > b: for {{v}} || ask /edges/0/condition
    not in a condition after a response || t > b: for {{v}} || || t responds
    at a global node || a > b | g || a → g || b sets, g reads
    at the end of a long walk || a > b | b > c | c > d | d > e | e > f | f > h: 1 | h > i | f > i: 2 | i > j | j > k | k > l || a → b → c → d → … → j → k → l || h sets, l reads
    `,
    said,
  );

  it('is not reported if the variable is supplied or built in', () => {
    const workflow = sketch('a > b', { b: says('{{v}} at {{now}}') });
    expect(found('data/', { dynamicVariables: ['v'] })(workflow)).toEqual([]);
  });

  const count = 5;
  const ends = fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 10 });
  const mark = fc.constantFrom(
    '',
    'sets',
    'reads',
    'tool',
    'global',
    'global reads',
    'global tool',
  );
  const marks = fc.array(mark, { minLength: count, maxLength: count });

  it('is reported exactly if a walk through the graph does not find it set', () => {
    const check = (arcs: readonly (readonly [number, number])[], marked: readonly string[]) => {
      // A tool reads the variable and then sets it.
      const tool = request({ url: 'https://api.example.com/{{v}}', ...roles.responds });
      const nodes = ['s', ...marked.keys()].map((id, at) => ({
        id: `${id}`,
        type: 'conversation',
        ...(marked[at - 1]?.includes('reads') ? roles.reads : says('Go on.')),
        ...(marked[at - 1] === 'sets' ? roles.sets : {}),
        ...(marked[at - 1]?.includes('tool') ? tool : {}),
        ...(marked[at - 1]?.includes('global') ? { isGlobal: true, condition: `asks ${id}` } : {}),
      }));
      const edges = [['s', 0] as const, ...arcs].map(([from, to]) => {
        return { from: `${from}`, to: `${to}` };
      });
      const globals = nodes.filter((node) => 'isGlobal' in node).map((node) => node.id);
      const seen = new Set(['s unset']);
      for (const state of seen) {
        const [id, before] = state.split(' ') as [string, string];
        const after = /sets|tool/.test(marked[Number(id)] ?? '') ? 'set' : before;
        const next = edges.filter(({ from }) => from === id).map(({ to }) => to);
        const others = globals.filter((to) => to !== id);
        for (const to of [...next, ...others]) seen.add(`${to} ${after}`);
      }
      const readers = nodes.filter(({ id }) => /reads|tool/.test(marked[Number(id)] ?? ''));
      const where = (set: boolean, unset: boolean) =>
        readers.flatMap(({ id }) => {
          const fits = seen.has(`${id} set`) === set && seen.has(`${id} unset`) === unset;
          return fits ? `/nodes/${Number(id) + 1}` : [];
        });
      const { questions, diagnostics } = compile({ name: 'x', nodes, edges });
      const asked = questions.find(({ id }) => id === 'undefined-variable:v');
      const places = asked?.at.map((at) => at.split('/').slice(0, 3).join('/')) ?? [];
      const never = where(false, true);
      expect(places.sort()).toEqual(never);
      const warning = diagnostics.find(({ code }) => code === 'data/maybe-unset');
      const maybe = warning === undefined ? [] : [warning.at, ...warning.related];
      expect(maybe.sort()).toEqual(never.length > 0 ? [] : where(true, true));
    };
    fc.assert(fc.property(ends, marks, check), { seed, numRuns: runs(150) });
  });
});
