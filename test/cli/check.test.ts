/** squadc check. */
import { describe, expect, it } from 'vitest';
import type { ChecklistItem, Evidence, Verification, Walk } from '../../src/index.js';
import {
  exampleDiagnostic,
  exampleResult,
  exampleVerification,
  has,
  type Surroundings,
  stubApi,
  temporaryFolder,
} from './fake-io.js';

const { put, read, squadc } = temporaryFolder();

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
const files = 'workflow.json squad.json';

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

const wrong = (code: string, message: string) =>
  exampleDiagnostic({ code, severity: 'error', message });
const inSquad = { in: 'squad', at: '/squad/members/0/assistant' } as const;
const refuted = exampleVerification({
  holds: false,
  checklist: [
    itemOf(1, [fact()]),
    itemOf(2, [lost], 'cyclic-stages:a,b'),
    itemOf(3, [fact(), lost]),
  ],
  counterexamples: [call],
  diagnostics: [
    wrong('check/item-fails', 'Item 3 fails.'),
    wrong('check/walk', 'A call differs.'),
    { ...wrong('check/setting-differs', 'Another voice.'), ...inSquad },
    exampleDiagnostic({ severity: 'info', message: 'By the way.' }),
  ],
});
const holding = exampleVerification({ checklist: [itemOf(1, [fact(), fact()])] });

/** Checks with a verifier that says this. */
async function check(line: string, said: Verification = holding, surroundings?: Surroundings) {
  const api = stubApi(
    () => exampleResult(),
    () => said,
  );
  const ran = await squadc(`check ${line}`, surroundings, api.load);
  return { ...ran, checks: api.checks };
}

