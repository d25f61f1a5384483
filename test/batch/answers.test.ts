/** Saved answers: how they are read, which questions they settle, and which stay open. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type AnswersFinding,
  findUnknownWorkflows,
  type RunAnswers,
  readRunAnswers,
} from '../../src/batch/answers.js';
import {
  isAlike,
  isSettled,
  type OpenQuestion,
  readOpenQuestions,
} from '../../src/batch/questions.js';
import { settleAnswers, subjectOf } from '../../src/batch/settle.js';
import { type CompileOptions, compile } from '../../src/index.js';
import type { AskedQuestion, RunAnswer } from '../../src/report/model.js';
import { writeRun } from '../cli/answering.js';
import { exampleQuestion, temporaryFolder } from '../cli/fake-io.js';
import { goldenText } from '../report/example-run.js';

const subject = '0123456789abcdef';
const wrong = '0'.repeat(16);
const number = { choice: 'number', value: '+4930123456' };
const a = { choice: 'a' };

describe('answers of a run', () => {
  type Text = string | object;
  type Flags = Parameters<typeof readRunAnswers>[1];

  /** Texts as files a.json, b.json and so on. */
  const named = (texts: readonly Text[]) =>
    texts.map((text, index) => ({
      name: `${'abcde'[index]}.json`,
      text: typeof text === 'string' ? text : JSON.stringify(text),
    }));

  /** Findings as `file:line:column code`, and what they say. */
  const found = (diagnostics: readonly AnswersFinding[]) =>
    diagnostics.map(({ diagnostic: { code, message, help }, place }) => {
      const where = place === null ? 'flag' : `${place.file}:${place.line}:${place.column}`;
      return `${where} ${code}: ${message} ${help}`;
    });

  /** The policies and answers that remain, and the findings that there must be, in this order. */
  type Read = readonly [
    texts: readonly Text[],
    policies: object,
    answers: object,
    findings?: readonly string[],
    flags?: Flags,
  ];

  const answer = { choice: 'number', value: '+4930', subject };
  const two = (choice: string, policy: string, value: object) => ({
    policies: { 'missing-auth': policy, 'cyclic-stages': 'consolidate' },
    workflows: { k: { answers: { q: { choice }, same: { choice: 'x', value } } } },
  });

  const cases: Readonly<Record<string, Read>> = {
    'policies, and answers by key and question': [
      [
        {
          policies: { 'missing-auth': 'none' },
          workflows: { k: { answers: { q: answer } }, e: {} },
        },
      ],
      { 'missing-auth': 'none' },
      { k: { q: answer }, e: {} },
    ],
    'every fault of every file, each with its place': [
      [
        '{ "policies": { "missing-auth": "none" },\n  "workflows": { "k": { "answers": { "q": {} } } },\n  "more": 1 }',
        '{ "workflows": {},\n }',
        '{\n  "policies": { "missing-aut": "none", "cyclic-stages": "merge", "cyclic-stages": "x" } }',
      ],
      {},
      {},
      [
        'a.json:3:11 batch/answers-shape: .*must not have “more”',
        'a.json:2:43 batch/answers-shape: .*must have “choice”',
        'b.json:1:18 shape/not-json',
        'c.json:2:\\d+ shape/duplicate-key',
      ],
    ],
    'nothing of a file of another form': [
      [
        { workflows: { k: { answers: { q: a } } }, more: 1 },
        ...['null', '[]'],
        { workflows: { k: { answers: [] } } },
        { workflows: { k: { answers: { q: { choice: 'a', subject: 'x' } } } } },
      ],
      {},
      {},
      ['a.json:1:60', 'b.json:1:1', 'c.json:1:1', 'd.json:1:30', 'e.json:1:59'].map(
        (at) => `${at} batch/answers-shape`,
      ),
    ],
    'no answers of one workflow, for which it says what to do': [
      [{ answers: { q: a }, policies: { 'missing-auth': 'none' } }],
      {},
      {},
      ['a.json:1:12 batch/plain-answers: .*under `workflows`'],
    ],
    'policies, and knows what was meant': [
      [{ policies: { 'missing-aut': 'none', 'cyclic-stages': 'merge', 'missing-auth': 'header' } }],
      {
        ...{ 'missing-aut': 'none', 'cyclic-stages': 'merge', 'missing-auth': 'header' },
        ...{ 'logical-conditoin': 'prose', 'logical-condition': 'guard' },
      },
      {},
      [
        'a.json:1:51 api/policy-choice',
        'a.json:1:28 api/policy-kind: .*If you meant “missing-auth”',
        'a.json:1:74 api/policy-needs-value',
        'flag api/policy-choice',
        'flag api/policy-kind',
      ],
      [
        ['logical-conditoin', 'prose'],
        ['logical-condition', 'guard'],
      ],
    ],
    'the later file where they differ': [
      [two('a', 'none', { a: 1, b: 2 }), two('b', 'none', { b: 2, a: 1 }), { policies: {} }],
      { 'missing-auth': 'none', 'cyclic-stages': 'keep-split' },
      { k: { q: { choice: 'b' }, same: { choice: 'x', value: { a: 1, b: 2 } } } },
      [],
      [['cyclic-stages', 'keep-split']],
    ],
    'names that every object has as plain names': [
      [
        '{ "policies": { "__proto__": "a" } }',
        '{ "workflows": { "__proto__": { "answers": { "constructor": { "choice": "a" } } } } }',
      ],
      Object.fromEntries([['__proto__', 'a']]),
      Object.fromEntries([['__proto__', Object.fromEntries([['constructor', a]])]]),
      ['a.json:1:30 api/answer-shape: .*reserved'],
    ],
  };

  it.each(Object.entries(cases))('are read: %s', (_, read) => {
    const [texts, policies, answers, findings = [], flags = []] = read;
    const target = flags.length > 1 ? 'squad' : 'vapi';
    const { diagnostics, ...merged } = readRunAnswers(named(texts), flags, target);
    expect(merged.policies).toEqual(policies);
    const byQuestion = Array.from(merged.workflows, ([key, all]) => [key, Object.fromEntries(all)]);
    expect(Object.fromEntries(byQuestion)).toEqual(answers);
    expect(found(diagnostics)).toEqual(
      findings.map((each) => expect.stringMatching(new RegExp(`^${each}`, 's'))),
    );
  });

  it('keep no controls and no length in what is said of them', () => {
    const key = `\u001b[31m${'x'.repeat(10_000)}`;
    const [text = ''] = found(readRunAnswers(named([{ [key]: 1 }])).diagnostics);
    expect([text.includes('\u001b'), text.length < 500]).toEqual([false, true]);
  });

  it('are named where no workflow has their key', () => {
    const texts = named([
      { workflows: { known: {}, gone: {} } },
      '{ "workflows": {\n "gone": {}, "__proto__": {} } }',
      { policies: {} },
    ]);
    expect(found(findUnknownWorkflows(texts, [{ key: 'known' }]))).toEqual([
      expect.stringMatching(/^a\.json:1:33 batch\/unknown-workflow: .*gone/),
      expect.stringMatching(/^b\.json:2:10 batch\/unknown-workflow: .*gone/),
      expect.stringMatching(/^b\.json:2:27 batch\/unknown-workflow: .*__proto__/),
    ]);
    expect(
      findUnknownWorkflows(
        texts,
        ['known', 'gone', '__proto__'].map((key) => ({ key })),
      ),
    ).toEqual([]);
  });
});

