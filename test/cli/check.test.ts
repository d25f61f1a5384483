import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import type { ChecklistItem, Evidence, Verification, Walk } from '../../src/index.js';
import {
  exampleDiagnostic,
  exampleResult,
  exampleVerification,
  fakeIo,
  type Surroundings,
  stubApi,
  temporaryFolder,
} from './fake-io.js';

const { folder, put } = temporaryFolder();

const workflow = `{
  "nodes": [
    { "id": "desk", "type": "conversation" },
    { "id": "table", "type": "conversation" },
    { "id": "help", "type": "conversation", "isGlobal": true, "condition": "is lost" }
  ],
  "edges": [
    { "from": "desk", "to": "table", "condition": "wants a table" }
  ]
}
`;
const squad = `{
  "squad": {
    "members": [{ "assistant": { "name": "Desk" } }]
  }
}
`;
put('workflow.json', workflow);
put('squad.json', squad);
const files = ['workflow.json', 'squad.json'];

function fact(parts: Partial<Evidence> = {}): Evidence {
  return { holds: true, text: 'A fact.', source: [], output: [], ...parts };
}

function itemOf(item: number, evidence: readonly Evidence[], waivedBy?: string): ChecklistItem {
  const holds = waivedBy !== undefined || evidence.every((each) => each.holds);
  const title = `The title of item ${item} is long enough to need two lines of a terminal at eighty`;
  return { item, title, holds, evidence, ...(waivedBy === undefined ? {} : { waivedBy }) };
}

const lost = fact({
  holds: false,
  text: 'The handoff is not there.',
  source: ['/edges/0'],
  output: ['/squad/members/0/assistant', '/squad/members/0/nothing/there'],
});

const call: Walk = {
  steps: [
    { node: 'desk', at: '/nodes/0', via: null },
    { node: 'table', at: '/nodes/1', via: '/edges/0' },
    { node: 'help', at: '/nodes/2', via: null },
  ],
  text: 'Nobody offers a table.',
  source: ['/nodes/1'],
  output: ['/squad/members/0'],
};

const refuted = exampleVerification({
  holds: false,
  checklist: [
    itemOf(1, [fact()]),
    itemOf(2, [lost], 'cyclic-stages:a,b'),
    itemOf(3, [fact(), lost]),
  ],
  counterexamples: [call],
  diagnostics: [
    exampleDiagnostic({ code: 'check/item-fails', severity: 'error', message: 'Item 3 fails.' }),
    exampleDiagnostic({ code: 'check/walk', severity: 'error', message: 'A call differs.' }),
    exampleDiagnostic({
      code: 'check/setting-differs',
      severity: 'error',
      message: 'Another voice.',
      in: 'squad',
      at: '/squad/members/0/assistant',
    }),
    exampleDiagnostic({ severity: 'info', message: 'By the way.' }),
  ],
});

async function check(
  flags: readonly string[],
  verification: Verification = exampleVerification(),
  surroundings: Surroundings = {},
) {
  const api = stubApi(
    () => exampleResult(),
    () => verification,
  );
  const io = fakeIo({ cwd: folder, ...surroundings });
  const exitCode = await run(['check', ...flags], io, api.load);
  return { exitCode, out: io.out(), err: io.err(), checks: api.checks };
}

const holding = exampleVerification({ checklist: [itemOf(1, [fact(), fact()])] });

