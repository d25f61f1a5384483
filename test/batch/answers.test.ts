/** Saved answers: how they are read, which questions they settle, and which stay open. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunAnswers } from '../../src/batch/answers.js';
import {
  isAlike,
  isSettled,
  type OpenQuestion,
  readOpenQuestions,
} from '../../src/batch/questions.js';
import type { AskedQuestion, RunAnswer } from '../../src/report/model.js';
import { writeRun } from '../cli/answering.js';
import { exampleQuestion } from '../cli/fake-io.js';
import { goldenText } from '../report/example-run.js';
import { answersTo, itRuns, Scene, type Step, workflow } from './migrating.js';

const wrong = '0'.repeat(16);
const number = { choice: 'number', value: '+4930123456' };
const none = { choice: 'none' };
const alpha = { 'in/a.json': workflow('Alpha') };
const mover = { 'in/mover.json': goldenText('saved-answers-with-a-policy') };
const [planner, price] = ['missing-destination:planner', 'missing-auth:price'];
const [endpoint, auth] = ['missing-endpoint:find-bill', 'missing-auth:find-bill'];
const cycle = 'cyclic-stages:collect~417d9893';
const request = {
  choice: 'request',
  value: { url: 'https://pay.example.com/bill', method: 'GET' },
};
// Half an expression, half words: the platform could not enforce it.
const energy = goldenText('guard').replace('tariff == null', 'x == 1 == 2');
const guarded = 'logical-condition:lookup->night~d84144af';
const credential = { choice: 'credential', value: { credentialId: 'c' } };
const saved = '--answers answers.json';
const both = '--answers a.json --answers b.json';

/** Answers of Moving company, and policies. */
const answering = (scene: Scene, answers: object, policies: object) => {
  return { policies, workflows: { [scene.resultOf('Moving company').key]: { answers } } };
};

/** The same with all keys in the opposite order. */
function turn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(turn);
  const turned = Object.entries(value).map(([key, of]) => [key, turn(of)]);
  return Object.fromEntries(turned.reverse());
}

