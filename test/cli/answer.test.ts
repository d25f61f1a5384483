/** squadc answer. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { fakeTerminal, keys, pick, type RunWorkflow, type Step, writeRun } from './answering.js';
import { golden, has, type Surroundings, somewhere, temporaryFolder } from './fake-io.js';

const root = temporaryFolder();
let runs = 0;

const mover: RunWorkflow = {
  key: 'moving-company-0a1b2c3d',
  text: golden('saved-answers-with-a-policy'),
};
const planner = 'missing-destination:planner';
const [price, dates] = ['missing-auth:price', 'missing-auth:dates'];
const asks = 'What should happen?';
const number = { choice: 'number', value: '+49301' };
const none = { choice: 'none' };
const url = 'https://a.example';
const request = { url, method: 'POST', headers: { a: 'b' }, timeoutSeconds: 20 };
const stop: Step = [asks, keys.ctrlC];
const taken: readonly Step[] = [
  [asks, ...pick(0)],
  ['A phone number', '+49301', keys.enter],
];

/** A run of these workflows in a folder of its own. */
function newRun(...workflows: readonly RunWorkflow[]) {
  runs += 1;
  const folder = `run-${runs}`;
  const cwd = join(root.folder, folder);
  const results = writeRun(cwd, workflows);
  const read = (path = 'out/answers.json') => root.read(`${folder}/${path}`);
  const squadc = (line: string, given: Surroundings = {}) =>
    root.squadc(line, { cwd, isTTY: true, env: { NO_COLOR: '1' }, ...given });
  return {
    results,
    read,
    squadc,
    put: (path: string, content: string | object) => root.put(`${folder}/${path}`, content),
    isAnswered: () => existsSync(join(cwd, 'out/answers.json')),
    document: () => JSON.parse(read()),
    /** The answers of a workflow, without their subjects. */
    answers: (key = workflows[0]!.key) =>
      Object.fromEntries(
        Object.entries<{ subject?: string }>(JSON.parse(read()).workflows[key].answers).map(
          ([id, { subject: _, ...answer }]) => [id, answer],
        ),
      ),
    async answer(steps: readonly Step[], flags = '') {
      const terminal = fakeTerminal(steps);
      // A screen that never comes would be waited for until the test ends, without being shown.
      const patience = setTimeout(() => (terminal.input as unknown as Writable).end(), 10_000);
      const ran = await squadc(`answer out${flags}`, { terminal });
      clearTimeout(patience);
      expect(terminal.left(), terminal.screen()).toEqual([]);
      return { ...ran, screen: terminal.screen() };
    },
  };
}