describe('squadc check', () => {
  it('exits 0 where the squad holds', async () => {
    const { exitCode, out, err, checks } = await check(files, holding);
    expect([exitCode, err]).toEqual([0, '']);
    expect(out).toMatch(/^ 1 {2}holds {3}The title of item 1.* 2 facts\n/);
    expect(out.endsWith('\n\nholds: 1 item, 2 facts\n')).toBe(true);
    expect(checks).toEqual([
      {
        workflow: JSON.parse(workflow),
        squad: JSON.parse(squad),
        options: { boundary: 'branch' },
      },
    ]);
  });

  it('takes answers and options from a result of a migration', async () => {
    const answer = { choice: 'caller', value: 'x', subject: '0a1b' };
    const result = {
      options: { target: 'vapi', boundary: 'tools' },
      answers: { 'undefined-variable:a': answer },
      policies: { 'cyclic-stages': 'consolidate' },
    };
    put('result.json', JSON.stringify(result));
    const { exitCode, checks } = await check([...files, '--result', 'result.json'], holding);
    expect(exitCode).toBe(0);
    expect(checks[0]?.options).toEqual({
      ...result.options,
      answers: {
        policies: result.policies,
        answers: { 'undefined-variable:a': { choice: 'caller', value: 'x' } },
      },
    });
  });

  it.each([
    ['squad.json', [], 1, 'squad.json is not a result of a migration\n(pass the result.json'],
    ['none.json', [], 1, 'cannot read none.json'],
    ['result.json', ['--target', 'vapi'], 64, "cannot be used with option '--target <target>'"],
    ['result.json', ['--policy', 'a=b'], 64, "cannot be used with option '--policy"],
  ])('refuses the result %s with %j', async (file, argv, code, message) => {
    const { exitCode, err, checks } = await check([...files, '--result', file, ...argv], holding);
    expect([exitCode, checks]).toEqual([code, []]);
    expect(err).toContain(message);
  });

  it('exits 1 where it does not, and says why', async () => {
    const { exitCode, out, err } = await check(files, refuted);
    expect([exitCode, err]).toEqual([1, '']);
    expect(out).toContain('waived by the answer to cyclic-stages:a,b\n');
    const [, ...facts] = out.split('✗ The handoff is not there.\n');
    const places =
      '              workflow.json:8:5  /edges/0\n' +
      '              squad.json:3:32  /squad/members/0/assistant\n' +
      '              squad.json:3:17  /squad/members/0/nothing/there\n';
    expect(facts.map((each) => each.startsWith(places))).toEqual([true, true]);
    expect(out.endsWith('\n\ndoes not hold: 1 item of 3, 1 call, 1 error\n')).toBe(true);
  });

  it('tells each call with what the caller wants', async () => {
    const { out } = await check(files, refuted);
    expect(out).toContain(
      ' 1. desk → [wants a table] → table → [is lost] → help\n' +
        '    Nobody offers a table.\n' +
        '    workflow.json:4:5  /nodes/1\n' +
        '    squad.json:3:17  /squad/members/0\n',
    );
  });

  it('shows findings in the file that they are about, and nothing twice', async () => {
    const { out } = await check(files, refuted);
    expect(out).toContain('error[check/setting-differs]: Another voice.\n --> squad.json:3:32\n');
    expect(out).not.toMatch(/Item 3 fails|A call differs|By the way|✓/);
  });

  it('shows everything when asked', async () => {
    const { out } = await check([...files, '--verbose'], refuted);
    expect(out).toContain('✓ A fact.\n');
    expect(out).toMatch(/Item 3 fails.*A call differs.*By the way/s);
  });

  it('counts what is too much to show', async () => {
    const places = Array.from({ length: 9 }, () => '/edges/0');
    const many = itemOf(
      1,
      Array.from({ length: 30 }, () => ({ ...lost, source: places })),
    );
    const calls = Array.from({ length: 30 }, () => call);
    const diagnostics = Array.from({ length: 50 }, () => exampleDiagnostic());
    const parts = { checklist: [many], counterexamples: calls, diagnostics };
    const large = exampleVerification({ holds: false, ...parts });
    const { out } = await check(files, large);
    expect(out.match(/✗/g)).toHaveLength(10);
    expect(out).toContain('\n            … and 20 more (--verbose shows all)\n');
    expect(out).toContain('\n    … and 25 more (--verbose shows all)\n');
    expect(out).toContain('\n\n… and 20 more (--verbose shows all)\n');
    expect(out).toContain('\n              … and 5 more\n');
    const verbose = await check([...files, '--verbose'], large);
    expect(verbose.out).not.toContain('more');
    expect(verbose.out.match(/Nobody offers/g)).toHaveLength(30);
  });

  it('shortens a call that is very long', async () => {
    const steps = Array.from({ length: 500 }, (_, at) => ({
      node: `n${at}`,
      at: '/nodes/0',
      via: '/edges/9',
    }));
    const long = exampleVerification({ holds: false, counterexamples: [{ ...call, steps }] });
    const { out } = await check(files, long);
    expect(out.replaceAll(/\n\s+/g, ' ')).toContain('n11 → … 476 more … → n488 → ');
  });
});