const cases: Readonly<Record<string, readonly Step[]>> = {
  'every fault of every file is reported with its place': [
    {
      files: {
        ...alpha,
        'a.json':
          '{ "policies": { "missing-auth": "none" },\n  "workflows": { "k": { "answers": { "q": {} } } },\n  "more": 1 }',
        'b.json': '{ "workflows": {},\n }',
        'c.json':
          '{\n  "policies": { "missing-aut": "none", "cyclic-stages": "merge", "cyclic-stages": "x" } }',
        'd.json': 'null',
        'e.json': { workflows: { k: { answers: [] } } },
        'f.json': { workflows: { k: { answers: { q: { choice: 'a', subject: 'x' } } } } },
      },
      args: `${both} --answers c.json --answers d.json --answers e.json --answers f.json`,
    },
    {
      files: { 'a.json': { answers: {} }, 'b.json': { ['\u001b[31m'.repeat(999)]: 1 } },
      args: both,
    },
    {
      files: {
        'a.json': '{ "policies": { "__proto__": "a" } }',
        'b.json':
          '{ "workflows": { "__proto__": { "answers": { "constructor": { "choice": "a" } } } } }',
      },
      args: both,
    },
  ],
  'wrong policies are reported, with what was probably meant': [
    {
      files: {
        ...alpha,
        'a.json': {
          policies: { 'missing-aut': 'none', 'cyclic-stages': 'merge', 'missing-auth': 'header' },
        },
      },
      args: '--answers a.json --policy logical-conditoin=prose --policy logical-condition=guard',
    },
  ],
  'answers for no workflow of the run are reported, except in a part of a run': [
    {
      files: {
        ...alpha,
        'a.json': { workflows: { gone: {} } },
        'b.json': '{ "workflows": {\n "gone": {}, "__proto__": {} } }',
      },
      args: both,
    },
    { args: `${both} --shard 1/2` },
  ],
  'an answer applies to the subject that was asked about': [
    { files: mover },
    { files: answersTo('Moving company', { [planner]: number }), args: saved },
    { files: { 'in/mover.json': turn(JSON.parse(mover['in/mover.json'])) as object }, args: saved },
    {
      args: saved,
      files: {
        'in/mover.json': mover['in/mover.json'].replace(
          '"planner", "type"',
          '"planner", "name": "P", "type"',
        ),
      },
    },
    { args: `${saved} --accept-proposals` },
  ],
  'a policy answers what no answer is given to': [
    { files: mover, args: '--policy missing-auth=none' },
    {
      files: answersTo('Moving company', { [price]: { ...none, subject: wrong } }),
      args: `${saved} --policy missing-auth=none`,
    },
    {
      files: answersTo('Moving company', { [price]: credential }),
      args: `${saved} --policy missing-auth=none`,
      leaves: { 'out/{Moving company}/result.json': '"credentialId"' },
    },
  ],
  'a policy that is no choice leaves the question open': [
    {
      files: {
        'in/energy.json': energy,
        'squadc.config.json': { target: 'vapi', dynamicVariables: ['power_key'] },
      },
      args: '--policy logical-condition=guard',
    },
    {
      args: `${saved} --policy logical-condition=guard`,
      files: answersTo('Energy supplier', { [guarded]: { choice: 'prose', subject: wrong } }),
    },
  ],
  'an answer to no question is reported, with a subject or without': [
    { files: mover },
    {
      files: answersTo('Moving company', {
        'missing-auth:a/b': { ...none, subject: wrong },
        old: none,
      }),
      args: saved,
    },
    {
      files: { 'in/mover.json': mover['in/mover.json'].replace('"to": "end"', '"to": "nowhere"') },
      args: saved,
    },
  ],
  'later files win, and the command line wins over files': [
    { files: mover },
    {
      files: (scene) => {
        const first = { [planner]: number, [price]: none };
        const later = { [planner]: { ...number, value: '+492' } };
        return {
          'a.json': answering(scene, first, { 'missing-auth': 'none' }),
          'b.json': answering(scene, later, { 'cyclic-stages': 'consolidate' }),
        };
      },
      args: `${both} --policy cyclic-stages=keep-split`,
      leaves: {
        'out/{Moving company}/squad.json': '+492',
        'out/{Moving company}/result.json': /"policies":\s*\{[^}]*keep-split/,
      },
    },
  ],
  'an answer may raise the question that the next one answers': [
    { files: { 'in/rent.json': goldenText('missing-endpoint-open') } },
    { files: answersTo('Rent payments', { [endpoint]: request }), args: saved },
    { files: answersTo('Rent payments', { [auth]: none, [endpoint]: request }), args: saved },
  ],
  'a policy gives every question the same value': [
    { files: { 'in/mover.json': mover['in/mover.json'] } },
    {
      files: {
        'answers.json': JSON.stringify({
          policies: {
            'missing-destination': number,
            'missing-auth': { choice: 'header', value: { header: 'X-Key', secret: 'mover_key' } },
            'values-after-call': 'none',
          },
        }),
      },
      args: saved,
    },
  ],
  'a proposal is accepted where no answer waits': [
    { files: { 'in/cycle.json': goldenText('cycle-open') } },
    {
      files: answersTo('Florist orders', { [cycle]: { choice: 'keep-split', subject: wrong } }),
      args: `${saved} --accept-proposals`,
    },
    { args: '--accept-proposals' },
  ],
};

describe('saved answers', () => itRuns('test/batch/expected/answers', cases));