describe('squadc check', () => {
  const asked = { workflow: JSON.parse(workflow), squad: JSON.parse(squad) };

  it.each<[string, string?]>([[files], ['- squad.json', workflow], ['workflow.json -', squad]])(
    'exits 0 where the squad holds: %s',
    async (line, stdin) => {
      const { exitCode, out, err, checks } = await check(line, holding, { stdin: stdin ?? '' });
      expect([exitCode, err]).toEqual([0, '']);
      expect(out).toMatch(/^ 1 {2}holds {3}The title of item 1[^:]*: 2 facts\n/);
      expect(out.endsWith('\n\nholds: 1 item, 2 facts\n')).toBe(true);
      expect(checks).toEqual([{ ...asked, options: { boundary: 'branch' } }]);
    },
  );

  it('takes answers and options from a result of a migration', async () => {
    const answer = { choice: 'caller', value: 'x' };
    const made = { target: 'vapi', boundary: 'tools' };
    const policies = { 'cyclic-stages': 'consolidate' };
    const answers = { 'undefined-variable:a': { ...answer, subject: '0a1b' } };
    put('result.json', { options: made, answers, policies });
    const { exitCode, checks } = await check(`${files} --result result.json`);
    const given = { policies, answers: { 'undefined-variable:a': answer } };
    expect([exitCode, checks[0]?.options]).toEqual([0, { ...made, answers: given }]);
  });

  it.each([
    [`${files} --result squad.json`, 1, 'is not a result of a migration\n(pass the result.json'],
    [`${files} --result none.json`, 1, 'cannot read none.json'],
    [`${files} --result x --target vapi`, 64, "be used with option '--target <target>'"],
    [`${files} --result x --policy a=b`, 64, "be used with option '--policy"],
    ['- -', 64, 'only one input can be read from standard input'],
    ['- squad.json --answers -', 64, 'only one input'],
    ['- squad.json --result -', 64, 'only one input'],
    ['workflow.json', 64, "missing required argument 'squad'"],
  ])('refuses %s', async (line, exitCode, message) => {
    expect(await check(line)).toMatchObject({ exitCode, out: '', err: has(message), checks: [] });
  });

  it('exits 1 where it does not hold, and says why, nothing twice', async () => {
    const { exitCode, out, err } = await check(files, refuted);
    expect([exitCode, err]).toEqual([1, '']);
    expect(out).toContain('waived by the answer to cyclic-stages:a,b\n');
    const flat = out.replaceAll(/\n\s+/g, ' ');
    expect(flat).toMatch(/ 2 {2}waived .*: 1 of 1 fails .* 3 {2}fails .*: 1 of 2 fails /s);
    const [, ...facts] = out.split('✗ The handoff is not there.\n');
    const places =
      '              workflow.json:8:5  /edges/0\n' +
      '              squad.json:3:32  /squad/members/0/assistant\n' +
      '              squad.json:3:17  /squad/members/0/nothing/there\n';
    expect(facts.map((each) => each.startsWith(places))).toEqual([true, true]);
    expect(out).toContain(
      'Calls that the squad answers otherwise:\n\n' +
        ' 1. desk → [wants a table] → table → [is lost] → help\n' +
        '    Nobody offers a table.\n' +
        '    workflow.json:4:5  /nodes/1\n' +
        '    squad.json:3:17  /squad/members/0\n',
    );
    expect(out).toContain('error[check/setting-differs]: Another voice.\n --> squad.json:3:32\n');
    expect(out).not.toMatch(/Item 3 fails|A call differs|By the way|✓/);
    expect(out.endsWith('\n\ndoes not hold: 1 item of 3, 1 call, 1 error\n')).toBe(true);
    const verbose = await check(`${files} --verbose`, refuted);
    expect(verbose.out).toContain('✓ A fact.\n');
    expect(verbose.out).toMatch(/Item 3 fails.*A call differs.*By the way/s);
  });

  it('counts what is too much to show', async () => {
    const places = Array<string>(9).fill('/edges/0');
    const steps = Array.from({ length: 500 }, (_, at) => ({
      node: `n${at}`,
      at: '/nodes/0',
      via: '/edges/9',
    }));
    const large = exampleVerification({
      holds: false,
      checklist: [itemOf(1, Array(30).fill({ ...lost, source: places }))],
      counterexamples: Array(30).fill({ ...call, steps }),
      diagnostics: Array(50).fill(exampleDiagnostic()),
    });
    const { out } = await check(files, large);
    expect(out.match(/✗/g)).toHaveLength(10);
    for (const [amount, left] of [
      [12, '20 more (--verbose shows all)'],
      [4, '25 more (--verbose shows all)'],
      [0, '20 more (--verbose shows all)'],
      [14, '5 more (--verbose shows all)'],
    ] as const) {
      expect(out).toContain(`\n${' '.repeat(amount)}… and ${left}\n`);
    }
    expect(out.replaceAll(/\n\s+/g, ' ')).toContain('n11 → … 476 more … → n488 → ');
    const verbose = await check(`${files} --verbose`, large);
    expect(verbose.out).not.toContain('more');
    expect(verbose.out.match(/Nobody offers/g)).toHaveLength(30);
  });

  it.each(['- squad.json', 'workflow.json -'])(
    'does not check what is not JSON: %s',
    async (line) => {
      const { exitCode, out, checks } = await check(line, holding, { stdin: '{"a":' });
      expect([exitCode, checks]).toEqual([1, []]);
      expect(out).toMatch(/^error\[shape\/not-json\]: .*\n --> standard input:1:6\n/);
      expect(out.endsWith('\n\ndoes not hold: 1 error\n')).toBe(true);
      const { out: json } = await check(`${line} --json`, holding, { stdin: '{' });
      const diagnostics = [{ code: 'shape/not-json', line: 1 }];
      const none = { holds: false, checklist: [], counterexamples: [], diagnostics };
      expect(JSON.parse(json)).toMatchObject(none);
    },
  );

  it('prints the whole verification with --json, with lines and columns', async () => {
    const { exitCode, out, err } = await check(`${files} --json`, refuted, { isTTY: true });
    expect([exitCode, err]).toEqual([1, '']);
    const { diagnostics, ...others } = JSON.parse(out);
    const { diagnostics: found, ...rest } = JSON.parse(JSON.stringify(refuted));
    expect(others).toEqual(rest);
    expect(diagnostics).toMatchObject(found);
    expect(diagnostics[2]).toMatchObject({ line: 3, column: 32 });
  });
});