describe('inputs', () => {
  it.each([
    [['-', 'squad.json'], workflow],
    [['workflow.json', '-'], squad],
  ])('may come from standard input: %j', async (flags, stdin) => {
    const { exitCode, checks } = await check(flags, holding, { stdin });
    expect(exitCode).toBe(0);
    expect(checks[0]).toMatchObject({ workflow: JSON.parse(workflow), squad: JSON.parse(squad) });
  });

  it.each([[['-', '-']], [['-', 'squad.json', '--answers', '-']], [['workflow.json']], [[]]])(
    'are two, one of them standard input at most: %j',
    async (flags) => {
      const { exitCode, out, checks } = await check(flags);
      expect([exitCode, out, checks]).toEqual([64, '', []]);
    },
  );

  it.each([
    [['-', 'squad.json'], 'standard input:1:6'],
    [['workflow.json', '-'], 'standard input:1:6'],
  ])('are not checked where one is not JSON: %j', async (flags, place) => {
    const { exitCode, out, checks } = await check(flags, holding, { stdin: '{"a":' });
    expect([exitCode, checks]).toEqual([1, []]);
    expect(out).toContain(`error[shape/not-json]: `);
    expect(out).toContain(` --> ${place}\n`);
    expect(out.endsWith('\n\ndoes not hold: 1 error\n')).toBe(true);
  });
});

describe('--json', () => {
  it('prints the whole verification, with lines and columns', async () => {
    const { exitCode, out, err } = await check([...files, '--json'], refuted, { isTTY: true });
    expect([exitCode, err]).toEqual([1, '']);
    const { diagnostics, ...others } = JSON.parse(out);
    const { diagnostics: found, ...rest } = JSON.parse(JSON.stringify(refuted));
    expect(others).toEqual(rest);
    expect(diagnostics.map(({ line, column, ...each }: Record<string, unknown>) => each)).toEqual(
      found,
    );
    expect(diagnostics[2]).toMatchObject({ line: 3, column: 32 });
  });

  it('has the form of a verification for what is not JSON, too', async () => {
    const { exitCode, out } = await check(['-', 'squad.json', '--json'], holding, { stdin: '{' });
    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      holds: false,
      checklist: [],
      counterexamples: [],
      diagnostics: [{ code: 'shape/not-json', line: 1 }],
    });
  });
});

describe('a terminal', () => {
  const widthOf = (line: string) => [...line].length;

  it.each([24, 40, 80, 200])('of %i columns is never overrun by texts', async (columns) => {
    const { out } = await check(files, refuted, { columns });
    const lines = out.split('\n').filter((line) => !/^ *\/|[|^]|-->/.test(line));
    for (const line of lines) expect(widthOf(line), line).toBeLessThanOrEqual(columns);
  });

  it('is coloured, unless it is none or colour is not wanted', async () => {
    expect((await check(files, refuted, { isTTY: true })).out).toContain('\u001b[');
    expect((await check(files, refuted)).out).not.toContain('\u001b');
    const env = { NO_COLOR: '1' };
    expect((await check(files, refuted, { isTTY: true, env })).out).not.toContain('\u001b');
  });

  it('is not steered by what stands in the input', async () => {
    const evil = 'a\u001b[2J\u0007\r\u202e\u2028\nb\ud800';
    const bad = exampleVerification({
      holds: false,
      checklist: [
        itemOf(1, [fact({ holds: false, text: evil, source: [`/${evil}`], output: [evil] })]),
        { ...itemOf(2, [lost], evil), title: evil },
      ],
      counterexamples: [
        { ...call, text: evil, steps: [{ node: evil, at: `/${evil}`, via: null }] },
        {
          ...call,
          steps: [...call.steps, { node: evil, at: '/__proto__/constructor', via: evil }],
        },
      ],
      diagnostics: [exampleDiagnostic({ severity: 'error', message: evil, help: evil, at: evil })],
    });
    const { out } = await check([put(`e\u001b.json`, workflow), 'squad.json'], bad);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028\ud800]/);
  });
});

