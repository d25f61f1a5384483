/** squadc compile. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import type { CompileOptions, CompileResult } from '../../src/index.js';
import { here, migrate, rowsOf } from '../batch/migrating.js';
import { goldenText } from '../report/example-run.js';
import { fakeIo, type Surroundings, temporaryFolder } from './fake-io.js';
import {
  cyclicQuestion,
  exampleDiagnostic,
  exampleQuestion,
  exampleResult,
  exampleVerification,
  type StubApi,
  stubApi,
} from './stub-api.js';

describe('compiling', () => {
  const { folder, put } = temporaryFolder();
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');

  const complete = exampleResult({ output: { squad: { members: [] } } });
  const open = exampleResult({
    status: 'needs-answers',
    draft: { squad: 'draft' },
    questions: [cyclicQuestion, exampleQuestion()],
  });
  const fault = exampleDiagnostic({
    code: 'shape/unknown-node-type',
    severity: 'error',
    message: 'No such type.',
    at: '/nodes/0/type',
  });
  const invalid = exampleResult({ status: 'invalid', diagnostics: [fault, exampleDiagnostic()] });
  const workflow = '{\n  "nodes": [\n    { "type": "converstion" }\n  ]\n}\n';

  async function squadc(
    flags: readonly string[],
    result: CompileResult | StubApi = complete,
    surroundings: Surroundings = {},
  ) {
    const api = 'load' in result ? result : stubApi(() => result);
    const io = fakeIo({ stdin: workflow, cwd: folder, ...surroundings });
    const exitCode = await run(['compile', ...flags], io, api.load);
    return { exitCode, out: io.out(), err: io.err(), calls: api.calls };
  }

  describe('squadc compile', () => {
    it('prints the squad and a summary', async () => {
      expect(await squadc(['-'])).toMatchObject({
        exitCode: 0,
        out: '{\n  "squad": {\n    "members": []\n  }\n}\n',
        err: 'complete: 5 nodes → 3 assistants, 2 handoffs, 1 extraction\n',
        calls: [{ workflow: JSON.parse(workflow), options: { boundary: 'branch' } }],
      });
    });

    it('reads a file', async () => {
      const { exitCode, calls } = await squadc([put('workflow.json', '{"name":"x"}')]);
      expect(exitCode).toBe(0);
      expect(calls[0]?.workflow).toEqual({ name: 'x' });
    });

    it('shows errors at their lines', async () => {
      const { exitCode, out, err } = await squadc([put('bad.json', workflow)], invalid);
      expect([exitCode, out]).toEqual([1, '']);
      expect(err).toContain('error[shape/unknown-node-type]: No such type.\n --> bad.json:3:15\n');
      expect(err).toContain('3 |     { "type": "converstion" }\n');
      expect(err.endsWith('\ninvalid: 1 error, 1 warning\n')).toBe(true);
    });

    it('shows where open questions are about, each place once', async () => {
      const questions = [exampleQuestion({ at: ['/nodes/0/type', '/nodes', '/nodes/7'] })];
      const result = exampleResult({ status: 'needs-answers', questions });
      const { err } = await squadc([put('cyclic.json', workflow)], result);
      expect(err).toMatch(/^question\[.*\n {2}--> cyclic\.json:3:15, 2:12\n/);
    });

    it('shows open questions and how to answer them', async () => {
      const { exitCode, out, err } = await squadc(['-'], open);
      expect([exitCode, out]).toEqual([2, '']);
      expect(err).toContain('question[cyclic-stages:a,b]');
      expect(err).toContain('question[missing-destination:transfer]');
      const [, snippet = ''] = /save this as answers\.json[^\n]*\n(\{.*\n\})\n/s.exec(err) ?? [];
      expect(Object.keys(JSON.parse(snippet).answers)).toEqual([
        'cyclic-stages:a,b',
        'missing-destination:transfer',
      ]);
      expect(err.endsWith('\n2 questions open\n')).toBe(true);
    });

    it.each([
      [[], false],
      [['--verbose'], true],
    ])('shows informational findings only when asked: %j', async (flags, shown) => {
      const info = exampleDiagnostic({ severity: 'info', message: 'By the way.' });
      const { err } = await squadc(['-', ...flags], exampleResult({ diagnostics: [info] }));
      expect(err.includes('By the way.')).toBe(shown);
    });

    it('does not compile what is not JSON', async () => {
      const { exitCode, out, err, calls } = await squadc(['-'], complete, { stdin: '{' });
      expect([exitCode, out, calls]).toEqual([1, '', []]);
      expect(err).toContain('error[shape/not-json]');
      expect(err).toContain('standard input:1:2');
    });

    it.each([
      [['missing.json'], 'squadc: cannot read missing.json: no such file or directory\n'],
      [
        ['-', '--answers', 'none.json'],
        'squadc: cannot read none.json: no such file or directory\n',
      ],
    ])('exits 1 where a file cannot be read: %j', async (flags, message) => {
      expect(await squadc(flags)).toMatchObject({ exitCode: 1, out: '', err: message, calls: [] });
    });
  });

  describe('options', () => {
    it('reach the compiler', async () => {
      put('answers.json', '{"answers":{"a":{"choice":"b"}},"policies":{"x":"1","y":"2"}}');
      put('overrides.json', '{"voice":{"provider":"11labs"}}');
      const flags = [
        ...['-', '--answers', 'answers.json', '--policy', 'y=3', '--policy', 'z=4'],
        ...['--target', 'vapi', '--boundary', 'tools', '--handoff-tools', 'auto'],
        ...['--pass', 'arguments'],
        ...['--model', 'anthropic/claude', '--overrides', 'overrides.json', '--context', 'last:4'],
        ...['--dynamic', 'a', 'b', '--dynamic', 'c', '--critical', 'd'],
        ...['--tool-names', put('tool-names.json', '{"tool-1":{"name":"find_table"}}')],
        ...['--bindings', put('bindings.json', '{"find":{"operation":"bills.get"}}')],
        ...['--tools', 'server', '--tool-server', 'https://tools.example.com'],
        ...['--tool-credential', 'calls', '--service-url', 'bills=https://api.example.com?a=b'],
      ];
      const { calls } = await squadc(flags);
      expect(calls.map(({ options }) => options)).toEqual([
        {
          answers: { answers: { a: { choice: 'b' } }, policies: { x: '1', y: '3', z: '4' } },
          target: 'vapi',
          boundary: 'tools',
          handoffTools: 'auto',
          pass: 'arguments',
          model: { provider: 'anthropic', model: 'claude' },
          memberOverrides: { voice: { provider: '11labs' } },
          context: { type: 'lastNMessages', maxMessages: 4 },
          dynamicVariables: ['a', 'b', 'c'],
          criticalVariables: ['d'],
          toolNames: { 'tool-1': { name: 'find_table' } },
        },
      ]);
    });

    it.each(['null', '[]', '"text"', '{"policies":[]}'])(
      'leave answers of a wrong form for the compiler to refuse: %s',
      async (text) => {
        const flags = ['-', '--answers', put('wrong.json', text), '--policy', 'a=b'];
        expect((await squadc(flags)).calls[0]?.options.answers).toEqual(JSON.parse(text));
      },
    );

    it.each(['--answers', '--overrides', '--bindings', '--tool-names'])(
      'are not used where %s is not JSON',
      async (flag) => {
        const { exitCode, out, err, calls } = await squadc([
          '-',
          flag,
          put('broken.json', '{"a":'),
        ]);
        expect([exitCode, out, calls]).toEqual([1, '', []]);
        expect(err).toContain('error[shape/not-json]');
        expect(err).toContain('broken.json:1:6');
      },
    );

    it('have their faults shown in the file that they stand in', async () => {
      put('answers.json', '{\n  "answers": {\n    "a": 1\n  }\n}');
      put('overrides.json', '{\n  "voice": 1\n}');
      put('bindings.json', '{\n  "find": 1\n}');
      put('tool-names.json', '{\n  "tool-1": 1\n}');
      const diagnostics = [
        exampleDiagnostic({ in: 'answers', at: '/answers/a' }),
        exampleDiagnostic({ in: 'answers', at: '/policies/p' }),
        exampleDiagnostic({ in: 'options', at: '/memberOverrides/voice' }),
        exampleDiagnostic({ in: 'options', at: '/bindings/find' }),
        exampleDiagnostic({ in: 'options', at: '/toolNames/tool-1' }),
        exampleDiagnostic({ in: 'options', at: '/model' }),
      ];
      const files = ['--answers', 'answers.json', '--overrides', 'overrides.json'];
      const { err } = await squadc(
        [
          ...['-', ...files, '--bindings', 'bindings.json', '--tool-names', 'tool-names.json'],
          ...['--policy', 'p=x'],
        ],
        exampleResult({ diagnostics }),
      );
      expect([...err.matchAll(/--> (.*)/g)].map(([, place]) => place)).toEqual([
        // Bindings are looked at before the compiler is asked.
        'bindings.json:2:11',
        'answers.json:3:10',
        '--policy p=x',
        'overrides.json:2:12',
        'bindings.json:2:11',
        'tool-names.json:2:13',
        'options /model',
      ]);
    });
  });

  describe('a fault of a flag', () => {
    const shown = async (
      flags: readonly string[],
      parts: Parameters<typeof exampleDiagnostic>[0],
    ) => {
      const { err } = await squadc(
        ['-', ...flags],
        exampleResult({ diagnostics: [exampleDiagnostic(parts)] }),
      );
      return /--> (.*)/.exec(err)?.[1];
    };
    const options = (at: string) => ({ in: 'options', at }) as const;

    it.each([
      [['--dynamic', 'a', ' '], '/dynamicVariables', '--dynamic a " "'],
      [['--dynamic', 'a', '--dynamic', 'b'], '/dynamicVariables/1', '--dynamic a b'],
      [['--critical', "it's"], '/criticalVariables', `--critical "it's"`],
      [['--pass', 'arguments'], '/pass', '--pass arguments'],
      [['--model', 'a:b'], '/model', '--model a/b'],
      [['--tool-server', 'https://x?key=1'], '/toolServer', '--tool-server …'],
      [['--service-url', 'bills=https://x?key=1'], '/serviceUrls', '--service-url bills=…'],
      [['--dynamic', 'a'], '/names', 'options /names'],
      [['--dynamic', 'a'], '/dynamicVariablesToo', 'options /dynamicVariablesToo'],
    ])('names %j for %s', async (flags, at, place) => {
      expect(await shown(flags, options(at))).toBe(place);
    });

    it('names the policy that holds, cut where it is long', async () => {
      const at = { in: 'answers', at: '/policies/a~1b' } as const;
      expect(await shown(['--policy', 'a/b=c', '--policy', 'a/b=d'], at)).toBe('--policy a/b=d');
      const long = await shown(['--policy', `a/b=${'x'.repeat(500)}`], at);
      expect(long).toMatch(/^--policy a\/b=x+…$/);
      expect(long).toHaveLength(80);
    });
  });

  describe('--accept-proposals', () => {
    it('answers, compiles again, and lists what it accepted', async () => {
      const api = stubApi(({ answers }) => (answers === undefined ? open : complete));
      const { exitCode, out, err } = await squadc(['-', '--accept-proposals'], api);
      expect(exitCode).toBe(0);
      expect(JSON.parse(out)).toEqual(complete.output);
      expect(err).toMatch(/^accepted: cyclic-stages:a,b → consolidate\ncomplete: /);
      expect(api.calls[1]?.options.answers).toEqual({
        answers: { 'cyclic-stages:a,b': { choice: 'consolidate' } },
      });
    });
  });

  describe('--output', () => {
    it('writes the squad there and nothing to standard output', async () => {
      const { exitCode, out, err } = await squadc(['-', '-o', 'squad.json']);
      expect([exitCode, out]).toEqual([0, '']);
      expect(err).toMatch(/^complete: /);
      expect(JSON.parse(read('squad.json'))).toEqual(complete.output);
      expect(readdirSync(folder).filter((name) => name.startsWith('squad.json'))).toHaveLength(1);
    });

    it('is standard output for a dash', async () => {
      expect(JSON.parse((await squadc(['-', '-o', '-'])).out)).toEqual(complete.output);
    });

    it.each([
      ['open questions', open, 2],
      ['errors', invalid, 1],
    ])('keeps an existing file where there are %s', async (_, result, expected) => {
      put('kept.json', 'as it was');
      const { exitCode } = await squadc(['-', '-o', 'kept.json'], result);
      expect(exitCode).toBe(expected);
      expect(read('kept.json')).toBe('as it was');
      await squadc(['-', '-o', 'kept.json', '--emit', 'ledger'], result);
      expect(read('kept.json')).toBe('as it was');
      await squadc(['-', '-o', 'never.json'], result);
      expect(existsSync(join(folder, 'never.json'))).toBe(false);
    });

    it('is never the workflow itself', async () => {
      const file = put('source.json', workflow);
      const { exitCode, err } = await squadc([file, '-o', './source.json']);
      expect([exitCode, err]).toEqual([
        64,
        'squadc: the output file ./source.json is also an input\n',
      ]);
      expect(read('source.json')).toBe(workflow);
    });
  });

  describe('--emit', () => {
    const detailed = {
      ...open,
      sourceMap: [{ output: '/a', origin: { kind: 'answer', option: 'x' } }],
    };

    it.each(['flow-graph', 'regions', 'squad-ir'])('prints %s', async (what) => {
      const { exitCode, out } = await squadc(['-', '--emit', what]);
      expect(exitCode).toBe(0);
      expect(JSON.parse(out)).toEqual({ what });
    });

    it('prints parts of the result, open questions or not', async () => {
      const { exitCode, out } = await squadc(
        ['-', '--emit', 'source-map'],
        detailed as CompileResult,
      );
      expect(exitCode).toBe(2);
      expect(JSON.parse(out)).toEqual(detailed.sourceMap);
      expect((await squadc(['-', '--emit', 'ledger'])).out).toBe('[]\n');
    });

    it('prints nothing of an invalid workflow', async () => {
      expect(await squadc(['-', '--emit', 'ledger'], invalid)).toMatchObject({
        exitCode: 1,
        out: '',
      });
    });

    it('takes part in --output', async () => {
      const { out } = await squadc(['-', '--emit', 'regions', '-o', 'regions.json']);
      expect(out).toBe('');
      expect(JSON.parse(read('regions.json'))).toEqual({ what: 'regions' });
    });
  });

  describe('--json', () => {
    it.each([
      ['complete', complete, 0],
      ['needs-answers', open, 2],
      ['invalid', invalid, 1],
    ])('prints the whole result: %s', async (status, result, expected) => {
      const { exitCode, out, err } = await squadc(['-', '--json'], result, { isTTY: true });
      expect([exitCode, err]).toEqual([expected, '']);
      const { dialect, diagnostics, ...rest } = JSON.parse(out);
      const { diagnostics: found, ...others } = result;
      expect(dialect).toBe('spec');
      expect(rest).toEqual(JSON.parse(JSON.stringify(others)));
      expect(rest.status).toBe(status);
      expect(diagnostics).toHaveLength(found.length);
    });

    it('tells lines and columns', async () => {
      const { out } = await squadc(['-', '--json'], invalid);
      expect(JSON.parse(out).diagnostics[0]).toEqual({ ...fault, line: 3, column: 15 });
    });

    it('walks each text once, however many places are asked for', async () => {
      const nodes = Array.from({ length: 20_000 }, (_, id) => ({ id, odd: true }));
      const diagnostics = nodes.map((_, id) => exampleDiagnostic({ at: `/nodes/${id}/odd` }));
      const stdin = JSON.stringify({ nodes }, null, 1);
      const { out } = await squadc(['-', '--json'], exampleResult({ diagnostics }), { stdin });
      expect(JSON.parse(out).diagnostics.at(-1).line).toBe(2 + 20_000 * 4 - 1);
    });

    it('has the form of a result for what is not JSON, too', async () => {
      const { exitCode, out } = await squadc(['-', '--json'], complete, { stdin: '{' });
      expect(exitCode).toBe(1);
      const result = JSON.parse(out);
      expect(result).toMatchObject({ status: 'invalid', output: null, questions: [] });
      expect(result.diagnostics.map(({ code }: { code: string }) => code)).toEqual([
        'shape/not-json',
      ]);
      expect(Object.keys(result).sort()).toEqual([...Object.keys(complete), 'dialect'].sort());
    });
  });

  describe('with the compiler itself', () => {
    const text = JSON.stringify({
      name: 'Desk',
      nodes: [
        { id: 'greeting', type: 'conversation', systemPrompt: 'Greet.' },
        { id: 'human', type: 'transferCall' },
      ],
      edges: [{ from: 'greeting', to: 'human', condition: 'asks for a human' }],
    });

    async function compile(...flags: string[]) {
      const io = fakeIo({ stdin: text, cwd: folder });
      return { exitCode: await run(['compile', '-', ...flags], io), out: io.out(), err: io.err() };
    }

    it('asks, and takes the answers that it printed once they are filled in', async () => {
      const asked = await compile();
      expect([asked.exitCode, asked.out]).toEqual([2, '']);
      const [snippet = ''] = /^\{.*^\}$/ms.exec(asked.err) ?? [];
      const unedited = await compile('--answers', put('printed.json', snippet));
      expect(unedited.exitCode).toBe(1);
      expect(unedited.err).toContain('error[api/answer-choice]');
      expect(unedited.err).toContain('--> printed.json:');
      const { answers } = JSON.parse(snippet);
      for (const id of Object.keys(answers))
        answers[id] = { choice: 'number', value: '+4930123456' };
      const filled = await compile('--answers', put('filled.json', JSON.stringify({ answers })));
      expect(filled.err).toBe('complete: 2 nodes → 1 assistant, 0 handoffs, 0 extractions\n');
      expect([filled.exitCode, filled.out.includes('+4930123456')]).toEqual([0, true]);
    });
  });
});

describe('what is mistaken for a workflow', () => {
  const { folder, put } = temporaryFolder();

  async function squadc(...argv: string[]) {
    const io = fakeIo({ cwd: folder });
    const exitCode = await run(argv, io);
    return { exitCode, out: io.out(), err: io.err() };
  }

  const workflow = { name: 'Desk', nodes: [{ id: 'a', type: 'conversation' }], edges: [] };
  const summary = { totals: {}, workflows: [] };

  it.each([
    ['YAML', 'nodes:\n  - id: a\nedges: []\n', 'yq -o json'],
    ['YAML', '# made by hand\n\n---\nname: Desk\n', 'yq -o json'],
    ['a page of a browser', '<!doctype html><title>Desk</title>', 'squadc pull'],
    ['a list of workflows', JSON.stringify([workflow, workflow]), 'squadc migrate'],
    ['the summary of a migration', JSON.stringify(summary), 'squadc report'],
  ])('%s given as a workflow says so', async (what, text, help) => {
    const { exitCode, out, err } = await squadc('compile', put('given.json', text));
    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toContain(`: This is ${what}, not a workflow.\n --> given.json:1:1\n`);
    expect(err).toMatch(new RegExp(`= help: .*${help}`));
    expect(err).toMatch(/\ninvalid: 1 error\n$/);
  });

  it('a result given as a workflow says so', async () => {
    const { out } = await squadc('compile', put('desk.json', JSON.stringify(workflow)), '--json');
    const { exitCode, err } = await squadc('graph', put('result.json', out));
    expect(exitCode).toBe(1);
    expect(err).toContain('This is the result of a compilation, not a workflow.');
  });

  it('makes the folder of an output file', async () => {
    const file = put('desk.json', JSON.stringify(workflow));
    expect((await squadc('compile', file, '-o', 'new/folder/squad.json')).exitCode).toBe(0);
    expect(existsSync(join(folder, 'new/folder/squad.json'))).toBe(true);
  });
});

describe('answers of a migration', () => {
  const { folder } = temporaryFolder();
  const question = 'missing-destination:planner';
  const auth = { policies: { 'missing-auth': 'none' } };

  async function squadc(cwd: string, ...argv: string[]) {
    const io = fakeIo({ cwd });
    return { code: await run(argv, io), out: io.out(), err: io.err() };
  }

  /** The answers of a run, by what they say of the workflow's question. */
  let key = '';
  let subject = '';
  const put = (answer: object | null, name = key) => {
    const workflows = answer === null ? {} : { [name]: { answers: { [question]: answer } } };
    writeFileSync(join(folder, 'out/answers.json'), JSON.stringify({ ...auth, workflows }));
  };
  const number = { choice: 'number', value: '+4930123456' };

  beforeAll(async () => {
    mkdirSync(join(folder, 'in'));
    writeFileSync(join(folder, 'in/mover.json'), goldenText('saved-answers-with-a-policy'));
    await migrate(['in', '-o', 'out', '--no-report'], { cwd: folder }, here());
    key = rowsOf(join(folder, 'out'))[0]!.key;
    const result = JSON.parse(readFileSync(join(folder, 'out', key, 'result.json'), 'utf8'));
    subject = result.questions.find(({ id }: { id: string }) => id === question).subject;
  });

  describe('answers of a migration', () => {
    it('are taken by compile, check, graph and scenarios', async () => {
      put({ ...number, subject });
      const answers = ['--answers', 'out/answers.json'];
      const made = await squadc(folder, 'compile', 'in/mover.json', ...answers, '-o', 'squad.json');
      expect(made).toMatchObject({ code: 0, out: '' });
      expect(readFileSync(join(folder, 'squad.json'), 'utf8')).toContain('+4930123456');
      const checked = await squadc(folder, 'check', 'in/mover.json', 'squad.json', ...answers);
      expect([checked.code, checked.err]).toEqual([0, '']);
      for (const command of ['graph', 'scenarios']) {
        const more = command === 'graph' ? ['--of', 'squad'] : [];
        const { code } = await squadc(folder, command, 'in/mover.json', ...more, ...answers);
        expect([command, code]).toEqual([command, 0]);
      }
    });

    it('are found from another folder by the name, where it is the only one', async () => {
      put({ ...number, subject });
      const answers = ['--answers', '../out/answers.json'];
      const cwd = join(folder, 'in');
      expect((await squadc(cwd, 'compile', 'mover.json', ...answers)).code).toBe(0);
      put(number, 'another-workflow-0a1b2c3d');
      const { code, err } = await squadc(cwd, 'compile', 'mover.json', ...answers);
      expect(code).toBe(2);
      expect(err).toMatch(/^\.\.\/out\/answers\.json holds no answers for moving-company-\w{8}\n/);
    });

    it('count as long as their question is the same', async () => {
      put({ ...number, subject: '0'.repeat(16) });
      const answers = ['--answers', 'out/answers.json'];
      const { code, err } = await squadc(folder, 'compile', 'in/mover.json', ...answers);
      expect(code).toBe(2);
      expect(err).toContain('warning[batch/subject-changed]');
      const column = readFileSync(join(folder, 'out/answers.json'), 'utf8').indexOf('{"choice"');
      expect(err).toContain(`--> out/answers.json:1:${column + 1}\n`);
    });

    it('are refused where they are no answers', async () => {
      put({ choice: 7 });
      const { code, err } = await squadc(
        folder,
        ...['compile', 'in/mover.json', '--answers', 'out/answers.json'],
      );
      expect(code).toBe(1);
      expect(err).toContain('error[batch/answers-shape]');
    });

    it('leave room for proposals', async () => {
      put(null);
      const argv = ['--answers', 'out/answers.json', '--accept-proposals', '--json'];
      const { code, out } = await squadc(folder, 'compile', 'in/mover.json', ...argv);
      expect(code).toBe(2);
      expect(JSON.parse(out).questions.map(({ id }: { id: string }) => id)).toEqual([question]);
    });
  });
});

