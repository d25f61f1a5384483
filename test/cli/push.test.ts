import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { thisMachine } from '../../src/platform/lock.js';
import { type Answer, inTurn, json, platform, secret } from './platform-server.js';

const at = platform({ attemptMs: 300 });
const hidden = 'literal-secret-of-the-squad';
const squad = (name: string) => ({
  name,
  members: [
    { assistant: { name: 'Intake', server: { headers: { Authorization: hidden } } } },
    { assistantId: 'saved-1' },
  ],
});

const journalText = () => readFileSync(join(at.folder(), 'j'), 'utf8');
const events = () =>
  journalText()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).event);

afterEach(() => {
  expect(at.written()).not.toContain(secret);
  expect(at.written()).not.toContain(hidden);
  if (existsSync(join(at.folder(), 'j'))) {
    expect(journalText()).not.toContain(secret);
    expect(journalText()).not.toContain(hidden);
  }
});

function put(name: string, value: unknown): string {
  writeFileSync(join(at.folder(), name), typeof value === 'string' ? value : JSON.stringify(value));
  return name;
}

const push = (...argv: readonly string[]) =>
  at.squadc('push', ...argv, '--base-url', at.baseUrl(), '--key-env', 'API_KEY', '--journal', 'j');

describe('squadc push', () => {
  it('shows what it would send, and sends and writes nothing', async () => {
    put('s.json', squad('S\u001b'));
    const rest = ['--base-url', at.baseUrl(), '--journal', 'j'];
    const { exitCode, out, err } = await at.squadc('push', 's.json', ...rest);
    const bytes = JSON.stringify(squad('S\u001b')).length;
    expect([exitCode, err]).toEqual([0, 'nothing was sent (--yes sends it)\n']);
    expect(out).toBe(
      `s.json: POST ${at.baseUrl()}/squad, ${bytes} bytes, 2 members\n` +
        '  squad: S\\u001b\n  member: Intake\n  member: saved-1\n',
    );
    expect([at.seen.length, existsSync(join(at.folder(), 'j'))]).toEqual([0, false]);
  });

  it('creates each squad once, however often it is pushed', async () => {
    at.answer((_, response, nth) => json(201, { id: `squad-${nth}` })({} as never, response, nth));
    put('s.json', squad('S'));
    put('laid-out.json', `\ufeff${JSON.stringify(squad('S'), null, 4)}\n`);
    put('t.json', squad('T'));
    const first = await push('s.json', 'laid-out.json', 't.json', '--yes');
    expect(first.exitCode).toBe(0);
    expect(first.out).toBe(
      's.json: created squad squad-1\n' +
        'laid-out.json: created before as squad squad-1; nothing to send\n' +
        't.json: created squad squad-2\n',
    );
    expect(at.seen.map(({ method, url, body }) => [method, url, JSON.parse(body)])).toEqual([
      ['POST', '/v1/squad', squad('S')],
      ['POST', '/v1/squad', squad('T')],
    ]);
    expect(at.seen[0]?.authorization).toBe(`Bearer ${secret}`);
    expect(events()).toEqual(['intent', 'created', 'intent', 'created']);
    const second = await push('t.json', 's.json', '--yes');
    expect([second.exitCode, at.seen.length, events().length]).toEqual([0, 2, 4]);
    expect((await push('s.json')).out).toContain('created before as squad squad-1');
    expect(readdirSync(at.folder()).filter((name) => name.startsWith('j.'))).toEqual([]);
  });

  it('writes the intent before it sends', async () => {
    const found: string[][] = [];
    at.answer((seen, response, nth) => {
      found.push(events());
      json(201, { id: 'x' })(seen, response, nth);
    });
    await push(put('s.json', squad('S')), '--yes');
    expect(found).toEqual([['intent']]);
  });

  it('does not repeat what a crash left open, but on demand', async () => {
    at.answer(json(201, { id: 'x' }));
    await push(put('s.json', squad('S')), '--yes');
    const [intent = ''] = journalText().split('\n');
    for (const torn of ['', '{"squadc":"push-jou', '{"squadc":"push-journal/1","event":"cre']) {
      put('j', `${intent}\n${torn}`);
      const again = await push('s.json', '--yes');
      expect([again.exitCode, at.seen.length]).toEqual([1, 1]);
      expect(again.err).toContain(
        's.json: push/unknown: a request of 2026-08-01T00:00:00.000Z may',
      );
      expect(again.err).toContain('--retry-unknown');
      expect(journalText()).toBe(`${intent}\n`);
      expect((await push('s.json')).exitCode).toBe(1);
    }
    expect((await push('s.json', '--retry-unknown')).out).toContain('POST');
    const repeated = await push('s.json', '--yes', '--retry-unknown');
    expect([repeated.exitCode, at.seen.length]).toEqual([0, 2]);
    expect((await push('s.json', '--yes', '--retry-unknown')).out).toContain('created before as');
    expect(at.seen.length).toBe(2);
  });

  const open: readonly (readonly [string, Answer])[] = [
    ['a 500', json(500, { message: 'oops' })],
    ['no answer in time', () => {}],
    ['a connection that breaks', (_, response) => response.destroy()],
    [
      'an answer cut off',
      (_, response) => {
        response.writeHead(201, { 'content-length': '99' });
        response.write('{"id":"x"');
        setTimeout(() => response.destroy(), 20);
      },
    ],
    ['HTML', (_, response) => response.end('<html>')],
    ['no id', json(201, { name: 'S' })],
    ['an id that is none', json(201, { id: '../x y' })],
    ['the key for an id', json(201, { id: secret })],
  ];
  it.each(open)('takes a squad for doubtful after %s', async (_, answer) => {
    at.answer(answer);
    const { exitCode, err } = await push(put('s.json', squad('S')), '--yes');
    expect([exitCode, at.seen.length, at.sleeps]).toEqual([1, 1, []]);
    expect(err).toContain('push/unknown');
    expect(events()).toEqual(['intent', 'unknown']);
    at.answer(json(201, { id: 'x' }));
    expect((await push('s.json', '--yes')).err).toContain('push/unknown');
    expect(at.seen.length).toBe(1);
  });

  it('repeats a request that was surely not taken', async () => {
    at.answer(inTurn(json(429, {}, { 'retry-after': '3' }), json(201, { id: 'x' })));
    expect((await push(put('s.json', squad('S')), '--yes')).exitCode).toBe(0);
    expect([at.sleeps, events()]).toEqual([[3000], ['intent', 'created']]);
  });

  it.each([0, 1990, 290, 280])(
    'hides the key that a server repeats after %i signs',
    async (signs) => {
      at.answer(json(400, { message: `${'x'.repeat(signs)}${secret} is wrong` }));
      await push(put('s.json', squad('S')), '--yes');
      at.answer((_, response) => response.writeHead(400).end(`${'y'.repeat(signs)}${secret}`));
      await push(put('t.json', squad('T')), '--yes');
      for (const length of [4, 8, 12]) expect(at.written()).not.toContain(secret.slice(0, length));
    },
  );

  it('says what the server complains of, without the secrets of the squad', async () => {
    at.answer(
      inTurn(json(400, { message: ['bad voice', `got ${hidden}`] }), json(201, { id: 'x' })),
    );
    const first = await push(put('s.json', squad('S')), '--yes');
    expect(first.exitCode).toBe(1);
    expect(first.err).toContain(
      's.json: platform/refused: the server refuses the request (status 400)',
    );
    expect(first.err).toContain('the server says: bad voice; got ••••');
    expect(events()).toEqual(['intent', 'refused']);
    expect((await push('s.json', '--yes')).exitCode).toBe(0);
  });

  it('stops at a 401', async () => {
    at.answer(json(401, {}));
    const { exitCode, err } = await push(
      put('s.json', squad('S')),
      put('t.json', squad('T')),
      '--yes',
    );
    expect([exitCode, at.seen.length]).toEqual([1, 1]);
    expect(err).toContain('the environment variable API_KEY');
    expect(err).toContain('t.json: platform/not-tried');
  });

  it.each([
    [303, '/v1/squad/x', 'unknown'],
    [302, '/elsewhere', 'unknown'],
    [308, 'https://other.example/', 'refused'],
  ])('sends a body to no other place: %d', async (status, location, event) => {
    at.answer((_, response) => {
      response.writeHead(status, { location });
      response.end();
    });
    expect((await push(put('s.json', squad('S')), '--yes')).err).toContain('platform/redirect');
    expect([at.seen.length, events()]).toEqual([1, ['intent', event]]);
  });

  it.each([
    [{ squad: squad('S') }, 'push/target-squad', '--target vapi'],
    [{ name: 'W', nodes: [] }, 'push/workflow', 'Compile it'],
    [{ ...squad('S'), memberOverrides: {} }, 'push/member-overrides', 'membersOverrides'],
    [{ members: [] }, 'push/no-members', ''],
    [{ members: [{}] }, 'push/member', ''],
    [[squad('S')], 'push/not-object', ''],
    ['{"members":', 'push/not-json', ''],
  ])('refuses %j', async (document, code, help) => {
    const { exitCode, err } = await push(put('s.json', document), '--yes');
    expect([exitCode, at.seen.length]).toEqual([1, 0]);
    expect(err).toContain(`s.json: ${code}:`);
    expect(err).toContain(help);
  });

  it('names every file that holds no squad, and sends none of the others', async () => {
    put('s.json', squad('S'));
    put('w.json', { name: 'W', nodes: [] });
    put('empty.json', '');
    for (const flags of [[], ['--yes']]) {
      const { exitCode, out, err } = await push('w.json', 's.json', 'gone', 'empty.json', ...flags);
      expect([exitCode, out, at.seen.length]).toEqual([1, '', 0]);
      expect(err).toMatch(
        /^squadc: w\.json: push\/workflow: .+\n {2}help: .+\ncannot read gone: .+\nempty\.json: push\/not-json: .+\n {2}help: .+\nnothing was sent\n$/,
      );
    }
  });

  it('reads one squad from standard input, and not two', async () => {
    const { exitCode, err } = await push('-', '-');
    expect([exitCode, at.seen.length]).toEqual([64, 0]);
    expect(err).toContain('only one input can be read from standard input');
  });

  it.each([
    'hello',
    '{"name":"W"}\n',
    '{"squadc":"push-journal/1","event":"created","intent":1}\n',
  ])('refuses the journal %j and leaves it as it is', async (text) => {
    put('j', text);
    for (const flags of [[], ['--yes']]) {
      const { exitCode, err } = await push(put('s.json', squad('S')), ...flags);
      expect([exitCode, at.seen.length, journalText()]).toEqual([1, 0, text]);
      expect(err).toContain('journal/line: j:1:');
    }
  });

  it('does not share a journal with another run, and takes over from one that ended', async () => {
    at.answer(json(201, { id: 'x' }));
    const holder = { pid: process.pid, machine: thisMachine(), since: null };
    put('j.lock.1', JSON.stringify(holder));
    const locked = await push(put('s.json', squad('S')), '--yes');
    expect([locked.exitCode, at.seen.length]).toEqual([1, 0]);
    expect(locked.err).toContain('journal/locked');
    expect(locked.err).toContain('j.lock.1');
    // Beyond any process id that a system gives.
    put('j.lock.1', JSON.stringify({ ...holder, pid: 999_999_999 }));
    expect((await push('s.json', '--yes')).exitCode).toBe(0);
  });

  it('needs a key to send', async () => {
    const rest = ['--base-url', at.baseUrl(), '--yes'];
    const { exitCode, err } = await at.squadc('push', put('s.json', squad('S')), ...rest);
    expect([exitCode, at.seen.length]).toEqual([64, 0]);
    expect(err).toContain('platform/no-key');
  });
});

