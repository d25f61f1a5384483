/** squadc check. */
import { beforeAll, describe, expect, it } from 'vitest';
import { verify } from '../../src/index.js';
import { golden, plain, temporaryFolder, transcript } from './fake-io.js';

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

put('broken.json', '{"a":');
put('list.json', '[]');
put('page.json', '<!doctype html><title>x</title>');

describe('squadc check', () => {
  const told = `
    check cafe.json squad.json => 0 > holds: 9 items, 13 facts
      > 3  holds   Every retained …captures the condition: 2 facts
    check - squad.json => 0 > holds: 9 items
    check cafe.json vapi.json => 0 > holds: 9 items
    check cycle.json cycle-squad.json --answers apart.json => 0 > 2  waived  …: 2 of 4 fail
      > waived by the answer to cyclic-stages:
    check cycle.json cycle-squad.json --result apart-result.json => 0 > holds: 9
    check open.json open-squad.json --result result.json => 0 > holds: 9
    check open.json open-squad.json => 2 > undecided: 1 place to look at
      > What is undecided:… 1. The question “missing-auth:…open.json:…5  open
    check cafe.json spoilt.json => 1
      > fails: …What fails:… “cake” lacks …desk → [wants a cake] → cake
      > cafe.json:6:61  /nodes/2/systemPrompt
      > spoilt.json:…/squad/members/2/assistant/model/messages/0/content
      > “desk” sets “voice”…spoilt.json:
    check cafe.json spoilt.json --verbose => 1 > ✓ 
    check chain.json chain-squad.json => 1 > n11 → … 36 more … → n48 →
    check cafe.json cut.json => 1 > 1. item 3: “desk” has no handoff…3  fails
    check broken.json squad.json => 1
      > fails: 1 error…error[shape/not-json]: …--> broken.json:1:6
    check cafe.json broken.json => 1 > fails: 1 error…error[shape/not-json]: …--> broken.json:1:6
    check cafe.json list.json => 1 > error[check/not-a-squad]…this looks like a list
    check squad.json cafe.json => 1 > fails: 2 errors…This is a squad, not a workflow
      > this looks like a workflow.…Pass the workflow first and the squad second;
    check squad.json squad.json => 1 > fails: 1 error…This is a squad, not a workflow
    check cafe.json page.json => 1 > error[check/not-a-squad]…this looks like a web page`;
  const refused = `
    check cafe.json squad.json --result squad.json => 1 is not a result of a migration…(pass
    check cafe.json squad.json --result x --target vapi => 64 with option '--target <target>'
    check - - => 64 only one input can be read from standard input
    check - squad.json --result - => 64 only one input`;
  transcript(given, told + refused, { stdin: cafe, columns: 200 });

  it('says of a workflow in the place of a squad that it is one, and what to do', async () => {
    put('w.json', {
      nodes: [{ id: 'a', type: 'conversation', systemPrompt: 'Greet.' }],
      edges: [],
    });
    for (const file of ['cafe.json', 'w.json']) {
      const { exitCode, out, err } = await squadc(`check cafe.json ${file}`, { columns: 200 });
      expect([exitCode, err]).toEqual([1, '']);
      const lines = out.split('\n');
      expect([lines[0], lines[2], lines.at(-2)]).toEqual([
        'fails: 1 error',
        'error[check/not-a-squad]: Expected a squad, but this looks like a workflow.',
        '  = help: Pass the workflow first and the squad second; `squadc compile` makes the squad of a workflow.',
      ]);
      expect(lines.length).toBeLessThan(10);
    }
  });

  it.each(['squad.json', 'cut.json', 'spoilt.json', 'broken.json'])(
    'prints the verification of %s with --json, with lines and columns',
    async (file) => {
      const { out, err } = await squadc(`check cafe.json ${file} --json`);
      const found = JSON.parse(out);
      const isRead = file !== 'broken.json';
      const none = {
        verdict: 'fails',
        holds: false,
        checklist: [],
        counterexamples: [],
        undecided: [],
      };
      const expected = isRead ? JSON.stringify(verify(JSON.parse(cafe), json(file))) : null;
      expect([err, found]).toMatchObject(['', expected === null ? none : JSON.parse(expected)]);
      expect(found.diagnostics.length > 0).toBe(!isRead || !found.holds);
      for (const each of found.diagnostics) expect(each.line).toBeGreaterThan(0);
    },
  );

  it('counts what is too much to show, and shows all of it with --verbose', async () => {
    const { out } = await squadc('check cafe.json large.json');
    expect(out).toMatch(/\n +… and \d+ more \(--verbose shows all\)\n/);
    expect(out.length).toBeLessThan(20_000);
    const { out: all } = await squadc('check cafe.json large.json --verbose');
    expect(all).not.toContain('--verbose');
    expect(all.length).toBeGreaterThan(40_000);
  });

  it.each([24, 40, 80, 200])('never overruns a terminal of %i columns', async (columns) => {
    for (const file of [
      'cafe.json spoilt.json',
      'cafe.json cut.json',
      'open.json open-squad.json',
    ]) {
      const { out } = await squadc(`check ${file}`, { columns });
      const lines = out.split('\n').filter((line) => !/^ *\/|[|^]|-->|json:/.test(line));
      for (const line of lines) expect([...line].length, line).toBeLessThanOrEqual(columns);
      expect(out).toMatch(plain);
    }
  });
});
