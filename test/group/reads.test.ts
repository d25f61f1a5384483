/** Reads that no definition reaches, reads that a walk comes to before any, and where a variable is live. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../src/index.js';
import { captures, flow, says, warned } from './flows.js';

const reads = says('Say {{v}}.');
const sets = captures('v');
/** A tool that reads the variable and then sets it. */
const tool = {
  type: 'apiRequest',
  url: 'https://api.example.com/{{v}}',
  method: 'GET',
  headers: { Authorization: 'Bearer sample' },
  responseVariables: [{ name: 'v', path: 'v' }],
};

/** What is said of the variable v: the question's places, the warnings' places and walks. */
function said(workflow: object): string[] {
  const { questions, diagnostics } = compile(workflow, { target: 'squad' });
  return [
    ...questions
      .filter(({ id }) => id === 'undefined-variable:v')
      .map(({ at }) => `ask ${at.join(' ')}`),
    ...diagnostics
      .filter(({ code }) => code === 'data/maybe-unset')
      .map(({ message }) => message.replace(/^.*: (.*)\.$/, '$1').replaceAll(/[“”]/g, '')),
  ];
}

describe('a read', () => {
  type Row = readonly [string, string, readonly string[], Parameters<typeof flow>[1]];
  const rows: readonly Row[] = [
    ['behind its capture', 'a > b, b > c', [], { a: sets, c: reads }],
    ['of nothing', 'a > b', ['ask /nodes/1/systemPrompt'], { b: reads }],
    ['before its capture', 'a > b, b > c', ['ask /nodes/1/systemPrompt'], { b: reads, c: sets }],
    [
      'on another branch',
      'a > b: 1, a > c: 2',
      ['ask /nodes/2/systemPrompt'],
      { b: sets, c: reads },
    ],
    ['where it is captured', 'a > b', [], { b: { ...reads, ...sets } }],
    ['on some walks', 'a > b: 1, a > c: 2, b > d, c > d', ['a → c → d'], { b: sets, d: reads }],
    ['behind all branches', 'a > b: 1, a > c: 2, b > d, c > d', [], { b: sets, c: sets, d: reads }],
    ['round a cycle', 'a > b, b > c: 1, c > b: 2', ['a → b'], { b: reads, c: sets }],
    ['round a longer cycle', 'a > b, b > c, c > d, d > b', ['a → b'], { b: reads, c: sets }],
    ['in a condition', 'a > b: for {{v}}', ['ask /edges/0/condition'], {}],
    [
      'in a condition behind a response',
      't > b: for {{v}}',
      [],
      { t: { responseVariables: [{ name: 'v', path: 'v' }] } },
    ],
    ['at a global node', 'a > b, g', ['a → g'], { b: sets, g: reads }],
    ['at a global node, captured at the start', 'a > b, g', [], { a: sets, g: reads }],
    ['behind a global node', 's > a, a > b, g > b', ['s → g → b'], { a: sets, b: reads }],
    ['at a global node that its capture follows', 's > g, g > b', ['s → g'], { g: reads, b: sets }],
    [
      'at the end of a long walk',
      'a > b, b > c, c > d, d > e, e > f, f > h: 1, h > i, f > i: 2, i > j, j > k, k > l',
      ['a → b → c → d → … → j → k → l'],
      { h: sets, l: reads },
    ],
  ];
  it.each(rows.map((row) => ({ what: row[0], row })))(
    '$what',
    ({ row: [, edges, expected, more] }) => {
      expect(said(flow(edges, more))).toEqual(expected);
    },
  );

  it('is none of a variable that is supplied, or that the platform has', () => {
    const workflow = flow('a > b', { b: says('{{v}} at {{now}}') });
    expect(warned(workflow, 'data/', { dynamicVariables: ['v'] })).toEqual([]);
  });

  it('is what it is on all walks, whatever the graph', () => {
    const count = 5;
    const ends = fc.tuple(fc.nat(count - 1), fc.nat(count - 1));
    const marks = fc.array(fc.constantFrom('', 'sets', 'reads', 'tool', 'global', 'global reads'), {
      minLength: count,
      maxLength: count,
    });
    const check = (arcs: readonly (readonly [number, number])[], roles: readonly string[]) => {
      const nodes = ['s', ...roles.keys()].map((id, at) => ({
        id: `${id}`,
        type: 'conversation',
        ...(roles[at - 1]?.includes('reads') ? reads : says('Go on.')),
        ...(roles[at - 1] === 'sets' ? sets : {}),
        ...(roles[at - 1] === 'tool' ? tool : {}),
        ...(roles[at - 1]?.includes('global')
          ? { isGlobal: true, condition: `asks for ${id}` }
          : {}),
      }));
      const all = [['s', 0] as const, ...arcs].map(([from, to]) => ({
        from: `${from}`,
        to: `${to}`,
      }));
      const seen = new Set(['s unset']);
      for (const state of seen) {
        const [id, before] = state.split(' ') as [string, string];
        const after = ['sets', 'tool'].includes(roles[Number(id)]!) ? 'set' : before;
        const next = all.filter(({ from }) => from === id).map(({ to }) => to);
        const globals = nodes.filter((node) => 'isGlobal' in node).map((node) => node.id);
        for (const to of [...next, ...globals]) seen.add(`${to} ${after}`);
      }
      const readers = nodes.filter(({ id }) => /reads|tool/.test(roles[Number(id)] ?? ''));
      const where = (set: boolean, unset: boolean) =>
        readers.flatMap(({ id }) => {
          const fits = seen.has(`${id} set`) === set && seen.has(`${id} unset`) === unset;
          return fits ? `/nodes/${Number(id) + 1}` : [];
        });
      const { questions, diagnostics } = compile({ name: 'x', nodes, edges: all });
      const asked = questions.find(({ id }) => id === 'undefined-variable:v');
      const never = where(false, true);
      const places = asked?.at.map((at) => at.split('/').slice(0, 3).join('/')) ?? [];
      expect(places.sort()).toEqual(never);
      const warning = diagnostics.find(({ code }) => code === 'data/maybe-unset');
      const maybe = warning === undefined ? [] : [warning.at, ...warning.related];
      expect([...maybe].sort()).toEqual(never.length > 0 ? [] : where(true, true));
    };
    fc.assert(fc.property(fc.array(ends, { maxLength: 10 }), marks, check), { numRuns: 500 });
  });
});