describe('squadc rollback', () => {
  const rollback = (...argv: readonly string[]) =>
    at.squadc('rollback', '--journal', 'j', '--key-env', 'API_KEY', ...argv);

  async function createThree(): Promise<void> {
    at.answer((_, response, nth) => json(201, { id: `id-${nth}` })({} as never, response, nth));
    await push(...['a', 'b', 'c'].map((name) => put(`${name}.json`, squad(name))), '--yes');
  }

  it('shows what it would delete, newest first, and does nothing', async () => {
    await createThree();
    const { exitCode, out, err } = await rollback();
    expect([exitCode, err]).toEqual([0, '3 squads to delete (--yes does it)\n']);
    expect(out.match(/DELETE \S+/g)).toEqual(
      [3, 2, 1].map((number) => `DELETE ${at.baseUrl()}/squad/id-${number}`),
    );
    expect(at.seen.length).toBe(3);
  });

  it('deletes newest first, takes 404 for gone, and writes it down', async () => {
    await createThree();
    at.answer(({ url }, response, nth) =>
      json(url.endsWith('2') ? 404 : 200, {})({} as never, response, nth),
    );
    const { exitCode, out } = await rollback('--yes');
    expect(exitCode).toBe(0);
    expect(out).toBe(
      'squad id-3 deleted (c.json)\nsquad id-2 was gone already (b.json)\nsquad id-1 deleted (a.json)\n',
    );
    expect(at.seen.slice(3).map(({ method, url }) => `${method} ${url}`)).toEqual(
      [3, 2, 1].map((number) => `DELETE /v1/squad/id-${number}`),
    );
    expect(events().slice(6)).toEqual(['deleted', 'deleted', 'deleted']);
    expect((await rollback('--yes')).err).toBe('0 squads to delete\n');
    expect(at.seen.length).toBe(6);
    await createThree();
    expect(at.seen.length).toBe(9);
  });

  it('tries again after 5xx, and keeps what could not be deleted', async () => {
    await createThree();
    at.answer(({ url }, response, nth) =>
      json(url.endsWith('2') ? 500 : 200, {})({} as never, response, nth),
    );
    const { exitCode, err } = await rollback('--yes');
    expect([exitCode, at.sleeps.length]).toEqual([1, 3]);
    expect(err).toContain('squad id-2: platform/server');
    at.answer(json(200, {}));
    expect((await rollback('--yes')).out).toBe('squad id-2 deleted (b.json)\n');
  });

  it('stops at a 401', async () => {
    await createThree();
    at.answer(json(401, {}));
    const { exitCode, err } = await rollback('--yes');
    expect([exitCode, at.seen.length]).toEqual([1, 4]);
    expect(err).toContain('squad id-3: platform/unauthorized');
  });

  it('names what may exist and cannot be deleted', async () => {
    at.answer(json(500, {}));
    await push(put('s.json', squad('S')), '--yes');
    const { exitCode, err } = await rollback('--yes');
    expect([exitCode, at.seen.length]).toEqual([0, 1]);
    expect(err).toContain('s.json: rollback/unknown: warning:');
  });

  it('deletes at one address only', async () => {
    await createThree();
    const [intent = '', created = ''] = journalText().split('\n');
    const other = [intent, created].map((line) =>
      line.replace('"intent":1', '"intent":9').replace(at.baseUrl(), 'https://other.example'),
    );
    put('j', `${journalText()}${other.join('\n')}\n`);
    expect((await rollback('--yes')).err).toContain('rollback/addresses');
    at.answer(json(200, {}));
    expect((await rollback('--yes', '--base-url', at.baseUrl())).exitCode).toBe(0);
    expect(at.seen.length).toBe(6);
  });

  it.each([
    [['rollback'], 'there is no journal squadc-journal.jsonl'],
    [['rollback', '--journal', 'none'], 'journal/missing'],
    [['rollback', '--journal', 'none', '--yes'], 'platform/no-key'],
    [['rollback', '--journal', 'none', '--token', secret], 'platform/key-argument'],
  ])('refuses %j', async (argv, message) => {
    const { exitCode, err } = await at.squadc(...argv);
    expect([1, 64]).toContain(exitCode);
    expect(err).toContain(message);
  });
});

describe('help', () => {
  it.each([
    ['callers', ['--map', '--write', '--json'], []],
    ['pull', ['--ids-file', '--base-url', '--key-env', '--key-file', '--output'], []],
    [
      'push',
      ['--base-url', '--key-env', '--key-file', '--yes', '--journal', '--retry-unknown'],
      ['(default: "squadc-journal.jsonl")'],
    ],
    [
      'rollback',
      ['--journal', '--base-url', '--key-env', '--yes'],
      ["(default: the journal's own)"],
    ],
  ])(
    '%s has a synopsis, options, exit codes and an example',
    async (command, options, defaults) => {
      const { exitCode, out } = await at.squadc(command, '--help');
      expect(exitCode).toBe(0);
      expect(out).toMatch(new RegExp(`^Usage: squadc ${command} \\[options\\]`));
      for (const option of options) expect(out).toContain(option);
      for (const value of defaults) expect(out.replaceAll(/\s+/g, ' ')).toContain(value);
      expect(out).toMatch(/^Exit codes:\n {2}0 {3}/m);
      expect(out).toMatch(new RegExp(`^Examples?:\n {2}squadc ${command} `, 'm'));
      expect(out).not.toMatch(/--token|--api-key/);
      expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    },
  );
});
