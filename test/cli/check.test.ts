/** squadc check. */
import { beforeAll, describe, expect, it } from 'vitest';
import { verify } from '../../src/index.js';
import { ends, golden, plain, type Row, temporaryFolder } from './fake-io.js';

const given = temporaryFolder();
const { put, read, squadc } = given;
const cafe = `{
  "name": "Café",
  "nodes": [
    { "id": "desk", "type": "conversation", "firstMessage": "Hello.", "systemPrompt": "Greet." },
    { "id": "table", "type": "conversation", "systemPrompt": "Find a table." },
    { "id": "cake", "type": "conversation", "systemPrompt": "Sell a cake." }
  ],
  "edges": [
    { "from": "desk", "to": "table", "condition": "wants a table" },
    { "from": "desk", "to": "cake", "condition": "wants a cake" }
  ]
}
`;
const json = (path: string) => JSON.parse(read(path));
const evil = 'a\u001b[2J\u0007\r\u202e\u2028\nb';

beforeAll(async () => {
  put('cafe.json', cafe);
  put('cycle.json', golden('cycle-kept-split'));
  put('apart.json', golden('cycle-kept-split', 'answers.json'));
  put('open.json', golden('missing-auth-open'));
  for (const line of [
    'cafe.json -o squad.json',
    'cafe.json --target vapi -o vapi.json',
    'cycle.json --answers apart.json -o cycle-squad.json',
    'open.json --policy missing-auth=none -o open-squad.json',
  ]) {
    expect((await squadc(`compile ${line}`)).exitCode).toBe(0);
  }
  // biome-ignore lint/suspicious/noExplicitAny: it is any squad
  const spoil = (name: string, change: (members: any[]) => void) => {
    const { squad } = json('squad.json');
    change(squad.members);
    put(name, JSON.stringify({ squad }, null, 2));
  };
  spoil('spoilt.json', ([desk, , cake]) => {
    desk.assistant.voice = { provider: '11labs' };
    cake.assistant.model.messages[0].content = `Sell ${evil}.`;
  });
  spoil('cut.json', ([desk]) => desk.assistant.model.tools.pop());
  spoil('large.json', (members) => {
    members.length = 1;
    for (let at = 0; at < 300; at += 1) members.push({ assistant: { name: 'a' } });
  });
  const ids = Array.from({ length: 60 }, (_, at) => `n${at}`);
  put('chain.json', {
    name: 'Chain',
    nodes: ids.map((id) => ({ id, type: 'conversation', systemPrompt: `Say ${id}.` })),
    edges: ids.slice(1).map((to, at) => ({ from: `n${at}`, to })),
  });
  await squadc('compile chain.json -o chain-squad.json');
  put('chain-squad.json', read('chain-squad.json').replace('Say n59.', 'Say no.'));
  put('result.json', {
    options: { boundary: 'branch' },
    policies: { 'missing-auth': 'none' },
    answers: {},
  });
  const { answers } = json('apart.json');
  const subject = '0a1b';
  const subjected = Object.entries<object>(answers).map(([id, each]) => [id, { ...each, subject }]);
  put('apart-result.json', { options: {}, policies: {}, answers: Object.fromEntries(subjected) });
});

const holds = [
  / 3 {2}holds {3}Every retained .*\n {12}captures the condition: 2 facts\n/,
  /\n\nholds: 9 items, 13 facts\n$/,
];
const stdin = '{"a":';
const broken = [/^error\[shape\/not-json\]: .*\n --> standard input:1:6\n/, /not hold: 1 error\n$/];