describe('what is read later crosses', () => {
  type Row = readonly [string, string, readonly string[], Parameters<typeof flow>[1]];
  const branch = 'a > b: 1, a > c: 2, b > d, c > d';
  const rows: readonly Row[] = [
    ['to where it is read', 'a > b: 1, a > c: 2', ['a > b: v', 'a > c:'], { a: sets, b: reads }],
    ['over others', branch, ['a > b: v', 'a > c: v', 'b > d:', 'c > d:'], { a: sets, d: reads }],
    [
      'unless it is set before',
      branch,
      ['a > b:', 'a > c: v', 'b > d: v', 'c > d:'],
      { a: sets, b: sets, d: reads },
    ],
    [
      'to a condition',
      'a > b: 1, a > c: 2, b > x: {{v}} is true',
      ['a > b: v', 'a > c:'],
      { a: sets },
    ],
    [
      'to what a global node reads',
      'a > b: 1, a > c: 2, g',
      ['a > b: v', 'a > c: v', 'a > g: v', 'b > g:', 'c > g:'],
      { a: sets, g: reads },
    ],
  ];
  it.each(rows.map((row) => ({ what: row[0], row })))(
    '$what',
    ({ row: [, edges, expected, more] }) => {
      const { output, draft } = compile(flow(edges, more), { target: 'squad' });
      expect(crossings(output ?? draft)).toEqual(expected);
    },
  );
});

interface Handoff {
  readonly assistantName: string;
  readonly variableExtractionPlan?: { readonly schema: { readonly properties: object } };
}

interface Squad {
  readonly squad: { readonly members: readonly { assistant: { name: string; model: Model } }[] };
}

interface Model {
  readonly tools?: readonly { readonly type: string; readonly destinations: readonly Handoff[] }[];
}

/** `from > to: what crosses` for all handoffs. */
function crossings(document: object | null): string[] {
  return (document as Squad).squad.members.flatMap(({ assistant: { name, model } }) =>
    (model.tools ?? [])
      .filter(({ type }) => type === 'handoff')
      .flatMap(({ destinations }) => destinations)
      .map(({ assistantName, variableExtractionPlan: plan }) => {
        const names = Object.keys(plan?.schema.properties ?? {});
        return `${name} > ${assistantName}: ${names.join(' ')}`.trimEnd();
      }),
  );
}