describe('settling', () => {
  const golden = (name: string): object => JSON.parse(goldenText(name));
  const mover = golden('saved-answers-with-a-policy');
  const rent = golden('missing-endpoint-open');
  const cycle = golden('cycle-open');
  const [planner, price, dates] = compile(mover).questions.map(({ id }) => id) as [
    string,
    string,
    string,
  ];
  const [grouping = ''] = compile(cycle).questions.map(({ id }) => id);

  function subjectIn(workflow: object, id: string, options: CompileOptions = {}): string {
    return subjectOf(
      compile(workflow, options).questions.find((each) => each.id === id)!,
      workflow,
    );
  }

  interface Settled {
    readonly workflow?: object;
    readonly answers?: Readonly<Record<string, RunAnswer>>;
    readonly policies?: Readonly<Record<string, string>>;
    readonly accepts?: true;
    readonly options?: CompileOptions;
    readonly open: readonly string[];
    /** The given answers that count; all of them where nothing is said. */
    readonly applied?: Readonly<Record<string, RunAnswer>>;
    /** Code and place of what is said of answers. */
    readonly says?: readonly string[];
    readonly passes?: number;
  }

  const none = { choice: 'none' };
  const endpoint = 'missing-endpoint:find-bill';
  const auth = 'missing-auth:find-bill';
  const request = {
    choice: 'request',
    value: { url: 'https://pay.example.com/bill', method: 'GET' },
  };
  const credential = { choice: 'credential', value: { credentialId: 'c' } };
  // Half an expression, half words: the platform could not enforce it.
  const energy = JSON.parse(goldenText('guard').replace('tariff == null', 'x == 1 == 2'));
  const guarding = {
    options: { target: 'vapi', dynamicVariables: ['power_key'] } satisfies CompileOptions,
    policies: { 'logical-condition': 'guard' },
  };
  const conditions = compile(energy, guarding.options).questions.filter(
    ({ kind }) => kind === 'logical-condition',
  );
  const [changed = '', other = ''] = [true, false].map(
    (guarded) =>
      conditions.find(({ choices }) => choices.some(({ key }) => key === 'guard') === guarded)?.id,
  );

  const cases: Readonly<Record<string, Settled>> = {
    'nothing compiles once': { open: [planner, price, dates], passes: 1 },
    'a policy compiles once': { policies: { 'missing-auth': 'none' }, open: [planner], passes: 1 },
    'an answer applies to the subject that is asked about': {
      answers: { [planner]: { ...number, subject: subjectIn(mover, planner) } },
      open: [price, dates],
    },
    'a changed subject leaves its question open, whatever is accepted': {
      answers: { [planner]: { ...number, subject: wrong } },
      accepts: true,
      open: [planner, price, dates],
      applied: {},
      says: [`batch/subject-changed /answers/${planner}`],
    },
    'a changed subject is not decided by a policy': {
      answers: { [price]: { ...none, subject: wrong } },
      policies: { 'missing-auth': 'none' },
      open: [planner, price],
      applied: {},
      says: [`batch/subject-changed /answers/${price}`],
    },
    'an answer to no question is named, with a subject or without': {
      answers: { 'missing-auth:a/b': { ...none, subject: wrong }, old: none },
      open: [planner, price, dates],
      applied: { old: none },
      says: ['api/stale-answer /answers/old', 'api/stale-answer /answers/missing-auth:a~1b'],
    },
    'an answer applies to a question that another raises': {
      workflow: rent,
      answers: {
        [auth]: {
          ...none,
          subject: subjectIn(rent, auth, { answers: { answers: { [endpoint]: request } } }),
        },
        [endpoint]: { ...request, subject: subjectIn(rent, endpoint) },
      },
      open: [],
    },
    'an answer wins over a policy': {
      answers: { [price]: { ...credential, subject: subjectIn(mover, price) } },
      policies: { 'missing-auth': 'none' },
      open: [planner],
    },
    'a policy that is no choice leaves the question open': {
      ...guarding,
      workflow: energy,
      answers: { [changed]: { choice: 'prose', subject: wrong } },
      open: [changed, other, 'undefined-variable:x'],
      applied: {},
      says: [`batch/subject-changed /answers/${changed.replace('~', '~0')}`],
    },
    'a proposal is accepted': {
      workflow: cycle,
      accepts: true,
      open: [],
      applied: { [grouping]: { choice: 'consolidate' } },
    },
    'no proposal is accepted where an answer waits': {
      workflow: cycle,
      accepts: true,
      answers: { [grouping]: { choice: 'keep-split', subject: wrong } },
      open: [grouping],
      applied: {},
      says: [`batch/subject-changed /answers/${grouping.replace('~', '~0')}`],
    },
  };

  it.each(Object.entries(cases))('%s', (_, given) => {
    const { workflow = mover, answers, policies = {}, options = {}, applied = answers } = given;
    let passes = 0;
    const counted = (each: CompileOptions) => {
      passes += 1;
      return compile(workflow, each);
    };
    const settled = settleAnswers(counted, workflow, options, {
      answers: answers && new Map(Object.entries(answers)),
      policies,
      acceptProposals: given.accepts === true,
    });
    const said = [...settled.result.diagnostics, ...settled.diagnostics]
      .filter(({ in: part }) => part === 'answers')
      .map(({ code, at }) => `${code} ${at}`);
    expect(settled.result.questions.map(({ id }) => id)).toEqual(given.open);
    expect(said).toEqual(given.says ?? []);
    expect(settled.applied).toEqual(applied ?? {});
    if (given.passes !== undefined) expect(passes).toBe(given.passes);
    // A proposal is accepted where nobody answered; what an answer says is in the squad.
    const accepted = Object.keys(settled.applied).filter((id) => answers?.[id] === undefined);
    expect(settled.accepted.map(({ id }) => id)).toEqual(accepted);
    const isCredential = Object.values(settled.applied).some(
      ({ choice }) => choice === 'credential',
    );
    expect(JSON.stringify(settled.result.draft).includes('"credentialId":"c"')).toBe(isCredential);
    // Compiled with what the result says it was, the result is the same.
    expect(compile(workflow, settled.options)).toEqual(settled.result);
  });

  it('knows a question by what it asks about which part, wherever that stands', () => {
    const turn = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value)) return value.map(turn);
      const turned = Object.entries(value).reverse();
      return Object.fromEntries(turned.map(([key, of]) => [key, turn(of)]));
    };
    const first = subjectIn(mover, planner);
    expect(first).toMatch(/^[0-9a-f]{16}$/);
    expect(subjectIn(turn(mover) as object, planner)).toBe(first);
    const question = compile(mover).questions.find(({ id }) => id === planner)!;
    const [at = ''] = question.at;
    const others = [
      ...[{ id: 'x' }, { kind: 'missing-auth' as const }, { text: 'Where to?' }, { choices: [] }],
      ...[{ at: [`${at}/id`] }, { at: ['/__proto__'] }],
    ];
    for (const each of others) expect(subjectOf({ ...question, ...each }, mover)).not.toBe(first);
  });
});

