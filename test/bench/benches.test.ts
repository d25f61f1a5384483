/** The benchmarks run at a small size; their results only count on an idle machine. */
import { execFileSync } from 'node:child_process';
import { beforeAll, expect, it } from 'vitest';
import { workflowLine } from '../../bench/fleet/workflows.mjs';
import { compile, readWorkflow } from '../../src/index.js';
import { buildOnce } from '../build-once.js';

beforeAll(buildOnce, 600_000);

it.each([
  ['a fleet', 'fleet.mjs', ['--workflows', '8'], /'two threads, unchanged'/],
  [
    'growth',
    'growth.mjs',
    ['--shapes', 'chain', '--sizes', '10', '--seconds', '0'],
    /'chain' │ 10/,
  ],
  ['a law', 'fuzz.mjs', ['--runs', '5', '--seed', '7', '--laws', 'plansSound'], /plansSound holds/],
  ['GETs', 'clients/gets.mjs', ['--rounds', '1', '--requests', '16'], /'bills: client'/],
])('%s runs', (_, script, given, expected) => {
  const printed = execFileSync(process.execPath, [`bench/${script}`, ...given], {
    encoding: 'utf8',
  });
  expect(printed).toMatch(expected);
});

it('the workflows of a fleet have 10 to 30 nodes, and most are complete', () => {
  const results = Array.from({ length: 100 }, (_, number) => {
    const { workflow } = readWorkflow(workflowLine(number));
    return compile(workflow, { dynamicVariables: ['desk_key'] });
  });
  const sizes = results.map(({ stats }) => stats.nodes).filter((nodes) => nodes > 0);
  const ended = (status: string) => results.filter((it) => it.status === status).length;
  expect([Math.min(...sizes), Math.max(...sizes)]).toEqual([10, 30]);
  expect([ended('needs-answers'), ended('invalid')]).toEqual([13, 2]);
});