describe('a question that was asked', () => {
  const key = 'clinic-00c0ffee';
  const subject = '0123456789abcdef';
  const asked: AskedQuestion = { ...exampleQuestion(), subject };
  const choice = (name: string) => ({ key: name, label: name, effect: '…' });
  const nothing: RunAnswers = { policies: {}, workflows: new Map() };
  const single = (answer: RunAnswer, of = key, id = asked.id): RunAnswers => ({
    ...nothing,
    workflows: new Map([[of, new Map([[id, answer]])]]),
  });
  const policy = (kind: string, name: RunAnswers['policies'][string]) => ({
    ...nothing,
    policies: { [kind]: name },
  });
  const auth = { kind: 'missing-auth', choices: [choice('none'), choice('header')] } as const;
  const requested = (url: string, apiKey = 'k') =>
    ({ choice: 'request', value: { url, method: 'GET', headers: { apiKey } } }) as const;
  const bill = { kind: 'missing-endpoint', choices: [choice('request')] } as const;
  const tried = { answer: requested('https://a.example/{{', '••••') };
  it.each<
    [isSettled: boolean, why: string, RunAnswers, Partial<AskedQuestion>?, OpenQuestion['tried']?]
  >([
    [true, 'an answer fits, with its subject', single({ ...number, subject })],
    [true, 'a policy for its kind needs no value', policy('missing-auth', 'none'), auth],
    [false, 'nothing answers it', nothing],
    [false, 'the answer is of another workflow', single(number, 'other-00000000')],
    [false, 'the subject is another', single({ ...number, subject: wrong })],
    [false, 'the choice is none of its own', single({ choice: 'CHOOSE: number' })],
    [false, 'the value does not fit', single({ choice: 'number', value: 'soon' })],
    [false, 'the policy needs a value', policy('missing-destination', 'number')],
    [false, 'the answer left it open', single(number), {}, { answer: number }],
    [true, 'it is another answer', single({ ...number, value: '+491' }), {}, { answer: number }],
    [false, 'a hidden answer did', single(requested('https://a.example/{{')), bill, tried],
    [true, 'a hidden one differs', single(requested('https://a.example/')), bill, tried],
    [false, 'the policy left it open', policy('missing-auth', 'none'), auth, { policy: none }],
    [
      true,
      'it is another policy',
      policy('missing-auth', 'none'),
      auth,
      { policy: { choice: 'header' } },
    ],
    [true, 'a policy has the value', policy('missing-destination', number)],
    [
      false,
      'a policy has another value',
      policy('missing-destination', { ...number, value: 'soon' }),
    ],
  ])('is settled: %s, where %s', (expected, _, answers, parts = {}, tried = {}) => {
    const of = { key, name: null, source: 'clinic.json' };
    expect(isSettled({ of, question: { ...asked, ...parts }, tried }, answers)).toBe(expected);
  });

  it.each<[isAlike: boolean, parts: Partial<AskedQuestion>]>([
    [true, { id: 'missing-destination:b', at: ['/nodes/3'] }],
    [false, { kind: 'missing-endpoint' }],
    [false, { choices: [choice('number')] }],
  ])('is like another: %s, with %j', (expected, parts) => {
    expect(isAlike(asked, { ...asked, ...parts })).toBe(expected);
  });

  it('is read in the order of the summary, with what was tried', () => {
    const text = goldenText('saved-answers-with-a-policy');
    const cwd = new Scene().at('');
    writeRun(cwd, [{ text, key, options: { target: 'squad' } }]);
    expect(readOpenQuestions(join(cwd, 'out')).target).toBe('squad');
    const answers = { [planner]: { choice: 'sip', value: 'sip:x' } };
    writeRun(cwd, [
      { text, key: 'b-22222222', parts: { answers, policies: { 'missing-auth': 'none' } } },
      { text: goldenText('worked-pattern'), key: 'done-11111111' },
      { text, key: 'a-11111111', options: { target: 'vapi' } },
    ]);
    const { target, questions } = readOpenQuestions(join(cwd, 'out'));
    expect(target).toBe('vapi');
    const [dates, policy] = ['missing-auth:dates', { policy: none }];
    expect(questions.map(({ of, question, tried }) => [of.key, question.id, tried])).toEqual([
      ['b-22222222', planner, { answer: answers[planner] }],
      ...[price, dates].map((id) => ['b-22222222', id, policy]),
      ...[planner, price, dates].map((id) => ['a-11111111', id, {}]),
      ['a-11111111', 'values-after-call:workflow', {}],
    ]);
  });
});
