/** What is said of the graph as it is, of names and paths of variables, and of global nodes. */
import { describe, expect, it } from 'vitest';
import { captures, flow, globalTool, says, warned } from './flows.js';

type More = Parameters<typeof flow>[1];
type Row = readonly [what: string, edges: string, expected: readonly string[], more?: More];

function table(prefix: string, rows: readonly Row[]): void {
  it.each(rows.map((row) => ({ what: row[0], row })))('$what', ({ row }) => {
    const [, edges, expected, more = {}] = row;
    expect(warned(flow(edges, more), prefix)).toEqual(expected);
  });
}

const response = (name: string) => ({ responseVariables: [{ name, path: name }] });

describe('flow', () => {
  table('flow/', [
    ['nothing of a plain workflow', 'a > b: 1, a > c: 2, b > x', []],
    [
      'what no call reaches',
      'a > b, c > d, d > c',
      ['flow/unreachable /nodes/2', 'flow/unreachable /nodes/3'],
    ],
    ['an edge out of an exit', 'a > x, x > a', ['flow/edge-out-of-exit /edges/1']],
    ['a copy of an edge', 'a > b: 1, a > b: 1', ['flow/copied-edge /edges/1 /edges/0']],
    [
      'no copies out of nowhere',
      'a, c > d: 1, d > c: 1, d > c: 1',
      [1, 2].map((at) => `flow/unreachable /nodes/${at}`),
    ],
    [
      'walks that never end',
      'a > b: 1, a > d: 2, b > c, c > b',
      ['flow/endless /nodes/1 /nodes/3'],
    ],
    ['a global node that may end them', 'a > b, b > c, c > b, g > x', []],
    [
      'a global node that may not',
      'a > b, b > c, c > b, g > b',
      ['flow/endless /nodes/0 /nodes/1 /nodes/2 /nodes/3', 'flow/global-returns /nodes/3 /nodes/1'],
    ],
    [
      'two edges with one condition',
      'a > b: 1, a > c: 1, a > d, b > c: 1',
      ['flow/same-condition /edges/1 /edges/0'],
    ],
    ['two edges without one', 'a > b, a > c', ['flow/same-condition /edges/1 /edges/0']],
    [
      'assistants that go to and fro',
      'a > b: 1, a > c: 2, g > b: 3, g > c: 4',
      ['flow/global-returns /nodes/3 /nodes/1', 'flow/global-returns /nodes/3 /nodes/2'],
    ],
    ['two with global nodes, once', 'a, g1, g2', ['flow/global-returns /nodes/2 /nodes/1']],
    [
      'not what an edge leads back from',
      'a > b: 1, a > g: 2, g > b',
      ['flow/global-returns /nodes/2 /nodes/1'],
    ],
    ['not tools for everybody', 'a > b: 1, a > c: 2, g > b', [], { g: globalTool }],
  ]);

  it('says nothing of what is unreachable before it is known where a call starts', () => {
    expect(warned(flow('a, b'), 'flow/unreachable')).toEqual([]);
    const answers = { answers: { 'ambiguous-start:workflow': { choice: 'node', value: 'b' } } };
    expect(warned(flow('a, b'), 'flow/unreachable', { answers })).toEqual([
      'flow/unreachable /nodes/0',
    ]);
  });
});

describe('variables', () => {
  table('data/', [
    [
      'a capture with a built-in’s name',
      'a > b',
      ['data/shadows-builtin /nodes/0/extractVariables/0'],
      { a: captures('time'), b: says('At {{time}}.') },
    ],
    [
      'a capture that nothing reads',
      'a > b: for {{v}}, a > c: 2',
      ['data/unused-capture /nodes/0/extractVariables/1'],
      { a: captures('v', 'w') },
    ],
    [
      'not one that a global condition reads',
      'a, g',
      [],
      { a: captures('v'), g: { condition: 'about {{v}}' } },
    ],
    [
      'texts that read into a text',
      'a > b, b > c: in {{v.city}}',
      ['data/path-into-scalar /nodes/1/systemPrompt', 'data/path-into-scalar /edges/1/condition'],
      { a: captures('v'), b: says('{{v.street}} {{v}} {{v[0]}}') },
    ],
    [
      'not into a response',
      't > b',
      ['data/literal-secret /nodes/0/headers/Authorization'],
      { t: response('v'), b: { ...says('{{v.a}}'), ...captures('v') } },
    ],
  ]);
});