describe('a terminal', () => {
  it.each([24, 40, 80, 200])('of %i columns is never overrun by texts', async (columns) => {
    const { out } = await check(files, refuted, { columns });
    const lines = out.split('\n').filter((line) => !/^ *\/|[|^]|-->/.test(line));
    for (const line of lines) expect([...line].length, line).toBeLessThanOrEqual(columns);
  });

  it('is coloured, unless it is none', async () => {
    expect((await check(files, refuted, { isTTY: true })).out).toContain('\u001b[');
    expect((await check(files, refuted)).out).not.toContain('\u001b');
  });

  it('is not steered by what stands in the input', async () => {
    const evil = 'a\u001b[2J\u0007\r\u202e\u2028\nb\ud800';
    const step = { node: evil, at: '/__proto__/constructor', via: evil };
    const bad = exampleVerification({
      holds: false,
      checklist: [
        itemOf(1, [fact({ holds: false, text: evil, source: [`/${evil}`], output: [evil] })]),
        { ...itemOf(2, [lost], evil), title: evil },
      ],
      counterexamples: [{ ...call, text: evil, steps: [...call.steps, step] }],
      diagnostics: [exampleDiagnostic({ severity: 'error', message: evil, help: evil, at: evil })],
    });
    const { out } = await check(`${put('e\u001b.json', workflow)} squad.json`, bad);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028\ud800]/);
  });
});

describe('with the verifier itself', () => {
  const source = {
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
  };
  const answers = { 'missing-destination:owner': { choice: 'number', value: '+4930123456' } };
  const input = put('café.json', source);
  const flags = `--answers ${put('number.json', { answers })}`;

  it.each(['squad', 'vapi'])('holds for what was compiled, and no other: %s', async (target) => {
    await squadc(`compile ${input} ${flags} --target ${target} -o ${target}.json`);
    const { exitCode, out, err } = await squadc(`check ${input} ${target}.json ${flags}`);
    expect([exitCode, err]).toEqual([0, '']);
    expect(out).toMatch(/\n\nholds: 9 items, \d+ facts\n$/);
    const open = await squadc(`check ${input} ${target}.json`);
    expect(open).toMatchObject({ exitCode: 1, out: has('error[check/open-question]') });
    put('spoilt.json', read(`${target}.json`).replace('Sell a cake.', 'Sell bread.'));
    const spoilt = await squadc(`check ${input} spoilt.json ${flags}`);
    const out1 = has('\n 1. desk → [wants a cake] → cake\n');
    expect(spoilt).toMatchObject({ exitCode: 1, out: out1 });
  });

  it.each([
    ['[]', 'a list'],
    [JSON.stringify(source), 'a workflow'],
    ['<!doctype html><title>x</title>', 'a web page'],
  ])('refuses what is no squad: %s', async (text, words) => {
    const { exitCode, out } = await squadc(`check ${input} ${put('no.json', text)} ${flags}`);
    expect([exitCode, out]).toEqual([1, has('error[check/not-a-squad]')]);
    expect(out.replaceAll(/\s+/g, ' ')).toContain(`this looks like ${words}`);
    expect(out).toContain('no.json');
  });

  it('says little of a large squad', async () => {
    const member = { assistant: { name: 'a', model: { messages: [{ content: 'x' }] } } };
    const wide = put('wide.json', { squad: { members: Array(2000).fill(member) } });
    const { exitCode, out } = await squadc(`check ${input} ${wide} ${flags}`);
    expect(exitCode).toBe(1);
    expect(out.length).toBeLessThan(20_000);
  });
});
