import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunAnswers } from '../../src/batch/answers.js';
import {
  isAlike,
  isSettled,
  NotAResult,
  type OpenQuestion,
  readOpenQuestions,
} from '../../src/batch/questions.js';
import type { AskedQuestion, RunAnswer } from '../../src/report/model.js';
import { writeRun } from '../cli/answering.js';
import { exampleQuestion, temporaryFolder } from '../cli/fake-io.js';
import { goldenText } from '../report/example-run.js';

const { folder } = temporaryFolder();
const key = 'clinic-00c0ffee';
const subject = '0123456789abcdef';
const asked: AskedQuestion = { ...exampleQuestion(), subject };
const number = { choice: 'number', value: '+4930123456' };

function open(tried: OpenQuestion['tried'] = {}, parts: Partial<AskedQuestion> = {}): OpenQuestion {
  const of = { key, name: null, source: 'clinic.json' };
  return { of, question: { ...asked, ...parts }, tried };
}

const none: RunAnswers = { policies: {}, workflows: new Map() };
const single = (answer: RunAnswer, of = key, id = asked.id): RunAnswers => ({
  ...none,
  workflows: new Map([[of, new Map([[id, answer]])]]),
});
const policy = (kind: string, choice: string): RunAnswers => {
  return { ...none, policies: { [kind]: choice } };
};

describe('a question is settled', () => {
  it('by an answer that fits, with its subject or with none', () => {
    expect(isSettled(open(), single(number))).toBe(true);
    expect(isSettled(open(), single({ ...number, subject }))).toBe(true);
  });

  it('by a policy for its kind that needs no value', () => {
    const cyclic = open({}, { kind: 'missing-auth', choices: [choice('none')] });
    expect(isSettled(cyclic, policy('missing-auth', 'none'))).toBe(true);
  });
});

describe('a question stays open', () => {
  it.each<[why: string, answers: RunAnswers]>([
    ['nothing answers it', none],
    ['the answer is of another workflow', single(number, 'other-00000000')],
    ['the answer is of another question', single(number, key, 'missing-destination:other')],
    ['the subject is another', single({ ...number, subject: '0'.repeat(16) })],
    ['the choice is none of its own', single({ choice: 'CHOOSE: number' })],
    ['the value is missing', single({ choice: 'number' })],
    ['the value does not fit', single({ choice: 'number', value: 'soon' })],
    ['the policy is of another kind', policy('missing-auth', 'none')],
    ['the policy needs a value', policy('missing-destination', 'number')],
    ['the policy is none of its choices', policy('missing-destination', 'none')],
    ['kinds are no members that every object has', policy('toString', 'none')],
  ])('where %s', (_, answers) => expect(isSettled(open(), answers)).toBe(false));

  it('where an answer has a value that its choice does not take', () => {
    const question = open({}, { kind: 'missing-auth', choices: [choice('none')] });
    expect(isSettled(question, single({ choice: 'none', value: null }))).toBe(true);
    expect(isSettled(question, single({ choice: 'none', value: 'x' }))).toBe(false);
  });

  it('where the same answer left it open in the run', () => {
    expect(isSettled(open({ answer: number }), single(number))).toBe(false);
    const other = { ...number, value: '+4930999999' };
    expect(isSettled(open({ answer: number }), single(other))).toBe(true);
  });

  it('where the same answer did, and a secret in it was hidden', () => {
    const request = (url: string, secret: string) => ({
      choice: 'request',
      value: {
        url,
        method: 'GET',
        body: { type: 'object', properties: { apiKey: { type: 'string', default: secret } } },
      },
    });
    const question = open(
      { answer: request('https://a.example/{{', '••••') },
      { id: 'missing-endpoint:a', kind: 'missing-endpoint', choices: [choice('request')] },
    );
    const answered = (url: string) =>
      isSettled(question, single(request(url, 'abcdefgh'), key, 'missing-endpoint:a'));
    expect(answered('https://a.example/{{')).toBe(false);
    expect(answered('https://a.example/')).toBe(true);
  });

  it('where the same policy left it open in the run, even with an answer beside it', () => {
    const parts = { kind: 'missing-auth', choices: [choice('none'), choice('header')] } as const;
    const tried = open({ policy: 'none' }, parts);
    expect(isSettled(tried, policy('missing-auth', 'none'))).toBe(false);
    expect(isSettled(open({ policy: 'header' }, parts), policy('missing-auth', 'none'))).toBe(true);
    const both = { ...single({ choice: 'none' }), policies: { 'missing-auth': 'none' } };
    expect(isSettled(tried, both)).toBe(true);
  });
});

