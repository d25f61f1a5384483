/** squadc compile, and what all commands that compile share: inputs, options, outputs. */
import fs, { chmodSync, lstatSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { VerificationRefuted } from '../../src/compiler/ir/compiler-bug.js';
import type { CompileOptions } from '../../src/index.js';
import * as library from '../../src/index.js';
import { migrate, rowsOf } from '../batch/migrating.js';
import { fakeTerminal, keys, type Step } from './answering.js';
import { golden, has, temporaryFolder, transcript } from './fake-io.js';

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
put('aliases.json', golden('vapi-aliases'));
put('bom.json', `\ufeff${stdin}`);
put('number.json', { answers: { [question]: number } });
put('none.json', {});
put('shape.json', { policies: [] });
put('broken.json', '{"a":');
put('kept.json', 'as it was');

const counted = 'complete: 5 nodes → 3 assistants, 2 handoffs, 2 extractions\n';
const out = /^\{\n {2}"squad": \{\n {4}"members": \[\n[\s\S]*\n\}\n$/;

describe('squadc compile', () => {
  it('says what plans cost while a call runs', async () => {
    const cost = 'cost an extra model call each';
    const nobody = '--policy values-after-call=none';
    const { err } = await squadc(`compile good.json --target vapi ${nobody}`);
    expect(err).toContain(`2 extractions; 2 handoffs ${cost} (--pass arguments avoids it)\n`);
    const { err: other } = await squadc(
      `compile good.json --target vapi --pass arguments ${nobody}`,
    );
    expect(other).not.toContain(cost);
  });

  it.each(['good.json', 'bom.json', '-', '- -o -'])('puts out the squad of %s', async (words) => {
    const ran = await squadc(`compile ${words}`, { stdin });
    expect(ran).toEqual({ exitCode: 0, out: expect.stringMatching(out), err: has(counted) });
    expect(ran.err).toMatch(/^warning\[data\/lost-after-call\][\s\S]*\n\ncomplete/);
  });

  const told = `
    compile good.json --verbose => 0 info[data/unused-capture]:
    compile aliases.json => 2 question[values-after-call:workflow]
    compile aliases.json --accept-proposals => 0 complete: 5 nodes (dialect vapi) →
    compile wrong.json => 1 error[shape/unknown-node-type]: “converstion” is not a node type
      | --> wrong.json:5:26
      | 5 |     { "id": "a", "type": "converstion" },
      | warning[shape/unknown-field]
      | invalid: 2 errors, 1 warning
    compile open.json => 2 question[${question}]: The node “vet-on-duty”
      | --> open.json:5:5
      | To answer 1 question, save this as answers.json and add --answers answers.json, or use --ask:
      | 1 question open
    compile cycle.json => 2 --> cycle.json:5:5, 9:5
    compile cycle.json --answers none.json => 2 add this to the answers in none.json, or use --ask:
    compile cycle.json --accept-proposals => 0 accepted: cyclic-… → consolidate…complete:
    compile open.json --answers number.json => 0 complete:
      > +4930123456`;
  // A file is made with its folders, or kept where there is nothing to put out.
  const files = `
    compile - -o new/a/x.json => 0 complete:
      + new/a/x.json {…"squad": {…"members": [
    compile open.json -o kept.json => 2 1 question open; kept.json was not written
      + kept.json as it was
    compile open.json --emit ledger -o kept.json => 2 1 question open
      + kept.json as it was
    compile wrong.json -o kept.json => 1 invalid: 2 errors, 1 warning; kept.json was not written
      + kept.json as it was
    compile wrong.json -o never.json => 1 invalid
      - never.json
    compile good.json -o ./good.json => 64 the output file ./good.json is also an input
    compile - --answers none.json -o none.json => 64 none.json is also an input
    compile - -o new => 1 squadc: cannot write new: it is a directory
    compile - -o none.json/x => 1 cannot write none.json/x: file already exists`;
  const representations = `
    compile good.json --emit flow-graph => 0 complete:
      > "order": [
    compile good.json --emit regions => 0 complete:
      > "regions": [
    compile good.json --emit squad-ir => 0 complete:
      > "assistants": [
    compile good.json --emit tool-bindings => 0 complete:
      > {}
    compile open.json --emit source-map => 2 1 question open
      > "origin": {
    compile open.json --emit ledger => 2 1 question open
      > "status":`;
  transcript(given, told + files + representations, { stdin });

  it('accepts the answers that it printed once they are filled in', async () => {
    const asked = await squadc('compile open.json');
    const [printed = ''] = /^\{.*^\}$/ms.exec(asked.err) ?? [];
    const unedited = await squadc(`compile open.json --answers ${put('printed.json', printed)}`);
    expect(unedited).toMatchObject({ exitCode: 1, err: has('error[api/answer-choice]') });
    expect(unedited.err).toContain('--> printed.json:4:17\n');
    expect(JSON.parse(printed).answers[question].value).toBeNull();
    const filled = printed
      .replace(/"choice": ".*"/, '"choice": "number"')
      .replace('null', JSON.stringify(number.value));
    const ran = await squadc(`compile open.json --answers ${put('filled.json', filled)}`);
    expect(ran).toMatchObject({ exitCode: 0, out: has('+4930123456') });
  });

  it('shows the shape of a value that an answer needs', async () => {
    const { err } = await squadc(['compile', put('bill.json', golden('missing-endpoint-open'))]);
    expect(err.replaceAll(/\s+/g, ' ')).toContain(
      '"choice": "CHOOSE: request (with a value) | operation (with a value)", "value": { "url": null, "method": null }',
    );
  });

  it('asks with --ask, saves what is answered, and goes on where answers raise questions', async () => {
    put('ask.json', golden('missing-endpoint-open'));
    const ask = async (line: string, steps: readonly Step[]) => {
      const terminal = fakeTerminal(steps);
      const ran = await squadc(line, { terminal, isTTY: true, env: { NO_COLOR: '1' } });
      expect(terminal.left(), terminal.screen() + ran.err).toEqual([]);
      return ran;
    };
    const [choose, value] = ['What should happen?', 'https://pay.example.com'];
    const line = 'compile ask.json --ask --answers asked.json -o asked-squad.json';
    const stopped = await ask(line, [
      [choose, keys.enter],
      ['url:', value, keys.enter],
      ['method:', keys.enter],
      ...['headers:', 'body:', 'timeoutSeconds:'].map((text): Step => [text, keys.enter]),
      [choose, keys.ctrlC],
    ]);
    expect(stopped).toMatchObject({ exitCode: 2, err: has('asked-squad.json was not written') });
    expect(Object.keys(JSON.parse(read('asked.json')).answers)).toEqual([
      'missing-endpoint:find-bill',
    ]);
    expect(await ask(line, [[choose, keys.enter]])).toMatchObject({ exitCode: 0 });
    expect(read('asked.json')).not.toContain('subject');
    expect(read('asked-squad.json')).toContain(value);
    expect((await squadc('compile - --ask')).exitCode).toBe(64);
    const { err } = await squadc('compile ask.json --ask');
    expect(err).toContain('questions need a terminal, and this is not one');
  });

  it('breaks prose, and neither excerpts nor what is copied, where a terminal ends', async () => {
    const { err } = await squadc('compile open.json', { columns: 60 });
    const long = err.split('\n').filter((line) => line.length > 60);
    expect(err).toMatch(/^question\[/m);
    expect(long.filter((line) => !/\||"|^To answer/.test(line))).toEqual([]);
  });

  it.each(['good.json', 'open.json', 'wrong.json', 'broken.json'])(
    'prints the whole result of %s with --json, with lines and columns',
    async (file) => {
      const { out, err } = await squadc(`compile ${file} --json`, { isTTY: true });
      const found = JSON.parse(out);
      const { workflow, diagnostics } = library.readWorkflow(read(file));
      const { diagnostics: all, ...result } = library.compile(workflow);
      const isRead = diagnostics.length === 0;
      expect([err, found]).toMatchObject(['', isRead ? JSON.parse(JSON.stringify(result)) : {}]);
      expect(Object.keys(found)).toEqual(expect.arrayContaining(Object.keys(result)));
      expect(found.diagnostics).toMatchObject(isRead ? all : diagnostics);
      for (const { line, column } of found.diagnostics) expect(line * column).toBeGreaterThan(0);
    },
  );
});

describe('options', () => {
  it('reach the compiler', async () => {
    put('answers.json', { answers: { a: { choice: 'b' } }, policies: { x: '1', y: '2' } });
    put('team/bindings.json', { find: { operation: 'bills.get' } });
    put(
      'team/squadc.config.json',
      `{ // Comments are allowed.
      "memberOverrides": { "voice": { "provider": "11labs" } }, "dynamicVariables": ["a", "b"],
      "criticalVariables": ["d"], "toolNames": { "tool-1": { "name": "find_table" } },
      "bindings": "bindings.json", "pass": "plan",
      "toolServer": { "url": "https://tools.example.com", "credentialId": "calls" } }`,
    );
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
        '--context last:4 --config team/squadc.config.json',
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
        dynamicVariables: ['a', 'b'],
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
    put(
      'faulty.json',
      '{ "bindings": "b.json", "memberOverrides": "o.json",\n"toolServer": { "url": "https://x?key=1" } }',
    );
    const { exitCode, err } = await squadc(
      'compile good.json --answers a.json --pass arguments --policy p/q=y --model a:b --config faulty.json',
    );
    const places = [...err.matchAll(/--> (.*)/g)].map(([, place]) => place);
    const others = ['b.json:2:11', '--pass', 'o.json:1:1', 'a.json:3:10'];
    expect([exitCode, places]).toEqual([1, ['faulty.json:2:15', ...others]]);
  });

  transcript(
    given,
    `
    compile good.json --answers broken.json => 1 error[shape/not-json]…--> broken.json:1:6
    compile good.json --answers shape.json --policy a=b => 1 [api/answer…--> shape.json:1
    compile good.json --policy a=b => 1 --> --policy a
    compile good.json --config wrong.config => 1 error[config/invalid]: The configuration is inv
      | must not have “pas”…--> wrong.config:2:10…help: Correct the place shown
      | environments/dev must not have “key”…--> wrong.config:4:38
      | environments/dev/keyEnv must be the name of an environment variable, never a key
      | squadc: wrong.config cannot be used
    compile good.json --config names.config => 1
      | environments must be named with 1 to 40 letters, digits, _ or -.…names.config cannot
    compile good.json --config broken.json => 1 shape/not-json…broken.json cannot be used
    compile good.json --config gone.json => 1 cannot read gone.json: no such file`,
  );
});

put('names.config', { environments: { '': {}, 'a b': {} } });
put(
  'wrong.config',
  '{ "pass": "arguments",\n  "pas": "plan", // What is it?\n  "environments": {\n    "dev": { "keyEnv": "a b", "key": "k" } } }',
);

const desk = { name: 'Desk', nodes: [{ id: 'a', type: 'conversation' }], edges: [] };

describe('inputs', () => {
  put('run/summary.json', '{}');
  put('latin.json', Uint8Array.of(0x22, 0xc3, 0x22));
  put('utf16.json', Buffer.from(`\ufeff${stdin}`, 'utf16le'));
  put('utf16be.json', Buffer.from(`\ufeff${stdin}`, 'utf16le').swap16());
  put('in.yaml', 'nodes:\n  - id: a\nedges: []\n');
  put('in.yml', '# made by hand\n\n---\nname: Desk\n');
  put('in.html', '<!doctype html><title>Desk</title>');
  put('list.json', [desk, desk]);
  put('fleet.json', { totals: {}, workflows: [] });
  put('result.json', library.compile({}));
  const unreadable = Object.entries({
    'missing.json': 'no such file or directory',
    'god.json': 'no such file or directory…(Did you mean good.json?)',
    run: 'it is a directory…help: It is the folder of a migration. Pass a file in it, such as',
    '.': 'it is a directory…help: Pass a file in it. Only squadc migr',
    'latin.json': 'it is not valid UTF-8; save it as UTF-8',
  }).map(
    ([name, reason]) => `
    compile ${name} => 1 squadc: cannot read ${name}: ${reason}
    compile good.json --answers ${name} => 1 squadc: cannot read ${name}: ${reason}`,
  );
  const mistaken = `
    compile in.yaml => 1 : This is YAML, not a workflow.…--> in.yaml:1:1…= help: …yq -o json
    compile in.yml => 1 : This is YAML, not a workflow.…= help: …yq -o json
    compile in.html => 1 : This is a page of a browser, not a workflow.…= help: …squadc pull
    compile list.json => 1 : This is a list of workflows, not a workflow.…= help: …squadc migrate
    compile fleet.json => 1 : This is the summary of a migration, not a w…= help: …squadc report
    compile result.json => 1 : This is the result of a compilation, not a w…= help: …squadc check`;
  const utf16 = `
    compile utf16.json => 0 complete: 5 nodes
    compile utf16be.json => 0 complete: 5 nodes`;
  transcript(given, unreadable.join('') + mistaken + utf16);

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
  it('are never an input by another name, and replace a file by a rename, but no device', async () => {
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

  it('keep their permissions, and stay behind a link; they are on the disk before they count', async () => {
    chmodSync(join(folder, put('old/y.json', 'old')), 0o640);
    symlinkSync(join(folder, 'old/y.json'), join(folder, 'old/link.json'));
    const sync = vi.spyOn(fs, 'fsyncSync');
    syncBuiltinESMExports();
    await squadc('compile good.json -o old/link.json');
    expect(sync).toHaveBeenCalledOnce();
    sync.mockRestore();
    syncBuiltinESMExports();
    expect(read('old/y.json')).toMatch(out);
    expect(statSync(join(folder, 'old/y.json')).mode & 0o777).toBe(0o640);
    expect(lstatSync(join(folder, 'old/link.json')).isSymbolicLink()).toBe(true);
  });

  it.each<[coloured: boolean, isTTY: boolean, env: Record<string, string>]>([
    [true, true, { NO_COLOR: '' }],
    [false, false, {}],
    [false, true, { TERM: 'dumb' }],
    [false, true, { NO_COLOR: '0' }],
    [true, false, { FORCE_COLOR: '1', NO_COLOR: '1' }],
    [false, true, { FORCE_COLOR: '0' }],
  ])('are coloured (%s) on a terminal (%s) with %j', async (coloured, isTTY, env) => {
    const { err } = await squadc('compile good.json', { isTTY, env });
    expect(err.includes('\u001b[')).toBe(coloured);
  });
});

describe('answers of a migration', () => {
  const planner = 'missing-destination:planner';
  let key = '';
  let subject = '';
  const answers = (answer: object, name = key) => {
    const workflows = { [name]: { answers: { [planner]: answer } } };
    put('out/answers.json', { policies: { 'missing-auth': 'none' }, workflows });
  };
  const mover = 'in/mover.json';

  beforeAll(async () => {
    put(mover, golden('saved-answers-with-a-policy'));
    await migrate(['in', '-o', 'out', '--no-report'], { cwd: folder });
    key = rowsOf(join(folder, 'out'))[0]!.key;
    const { questions } = JSON.parse(read(`out/${key}/result.json`));
    subject = questions.find(({ id }: { id: string }) => id === planner).subject;
  });

  it('are accepted by compile, check, graph and scenarios, and found by name from elsewhere', async () => {
    answers({ ...number, subject });
    const taken = `${mover} --answers out/answers.json`;
    for (const [line, said] of [
      [`compile ${taken} -o squad.json`, ''],
      [`check ${mover} squad.json --answers out/answers.json`, 'holds: '],
      [`graph ${taken} --of squad`, '<svg'],
      [`scenarios ${taken}`, 'Call 1 of'],
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
    const line = `compile ${mover} --answers out/answers.json`;
    answers({ ...number, subject: '0'.repeat(16) });
    const column = read('out/answers.json').indexOf('{"choice"');
    const place = `warning[batch/subject-changed]…--> out/answers.json:1:${column + 1}\n`;
    expect(await squadc(line)).toMatchObject({ exitCode: 2, err: has(place) });
    answers({ choice: 7 });
    expect(await squadc(line)).toMatchObject({
      exitCode: 1,
      err: has('error[batch/answers-shape]'),
    });
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
  const item = { item: 3, title: 'Handoffs', holds: false, decided: true, evidence: [evidence] };
  const verification = {
    verdict: 'fails' as const,
    holds: false,
    checklist: [item],
    counterexamples: [],
    undecided: [],
    diagnostics: [],
  };
  const load = async () => ({
    ...library,
    compile: (_: unknown, options: CompileOptions = {}) => {
      throw new VerificationRefuted(source, options, verification);
    },
  });
  const report = (path = '') =>
    readdirSync(join(folder, path)).filter((name) => /^squadc-bug-\w{8}\.json$/.test(name));

  it('is not written, and is reported in a file without literal secrets', async () => {
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
      source: {
        nodes: [{ id: 'a', headers: { Authorization: 'Bearer ••••', 'X-Token': '{{token}}' } }],
      },
      answers: { answers: { 'missing-auth:a': header } },
      options: { boundary: 'branch', model: { provider: 'a', model: 'b' } },
      refutation: { holds: false, checklist: [{ item: 3 }] },
    });
  });

  it('is reported beside the output, and is a bug even where that cannot be', async () => {
    for (const [beside, more] of Object.entries({ beside: '', asked: ' --ask' })) {
      put(`${beside}/x`, '');
      const { exitCode, err } = await squadc(
        `compile good.json -o ${beside}/s.json${more}`,
        {},
        load,
      );
      expect([exitCode, err]).toEqual([70, has(`The report is ${beside}/${report(beside)[0]}`)]);
      expect(readdirSync(join(folder, beside))).toEqual([...report(beside), 'x']);
    }
    const err = has('The report could not be written: cannot write kept.json/');
    const lost = await squadc('compile good.json -o kept.json/s.json', {}, load);
    expect(lost).toMatchObject({ exitCode: 70, out: '', err });
  });
});
