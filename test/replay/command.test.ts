/** squadc replay. */
import { expect, it, vi } from 'vitest';
import { settle } from '../../src/testing.js';
import { golden, temporaryFolder } from '../cli/fake-io.js';
import { spoken, squadCall, type Visit, workflowCall } from './calls.js';

const { put, squadc } = temporaryFolder();
const workflow = golden('worked-pattern');
const squad = settle(JSON.parse(workflow), { target: 'vapi' }).result.output!;
put('workflow.json', workflow);
put('squad.json', squad);
put('broken.json', '{"nodes":[');
put('none.json', { squad: { members: [] } });
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
// A list, and then two of the three bytes of a sign.
const list = `[${JSON.stringify(workflowCall(fits!, 'c1'))}]`;
const cutAfter = (text: string) => Buffer.from(`${text}€`).subarray(0, -1);
put('half.json', cutAfter(list));
put('half-call.jsonl', cutAfter(`${list.slice(1, -1)}\n{"id":"`));
for (const [name, form] of Object.entries({ le: 'utf16le', be: 'utf16le' } as const)) {
  const bytes = Buffer.from(`\ufeff${list}`, form);
  put(`${name}.json`, name === 'be' ? bytes.swap16() : bytes);
}
put('odd.json', Buffer.from(`\ufeff${list}`, 'utf16le').subarray(0, -1));
put('bug.json', [{ ...workflowCall(fits!, 'c1'), id: 'bug' }]);

/** With this id, a call meets a bug. */
vi.mock('../../src/replay/replay.js', async (load) => {
  const { replay, ...others } = await load<typeof import('../../src/replay/replay.js')>();
  return {
    ...others,
    replay: (...given: Parameters<typeof replay>) => {
      const { add, report } = replay(...given);
      const broken = (call: { readonly id: string }) => {
        if (call.id === 'bug') throw new TypeError('places of no machine');
        return add(call);
      };
      return { add: broken, report };
    },
  };
});

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
  // What the calls cannot be followed through must not pass in silence every night.
  [
    'workflow.json night.json --squad workflow.json',
    2,
    'warning[check/undecided]: The calls cannot',
  ],
  ['workflow.json night.json --squad night.json', 2, 'cannot be followed through the squad'],
  ['workflow.json night.json --squad none.json', 2, 'cannot be followed through the squad'],
  ['broken.json calls.jsonl', 1, 'error[shape/not-json]'],
  [`workflow.json missing.json ${against}`, 1, 'cannot read missing.json'],
  [`workflow.json cut.json ${against}`, 1, 'cannot read cut.json: call 1 is not JSON'],
  ['workflow.json half.json', 1, 'cannot read half.json: it is not valid UTF-8; save it as UTF-8'],
  ['workflow.json half-call.jsonl', 1, 'cannot read half-call.jsonl: it is not valid UTF-8'],
  ['workflow.json le.json be.json', 0, '0 misfits in 2 calls'],
  ['workflow.json odd.json', 1, 'cannot read odd.json: it is not valid UTF-8'],
  ['workflow.json call.jsonl', 1, '(Did you mean calls.jsonl?)'],
  ['workflow.json bug.json', 70, 'squadc: internal error: places of no machine'],
])('replay %s', async (line, exit, said) => {
  const { exitCode, out, err } = await squadc(`replay ${line}`);
  expect(out + err).toContain(said);
  expect(exitCode).toBe(exit);
  expect(out + err).not.toContain(spoken);
});

it.each([1, 2, 3, 7])('replay reads standard input in pieces of %i bytes', async (size) => {
  const text = JSON.stringify(workflowCall(fits!, 'c€1'));
  for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`, 'utf16le')]) {
    const pieces = async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    };
    const { exitCode, err } = await squadc('replay workflow.json -', { pieces });
    expect([exitCode, err]).toEqual([0, '0 misfits in 1 call\n']);
  }
});