describe('squadc answer', () => {
  it('asks one after another, saves each answer, and asks nothing again', async () => {
    const { answer, answers, read, results, document } = newRun(mover);
    const first = await answer([
      ...taken,
      [asks, ...pick(1)],
      ['header:', 'Authorization', keys.enter],
      ['secret:', 'moves_key', keys.enter],
      stop,
    ]);
    expect(first.screen).toMatch(
      somewhere(
        'Answers are saved to out/answers.json one by one.…' +
          'Question 1 of 3: Moving company (moving-company-0a1b2c3d)…' +
          '--> workflows/moving-company-0a1b2c3d.json:9:5 /nodes/4\n…' +
          'The node “planner” transfers the call…' +
          '● Transfer to a phone number\n    Callers are connected to this',
      ),
    );
    expect([first.exitCode, first.err]).toEqual([
      2,
      '\n2 questions answered, 0 skipped, 1 left\nFor the others: squadc answer out\n' +
        'To apply the answers, run squadc migrate again as before\n',
    ]);
    const second = await answer([
      ['Question 1 of 1', ...pick(2)],
      ['credentialId:', 'c-1', keys.enter],
    ]);
    const said = has('1 question answered, 0 skipped, 0 left');
    expect(second).toMatchObject({ exitCode: 0, err: said });
    expect(answers()).toEqual({
      [planner]: number,
      [price]: { choice: 'header', value: { header: 'Authorization', secret: 'moves_key' } },
      [dates]: { choice: 'credential', value: { credentialId: 'c-1' } },
    });
    const { subject } = document().workflows[mover.key].answers[planner];
    expect(subject).toBe(results[0]?.questions[0]?.subject);
    const before = read();
    const err = has('out/answers.json answers all open questions in out.');
    expect(await answer([])).toMatchObject({ exitCode: 0, err });
    expect(read()).toBe(before);
  });

  it('keeps what the file already contains', async () => {
    const { answer, put, document } = newRun(mover);
    const other = `{"workflows": {"elsewhere-99999999": {"answers": {"q": {"choice": "a"}}},
      "__proto__": {"answers": {"__proto__": {"choice": "b"}}},
      "${mover.key}": {"answers": {"old": {"choice": "c"}, "${price}": {"choice": "none"}}}},
      "policies": {"cyclic-stages": "consolidate"}}`;
    put('out/answers.json', other);
    await answer([...taken, [asks, ...pick(0)]]);
    const expected = JSON.parse(other);
    const { answers } = expected.workflows[mover.key];
    answers[planner] = { ...number, subject: expect.any(String) };
    answers[dates] = { ...none, subject: expect.any(String) };
    expect(document()).toEqual(expected);
    expect(Object.keys(document().workflows)).toEqual(Object.keys(expected.workflows));
    expect(Object.keys(document())).toEqual(['workflows', 'policies']);
  });

  it.each<[what: string, example: string, steps: Step[], screen: string, answers: object[]]>([
    [
      'goes back to the question before, with the answer that was given',
      'saved-answers-with-a-policy',
      [
        ...taken,
        // None, header, credential, all, skip, back.
        [asks, ...pick(5)],
        ['(your answer)', keys.enter],
        ['+49301', keys.ctrlU, '+49302', keys.enter],
        ['Question 2 of 3'],
        [asks, ...pick(4)],
        ['Question 3 of 3'],
        [asks, ...pick(5)],
        ['Question 2 of 3'],
        stop,
      ],
      'Keep the answer as it is',
      [{ choice: 'number', value: '+49302' }],
    ],
    [
      'rejects a value that does not fit',
      'saved-answers-with-a-policy',
      [
        [asks, ...pick(0)],
        ['A phone number', keys.enter],
        ['a value is needed', '030 1', keys.enter],
        ['must be a phone number in international form', keys.ctrlU, '<', keys.enter],
        [asks, ...pick(1)],
        ['A SIP address', 'sip:a@b.example', keys.enter],
        stop,
      ],
      'Question 2 of 3',
      [{ choice: 'sip', value: 'sip:a@b.example' }],
    ],
    [
      'asks for members one by one, and leaves out optional ones',
      'missing-endpoint-open',
      [
        [asks, ...pick(0)],
        ['url:', url, keys.enter],
        ['method:', ...pick(1)],
        ['headers:', 'x', keys.enter],
        ['must be an object', keys.ctrlU, '{"a":"b"}', keys.enter],
        ['body:', keys.enter],
        ['timeoutSeconds:', '1000', keys.enter],
        ['must be at most 300', keys.ctrlU, '20', keys.enter],
        stop,
      ],
      '',
      [{ choice: 'request', value: request }],
    ],
    [
      'takes groups as JSON, and preselects the proposal',
      'cycle-grouped',
      [
        ['● Make them one assistant (proposed)', ...pick(2)],
        ['list of groups', '[["menu","x"]]', keys.enter],
        ['it must', keys.ctrlU, '[["menu"],["guests","offer"]]', keys.enter],
      ],
      'a list of groups, each a list of node ids',
      [{ choice: 'group', value: [['menu'], ['guests', 'offer']] }],
    ],
  ])('%s', async (_, example, steps, screen, expected) => {
    const { answer, answers } = newRun({ key: 'k-00000001', text: golden(example) });
    expect((await answer(steps)).screen).toContain(screen);
    expect(Object.values(answers())).toEqual(expected);
  });

  it('answers all questions like this, by a policy or with the same value', async () => {
    const second = { ...mover, key: 'second-company-11111111' };
    const run = newRun(mover, second);
    const which = 'Which answer should all of them get?';
    const policy = await run.answer([
      [asks, ...pick(3)],
      ['Question 2 of 6'],
      [asks, ...pick(3)],
      [which, ...pick(3)],
      // Back to the choices, not sure, and sure.
      [asks, ...pick(3)],
      [which, ...pick(0)],
      ['later runs use', ...pick(1)],
      [asks, ...pick(3)],
      [which, ...pick(0)],
      ['later runs use', ...pick(0)],
      ['Question 4 of 6'],
      stop,
    ]);
    expect([policy.exitCode, policy.screen]).toEqual([2, has('For all 4 like this …')]);
    expect(policy.screen).toContain('Answer 4 questions with “None is needed”?');
    expect(run.document()).toEqual({ policies: { 'missing-auth': 'none' } });
    const { exitCode } = await run.answer([
      [asks, ...pick(2)],
      [which, ...pick(0)],
      ['A phone number', '+49301', keys.enter],
      ['Answer 2 questions that have the same choices with “"+49301"”?', ...pick(0)],
    ]);
    expect(exitCode).toBe(0);
    for (const { key } of [mover, second]) expect(run.answers(key)).toEqual({ [planner]: number });
  });

  it('stops at Ctrl-C, Ctrl-D and Escape, at the end of the input, and when interrupted', async () => {
    const { answer, isAnswered, squadc } = newRun(mover);
    for (const key of [keys.ctrlC, keys.ctrlD, '\u001b']) {
      expect((await answer([[asks, key]])).exitCode).toBe(2);
      expect((await answer([taken[0]!, ['A phone number', key]])).exitCode).toBe(2);
    }
    for (const how of ['end', 'interrupt'] as const) {
      const terminal = fakeTerminal([]);
      let interrupt = () => {};
      const onInterrupt = (given: () => void) => {
        interrupt = given;
        return () => {};
      };
      const ended = squadc('answer out', { onInterrupt, terminal });
      await expect.poll(() => terminal.screen()).toContain(asks);
      if (how === 'end') (terminal.input as unknown as Writable).end();
      else interrupt();
      expect((await ended).exitCode).toBe(2);
    }
    expect(isAnswered()).toBe(false);
  });

  it('explains how to answer without a terminal, and lists the questions with --json', async () => {
    const { put, squadc } = newRun(mover);
    const terminal = { ...fakeTerminal([]), input: { isTTY: false } as never };
    const { exitCode, err } = await squadc('answer out', { terminal });
    expect(exitCode).toBe(64);
    expect(err).toMatch(somewhere('out/answers.json…questions.md…squadc answer out --json'));
    put('out/answers.json', { workflows: { [mover.key]: { answers: { [planner]: number } } } });
    const listed = await squadc('answer out --json', { isTTY: false });
    expect(listed).toMatchObject({ exitCode: 2, err: '' });
    const question = { id: price, kind: 'missing-auth', subject: expect.any(String) };
    const source = `workflows/${mover.key}.json`;
    expect(JSON.parse(listed.out)).toMatchObject({
      answers: 'out/answers.json',
      answered: 1,
      open: [{ key: mover.key, name: 'Moving company', source, question }, {}],
    });
  });

  it('refuses what it cannot read, with the place, and leaves it alone', async () => {
    const { put, read, squadc } = newRun(mover);
    const refused = async (message: string | RegExp, line = 'answer out') => {
      const { exitCode, err } = await squadc(line, { terminal: fakeTerminal([]) });
      expect([exitCode, err]).toEqual([1, expect.stringMatching(message)]);
    };
    await refused('cannot read the results in none', 'answer none');
    put('out/answers.json', '{\n "answers": {} }');
    await refused(
      /batch\/plain-answers[\s\S]*answers\.json:2:13[\s\S]*does not contain answers of a run/,
    );
    expect(read()).toBe('{\n "answers": {} }');
    put(`out/${mover.key}/result.json`, '{"questions": [{}]}');
    await refused(`${mover.key}/result.json was not written by squadc`);
    const summary = read('out/summary.json');
    put('out/summary.json', summary.replace(`"folder":"${mover.key}"`, '"folder":"../../etc"'));
    await refused('a folder has an invalid name');
  });

  it('shows hostile texts as texts', async () => {
    const evil = '\u001b]0;owned\u0007\u202e</script>';
    const start = { id: 'start', type: 'conversation', systemPrompt: 'Hello.' };
    const text = JSON.stringify({
      name: evil,
      nodes: [start, { id: evil, type: 'transferCall' }],
      edges: [{ from: 'start', to: evil }],
    });
    const { answer, answers } = newRun({ key: 'evil-00000001', text });
    const { screen, err } = await answer(taken);
    for (const bad of ['\u001b]', '\u0007', '\u202e']) expect(screen + err).not.toContain(bad);
    expect(answers()).toEqual({ [`missing-destination:${evil}`]: number });
  });

  it('shows the line of a JSONL file, or only the pointer if the file cannot be read', async () => {
    const { answer, put, read } = newRun(mover);
    const text = read('out/summary.json');
    const line = `${JSON.stringify(JSON.parse(mover.text))}\n`;
    put('flows.jsonl', `{}\r\n${line}`);
    // A name that leads out of the folder is not followed.
    root.put('secret.jsonl', `\n${line}`);
    for (const [source, shown] of [
      ['flows.jsonl', /--> flows\.jsonl:2:\d+ \/nodes\/4\n/],
      ['gone.jsonl', /--> gone\.jsonl:2 \/nodes\/4\n/],
      ['../secret.jsonl', /--> \.\.\/secret\.jsonl:2 \/nodes\/4\n/],
    ] as const) {
      const placed = `"source":${JSON.stringify(source)},"line":2`;
      put('out/summary.json', text.replace(/"source":"[^"]*"/, placed));
      expect((await answer([stop])).screen).toMatch(shown);
    }
  });
});
