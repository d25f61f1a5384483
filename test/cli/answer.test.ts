/** squadc answer. */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { readRunAnswers } from '../../src/batch/answers.js';
import { settleAnswers } from '../../src/batch/settle.js';
import { run, run as squadc } from '../../src/cli/run.js';
import { compile, type Question } from '../../src/index.js';
import { migrate, put, rowsOf } from '../batch/migrating.js';
import { goldenText } from '../report/example-run.js';
import { fakeTerminal, keys, pick, type RunWorkflow, type Step, writeRun } from './answering.js';
import { fakeIo, temporaryFolder } from './fake-io.js';

describe('answering', () => {
  const { folder } = temporaryFolder();

  const mover: RunWorkflow = {
    key: 'moving-company-0a1b2c3d',
    text: goldenText('saved-answers-with-a-policy'),
  };
  const planner = 'missing-destination:planner';
  const [price, dates] = ['missing-auth:price', 'missing-auth:dates'];

  const asks = 'What should happen?';

  function newRun(...workflows: readonly RunWorkflow[]) {
    const cwd = mkdtempSync(join(folder, 'run-'));
    const results = writeRun(cwd, workflows);
    const file = join(cwd, 'out/answers.json');
    return {
      cwd,
      results,
      file,
      document: () => JSON.parse(readFileSync(file, 'utf8')),
      /** The answers of the first workflow, without their subjects. */
      answers: () => {
        const { workflows: all } = JSON.parse(readFileSync(file, 'utf8'));
        const given: Record<string, { subject: string }> =
          all[workflows[0]?.key ?? '']?.answers ?? {};
        return Object.fromEntries(
          Object.entries(given).map(([id, { subject: _, ...answer }]) => [id, answer]),
        );
      },
    };
  }

  async function answer(cwd: string, steps: readonly Step[], args: readonly string[] = []) {
    const terminal = fakeTerminal(steps);
    const io = { ...fakeIo({ cwd, isTTY: true, env: { NO_COLOR: '1' } }), terminal };
    // A screen that never comes would be waited for until the test ends, without being shown.
    const patience = setTimeout(() => (terminal.input as unknown as Writable).end(), 10_000);
    const code = await run(['answer', 'out', ...args], io);
    clearTimeout(patience);
    expect(terminal.left(), terminal.screen()).toEqual([]);
    return { code, screen: terminal.screen(), err: io.err(), out: io.out() };
  }

  describe('squadc answer', () => {
    it('asks one after another and writes answers that migrate applies', async () => {
      const { cwd, file, results } = newRun(mover);
      const { code, screen, err } = await answer(cwd, [
        [asks, ...pick(0)],
        ['A phone number', '+4930123456', keys.enter],
        [asks, ...pick(1)],
        ['header:', 'Authorization', keys.enter],
        ['secret:', 'moves_key', keys.enter],
        [asks, ...pick(2)],
        ['credentialId:', 'c-1', keys.enter],
      ]);
      expect(code).toBe(0);
      expect(screen).toContain('Answers are saved to out/answers.json one by one.');
      expect(screen).toContain('Question 1 of 3: Moving company (moving-company-0a1b2c3d)');
      expect(screen).toContain('--> workflows/moving-company-0a1b2c3d.json:9:5 /nodes/4\n');
      expect(screen).toContain(' 9 |     { "id": "planner", "type": "transferCall" },\n');
      expect(screen).toContain('The node “planner” transfers the call');
      expect(screen).toContain('● Transfer to a phone number\n    Callers are connected to this');
      expect(err).toContain('3 questions answered, 0 skipped, 0 left');
      expect(err).toContain('run squadc migrate again as before\n');
      const answers = readRunAnswers([{ name: file, text: readFileSync(file, 'utf8') }]);
      expect(answers.diagnostics).toEqual([]);
      const workflow = JSON.parse(mover.text);
      const settled = settleAnswers(
        (given) => compile(workflow, given),
        workflow,
        {},
        {
          answers: answers.workflows.get(mover.key),
          policies: answers.policies,
          acceptProposals: false,
        },
      );
      expect(settled.result.status).toBe('complete');
      expect(settled.applied).toEqual({
        [planner]: {
          choice: 'number',
          value: '+4930123456',
          subject: results[0]?.questions[0]?.subject,
        },
        [price]: expect.objectContaining({
          choice: 'header',
          value: { header: 'Authorization', secret: 'moves_key' },
        }),
        [dates]: expect.objectContaining({ choice: 'credential', value: { credentialId: 'c-1' } }),
      });
    });

    it('does not ask again what is answered, in the next call either', async () => {
      const { cwd, file } = newRun(mover);
      const first = await answer(cwd, [
        [asks, ...pick(1)],
        ['A SIP address', 'sip:a@b.example', keys.enter],
        [asks, keys.ctrlC],
      ]);
      expect(first.code).toBe(2);
      expect(first.err).toContain('1 question answered, 0 skipped, 2 left');
      expect(first.err).toContain('For the others: squadc answer out\n');
      const second = await answer(cwd, [
        [asks, ...pick(0)],
        [asks, ...pick(0)],
      ]);
      expect(second.code).toBe(0);
      expect(second.screen).toContain('Question 1 of 2');
      const before = readFileSync(file, 'utf8');
      const third = await answer(cwd, []);
      expect(third.code).toBe(0);
      expect(third.err).toContain('out/answers.json answers all open questions in out.');
      expect(readFileSync(file, 'utf8')).toBe(before);
    });

    it('keeps what stands in the file already', async () => {
      const { cwd, file, document } = newRun(mover);
      const other = `{"workflows": {"elsewhere-99999999": {"answers": {"q": {"choice": "a"}}},
      "__proto__": {"answers": {"__proto__": {"choice": "b"}}},
      "${mover.key}": {"answers": {"old": {"choice": "c"}, "${price}": {"choice": "none"}}}},
      "policies": {"cyclic-stages": "consolidate"}}`;
      writeFileSync(file, other);
      await answer(cwd, [
        [asks, ...pick(0)],
        ['A phone number', '+49301', keys.enter],
        [asks, ...pick(0)],
      ]);
      const expected = JSON.parse(other);
      const { answers } = expected.workflows[mover.key];
      answers[planner] = { choice: 'number', value: '+49301', subject: expect.any(String) };
      answers[dates] = { choice: 'none', subject: expect.any(String) };
      expect(document()).toEqual(expected);
      expect(Object.keys(document().workflows)).toEqual(Object.keys(expected.workflows));
      expect(Object.hasOwn(document().workflows, '__proto__')).toBe(true);
      expect(Object.keys(document())).toEqual(['workflows', 'policies']);
    });

    it('takes another file, and makes it', async () => {
      const { cwd, file } = newRun(mover);
      const { err } = await answer(
        cwd,
        [
          [asks, ...pick(2)],
          [asks, ...pick(0)],
          [asks, keys.ctrlC],
        ],
        ['--answers', 'mine.json'],
      );
      expect(err).toContain('1 question answered, 1 skipped, 2 left');
      expect(err).toContain('squadc answer out --answers mine.json');
      expect(existsSync(file)).toBe(false);
      expect(readFileSync(join(cwd, 'mine.json'), 'utf8')).toContain(price);
    });

    it('goes back to the question before, with the answer that was given', async () => {
      const { cwd, answers } = newRun(mover);
      const { screen } = await answer(cwd, [
        [asks, ...pick(0)],
        ['A phone number', '+49301', keys.enter],
        // None, header, credential, all, skip, back.
        [asks, ...pick(5)],
        ['(your answer)', keys.enter],
        ['+49301', keys.ctrlU, '+49302', keys.enter],
        ['Question 2 of 3'],
        [asks, keys.ctrlC],
      ]);
      expect(screen).toContain('Keep the answer as it is');
      expect(answers()).toEqual({ [planner]: { choice: 'number', value: '+49302' } });
    });

    it('does not take a value that does not fit', async () => {
      const { cwd, answers } = newRun(mover);
      const { screen } = await answer(cwd, [
        [asks, ...pick(0)],
        ['A phone number', keys.enter],
        ['a value is needed', '030 1', keys.enter],
        ['must be a phone number in international form', keys.ctrlU, '<', keys.enter],
        [asks, ...pick(1)],
        ['A SIP address', 'sip:a@b.example', keys.enter],
        [asks, ...pick(1)],
        ['header:', 'Auth orization', keys.enter],
        ['it must be a header name', keys.ctrlU, 'Authorization', keys.enter],
        ['secret:', 'a-b', keys.enter],
        ['it must be the name under which', keys.ctrlU, 'a_b', keys.enter],
        [asks, keys.ctrlC],
      ]);
      expect(screen).not.toContain('internal error');
      expect(answers()).toEqual({
        [planner]: { choice: 'sip', value: 'sip:a@b.example' },
        [price]: { choice: 'header', value: { header: 'Authorization', secret: 'a_b' } },
      });
    });

    it('asks for members one by one, and leaves out optional ones', async () => {
      const key = 'bills-00000001';
      const { cwd, answers } = newRun({ key, text: goldenText('missing-endpoint-open') });
      await answer(cwd, [
        [asks, ...pick(0)],
        ['url:', 'https://a.example', keys.enter],
        ['method:', ...pick(1)],
        ['headers:', 'x', keys.enter],
        ['must be an object', keys.ctrlU, '{"a":"b"}', keys.enter],
        ['body:', keys.enter],
        ['timeoutSeconds:', '1000', keys.enter],
        ['must be at most 300', keys.ctrlU, '20', keys.enter],
        [asks, keys.ctrlC],
      ]);
      expect(Object.values(answers())).toEqual([
        {
          choice: 'request',
          value: {
            url: 'https://a.example',
            method: 'POST',
            headers: { a: 'b' },
            timeoutSeconds: 20,
          },
        },
      ]);
    });

    it('builds groups, and preselects the proposal', async () => {
      const key = 'hotline-00000001';
      const { cwd, answers } = newRun({ key, text: goldenText('cycle-grouped') });
      const { screen } = await answer(cwd, [
        ['● Make them one assistant (proposed)', ...pick(2)],
        ['Group 1', keys.enter],
        // Nothing was picked: the choices again.
        [asks, ...pick(2)],
        ['Group 1', keys.space, keys.down, keys.space, keys.enter],
        ['Group 2', keys.space, keys.enter],
      ]);
      expect(screen).toContain('a list of groups, each a list of node ids');
      const [{ choice, value }] = Object.values(answers()) as [
        { choice: string; value: string[][] },
      ];
      expect(choice).toBe('group');
      expect(value.map((group) => group.length)).toEqual([2, 1]);
    });

    describe('for all like this', () => {
      const second = { ...mover, key: 'second-company-11111111' };

      it('writes a policy where the choice needs no value', async () => {
        const { cwd, document } = newRun(mover, second);
        const { code, screen } = await answer(cwd, [
          [asks, ...pick(3)],
          ['Question 2 of 6'],
          [asks, ...pick(3)],
          ['Which answer should all of them get?', ...pick(3)],
          // Back to the choices.
          [asks, ...pick(3)],
          ['Which answer should all of them get?', ...pick(0)],
          ['later runs use', ...pick(1)],
          // Not sure.
          [asks, ...pick(3)],
          ['Which answer should all of them get?', ...pick(0)],
          ['later runs use', ...pick(0)],
          ['Question 4 of 6'],
          [asks, keys.ctrlC],
        ]);
        expect(code).toBe(2);
        expect(screen).toContain('For all 4 like this …');
        expect(screen).toContain('Answer 4 questions with “None is needed”?');
        expect(document()).toEqual({ policies: { 'missing-auth': 'none' } });
      });

      it('gives the same value to all that have the same choices', async () => {
        const { cwd, document, results } = newRun(mover, second);
        const { err } = await answer(cwd, [
          [asks, ...pick(2)],
          ['Which answer should all of them get?', ...pick(0)],
          ['A phone number', '+49309', keys.enter],
          ['Answer 2 questions that have the same choices with “"+49309"”?', ...pick(0)],
          ['Question 2 of 6'],
          [asks, keys.ctrlC],
        ]);
        expect(err).toContain('2 questions answered, 0 skipped, 4 left');
        const subjects = results.map(({ questions }) => questions[0]?.subject);
        expect(document().workflows).toEqual(
          Object.fromEntries(
            [mover, second].map(({ key }, index) => [
              key,
              {
                answers: {
                  [planner]: { choice: 'number', value: '+49309', subject: subjects[index] },
                },
              },
            ]),
          ),
        );
      });
    });

    describe('asks again', () => {
      it.each<[string, object]>([
        [
          'where the subject is another',
          { choice: 'sip', value: 'sip:a@b', subject: '0'.repeat(16) },
        ],
        ['where a placeholder stands', { choice: 'CHOOSE: number (with a value)' }],
        ['where the value does not fit', { choice: 'number', value: null }],
      ])('%s', async (_, given) => {
        const { cwd, file } = newRun(mover);
        const answers = {
          [planner]: given,
          [price]: { choice: 'none' },
          [dates]: { choice: 'none' },
        };
        writeFileSync(file, JSON.stringify({ workflows: { [mover.key]: { answers } } }));
        const { screen } = await answer(cwd, [[asks, keys.ctrlC]]);
        expect(screen).toContain('Question 1 of 1');
        expect(screen).toContain('planner');
      });

      it('where the answer or the policy left it open in the run itself', async () => {
        const answers = { [planner]: { choice: 'number', value: '+4930' } };
        const policies = { 'missing-auth': 'none' };
        const { cwd, file } = newRun({ ...mover, parts: { answers, policies } });
        writeFileSync(file, JSON.stringify({ policies, workflows: { [mover.key]: { answers } } }));
        expect((await answer(cwd, [[asks, keys.ctrlC]])).screen).toContain('Question 1 of 3');
      });
    });

    describe('ends', () => {
      it.each([
        ['Ctrl-C', keys.ctrlC],
        ['Ctrl-D', keys.ctrlD],
        ['Escape', '\u001b'],
      ])('at %s, in a choice and in a text', async (_, key) => {
        const { cwd, file } = newRun(mover);
        expect((await answer(cwd, [[asks, key]])).code).toBe(2);
        expect(
          (
            await answer(cwd, [
              [asks, ...pick(0)],
              ['A phone number', key],
            ])
          ).code,
        ).toBe(2);
        expect(existsSync(file)).toBe(false);
      });

      it('at the end of the input, and where the process is interrupted', async () => {
        const { cwd } = newRun(mover);
        for (const how of ['end', 'interrupt'] as const) {
          const terminal = fakeTerminal([]);
          let stop = () => {};
          const onInterrupt = (given: () => void) => {
            stop = given;
            return () => {};
          };
          const io = { ...fakeIo({ cwd, isTTY: true, onInterrupt }), terminal };
          const ended = run(['answer', 'out'], io);
          await expect.poll(() => terminal.screen()).toContain(asks);
          if (how === 'end') (terminal.input as unknown as Writable).end();
          else stop();
          expect(await ended).toBe(2);
        }
      });
    });

    describe('without a terminal', () => {
      it('says how to answer', async () => {
        const { cwd } = newRun(mover);
        const io = fakeIo({ cwd });
        const terminal = { ...fakeTerminal([]), input: process.stdin };
        Object.defineProperty(terminal, 'input', { value: { isTTY: false } });
        expect(await run(['answer', 'out'], { ...io, terminal })).toBe(64);
        expect(io.err()).toContain('questions.md');
        expect(io.err()).toContain('out/answers.json');
        expect(io.err()).toContain('squadc answer out --json');
      });

      it('lists the open questions with --json', async () => {
        const { cwd, file } = newRun(mover);
        const answers = { [planner]: { choice: 'number', value: '+4930' } };
        writeFileSync(file, JSON.stringify({ workflows: { [mover.key]: { answers } } }));
        const io = fakeIo({ cwd });
        expect(await run(['answer', 'out', '--json'], io)).toBe(2);
        const listed = JSON.parse(io.out());
        expect(listed).toMatchObject({ answers: 'out/answers.json', answered: 1 });
        expect(listed.open).toHaveLength(2);
        expect(listed.open[0]).toMatchObject({
          key: mover.key,
          name: 'Moving company',
          source: `workflows/${mover.key}.json`,
          question: { id: price, kind: 'missing-auth', subject: expect.any(String) },
        });
      });
    });

    describe('refuses', () => {
      const refused = async (cwd: string, args: readonly string[] = []) => {
        const io = { ...fakeIo({ cwd, isTTY: true }), terminal: fakeTerminal([]) };
        expect(await run(['answer', 'out', ...args], io)).toBe(1);
        return io.err();
      };

      it('a folder that is no output', async () => {
        const cwd = mkdtempSync(join(folder, 'none-'));
        expect(await refused(cwd)).toContain('cannot read the results in out');
      });

      it('answers that cannot be read, with the place, and leaves them alone', async () => {
        const { cwd, file } = newRun(mover);
        writeFileSync(file, '{\n "answers": {} }');
        expect(await refused(cwd)).toMatch(/batch\/plain-answers[\s\S]*answers\.json:2:13/);
        expect(readFileSync(file, 'utf8')).toBe('{\n "answers": {} }');
      });

      it('results that squadc did not write', async () => {
        const { cwd } = newRun(mover);
        writeFileSync(join(cwd, 'out', mover.key, 'result.json'), '{"questions": [{}]}');
        expect(await refused(cwd)).toContain(`${mover.key}/result.json was not written by squadc`);
        const summary = join(cwd, 'out/summary.json');
        const text = readFileSync(summary, 'utf8');
        writeFileSync(summary, text.replace(`"folder":"${mover.key}"`, '"folder":"../../etc"'));
        expect(await refused(cwd)).toContain('a folder has an invalid name');
      });
    });

    it('shows hostile texts as texts', async () => {
      const evil = '\u001b]0;owned\u0007\u202e</script>';
      const text = JSON.stringify({
        name: evil,
        nodes: [
          { id: 'start', type: 'conversation', systemPrompt: 'Hello.' },
          { id: evil, type: 'transferCall' },
        ],
        edges: [{ from: 'start', to: evil }],
      });
      const { cwd, answers } = newRun({ key: 'evil-00000001', text });
      const { screen, err } = await answer(cwd, [
        [asks, ...pick(0)],
        ['A phone number', '+4930', keys.enter],
      ]);
      for (const bad of ['\u001b]', '\u0007', '\u202e']) expect(screen + err).not.toContain(bad);
      expect(answers()).toEqual({
        [`missing-destination:${evil}`]: { choice: 'number', value: '+4930' },
      });
    });

    it('names a line of JSONL, and the pointer where the source is gone', async () => {
      const { cwd } = newRun(mover);
      const summary = join(cwd, 'out/summary.json');
      const text = readFileSync(summary, 'utf8');
      const place = (source: string) =>
        text.replace(/"source":"[^"]*"/, `"source":${JSON.stringify(source)},"line":2`);
      writeFileSync(summary, place('flows.jsonl'));
      writeFileSync(join(cwd, 'flows.jsonl'), `{}\r\n${JSON.stringify(JSON.parse(mover.text))}\n`);
      const read = await answer(cwd, [[asks, keys.ctrlC]]);
      expect(read.screen).toMatch(/--> flows\.jsonl:2:\d+ \/nodes\/4\n 2 \| …/);
      writeFileSync(summary, place('gone.jsonl'));
      const gone = await answer(cwd, [[asks, keys.ctrlC]]);
      expect(gone.screen).toContain('--> gone.jsonl:2 /nodes/4\n');
      // A name that leads out of the folder is not followed.
      writeFileSync(join(folder, 'secret.jsonl'), `\n${JSON.stringify(JSON.parse(mover.text))}\n`);
      writeFileSync(summary, place('../secret.jsonl'));
      const outside = await answer(cwd, [[asks, keys.ctrlC]]);
      expect(outside.screen).toContain('--> ../secret.jsonl:2 /nodes/4\n');
    });
  });
});