describe('with the verifier itself', () => {
  const source = JSON.stringify({
    name: 'Café',
    nodes: [
      { id: 'desk', type: 'conversation', firstMessage: 'Hello.', systemPrompt: 'Greet.' },
      { id: 'table', type: 'conversation', systemPrompt: 'Find a table.' },
      { id: 'cake', type: 'conversation', systemPrompt: 'Sell a cake.' },
      { id: 'owner', type: 'transferCall' },
    ],
    edges: [
      { from: 'desk', to: 'table', condition: 'wants a table' },
      { from: 'desk', to: 'cake', condition: 'wants a cake' },
      { from: 'cake', to: 'owner', condition: 'complains' },
    ],
  });
  const answers = { 'missing-destination:owner': { choice: 'number', value: '+4930123456' } };
  const input = put('café.json', source);
  const flags = ['--answers', put('number.json', JSON.stringify({ answers }))];

  async function squadc(...argv: string[]) {
    const io = fakeIo({ cwd: folder });
    return { exitCode: await run(argv, io), out: io.out(), err: io.err() };
  }

  it.each(['squad', 'vapi'])('holds for what was compiled: %s', async (target) => {
    const { out: made } = await squadc('compile', input, ...flags, '--target', target);
    const output = put(`${target}.json`, made);
    const { exitCode, out, err } = await squadc('check', input, output, ...flags);
    expect([exitCode, err]).toEqual([0, '']);
    expect(out).toMatch(/\n\nholds: 9 items, \d+ facts\n$/);
  });

  it.each(['squad', 'vapi'])('does not hold without the answers: %s', async (target) => {
    const { exitCode, out } = await squadc('check', input, `${target}.json`);
    expect(exitCode).toBe(1);
    expect(out).toContain('error[check/open-question]');
  });

  it.each(['squad', 'vapi'])(
    'shows the call that a changed squad answers otherwise: %s',
    async (target) => {
      const made = readFileSync(join(folder, `${target}.json`), 'utf8');
      const spoilt = put('spoilt.json', made.replace('Sell a cake.', 'Sell bread.'));
      const { exitCode, out } = await squadc('check', input, spoilt, ...flags);
      expect(exitCode).toBe(1);
      expect(out).toContain('\n 1. desk → [wants a cake] → cake\n');
      expect(out).toMatch(/\ndoes not hold: /);
    },
  );

  it.each([
    ['[]', 'a list'],
    ['7', 'a number'],
    ['{"nodes":[]}', 'a workflow'],
    [source, 'a workflow'],
    ['{"squadc":"1","status":"complete","checklist":[]}', 'a result of squadc'],
    ['<!doctype html><title>x</title>', 'a web page'],
  ])('refuses what is no squad: %s', async (text, words) => {
    const { exitCode, out } = await squadc('check', input, put('no.json', text), ...flags);
    expect(exitCode).toBe(1);
    expect(out).toContain('error[check/not-a-squad]');
    expect(out.replaceAll(/\s+/g, ' ')).toContain(`this looks like ${words}`);
    expect(out).toMatch(/no\.json/);
  });

  it('survives a squad of any depth and size', async () => {
    const deep = put('deep.json', '['.repeat(100_000) + ']'.repeat(100_000));
    const { exitCode, out } = await squadc('check', input, deep);
    expect([exitCode, out.includes('error[shape/not-json]')]).toEqual([1, true]);
    const member = { assistant: { name: 'a', model: { messages: [{ content: 'x' }] } } };
    const members = Array.from({ length: 5000 }, () => member);
    const wide = put('wide.json', JSON.stringify({ squad: { members } }));
    const { exitCode: code, out: printed } = await squadc('check', input, wide, ...flags);
    expect(code).toBe(1);
    expect(printed.length).toBeLessThan(20_000);
  });
});
