/** squadc graph, scenarios and walk. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { goldenText } from '../report/example-run.js';
import { fakeTerminal, keys, pick, type Step } from './answering.js';
import { fakeIo, temporaryFolder } from './fake-io.js';

describe('graph', () => {
  const folder = mkdtempSync(join(tmpdir(), 'squadc-graph-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const golden = (path: string) => readFileSync(`golden/${path}`, 'utf8');
  const drawn = (path: string) => readFileSync(`test/report/expected/${path}`, 'utf8');

  put('pattern.json', golden('worked-pattern/input.json'));
  put('squad.json', golden('worked-pattern/expected/squad.json'));
  put('two-starts.json', golden('ambiguous-start-open/input.json'));
  put('answers.json', golden('ambiguous-start-answered/answers.json'));
  put('exit.json', golden('start-is-an-exit/input.json'));
  put('nowhere.json', golden('edges-to-nowhere/input.json'));
  put(
    'twice.json',
    '{"name":"x","name":"y","nodes":[{"id":"a","type":"conversation"}],"edges":[]}',
  );

  async function graph(argv: readonly string[], stdin = '') {
    const io = fakeIo({ cwd: folder, env: { NO_COLOR: '1' }, stdin });
    const exitCode = await run(['graph', ...argv], io);
    return { exitCode, out: io.out(), err: io.err() };
  }

  describe('squadc graph', () => {
    it.each([
      ['svg', 'svg'],
      ['mermaid', 'mmd'],
      ['dot', 'dot'],
    ])('draws a workflow and its squad as %s', async (format, extension) => {
      for (const of of ['workflow', 'squad']) {
        const { exitCode, out } = await graph(['pattern.json', '--format', format, '--of', of]);
        expect(exitCode).toBe(0);
        expect(out).toBe(drawn(`worked-pattern/${of}.${extension}`));
      }
    });

    it('draws the workflow as SVG where nothing else is said', async () => {
      expect((await graph(['pattern.json'])).out).toBe(drawn('worked-pattern/workflow.svg'));
    });

    it('recognises a squad, which needs no compiling', async () => {
      const { exitCode, out, err } = await graph(['squad.json', '--format', 'mermaid']);
      expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
      expect(out).toContain('greeting<br/>start, assistant');
      const refused = await graph(['squad.json', '--of', 'workflow']);
      expect(refused).toEqual({
        exitCode: 64,
        out: '',
        err: 'squadc: squad.json is a squad, not a workflow\n',
      });
    });

    it('reads standard input and writes a file', async () => {
      const { exitCode, out } = await graph(
        ['-', '-o', 'drawn.svg'],
        golden('worked-pattern/input.json'),
      );
      expect({ exitCode, out }).toEqual({ exitCode: 0, out: '' });
      expect(readFileSync(join(folder, 'drawn.svg'), 'utf8')).toBe(
        drawn('worked-pattern/workflow.svg'),
      );
      expect((await graph(['pattern.json', '-o', 'pattern.json'])).exitCode).toBe(64);
    });

    it('draws a workflow whose questions are open, and no squad of it', async () => {
      const open = await graph(['two-starts.json', '--format', 'dot']);
      expect(open.exitCode).toBe(2);
      expect(open.out).toMatch(/^digraph/);
      expect(open.err).toContain('ambiguous-start');
      const squad = await graph(['two-starts.json', '--of', 'squad']);
      expect(squad).toMatchObject({ exitCode: 2, out: '' });
    });

    it('takes answers and proposals', async () => {
      const answered = await graph([
        'two-starts.json',
        '--answers',
        'answers.json',
        '--of',
        'squad',
      ]);
      expect(answered.exitCode).toBe(0);
      const accepted = await graph([
        'two-starts.json',
        '--accept-proposals',
        '--format',
        'mermaid',
      ]);
      expect(accepted.exitCode).toBe(0);
      expect(accepted.out).toContain('start, ');
    });

    it('draws a workflow that does not compile without assistants, and nothing that cannot be read', async () => {
      const exit = await graph(['exit.json', '--format', 'mermaid']);
      expect(exit.exitCode).toBe(1);
      expect(exit.out).toMatch(/^flowchart TD\n/);
      expect(exit.out).not.toContain('subgraph');
      for (const file of ['nowhere.json', 'twice.json']) {
        const { exitCode, out, err } = await graph([file]);
        expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
        expect(err).not.toBe('');
      }
    });
  });
});

describe('scenarios', () => {
  const folder = mkdtempSync(join(tmpdir(), 'squadc-scenarios-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const put = (name: string, content: unknown) =>
    writeFileSync(
      join(folder, name),
      typeof content === 'string' ? content : JSON.stringify(content),
    );

  put('pattern.json', readFileSync('golden/worked-pattern/input.json', 'utf8'));
  const talk = (id: string) => ({ id, type: 'conversation', systemPrompt: `Do ${id}.` });
  put('two-starts.json', { name: 'x', nodes: [talk('a'), talk('b')], edges: [] });
  const fan = Array.from({ length: 1500 }, () => 'end').map((to, at) => ({
    from: 'n1499',
    to,
    condition: `way ${at}`,
  }));
  const chain = Array.from({ length: 1499 }, (_, at) => ({ from: `n${at}`, to: `n${at + 1}` }));
  put('endless.json', {
    name: 'x',
    nodes: [
      ...Array.from({ length: 1500 }, (_, at) => talk(`n${at}`)),
      { id: 'end', type: 'endCall' },
    ],
    edges: [...chain, ...fan],
  });
  put('long.json', {
    name: 'x',
    nodes: Array.from({ length: 200 }, (_, at) => talk(`n${at}`)),
    edges: chain
      .slice(0, 199)
      .map((edge, at) => ({ ...edge, condition: `they want way number ${at}` })),
  });

  async function scenarios(argv: readonly string[], isTTY = false) {
    const io = fakeIo({ cwd: folder, isTTY, env: { NO_COLOR: '1' } });
    const exitCode = await run(['scenarios', ...argv], io);
    return { exitCode, out: io.out(), err: io.err() };
  }

  const expected = (name: string) =>
    readFileSync(`test/scenarios/expected/worked-pattern/${name}`, 'utf8');

  describe('squadc scenarios', () => {
    it('writes the scenarios to standard output, and how many to standard error', async () => {
      expect(await scenarios(['pattern.json'])).toEqual({
        exitCode: 0,
        out: expected('scenarios.json'),
        err: 'complete: 2 calls that take 5 edges\n',
      });
    });

    it('writes Markdown to a file', async () => {
      const argv = ['pattern.json', '--format', 'markdown', '-o', 'calls.md'];
      expect(await scenarios(argv)).toMatchObject({ exitCode: 0, out: '' });
      expect(readFileSync(join(folder, 'calls.md'), 'utf8')).toBe(expected('scenarios.md'));
    });

    it('writes the body of a run for a squad', async () => {
      const { out, exitCode } = await scenarios(['pattern.json', '--squad-id', 'b83d4a17']);
      expect(exitCode).toBe(0);
      expect(JSON.parse(out)).toEqual({
        simulations: JSON.parse(expected('scenarios.json')).map((scenario: object) => ({
          type: 'simulation',
          scenario,
        })),
        target: { type: 'squad', squadId: 'b83d4a17' },
      });
    });

    it('asks where a call starts, and takes the answer', async () => {
      const apart = ['two-starts.json', '--policy', 'missing-edges=none'];
      const open = await scenarios(apart);
      expect(open).toMatchObject({ exitCode: 2, out: '' });
      expect(open.err).toContain('question[ambiguous-start:workflow]');
      expect(open.err).toMatch(/1 question open\n$/);
      const choice = { choice: 'node', value: 'b' };
      put('answers.json', { answers: { 'ambiguous-start:workflow': choice } });
      const answered = await scenarios([...apart, '--answers', 'answers.json']);
      expect(answered.exitCode).toBe(0);
      expect(JSON.parse(answered.out)[0].name).toBe('Call 1 of 1: b to b');
      const proposed = await scenarios([...apart, '--accept-proposals']);
      expect(JSON.parse(proposed.out)[0].name).toBe('Call 1 of 1: a to a');
    });

    it('writes nothing for what is no workflow, and does not plan', async () => {
      put('none.json', '[]');
      const { exitCode, out, err } = await scenarios(['none.json', '-o', 'none.out']);
      expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
      expect(err).toContain('error[shape/not-an-object]');
      expect(() => readFileSync(join(folder, 'none.out'))).toThrow('ENOENT');
    });

    it('refuses what the platform or anybody could not take', async () => {
      const long = await scenarios(['long.json']);
      expect(long).toMatchObject({ exitCode: 1, out: '' });
      expect(long.err).toMatch(/Call 1 of 1: n0 to n199: the instructions have \d+ characters/);
      expect(await scenarios(['long.json', '--format', 'markdown'])).toMatchObject({ exitCode: 0 });
      const endless = await scenarios(['endless.json']);
      expect(endless).toMatchObject({ exitCode: 1, out: '' });
      expect(endless.err).toContain('have millions of steps');
    });

    it.each([
      [['pattern.json', '--format', 'html']],
      [['pattern.json', '--format', 'markdown', '--squad-id', 'x']],
      [['pattern.json', '-o', 'pattern.json']],
      [['-', '--answers', '-']],
      [[]],
    ])('ends with 64 for %j', async (argv) => {
      expect(await scenarios(argv)).toMatchObject({ exitCode: 64, out: '' });
    });

    it('cannot steer a terminal', async () => {
      const systemPrompt = 'Red: \u001b[31m.\nTwo lines.';
      put('steer.json', { name: '\u202ex', nodes: [{ ...talk('a'), systemPrompt }], edges: [] });
      for (const format of ['json', 'markdown']) {
        const { out } = await scenarios(['steer.json', '--format', format], true);
        expect(out).toContain('u001b[31m');
        for (const control of ['\u001b', '\u202e']) expect(out).not.toContain(control);
      }
    });
  });
});

describe('walk', () => {
  const { folder, put } = temporaryFolder();
  put('pattern.json', goldenText('worked-pattern'));

  const asks = 'What happens?';

  async function walk(args: readonly string[], steps: readonly Step[]) {
    const terminal = fakeTerminal(steps, 100);
    const io = { ...fakeIo({ cwd: folder, env: { NO_COLOR: '1' } }), terminal };
    const code = await run(['walk', ...args], io);
    expect(terminal.left(), terminal.screen()).toEqual([]);
    return { code, screen: terminal.screen(), err: io.err() };
  }

  describe('squadc walk', () => {
    it('shows who is active, what crosses, and what could be chosen', async () => {
      const { code, screen } = await walk(
        ['pattern.json'],
        [
          [asks, ...pick(0)],
          ['Step 2: collection', ...pick(0)],
          ['carries full_name = «full_name»', ...pick(0)],
          ['Step 4: goodbye', ...pick(2)],
        ],
      );
      expect(code).toBe(0);
      expect(screen).toContain('Step 1: greeting');
      expect(screen).toContain('active    greeting');
      expect(screen).toContain('| Greet the caller and find out why they call.');
      expect(screen).toContain('the caller wants an appointment → booking');
      expect(screen).toContain('variable  full_name = «full_name»');
      expect(screen).toContain('handoff   to booking');
      expect(screen).toContain('knows     full_name = «full_name»');
      expect(screen).toContain('The call has ended');
      expect(screen).not.toContain('only in the');
    });

    it('goes back, and says what the person says', async () => {
      const { code, screen } = await walk(
        ['pattern.json'],
        [
          [asks, ...pick(0)],
          ['Step 2', ...pick(1)],
          ['handoff   to payment', ...pick(1)],
          ['Step 2', ...pick(3)],
          ['Which variable?', ...pick(0)],
          ['What is full_name?', keys.ctrlU, 'Ada', keys.enter],
          ['full_name = Ada', ...pick(0)],
          ['carries full_name = Ada', keys.ctrlC],
        ],
      );
      expect(code).toBe(0);
      expect(screen).toContain('knows     full_name = Ada');
    });

    it('shows where the squad does something else', async () => {
      const golden = 'golden/critical-variable-tool';
      put('refund.json', goldenText('critical-variable-tool'));
      put('refund-answers.json', readFileSync(`${golden}/answers.json`, 'utf8'));
      const { screen } = await walk(
        [
          'refund.json',
          '--answers',
          'refund-answers.json',
          '--dynamic',
          'shop_key',
          '--critical',
          'first_name',
        ],
        [
          [asks, ...pick(0)],
          [asks, ...pick(0)],
          ['only in the squad', keys.ctrlC],
        ],
      );
      expect(screen.replaceAll(/\s+/g, ' ')).toContain('only in the workflow: sends url: ');
    });

    it('takes fields that the model fills for no difference', async () => {
      put('weather.json', goldenText('missing-auth-open'));
      const { screen } = await walk(
        ['weather.json', '--policy', 'missing-auth=none'],
        [
          [asks, ...pick(0)],
          ['body/town', keys.ctrlC],
        ],
      );
      expect(screen).toContain('sends     url: https://weather.example.com');
      expect(screen).not.toContain('only in');
    });

    it('asks first what is open, and needs a terminal', async () => {
      writeFileSync(join(folder, 'open.json'), goldenText('cycle-open'));
      const open = await walk(['open.json'], []);
      expect(open.code).toBe(2);
      expect(open.err).toContain('1 question open');
      const io = fakeIo({ cwd: folder });
      const terminal = { ...fakeTerminal([]), input: process.stdin };
      expect(await run(['walk', 'pattern.json'], { ...io, terminal })).toBe(64);
      expect(io.err()).toContain('squadc playground');
    });
  });
});