describe('what is hidden', () => {
  let cwd = '';
  beforeEach(() => {
    cwd = temporaryFolder().folder;
  });

  /** What `squadc answer --json` has of a question. */
  interface Listed {
    readonly question: Question & { readonly subject: string };
  }

  describe('what is hidden in the results', () => {
    const withTransfer = (parts: object) => ({
      name: 'Clinic',
      nodes: [
        { id: 'ask', type: 'conversation', systemPrompt: 'Find {{their}} appointment.' },
        { id: 'appointment', type: 'transferCall' },
        { id: 'call', type: 'apiRequest', url: 'https://a.example', method: 'GET', ...parts },
      ],
      edges: [
        { from: 'ask', to: 'appointment', condition: 'they have one' },
        { from: 'ask', to: 'call', condition: 'they have none' },
      ],
    });
    const answer = async () => {
      const io = fakeIo({ cwd });
      await squadc(['answer', 'out', '--json'], io);
      return JSON.parse(io.out());
    };

    it.each<[what: string, workflow: object]>([
      [
        'a word that a transcriber listens for',
        { ...withTransfer({}), transcriber: { provider: 'deepgram', keywords: ['appointment'] } },
      ],
      ['a secret that is a word', withTransfer({ headers: { 'X-Token': 'appointment' } })],
      ['a secret that is a choice', withTransfer({ headers: { 'X-Other-Key': 'captured-at' } })],
      ['a secret that is a status', withTransfer({ headers: { 'X-Token-Is': 'needs-answers' } })],
    ])('is no name that an answer needs, such as %s', async (_, source) => {
      put(cwd, 'in.json', JSON.stringify(source));
      await migrate(['in.json', '-o', 'out'], { cwd });
      const { open } = await answer();
      const { key } = rowsOf(join(cwd, 'out'))[0] ?? {};
      expect(existsSync(join(cwd, `out/${key}/report.html`))).toBe(true);
      const { questions } = compile(source);
      const shown = open.map(({ question: { subject, ...question } }: Listed) => question);
      expect(shown).toEqual(JSON.parse(JSON.stringify(questions)));
    });

    it('does not make a question settled that the same answer left open', async () => {
      put(cwd, 'in.json', JSON.stringify(withTransfer({ url: undefined, method: undefined })));
      await migrate(['in.json', '-o', 'out', '--no-report'], { cwd });
      const { key } = rowsOf(join(cwd, 'out'))[0] ?? { key: '' };
      const value = {
        url: 'https://a.example/{{ half',
        method: 'GET',
        body: { type: 'object', properties: { apiKey: { type: 'string', default: 'abcdefgh' } } },
      };
      const answers = { 'missing-endpoint:call': { choice: 'request', value } };
      const text = JSON.stringify({ workflows: { [key]: { answers } } });
      put(cwd, 'out/answers.json', text);
      const before = await answer();
      expect([before.answered, before.open.length]).toEqual([1, 3]);
      await migrate(['in.json', '-o', 'out', '--no-report', '--answers', 'out/answers.json'], {
        cwd,
      });
      expect(readFileSync(join(cwd, `out/${key}/result.json`), 'utf8')).not.toContain('abcdefgh');
      const after = await answer();
      expect([after.answered, after.open.length]).toEqual([0, 4]);
    });
  });
});