describe('squadc check', () => {
  ends(given, [
    ['check cafe.json squad.json', 0, '', { out: holds }],
    ['check cafe.json vapi.json', 0, '', { out: '\nholds: 9 items' }],
    ['check - squad.json', 0, '', { stdin: cafe, out: holds }],
    [
      'check cycle.json cycle-squad.json --answers apart.json',
      0,
      '',
      { out: [/ 2 {2}waived .*\n.*: 2 of 4 fail\n/, 'waived by the answer to cyclic-stages:'] },
    ],
    ['check cycle.json cycle-squad.json --result apart-result.json', 0, '', { out: 'holds: 9' }],
    ['check open.json open-squad.json --result result.json', 0, '', { out: '\nholds: ' }],
    ['check open.json open-squad.json', 1, '', { out: 'error[check/open-question]' }],
    [
      'check cafe.json spoilt.json',
      1,
      '',
      {
        out: [
          /^Calls that the squad handles differently:\n\n 1\. desk → \[wants a cake\] → cake\n/m,
          /\n {4}“cake” lacks .*\n {4}cafe\.json:6:61 {2}\/nodes\/2\/systemPrompt\n {4}spoilt\.json:\d+:\d+ {2}\/squad\/members\/2\/assistant\/model\/messages\/0\/content\n/,
          /error\[check\/setting-\S+\]: [^✓]*\ndoes not hold: \d calls?, 1 error\n$/,
        ],
      },
    ],
    ['check cafe.json spoilt.json --verbose', 1, '', { out: ['✓ ', 'error[check/walk]'] }],
    [
      'check chain.json chain-squad.json',
      1,
      '',
      { out: 'n11 → … 36 more … → n48 → ', columns: 200 },
    ],
    ['check cafe.json cut.json', 1, '', { out: [/ 3 {2}fails .*/, '✗ '] }],
    ['check - squad.json', 1, '', { stdin, out: broken }],
    ['check cafe.json -', 1, '', { stdin, out: broken }],
    ...Object.entries({
      'a list': '[]',
      'a workflow': cafe,
      'a web page': '<!doctype html><title>x</title>',
    }).map(([what, no]): Row => {
      const out = ['error[check/not-a-squad]', `this looks like ${what}`, 'no.json'];
      return ['check cafe.json no.json', 1, '', { files: { 'no.json': no }, columns: 200, out }];
    }),
    ['check cafe.json squad.json --result squad.json', 1, 'is not a result of a migration\n(pass'],
    ['check cafe.json squad.json --result none.json', 1, 'cannot read none.json'],
    ['check cafe.json squad.json --result x --target vapi', 64, "with option '--target <target>'"],
    ['check cafe.json squad.json --result x --policy a=b', 64, "be used with option '--policy"],
    ['check - -', 64, 'only one input can be read from standard input'],
    ['check - squad.json --answers -', 64, 'only one input'],
    ['check - squad.json --result -', 64, 'only one input'],
    ['check cafe.json', 64, "missing required argument 'squad'"],
  ]);

  it.each(['squad.json', 'cut.json', 'spoilt.json'])(
    'prints the verification of %s with --json, with lines and columns',
    async (file) => {
      const { exitCode, out, err } = await squadc(`check cafe.json ${file} --json`, {});
      const found = JSON.parse(JSON.stringify(verify(JSON.parse(cafe), json(file))));
      expect([exitCode, err]).toEqual([found.holds ? 0 : 1, '']);
      expect(JSON.parse(out)).toMatchObject(found);
      for (const each of JSON.parse(out).diagnostics) expect(each.line).toBeGreaterThan(0);
    },
  );

  it('has the form of a verification for what is not JSON, too', async () => {
    const { out } = await squadc('check - squad.json --json', { stdin });
    const diagnostics = [{ code: 'shape/not-json', line: 1 }];
    const none = { holds: false, checklist: [], counterexamples: [], diagnostics };
    expect(JSON.parse(out)).toMatchObject(none);
  });

  it('counts what is too much to show, unless it is asked for', async () => {
    const { out } = await squadc('check cafe.json large.json');
    expect(out).toMatch(/\n +… and \d+ more \(--verbose shows all\)\n/);
    expect(out.length).toBeLessThan(20_000);
    const { out: all } = await squadc('check cafe.json large.json --verbose');
    expect(all).not.toContain('--verbose');
    expect(all.length).toBeGreaterThan(40_000);
  });

  it.each([24, 40, 80, 200])('never overruns a terminal of %i columns', async (columns) => {
    for (const file of ['spoilt.json', 'cut.json']) {
      const { out } = await squadc(`check cafe.json ${file}`, { columns });
      const lines = out.split('\n').filter((line) => !/^ *\/|[|^]|-->|json:/.test(line));
      for (const line of lines) expect([...line].length, line).toBeLessThanOrEqual(columns);
      expect(out).toMatch(plain);
    }
  });

  it('is coloured on a terminal', async () => {
    const { out } = await squadc('check cafe.json cut.json', { isTTY: true });
    expect(out).toContain('\u001b[');
  });
});
