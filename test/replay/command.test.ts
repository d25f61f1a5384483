/** squadc replay. */
import { expect, it } from 'vitest';
import { settle } from '../../src/testing.js';
import { golden, temporaryFolder } from '../cli/fake-io.js';
import { spoken, squadCall, type Visit, workflowCall } from './calls.js';

const { put, squadc } = temporaryFolder();
const workflow = golden('worked-pattern');
const squad = settle(JSON.parse(workflow), { target: 'vapi' }).result.output!;
put('workflow.json', workflow);
put('squad.json', squad);
put('broken.json', '{"nodes":[');
const [fits, old]: readonly Visit[][] = [
  [['greeting'], ['collection']],
  [['greeting'], ['old']],
];
const live = { ...squadCall(['sales'], []), id: 'live-1' };
put(
  'calls.jsonl',
  [workflowCall(fits!, 'c1'), workflowCall(old!, 'c2')]
    .map((it) => `${JSON.stringify(it)}\n`)
    .join(''),
);
put('night.json', { results: [live] });
put('cut.json', `[{"id":"${spoken}`);

const against = '--squad squad.json';
it.each([
  [`workflow.json calls.jsonl ${against}`, 0, '1 misfit in 2 calls'],
  [`workflow.json calls.jsonl ${against}`, 0, '"ids": [\n        "c2"'],
  [`workflow.json calls.jsonl night.json ${against}`, 1, '2 misfits in 3 calls'],
  [`workflow.json night.json ${against}`, 1, 'error[replay/step]: No call of the squad comes from'],
  [
    'workflow.json calls.jsonl',
    0,
    'warning[replay/step]: No call of the workflow comes from “greeting”',
  ],
  ['broken.json calls.jsonl', 1, 'error[shape/not-json]'],
  [`workflow.json missing.json ${against}`, 1, 'cannot read missing.json'],
  [`workflow.json cut.json ${against}`, 1, 'cannot read cut.json: call 1 is not JSON'],
])('replay %s', async (line, exit, said) => {
  const { exitCode, out, err } = await squadc(`replay ${line}`);
  expect(out + err).toContain(said);
  expect(exitCode).toBe(exit);
  expect(out + err).not.toContain(spoken);
});
