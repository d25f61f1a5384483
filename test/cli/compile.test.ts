/** squadc compile, and what all commands that compile share: inputs, options, outputs. */
import fs, { chmodSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { VerificationRefuted } from '../../src/compiler/ir/compiler-bug.js';
import type { CompileOptions } from '../../src/index.js';
import * as library from '../../src/index.js';
import { migrate, rowsOf } from '../batch/migrating.js';
import { ends, exact, golden, has, type Row, temporaryFolder } from './fake-io.js';

const given = temporaryFolder();
const { folder, put, read, squadc } = given;

/** With two errors and a warning. */
const wrong = `{
  "name": "Desk",
  "color": 1,
  "nodes": [
    { "id": "a", "type": "converstion" },
    { "id": "c", "type": "conversation", "systemPrompt": "Hi {{x}}." }
  ],
  "edges": [{ "from": "a", "to": "c" }, { "from": "a", "to": "b" }]
}
`;
const question = 'missing-destination:vet-on-duty';
const number = { choice: 'number', value: '+4930123456' };
const stdin = golden('worked-pattern');

put('good.json', stdin);
put('wrong.json', wrong);
put('open.json', golden('missing-destination-open'));
put('cycle.json', golden('cycle-open'));
put('number.json', { answers: { [question]: number } });
put('none.json', {});
put('shape.json', { policies: [] });
put('broken.json', '{"a":');
put('kept.json', 'as it was');

const counted = 'complete: 5 nodes → 3 assistants, 2 handoffs, 2 extractions\n';
const out = /^\{\n {2}"squad": \{\n {4}"members": \[\n[\s\S]*\n\}\n$/;

describe('squadc compile', () => {
  ends(given, [
    ['compile good.json', 0, exact(counted), { out }],
    ['compile -', 0, exact(counted), { stdin, out }],
    ['compile good.json --verbose', 0, 'info[data/unused-capture]: '],
    ['compile -', 0, /^complete: 5 nodes \(dialect vapi\) → /, { stdin: golden('vapi-aliases') }],
    [
      'compile wrong.json',
      1,
      [
        'error[shape/unknown-node-type]: “converstion” is not a node type',
        '\n --> wrong.json:5:26\n',
        '\n5 |     { "id": "a", "type": "converstion" },\n',
        'warning[shape/unknown-field]',
        /\ninvalid: 2 errors, 1 warning\n$/,
      ],
    ],
    [
      'compile open.json',
      2,
      [
        `question[${question}]: The node “vet-on-duty”`,
        '\n  --> open.json:5:5\n',
        'To answer 1 question, save this as answers.json and add --answers answers.json:\n{',
        /\n1 question open\n$/,
      ],
    ],
    ['compile cycle.json', 2, '\n  --> cycle.json:5:5, 9:5\n'],
    ['compile cycle.json --answers none.json', 2, 'add this to the answers in none.json:\n'],
    ['compile cycle.json --accept-proposals', 0, /^accepted: cyclic-\S+ → consolidate\ncomplete: /],
    ['compile open.json --answers number.json', 0, /^complete: /, { out: '+4930123456' }],
    // A file is made with its folders, or kept where there is nothing to put out.
    [
      'compile - -o new/a/x.json',
      0,
      exact(counted),
      { stdin, out: '', leaves: { 'new/a/x.json': out } },
    ],
    ['compile - -o -', 0, exact(counted), { stdin, out }],
    ...['open.json', 'wrong.json', 'open.json --emit ledger'].map((line): Row => {
      const leaves = { 'kept.json': exact('as it was') };
      return [`compile ${line} -o kept.json`, line[0] === 'o' ? 2 : 1, / open|invalid/, { leaves }];
    }),
    ['compile wrong.json -o never.json', 1, 'invalid', { leaves: { 'never.json': null } }],
    ['compile good.json -o ./good.json', 64, 'the output file ./good.json is also an input\n'],
    ['compile - --answers none.json -o none.json', 64, 'none.json is also an input\n', { stdin }],
    ['compile - -o new', 1, 'squadc: cannot write new: it is a directory\n', { stdin }],
    ['compile - -o none.json/x', 1, 'cannot write none.json/x: file already exists\n', { stdin }],
    ['compile good.json --emit flow-graph', 0, exact(counted), { out: '"order": [' }],
    ['compile good.json --emit regions', 0, exact(counted), { out: '"regions": [' }],
    ['compile good.json --emit squad-ir', 0, exact(counted), { out: '"assistants": [' }],
    ['compile good.json --emit tool-bindings', 0, exact(counted), { out: exact('{}\n') }],
    ['compile open.json --emit source-map', 2, '1 question open', { out: '"origin": {' }],
    ['compile open.json --emit ledger', 2, '1 question open', { out: /^\[\n/ }],
    ['compile wrong.json --emit ledger', 1, 'invalid'],
  ]);

  it('takes the answers that it printed once they are filled in', async () => {
    const asked = await squadc('compile open.json');
    const [printed = ''] = /^\{.*^\}$/ms.exec(asked.err) ?? [];
    const unedited = await squadc(`compile open.json --answers ${put('printed.json', printed)}`);
    expect(unedited).toMatchObject({ exitCode: 1, err: has('error[api/answer-choice]') });
    expect(unedited.err).toContain('--> printed.json:4:17\n');
    const filled = printed.replace(/"choice": ".*"/, JSON.stringify(number).slice(1, -1));
    const ran = await squadc(`compile open.json --answers ${put('filled.json', filled)}`);
    expect(ran).toMatchObject({ exitCode: 0, out: has('+4930123456') });
  });

  it.each([
    ['good.json', 0],
    ['open.json', 2],
    ['wrong.json', 1],
  ])(
    'prints the whole result of %s with --json, with lines and columns',
    async (file, exitCode) => {
      const ran = await squadc(`compile ${file} --json`, { isTTY: true });
      expect(ran).toMatchObject({ exitCode, err: '' });
      const { diagnostics, ...others } = JSON.parse(ran.out);
      const result = JSON.parse(JSON.stringify(library.compile(JSON.parse(read(file)))));
      expect({ ...others, diagnostics: result.diagnostics }).toEqual({
        dialect: 'spec',
        ...result,
      });
      expect(diagnostics).toMatchObject(result.diagnostics);
      if (exitCode === 1) expect(diagnostics[0]).toMatchObject({ line: 5, column: 26 });
    },
  );

  it('has the form of a result for what is not JSON, too', async () => {
    const { exitCode, out } = await squadc('compile - --json', { stdin: '{' });
    const result = JSON.parse(out);
    const diagnostics = [{ code: 'shape/not-json', line: 1, column: 2 }];
    expect([exitCode, result]).toMatchObject([1, { status: 'invalid', output: null, diagnostics }]);
    expect(Object.keys(result).sort()).toEqual(
      [...Object.keys(library.compile({})), 'dialect'].sort(),
    );
  });
});

describe('options', () => {
  it('reach the compiler', async () => {
    put('answers.json', { answers: { a: { choice: 'b' } }, policies: { x: '1', y: '2' } });
    put('overrides.json', { voice: { provider: '11labs' } });
    put('names.json', { 'tool-1': { name: 'find_table' } });
    put('bindings.json', { find: { operation: 'bills.get' } });
    const found: (CompileOptions | undefined)[] = [];
    const load = async () => ({
      ...library,
      compile: (_: unknown, options?: CompileOptions) => {
        found.push(options);
        return library.compile({});
      },
    });
    for (const flags of [
      'good.json --answers answers.json --policy y=3 --policy z=4 --target vapi ' +
        '--boundary tools --handoff-tools auto --pass arguments --model anthropic/claude ' +
        '--context last:4 --overrides overrides.json --dynamic a b --dynamic c --critical d ' +
        '--tool-names names.json --bindings bindings.json --tools server --tool-credential calls ' +
        '--tool-server https://tools.example.com --service-url bills=https://api.example.com?a=b',
      'good.json --model openai:gpt/4 --context user-and-assistant',
    ]) {
      await squadc(`compile ${flags}`, {}, load);
    }
    expect(found).toEqual([
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
      {
        boundary: 'branch',
        model: { provider: 'openai', model: 'gpt/4' },
        context: { type: 'userAndAssistantMessages' },
      },
    ]);
  });

  it('have their faults shown in the file or the flag that they stand in', async () => {
    put('a.json', '{\n  "answers": {\n    "a": 1\n  }\n}');
    put('b.json', '{\n  "find": 1\n}');
    put('o.json', '[\n]');
    put('t.json', '{\n  "tool-1": 1\n}');
    const files = '--answers a.json --bindings b.json --overrides o.json --tool-names t.json';
    const { exitCode, err } = await squadc([
      ...`compile good.json ${files} --pass arguments --policy p/q=y --dynamic a`.split(' '),
      ...[' ', '--critical', "it's", '--model', 'a:b'],
      ...['--tool-server', 'https://x?key=1', '--service-url', 'bills=https://x?key=1'],
    ]);
    const places = [...err.matchAll(/--> (.*)/g)].map(([, place]) => place);
    const flags = ['--tool-server', '--service-url', 'b.json:2:11', '--pass'];
    const others = ['o.json:1:1', 't.json:1:1', '--dynamic', 'a.json:3:10'];
    expect([exitCode, places]).toEqual([1, [...flags, ...others]]);
  });

  ends(given, [
    ...['--answers', '--overrides', '--bindings', '--tool-names'].map((flag): Row => {
      const err = ['error[shape/not-json]', '--> broken.json:1:6\n'];
      return [`compile good.json ${flag} broken.json`, 1, err];
    }),
    ['compile good.json --answers shape.json --policy a=b', 1, ['[api/answer', '--> shape.json:1']],
    ['compile good.json --policy a=b', 1, '--> --policy a\n'],
  ]);
});

const desk = { name: 'Desk', nodes: [{ id: 'a', type: 'conversation' }], edges: [] };
const utf16 = Uint8Array.of(0xff, 0xfe, 0x7b, 0);

describe('inputs', () => {
  put('run/summary.json', '{}');
  put('latin.json', Uint8Array.of(0x22, 0xc3, 0x22));
  put('utf16.json', utf16);
  const unreadable = [
    ['missing.json', 'no such file or directory\n'],
    ['god.json', 'no such file or directory\n(Did you mean good.json?)\n'],
    ['good.json/b', 'not a directory\n'],
    [
      'run',
      'it is a directory\n  help: It is the folder of a migration. Pass a file in it, such as',
    ],
    ['.', 'it is a directory\n  help: Pass a file in it. Only squadc migr'],
    ['latin.json', 'it is not valid UTF-8; save it as UTF-8\n'],
    ['utf16.json', 'it is not valid UTF-8 (it looks like UTF-16)'],
  ].flatMap(([name, reason]): Row[] => {
    const err = `squadc: cannot read ${name}: ${reason}`;
    return [
      [`compile ${name}`, 1, err],
      [`compile good.json --answers ${name}`, 1, err],
    ];
  });
  const mistaken = Object.entries({
    YAML: ['nodes:\n  - id: a\nedges: []\n', 'yq -o json'],
    'YAML ': ['# made by hand\n\n---\nname: Desk\n', 'yq -o json'],
    'a page of a browser': ['<!doctype html><title>Desk</title>', 'squadc pull'],
    'a list of workflows': [[desk, desk], 'squadc migrate'],
    'the summary of a migration': [{ totals: {}, workflows: [] }, 'squadc report'],
    'the result of a compilation': [library.compile({}), 'squadc check'],
  }).map(([what, [content, help]]): Row => {
    const says = `: This is ${what.trim()}, not a workflow.\n --> given.json:1:1\n`;
    const err = [says, new RegExp(`= help: .*${help}`), /\ninvalid: 1 error\n$/];
    return ['compile given.json', 1, err, { files: { 'given.json': content as object } }];
  });
  ends(given, [
    ...unreadable,
    ...mistaken,
    ['compile bom.json', 0, exact(counted), { files: { 'bom.json': `\ufeff${stdin}` }, out }],
  ]);

  // Nothing is closed to the superuser.
  it.skipIf(process.getuid?.() === 0)('have permissions', async () => {
    chmodSync(join(folder, put('mine.json', '{}')), 0);
    const reason = 'cannot read mine.json: permission denied\n  help: Make the file readable';
    expect(await squadc('compile mine.json')).toMatchObject({ exitCode: 1, err: has(reason) });
    put('locked/x.json', 'old');
    chmodSync(join(folder, 'locked'), 0o555);
    const { err } = await squadc('compile good.json -o locked/x.json');
    chmodSync(join(folder, 'locked'), 0o755);
    expect([err, read('locked/x.json')]).toEqual([has('permission denied'), 'old']);
  });
});

describe('outputs', () => {
  it('are no input by another name, and replace a file by a rename, but no device', async () => {
    symlinkSync(join(folder, 'good.json'), join(folder, 'link.json'));
    expect((await squadc('compile good.json -o link.json')).exitCode).toBe(64);
    const before = statSync(join(folder, put('old/x.json', 'a text '.repeat(100)))).ino;
    await squadc('compile good.json -o old/x.json');
    expect(read('old/x.json')).toMatch(out);
    expect(statSync(join(folder, 'old/x.json')).ino).not.toBe(before);
    expect(readdirSync(join(folder, 'old'))).toEqual(['x.json']);
    await squadc('compile good.json -o /dev/null');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it('are written whole where the system writes a part only', async () => {
    const write = fs.write as (...args: unknown[]) => void;
    const short = vi
      .spyOn(fs, 'write')
      .mockImplementation(((fd: number, text: string, ...rest: unknown[]) =>
        write(fd, text.slice(0, 300), ...rest)) as typeof fs.write);
    await squadc('compile good.json -o whole.json');
    short.mockRestore();
    expect(read('whole.json')).toMatch(out);
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
      const { err } = await squadc('compile good.json', { isTTY, env });
      expect(err.includes('\u001b[')).toBe(coloured);
    },
  );
});

describe('answers of a migration', () => {
  const planner = 'missing-destination:planner';
  let key = '';
  let subject = '';
  const answers = (answer: object, name = key) => {
    const workflows = { [name]: { answers: { [planner]: answer } } };
    put('out/answers.json', { policies: { 'missing-auth': 'none' }, workflows });
  };
  const mover = 'in/mover.json --answers out/answers.json';

  beforeAll(async () => {
    put('in/mover.json', golden('saved-answers-with-a-policy'));
    await migrate(['in', '-o', 'out', '--no-report'], { cwd: folder });
    key = rowsOf(join(folder, 'out'))[0]!.key;
    const { questions } = JSON.parse(read(`out/${key}/result.json`));
    subject = questions.find(({ id }: { id: string }) => id === planner).subject;
  });

  it('are taken by compile, check, graph and scenarios, and found by the name elsewhere', async () => {
    answers({ ...number, subject });
    for (const [line, said] of [
      [`compile ${mover} -o squad.json`, ''],
      ['check in/mover.json squad.json --answers out/answers.json', '\nholds: '],
      [`graph ${mover} --of squad`, '<svg'],
      [`scenarios ${mover}`, 'Call 1 of'],
    ] as const) {
      const ran = await squadc(line);
      expect([line, ran]).toMatchObject([line, { exitCode: 0, out: has(said) }]);
    }
    expect(read('squad.json')).toContain('+4930123456');
    const inside = { cwd: join(folder, 'in') };
    const line = 'compile mover.json --answers ../out/answers.json';
    expect((await squadc(line, inside)).exitCode).toBe(0);
    answers(number, 'another-workflow-0a1b2c3d');
    const { exitCode, err } = await squadc(line, inside);
    expect([exitCode, err]).toEqual([2, has('contains no answers for moving-company-')]);
  });

  it('count as long as their question is the same, and they are answers', async () => {
    answers({ ...number, subject: '0'.repeat(16) });
    const changed = await squadc(`compile ${mover}`);
    expect(changed).toMatchObject({ exitCode: 2, err: has('warning[batch/subject-changed]') });
    const column = read('out/answers.json').indexOf('{"choice"');
    expect(changed.err).toContain(`--> out/answers.json:1:${column + 1}\n`);
    answers({ choice: 7 });
    const refused = await squadc(`compile ${mover}`);
    expect(refused).toMatchObject({ exitCode: 1, err: has('error[batch/answers-shape]') });
    answers(number, 'another-workflow-0a1b2c3d');
    const proposed = await squadc(`compile ${mover} --accept-proposals`);
    expect(proposed).toMatchObject({ exitCode: 2, err: has('\n1 question open\n') });
  });
});

describe('a squad that the check refutes', () => {
  const source = {
    name: 'Desk',
    nodes: [{ id: 'a', headers: { Authorization: 'Bearer abc.def', 'X-Token': '{{token}}' } }],
  };
  const header = { choice: 'header', value: { header: 'X-Key', secret: 'key_name' } };
  const request = { choice: 'request', value: { headers: { 'api-key': 'literal-key' } } };
  const evidence = { holds: false, text: 'Lost: Bearer abc.def.', source: [], output: [] };
  const item = { item: 3, title: 'Handoffs', holds: false, evidence: [evidence] };
  const verification = { holds: false, checklist: [item], counterexamples: [], diagnostics: [] };
  const load = async () => ({
    ...library,
    compile: (_: unknown, options: CompileOptions = {}) => {
      throw new VerificationRefuted(source, options, verification);
    },
  });
  const report = (path = '') =>
    readdirSync(join(folder, path)).filter((name) => /^squadc-bug-\w{8}\.json$/.test(name));

  it('is not put out, and is reported in a file without literal secrets', async () => {
    put('secret.json', { answers: { 'missing-auth:a': header, 'missing-endpoint:a': request } });
    const line = 'compile good.json --answers secret.json --model a/b --json';
    const { exitCode, out, err } = await squadc(line, {}, load);
    expect([exitCode, out, report()]).toEqual([70, '', [expect.any(String)]]);
    expect(err).toMatch(
      /^squadc: refuted its own output: .*\nItem 3: Lost.*\nThis is a bug in .*\nThe report is /,
    );
    expect(err).toContain(`${report()[0]}. It contains the workflow, the answers and the options`);
    const text = read(report()[0]!);
    expect(text).not.toMatch(/abc\.def|literal-key/);
    expect(JSON.parse(text)).toMatchObject({
      squadc: expect.stringMatching(/^\d+\./),
      source: { nodes: [{ id: 'a', headers: { Authorization: '••••', 'X-Token': '{{token}}' } }] },
      answers: { answers: { 'missing-auth:a': header } },
      options: { boundary: 'branch', model: { provider: 'a', model: 'b' } },
      refutation: { holds: false, checklist: [{ item: 3 }] },
    });
  });

  it('is reported beside the output, and is a bug even where that cannot be', async () => {
    put('beside/x', '');
    expect((await squadc('compile good.json -o beside/s.json', {}, load)).exitCode).toBe(70);
    expect(readdirSync(join(folder, 'beside'))).toEqual([...report('beside'), 'x']);
    const err = has('The report could not be written: cannot write kept.json/');
    const lost = await squadc('compile good.json -o kept.json/s.json', {}, load);
    expect(lost).toMatchObject({ exitCode: 70, out: '', err });
  });
});