describe('questions are alike', () => {
  it('where kind and choices are the same, whatever they are about', () => {
    expect(isAlike(asked, { ...asked, id: 'missing-destination:b', at: ['/nodes/3'] })).toBe(true);
    expect(isAlike(asked, structuredClone(asked))).toBe(true);
    expect(isAlike(asked, { ...asked, kind: 'missing-endpoint' })).toBe(false);
    expect(isAlike(asked, { ...asked, choices: [choice('number')] })).toBe(false);
  });
});

describe('the open questions of a run', () => {
  const golden = { text: goldenText('saved-answers-with-a-policy') };
  const newRun = () => mkdtempSync(join(folder, 'run-'));

  it('come in the order of its summary, with what was tried', () => {
    const cwd = newRun();
    const answers = { 'missing-destination:planner': { choice: 'sip', value: 'sip:x' } };
    const policies = { 'missing-auth': 'none' };
    writeRun(cwd, [
      { ...golden, key: 'second-22222222', parts: { answers, policies } },
      { key: 'done-11111111', text: goldenText('worked-pattern') },
      { ...golden, key: 'first-11111111', options: { target: 'vapi' } },
    ]);
    const { target, questions } = readOpenQuestions(join(cwd, 'out'));
    expect(target).toBe('vapi');
    expect(questions.map(({ of, question }) => `${of.key} ${question.id}`)).toEqual([
      'second-22222222 missing-destination:planner',
      'second-22222222 missing-auth:price',
      'second-22222222 missing-auth:dates',
      'first-11111111 missing-destination:planner',
      'first-11111111 missing-auth:price',
      'first-11111111 missing-auth:dates',
    ]);
    expect(questions.map(({ tried }) => tried).slice(0, 4)).toEqual([
      { answer: answers['missing-destination:planner'] },
      { policy: 'none' },
      { policy: 'none' },
      {},
    ]);
    // Choices that are the same are held once.
    expect(questions[1]?.question.choices).toBe(questions[4]?.question.choices);
  });

  it('are of the target that the run had', () => {
    const cwd = newRun();
    writeRun(cwd, [{ ...golden, key, options: { target: 'squad' } }]);
    expect(readOpenQuestions(join(cwd, 'out')).target).toBe('squad');
  });

  it.each([
    ['no JSON', '{"questions": ['],
    ['no object', '[]'],
    ['a question without a subject', JSON.stringify({ questions: [exampleQuestion()] })],
    ['a choice without words', JSON.stringify({ questions: [{ ...asked, choices: [{}] }] })],
    ['no answers', JSON.stringify({ questions: [asked], policies: {} })],
  ])('are not read from a result that is none: %s', (_, text) => {
    const cwd = newRun();
    writeRun(cwd, [{ ...golden, key }]);
    writeFileSync(join(cwd, 'out', key, 'result.json'), text);
    expect(() => readOpenQuestions(join(cwd, 'out'))).toThrow(NotAResult);
  });

  it.each(['../elsewhere', '/etc', 'a/b', '..', 'ab/../c'])('are not looked for in %s', (other) => {
    const cwd = newRun();
    writeRun(cwd, [{ ...golden, key }]);
    const summary = join(cwd, 'out/summary.json');
    const text = readFileSync(summary, 'utf8');
    writeFileSync(summary, text.replace(`"folder":"${key}"`, `"folder":"${other}"`));
    expect(() => readOpenQuestions(join(cwd, 'out'))).toThrow(/an invalid name/);
  });
});

function choice(name: string) {
  return { key: name, label: name, effect: '…' };
}