describe('a question that was asked', () => {
  const key = 'clinic-00c0ffee';
  const asked: AskedQuestion = { ...exampleQuestion(), subject };
  const choice = (name: string) => ({ key: name, label: name, effect: '…' });
  const none: RunAnswers = { policies: {}, workflows: new Map() };
  const single = (answer: RunAnswer, of = key, id = asked.id): RunAnswers => ({
    ...none,
    workflows: new Map([[of, new Map([[id, answer]])]]),
  });
  const policy = (kind: string, name: string) => ({ ...none, policies: { [kind]: name } });
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
    [false, 'nothing answers it', none],
    [false, 'the answer is of another workflow', single(number, 'other-00000000')],
    [false, 'the subject is another', single({ ...number, subject: wrong })],
    [false, 'the choice is none of its own', single({ choice: 'CHOOSE: number' })],
    [false, 'the value does not fit', single({ choice: 'number', value: 'soon' })],
    [false, 'the policy needs a value', policy('missing-destination', 'number')],
    [false, 'the answer left it open', single(number), {}, { answer: number }],
    [true, 'it is another answer', single({ ...number, value: '+491' }), {}, { answer: number }],
    [false, 'a hidden answer did', single(requested('https://a.example/{{')), bill, tried],
    [true, 'a hidden one differs', single(requested('https://a.example/')), bill, tried],
    [false, 'the policy left it open', policy('missing-auth', 'none'), auth, { policy: 'none' }],
    [true, 'it is another policy', policy('missing-auth', 'none'), auth, { policy: 'header' }],
  ])('is settled: %s, where %s', (expected, _, answers, parts = {}, tried = {}) => {
    const of = { key, name: null, source: 'clinic.json' };
    expect(isSettled({ of, question: { ...asked, ...parts }, tried }, answers)).toBe(expected);
  });

  it('is like another of its kind with the same choices, whatever it is about', () => {
    expect(isAlike(asked, { ...asked, id: 'missing-destination:b', at: ['/nodes/3'] })).toBe(true);
    expect(isAlike(asked, structuredClone(asked))).toBe(true);
    expect(isAlike(asked, { ...asked, kind: 'missing-endpoint' })).toBe(false);
    expect(isAlike(asked, { ...asked, choices: [choice('number')] })).toBe(false);
  });

  const { folder } = temporaryFolder();
  const golden = { text: goldenText('saved-answers-with-a-policy') };
  it('is read in the order of the summary, with what was tried', () => {
    const cwd = mkdtempSync(join(folder, 'run-'));
    writeRun(cwd, [{ ...golden, key, options: { target: 'squad' } }]);
    expect(readOpenQuestions(join(cwd, 'out')).target).toBe('squad');
    const answers = { 'missing-destination:planner': { choice: 'sip', value: 'sip:x' } };
    writeRun(cwd, [
      { ...golden, key: 'b-22222222', parts: { answers, policies: { 'missing-auth': 'none' } } },
      { key: 'done-11111111', text: goldenText('worked-pattern') },
      { ...golden, key: 'a-11111111', options: { target: 'vapi' } },
    ]);
    const { target, questions } = readOpenQuestions(join(cwd, 'out'));
    expect(target).toBe('vapi');
    const ids = ['missing-destination:planner', 'missing-auth:price', 'missing-auth:dates'];
    expect(questions.map(({ of, question }) => `${of.key} ${question.id}`)).toEqual(
      ['b-22222222', 'a-11111111'].flatMap((each) => ids.map((id) => `${each} ${id}`)),
    );
    const policies = [{ policy: 'none' }, { policy: 'none' }];
    const tried = [{ answer: answers['missing-destination:planner'] }, ...policies, {}, {}, {}];
    expect(questions.map((each) => each.tried)).toEqual(tried);
  });
});
