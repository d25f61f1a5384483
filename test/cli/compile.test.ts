/** squadc compile, and what all commands that compile share: inputs, options, outputs. */
import fs, { chmodSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { CompileOptions, CompileResult } from '../../src/index.js';
import { here, migrate, rowsOf } from '../batch/migrating.js';
import { goldenText } from '../report/example-run.js';
import {
  cyclicQuestion,
  exampleDiagnostic,
  exampleQuestion,
  exampleResult,
  exampleVerification,
  has,
  type StubApi,
  type Surroundings,
  stubApi,
  temporaryFolder,
} from './fake-io.js';

const { folder, put, read, squadc } = temporaryFolder();

const complete = exampleResult({ output: { squad: { members: [] } } });
const open = exampleResult({
  status: 'needs-answers',
  draft: { squad: 'draft' },
  questions: [cyclicQuestion, exampleQuestion({ at: ['/nodes/0/type', '/nodes', '/nodes/7'] })],
  sourceMap: [{ output: '/a', origin: { kind: 'answer', option: 'x' } }],
} as Partial<CompileResult>);
const fault = exampleDiagnostic({
  code: 'shape/unknown-node-type',
  severity: 'error',
  message: 'No such type.',
  at: '/nodes/0/type',
});
const byTheWay = exampleDiagnostic({ severity: 'info', message: 'By the way.' });
const invalid = exampleResult({
  status: 'invalid',
  diagnostics: [fault, exampleDiagnostic(), byTheWay],
});
const results = { complete, open, invalid };
const workflow = '{\n  "nodes": [\n    { "type": "converstion" }\n  ]\n}\n';

/** Compiles standard input, unless the flags name a file, with a compiler that answers this. */
async function compile(
  flags: string | readonly string[],
  result: CompileResult | StubApi = complete,
  surroundings: Surroundings = {},
) {
  const api = 'load' in result ? result : stubApi(() => result);
  const argv = ['compile', ...(typeof flags === 'string' ? flags.split(' ') : flags)];
  const ran = await squadc(argv, { stdin: workflow, ...surroundings }, api.load);
  return { ...ran, calls: api.calls };
}

const squadText = '{\n  "squad": {\n    "members": []\n  }\n}\n';

describe('squadc compile', () => {
  it('prints the squad and a summary', async () => {
    expect(await compile('-')).toEqual({
      exitCode: 0,
      out: squadText,
      err: 'complete: 5 nodes → 3 assistants, 2 handoffs, 1 extraction\n',
      calls: [{ workflow: JSON.parse(workflow), options: { boundary: 'branch' } }],
    });
    const diagnostics = [exampleDiagnostic({ code: 'shape/dialect', severity: 'info' })];
    const { err } = await compile('-', { ...complete, diagnostics });
    expect(err).toMatch(/^complete: 5 nodes \(dialect vapi\) → /);
  });

  it('shows errors at their lines, and informational findings only when asked', async () => {
    const { exitCode, out, err } = await compile(put('bad.json', workflow), invalid);
    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toContain('error[shape/unknown-node-type]: No such type.\n --> bad.json:3:15\n');
    expect(err).toContain('3 |     { "type": "converstion" }\n');
    expect(err).toMatch(/\ninvalid: 1 error, 1 warning\n$/);
    expect(err).not.toContain('By the way.');
    expect((await compile('- --verbose', invalid)).err).toContain('By the way.');
  });

  it('shows open questions, where they are about, and how to answer them', async () => {
    const { exitCode, out, err } = await compile(put('cyclic.json', workflow), open);
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toContain('question[cyclic-stages:a,b]');
    expect(err).toMatch(
      /question\[missing-destination:transfer\].*\n {2}--> cyclic\.json:3:15, 2:12\n/,
    );
    const [, snippet = ''] =
      /To answer 2 questions, save this as answers\.json and add --answers answers\.json:\n(\{.*\n\})\n/s.exec(
        err,
      ) ?? [];
    expect(Object.keys(JSON.parse(snippet).answers)).toEqual(open.questions.map(({ id }) => id));
    expect(err).toMatch(/\n2 questions open\n$/);
    const more = await compile(`- --answers ${put('given.json', '{}')}`, open);
    expect(more.err).toContain('add this to the answers in given.json:\n');
  });

  it('accepts proposals, compiles again, and lists what it accepted', async () => {
    const api = stubApi(({ answers }) => (answers === undefined ? open : complete));
    const { exitCode, out, err } = await compile('- --accept-proposals', api);
    expect([exitCode, out]).toEqual([0, squadText]);
    expect(err).toMatch(/^accepted: cyclic-stages:a,b → consolidate\ncomplete: /);
    const answers = { 'cyclic-stages:a,b': { choice: 'consolidate' } };
    expect(api.calls[1]?.options.answers).toEqual({ answers });
  });

  it('asks, and takes the answers that it printed once they are filled in', async () => {
    const desk = {
      name: 'Desk',
      nodes: [
        { id: 'greeting', type: 'conversation', systemPrompt: 'Greet.' },
        { id: 'human', type: 'transferCall' },
      ],
      edges: [{ from: 'greeting', to: 'human', condition: 'asks for a human' }],
    };
    const file = put('desk.json', desk);
    const asked = await squadc(`compile ${file}`);
    expect(asked).toMatchObject({ exitCode: 2, out: '' });
    const [snippet = ''] = /^\{.*^\}$/ms.exec(asked.err) ?? [];
    const unedited = await squadc(`compile ${file} --answers ${put('printed.json', snippet)}`);
    expect(unedited).toMatchObject({ exitCode: 1, err: has('error[api/answer-choice]') });
    expect(unedited.err).toContain('--> printed.json:');
    const { answers } = JSON.parse(snippet);
    for (const id of Object.keys(answers)) answers[id] = { choice: 'number', value: '+4930123456' };
    const filled = await squadc(`compile ${file} --answers ${put('filled.json', { answers })}`);
    const err = 'complete: 2 nodes → 1 assistant, 0 handoffs, 0 extractions\n';
    expect(filled).toMatchObject({ exitCode: 0, err, out: has('+4930123456') });
  });
});

describe('options', () => {
  it('reach the compiler', async () => {
    put('answers.json', { answers: { a: { choice: 'b' } }, policies: { x: '1', y: '2' } });
    put('overrides.json', { voice: { provider: '11labs' } });
    put('tool-names.json', { 'tool-1': { name: 'find_table' } });
    put('bindings.json', { find: { operation: 'bills.get' } });
    const { calls } = await compile(
      '- --answers answers.json --policy y=3 --policy z=4 --target vapi --boundary tools ' +
        '--handoff-tools auto --pass arguments --model anthropic/claude --context last:4 ' +
        '--overrides overrides.json --dynamic a b --dynamic c --critical d ' +
        '--tool-names tool-names.json --bindings bindings.json --tools server ' +
        '--tool-server https://tools.example.com --tool-credential calls ' +
        '--service-url bills=https://api.example.com?a=b',
    );
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
    const { calls: others } = await compile('- --model openai:gpt/4 --context user-and-assistant');
    expect(others[0]?.options).toMatchObject({
      model: { provider: 'openai', model: 'gpt/4' },
      context: { type: 'userAndAssistantMessages' },
    });
  });

  it.each(['null', '"text"', '{"policies":[]}'])(
    'leave answers of a wrong form for the compiler to refuse: %s',
    async (text) => {
      const { calls } = await compile(`- --answers ${put('wrong.json', text)} --policy a=b`);
      expect(calls[0]?.options.answers).toEqual(JSON.parse(text));
    },
  );

  it.each(['--answers', '--overrides', '--bindings', '--tool-names'])(
    'are not used where %s is not JSON',
    async (flag) => {
      const ran = await compile(`- ${flag} ${put('broken.json', '{"a":')}`);
      expect(ran).toMatchObject({ exitCode: 1, out: '', calls: [], err: has('broken.json:1:6') });
      expect(ran.err).toContain('error[shape/not-json]');
    },
  );

  it('have their faults shown in the file or the flag that they stand in', async () => {
    put('a.json', '{\n  "answers": {\n    "a": 1\n  }\n}');
    put('o.json', '{\n  "voice": 1\n}');
    put('b.json', '{\n  "find": 1\n}');
    put('t.json', '{\n  "tool-1": 1\n}');
    const rows: readonly (readonly [part: 'answers' | 'options', at: string, place: string])[] = [
      ['answers', '/answers/a', 'a.json:3:10'],
      ['answers', '/policies/p~1q', '--policy p/q'],
      ['options', '/memberOverrides/voice', 'o.json:2:12'],
      ['options', '/bindings/find', 'b.json:2:11'],
      ['options', '/toolNames/tool-1', 't.json:2:13'],
      ['options', '/dynamicVariables/1', '--dynamic'],
      ['options', '/criticalVariables', '--critical'],
      ['options', '/pass', '--pass'],
      ['options', '/model', '--model'],
      ['options', '/toolServer', '--tool-server'],
      ['options', '/serviceUrls', '--service-url'],
      ['options', '/names', 'options /names'],
      ['options', '/dynamicVariablesToo', 'options /dynamicVariablesToo'],
    ];
    const diagnostics = rows.map(([part, at]) => exampleDiagnostic({ in: part, at }));
    const { err } = await compile(
      [
        ...'- --answers a.json --overrides o.json --bindings b.json --tool-names t.json'.split(' '),
        ...['--policy', 'p/q=y', '--policy', `p/q=${'x'.repeat(500)}`, '--pass', 'arguments'],
        ...['--dynamic', 'a', ' ', '--critical', "it's", '--model', 'a:b'],
        ...['--tool-server', 'https://x?key=1', '--service-url', 'bills=https://x?key=1'],
      ],
      exampleResult({ diagnostics }),
    );
    const places = [...err.matchAll(/--> (.*)/g)].map(([, place]) => place);
    // What leads to the tools is looked at before the compiler is asked.
    const before = ['--tool-server', '--service-url', 'b.json:2:11'];
    expect(places).toEqual([...before, ...rows.map(([, , place]) => place)]);
  });
});

describe('--output and --emit', () => {
  it('write a file and nothing to standard output; a dash is standard output', async () => {
    const ran = await compile('- -o new/folder/squad.json');
    expect(ran).toMatchObject({ exitCode: 0, out: '', err: has('complete: ') });
    expect(read('new/folder/squad.json')).toBe(squadText);
    expect(readdirSync(join(folder, 'new/folder'))).toEqual(['squad.json']);
    expect((await compile('- -o -')).out).toBe(squadText);
    await compile('- --emit regions -o regions.json');
    expect(JSON.parse(read('regions.json'))).toEqual({ what: 'regions' });
  });

  it.each(['open', 'invalid'] as const)('keep an existing file: %s', async (name) => {
    put('kept.json', 'as it was');
    for (const flags of ['', ' --emit ledger']) {
      await compile(`- -o kept.json${flags}`, results[name]);
      expect(read('kept.json')).toBe('as it was');
    }
    await compile('- -o never.json', results[name]);
    expect(readdirSync(folder)).not.toContain('never.json');
  });

  it.each([
    ['flow-graph', complete, 0, { what: 'flow-graph' }],
    ['regions', complete, 0, { what: 'regions' }],
    ['squad-ir', complete, 0, { what: 'squad-ir' }],
    ['source-map', open, 2, open.sourceMap],
    ['ledger', open, 2, []],
    ['tool-bindings', complete, 0, {}],
    ['ledger', invalid, 1, null],
  ])('--emit %s prints it', async (what, result, exitCode, expected) => {
    const ran = await compile(`- --emit ${what}`, result);
    expect(ran.exitCode).toBe(exitCode);
    if (expected === null) expect(ran.out).toBe('');
    else expect(JSON.parse(ran.out)).toEqual(expected);
  });
});

describe('--json', () => {
  it.each([
    ['complete', 0],
    ['open', 2],
    ['invalid', 1],
  ] as const)('prints the whole result, with lines and columns: %s', async (name, expected) => {
    const { exitCode, out, err } = await compile('- --json', results[name], { isTTY: true });
    expect([exitCode, err]).toEqual([expected, '']);
    const { diagnostics, ...rest } = JSON.parse(out);
    const { diagnostics: found, ...others } = JSON.parse(JSON.stringify(results[name]));
    expect(rest).toEqual({ dialect: 'spec', ...others });
    expect(diagnostics).toHaveLength(found.length);
    if (name === 'invalid') expect(diagnostics[0]).toEqual({ ...fault, line: 3, column: 15 });
  });

  it('walks each text once, however many places are asked for', async () => {
    const nodes = Array.from({ length: 20_000 }, (_, id) => ({ id, odd: true }));
    const diagnostics = nodes.map((_, id) => exampleDiagnostic({ at: `/nodes/${id}/odd` }));
    const stdin = JSON.stringify({ nodes }, null, 1);
    const { out } = await compile('- --json', exampleResult({ diagnostics }), { stdin });
    expect(JSON.parse(out).diagnostics.at(-1).line).toBe(2 + 20_000 * 4 - 1);
  });

  it('has the form of a result for what is not JSON, too', async () => {
    const { exitCode, out, calls } = await compile('- --json', complete, { stdin: '{' });
    expect([exitCode, calls]).toEqual([1, []]);
    const result = JSON.parse(out);
    const diagnostics = [{ code: 'shape/not-json', line: 1, column: 2 }];
    expect(result).toMatchObject({ status: 'invalid', output: null, questions: [], diagnostics });
    expect(Object.keys(result).sort()).toEqual([...Object.keys(complete), 'dialect'].sort());
  });
});

describe('inputs', () => {
  it('may have a byte order mark', async () => {
    const { calls } = await compile(put('bom.json', '\ufeff{"ä":"😀"}'));
    expect(calls[0]?.workflow).toEqual({ ä: '😀' });
  });

  it.each<[string, string | Uint8Array | null, string]>([
    ['missing.json', null, 'no such file or directory\n'],
    ['fiel.json', null, 'no such file or directory\n(Did you mean file.json?)\n'],
    ['file.json/b', null, 'not a directory\n'],
    ['run', null, 'it is a directory\n  help: It holds a migration; name a file in it, such as'],
    ['.', null, 'it is a directory\n  help: Name a file in it; whole folders are for squadc migr'],
    ['x.json', Uint8Array.of(0x22, 0xc3, 0x22), 'it is not valid UTF-8; save it as UTF-8\n'],
    ['x.json', Uint8Array.of(0xff, 0xfe, 0x7b, 0), 'it is not valid UTF-8 (it looks like UTF-16)'],
  ])('are named with the reason why they cannot be read: %s', async (name, content, reason) => {
    put('file.json', '{}');
    put('run/summary.json', '{}');
    if (content !== null) put(name, content);
    for (const flags of [name, `- --answers ${name}`]) {
      const { exitCode, out, err, calls } = await compile(flags);
      expect([exitCode, out, calls]).toEqual([1, '', []]);
      expect(err.startsWith(`squadc: cannot read ${name}: ${reason}`), err).toBe(true);
    }
  });

  // Nothing is closed to the superuser.
  it.skipIf(process.getuid?.() === 0)('have permissions', async () => {
    chmodSync(join(folder, put('mine.json', '{}')), 0);
    const reason = 'cannot read mine.json: permission denied\n  help: Make the file readable';
    expect(await compile('mine.json')).toMatchObject({ exitCode: 1, err: has(reason) });
    put('locked/x.json', 'old');
    chmodSync(join(folder, 'locked'), 0o555);
    expect((await compile('- -o locked/x.json')).err).toContain('permission denied');
    chmodSync(join(folder, 'locked'), 0o755);
    expect(read('locked/x.json')).toBe('old');
  });

  const node = { id: 'a', type: 'conversation' };
  const desk = { name: 'Desk', nodes: [node], edges: [] };
  it.each([
    ['YAML', 'nodes:\n  - id: a\nedges: []\n', 'yq -o json'],
    ['YAML', '# made by hand\n\n---\nname: Desk\n', 'yq -o json'],
    ['a page of a browser', '<!doctype html><title>Desk</title>', 'squadc pull'],
    ['a list of workflows', [desk, desk], 'squadc migrate'],
    ['the summary of a migration', { totals: {}, workflows: [] }, 'squadc report'],
    ['the result of a compilation', { ...complete }, 'squadc check'],
  ])('may be mistaken for a workflow: %s', async (what, content, help) => {
    const { exitCode, out, err } = await squadc(`compile ${put('given.json', content)}`);
    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toContain(`: This is ${what}, not a workflow.\n --> given.json:1:1\n`);
    expect(err).toMatch(new RegExp(`= help: .*${help}`));
    expect(err).toMatch(/\ninvalid: 1 error\n$/);
  });
});

describe('outputs', () => {
  it.each(['in.json', './in.json', 'link.json'])('are never an input: %s', async (output) => {
    put('in.json', workflow);
    if (output === 'link.json') symlinkSync(join(folder, 'in.json'), join(folder, 'link.json'));
    for (const flags of ['in.json', '- --answers in.json']) {
      const err = `squadc: the output file ${output} is also an input\n`;
      expect(await compile(`${flags} -o ${output}`)).toMatchObject({ exitCode: 64, err });
    }
    expect(read('in.json')).toBe(workflow);
  });

  it('replace a file as a whole, by renaming another over it, but no device', async () => {
    const before = statSync(join(folder, put('old.json', 'a text '.repeat(100)))).ino;
    await compile('- -o old.json');
    expect(read('old.json')).toBe(squadText);
    expect(statSync(join(folder, 'old.json')).ino).not.toBe(before);
    await compile('- -o /dev/null');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it.each([
    ['sub/taken', 'it is a directory'],
    ['sub/taken/x.json/y.json', 'file already exists'],
  ])('leave nothing behind where they cannot be written: %s', async (name, reason) => {
    put('sub/taken/x.json', '');
    const err = has(`squadc: cannot write ${name}: ${reason}\n`);
    expect(await compile(`- -o ${name}`)).toMatchObject({ exitCode: 1, err });
    expect(readdirSync(join(folder, 'sub'))).toEqual(['taken']);
  });

  it('never take a short write for a complete one', async () => {
    const write = fs.write as (...args: unknown[]) => void;
    const short = vi
      .spyOn(fs, 'write')
      .mockImplementation(((fd: number, text: string, ...rest: unknown[]) =>
        write(fd, text.slice(0, 3), ...rest)) as typeof fs.write);
    await compile('- -o whole.json');
    short.mockRestore();
    expect(read('whole.json')).toBe(squadText);
  });

  it.each<[isTTY: boolean, env: Record<string, string>, coloured: boolean]>([
    [true, {}, true],
    [false, {}, false],
    [true, { TERM: 'dumb' }, false],
    [true, { NO_COLOR: '0' }, false],
    [true, { NO_COLOR: '' }, true],
    [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    [false, { FORCE_COLOR: '' }, true],
    [true, { FORCE_COLOR: '0' }, false],
  ])(
    'are coloured on a terminal (%s), unless it is not wanted: %j',
    async (isTTY, env, coloured) => {
      const { err } = await compile('-', complete, { isTTY, env });
      expect(err.includes('\u001b[')).toBe(coloured);
    },
  );
});

describe('answers of a migration', () => {
  const question = 'missing-destination:planner';
  const number = { choice: 'number', value: '+4930123456' };

  /** The answers of a run, by what they say of the workflow's question. */
  let key = '';
  let subject = '';
  const putAnswer = (answer: object | null, name = key) => {
    const workflows = answer === null ? {} : { [name]: { answers: { [question]: answer } } };
    put('out/answers.json', { policies: { 'missing-auth': 'none' }, workflows });
  };
  const answers = '--answers out/answers.json';

  beforeAll(async () => {
    put('in/mover.json', goldenText('saved-answers-with-a-policy'));
    await migrate(['in', '-o', 'out', '--no-report'], { cwd: folder }, here());
    key = rowsOf(join(folder, 'out'))[0]!.key;
    const { questions } = JSON.parse(read(`out/${key}/result.json`));
    subject = questions.find(({ id }: { id: string }) => id === question).subject;
  });

  it('are taken by compile, check, graph and scenarios', async () => {
    putAnswer({ ...number, subject });
    for (const [line, out] of [
      ['compile in/mover.json -o mover-squad.json', ''],
      ['check in/mover.json mover-squad.json', has('\nholds: ')],
      ['graph in/mover.json --of squad', has('<svg')],
      ['scenarios in/mover.json', has('Call 1 of')],
    ]) {
      expect([line, await squadc(`${line} ${answers}`)]).toMatchObject([
        line,
        { exitCode: 0, out },
      ]);
    }
    expect(read('mover-squad.json')).toContain('+4930123456');
  });

  it('are found from another folder by the name, where it is the only one', async () => {
    putAnswer({ ...number, subject });
    const line = 'compile mover.json --answers ../out/answers.json';
    const cwd = join(folder, 'in');
    expect((await squadc(line, { cwd })).exitCode).toBe(0);
    putAnswer(number, 'another-workflow-0a1b2c3d');
    const { exitCode, err } = await squadc(line, { cwd });
    expect(exitCode).toBe(2);
    expect(err).toMatch(/^\.\.\/out\/answers\.json holds no answers for moving-company-\w{8}\n/);
  });

  it('count as long as their question is the same, and they are answers', async () => {
    putAnswer({ ...number, subject: '0'.repeat(16) });
    const { exitCode, err } = await squadc(`compile in/mover.json ${answers}`);
    expect([exitCode, err]).toEqual([2, has('warning[batch/subject-changed]')]);
    const column = read('out/answers.json').indexOf('{"choice"');
    expect(err).toContain(`--> out/answers.json:1:${column + 1}\n`);
    putAnswer({ choice: 7 });
    const refused = await squadc(`compile in/mover.json ${answers}`);
    expect(refused).toMatchObject({ exitCode: 1, err: has('error[batch/answers-shape]') });
  });

  it('leave room for proposals', async () => {
    putAnswer(null);
    const ran = await squadc(`compile in/mover.json ${answers} --accept-proposals --json`);
    expect(ran.exitCode).toBe(2);
    expect(JSON.parse(ran.out).questions.map(({ id }: { id: string }) => id)).toEqual([question]);
  });
});

describe('a squad that the check refutes', () => {
  const source = {
    name: 'Desk',
    nodes: [{ id: 'a', headers: { Authorization: 'Bearer abc.def', 'X-Token': '{{token}}' } }],
  };
  const answers = {
    answers: {
      'missing-auth:lookup': { choice: 'header', value: { header: 'X-Key', secret: 'key_name' } },
      'missing-endpoint:a': { choice: 'request', value: { headers: { 'api-key': 'literal-key' } } },
    },
    policies: { 'missing-auth': 'none' },
  };
  const lost = { holds: false, text: 'Lost: Bearer abc.def.', source: [], output: ['/squad'] };

  /** What the compiler throws when the check refutes what it made. */
  class Refuted extends Error {
    override readonly name = 'VerificationRefuted';
    readonly workflow = source;
    readonly verification = exampleVerification({
      holds: false,
      checklist: [{ item: 3, title: 'Handoffs', holds: false, evidence: [lost] }],
    });

    constructor(readonly options: CompileOptions) {
      super('refuted');
    }
  }

  const api = stubApi((options) => {
    throw new Refuted(options);
  });
  const reportIn = (path: string) =>
    readdirSync(path).find((each) => /^squadc-bug-[0-9a-f]{8}\.json$/.test(each)) ?? '';

  it('is not put out, and reported in a file without literal secrets', async () => {
    put('answers.json', answers);
    const ran = await compile('- --answers answers.json --model a/b --json', api);
    const name = reportIn(folder);
    expect(ran).toMatchObject({ exitCode: 70, out: '' });
    expect(ran.err).toMatch(
      /^squadc: refused its own output: .*\nItem 3: Lost.*\nThis is a bug of .*\nThe report is /,
    );
    expect(ran.err).toContain(
      `${name}. It holds the workflow, the answers and the options; read it`,
    );
    expect(JSON.parse(read(name))).toEqual({
      squadc: expect.stringMatching(/^\d+\./),
      source: {
        name: 'Desk',
        nodes: [{ id: 'a', headers: { Authorization: '••••', 'X-Token': '{{token}}' } }],
      },
      answers: {
        answers: {
          'missing-auth:lookup': answers.answers['missing-auth:lookup'],
          'missing-endpoint:a': { choice: 'request', value: { headers: { 'api-key': '••••' } } },
        },
        policies: answers.policies,
      },
      options: { boundary: 'branch', model: { provider: 'a', model: 'b' } },
      refutation: {
        holds: false,
        checklist: [
          {
            ...new Refuted({}).verification.checklist[0],
            evidence: [{ ...lost, text: 'Lost: Bearer ••••.' }],
          },
        ],
        counterexamples: [],
        diagnostics: [],
      },
    });
  });

  it('is reported beside the output file, which is not written', async () => {
    fs.mkdirSync(join(folder, 'beside'));
    expect((await compile('- -o beside/squad.json', api)).exitCode).toBe(70);
    expect(readdirSync(join(folder, 'beside'))).toEqual([reportIn(join(folder, 'beside'))]);
  });

  it('is a bug even where the report cannot be written', async () => {
    put('taken', '');
    const err = has('The report could not be written: cannot write taken/');
    expect(await compile('- -o taken/squad.json', api)).toMatchObject({
      exitCode: 70,
      out: '',
      err,
    });
  });
});