describe('a refuted squad', () => {
  const { folder, put } = temporaryFolder();

  const workflow = {
    name: 'Desk',
    nodes: [
      {
        id: 'lookup',
        type: 'apiRequest',
        headers: { Authorization: 'Bearer abc.def', 'X-Token': '{{token}}' },
        url: 'https://example.com/?t=Bearer abc.def',
      },
      {
        id: 'table',
        body: { type: 'object', properties: { token: { type: 'string', const: 'x1' } } },
      },
      {
        id: 'list',
        headers: [
          { name: 'X-Api-Key', value: 'qwertyuiop' },
          { key: 'Accept', value: 'a' },
        ],
      },
      { id: 'nested', auth: { user: 'anne', more: ['hunter22'] } },
    ],
  };
  const answers = {
    answers: {
      'missing-auth:lookup': { choice: 'header', value: { header: 'X-Key', secret: 'key_name' } },
      'missing-endpoint:a': { choice: 'request', value: { headers: { 'api-key': 'literal-key' } } },
    },
    policies: { 'missing-auth': 'none' },
  };

  /** What the compiler throws when the check refutes what it made. */
  class Refuted extends Error {
    override readonly name = 'VerificationRefuted';
    readonly verification = exampleVerification({
      holds: false,
      checklist: [
        {
          item: 3,
          title: 'Handoffs',
          holds: false,
          evidence: [
            { holds: true, text: 'Fine.', source: [], output: [] },
            { holds: false, text: 'Lost: Bearer abc.def.', source: [], output: ['/squad'] },
          ],
        },
      ],
    });

    constructor(
      readonly workflow: unknown,
      readonly options: CompileOptions,
    ) {
      super('refuted');
    }
  }

  async function compile(...flags: string[]) {
    const api = stubApi((options) => {
      throw new Refuted(workflow, options);
    });
    const io = fakeIo({ stdin: JSON.stringify(workflow), cwd: folder });
    const exitCode = await run(['compile', '-', ...flags], io, api.load);
    return { exitCode, out: io.out(), err: io.err() };
  }

  const reportIn = (path: string) => {
    const [name = ''] = readdirSync(path).filter((each) =>
      /^squadc-bug-[0-9a-f]{8}\.json$/.test(each),
    );
    return { name, report: JSON.parse(readFileSync(join(path, name), 'utf8')) };
  };

  describe('a squad that the check refutes', () => {
    it('is not put out, and reported in a file', async () => {
      put('answers.json', JSON.stringify(answers));
      const flags = ['--answers', 'answers.json', '--model', 'a/b', '--json'];
      const { exitCode, out, err } = await compile(...flags);
      const { name, report } = reportIn(folder);
      expect([exitCode, out]).toEqual([70, '']);
      expect(err).toContain('squadc: refused its own output: ');
      expect(err).toContain('Item 3: Lost');
      expect(err).toContain(`${name}. It holds the workflow`);
      expect(err).toContain('read it before you share it');
      expect(report).toMatchObject({
        squadc: expect.stringMatching(/^\d+\./),
        source: { name: 'Desk' },
        answers: { answers: { 'missing-auth:lookup': answers.answers['missing-auth:lookup'] } },
        options: { boundary: 'branch', model: { provider: 'a', model: 'b' } },
        refutation: { holds: false, checklist: [{ item: 3 }] },
      });
    });

    it('is reported without literal secrets, and with all else', async () => {
      const { report } = reportIn(folder);
      const text = JSON.stringify(report);
      expect(text).not.toMatch(/abc\.def|qwertyuiop|hunter22|anne|literal-key|x1/);
      const [lookup, table, list, nested] = report.source.nodes;
      expect(lookup).toEqual({
        id: 'lookup',
        type: 'apiRequest',
        headers: { Authorization: '••••', 'X-Token': '{{token}}' },
        url: 'https://example.com/?t=Bearer ••••',
      });
      expect(table.body.properties).toEqual({ token: { type: 'string', const: '••••' } });
      expect(list.headers).toEqual([
        { name: 'X-Api-Key', value: '••••' },
        { key: 'Accept', value: 'a' },
      ]);
      expect(nested.auth).toEqual({ user: '••••', more: ['••••'] });
      expect(report.answers.policies).toEqual(answers.policies);
      expect(report.refutation.checklist[0].evidence[1].text).toBe('Lost: Bearer ••••.');
    });

    it('is reported beside the output file, which is not written', async () => {
      mkdirSync(join(folder, 'out'));
      const { exitCode } = await compile('-o', 'out/squad.json');
      expect(exitCode).toBe(70);
      expect(readdirSync(join(folder, 'out'))).toEqual([reportIn(folder).name]);
    });

    it('is a bug even where the report cannot be written', async () => {
      put('taken', '');
      const { exitCode, out, err } = await compile('-o', 'taken/squad.json');
      expect([exitCode, out]).toEqual([70, '']);
      expect(err).toContain('The report could not be written: cannot write taken/');
    });
  });
});
