/** squadc pull, push and rollback against a platform on this machine. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { thisMachine } from '../../src/platform/lock.js';
import {
  type Answer,
  account,
  type Held,
  inTurn,
  json,
  platform,
  secret,
} from './platform-server.js';

describe('pulling', () => {
  const workflow = { name: 'W', nodes: [], edges: [] };
  const at = platform({ attemptTimeoutMs: 1500 });
  afterEach(() => expect(at.written()).not.toContain(secret));

  const pull = (...argv: readonly string[]) =>
    at.squadc('pull', ...argv, '--base-url', at.baseUrl(), '--key-env', 'API_KEY', '-o', 'out');
  const files = () => readdirSync(join(at.folder(), 'out')).sort();
  const text = (name: string) => readFileSync(join(at.folder(), name), 'utf8');
  const put = (name: string, content: string) => writeFileSync(join(at.folder(), name), content);

  const raw =
    (status: number, body: string | Uint8Array, headers: Record<string, string> = {}): Answer =>
    (_, response) => {
      response.writeHead(status, headers);
      response.end(body);
    };

  /** Answers by address; 404 elsewhere. */
  const places =
    (of: (url: string) => unknown): Answer =>
    ({ url }, response, nth) => {
      const found = of(url);
      json(found === undefined ? 404 : 200, found ?? {})({} as never, response, nth);
    };

  describe('squadc pull', () => {
    it('writes each workflow to a file of its own', async () => {
      at.answer(places((url) => ({ ...workflow, url })));
      put('ids', '# mine\nb\r\n\n  c \na\n');
      const { exitCode, out, err } = await pull('a', '--ids-file', 'ids');
      expect([exitCode, err]).toEqual([0, '3 of 3 workflows written\n']);
      expect(out).toBe('out/a.json\nout/b.json\nout/c.json\n');
      const asked = at.seen.map(({ method, url, authorization }) => [method, url, authorization]);
      expect(asked).toEqual(
        ['a', 'b', 'c'].map((id) => ['GET', `/v1/workflow/${id}`, `Bearer ${secret}`]),
      );
      expect(JSON.parse(text('out/b.json'))).toEqual({ ...workflow, url: '/v1/workflow/b' });
      expect(text('out/a.json')).toContain('\n  "name": "W",\n');
      // The key may come from a file, and the address may end with a slash.
      put('key', `${secret}\n`);
      const rest = ['--base-url', `${at.baseUrl()}/`, '--key-file', 'key', '-o', 'out'];
      expect((await at.squadc('pull', 'd', ...rest)).exitCode).toBe(0);
      const authorization = `Bearer ${secret}`;
      expect(at.seen.at(-1)).toMatchObject({ url: '/v1/workflow/d', authorization });
    });

    it('fetches all that the platform lists, and what their tools are called', async () => {
      const named = { name: 'find_slot', description: 'Finds one.' };
      const held: Record<string, unknown> = {
        '/v1/workflow?limit=1000': [{ id: 'a', name: 'A' }, { id: 'b' }, { name: 'none' }],
        '/v1/workflow/a': { ...workflow, nodes: [{ type: 'tool', toolId: 't1' }] },
        '/v1/workflow/b': { ...workflow, model: { toolIds: ['t1', 't2', '../x'] } },
        '/v1/tool/t1': { type: 'function', function: named },
        '/v1/tool/t2': { type: 'endCall' },
      };
      at.answer(places((url) => held[url]));
      const { exitCode, out, err } = await pull('--all', '--tool-names', 'tools.json');
      expect(out).toBe('out/a.json\nout/b.json\n');
      expect(JSON.parse(text('tools.json'))).toEqual({ t1: named });
      expect(at.seen.map(({ url }) => url)).toContain('/v1/tool/..%2Fx');
      // Two tools tell no name, so not everything is done.
      expect([exitCode, err]).toEqual([1, expect.stringContaining('platform/missing')]);
    });

    it('says that there may be more than the platform lists, or that it lists none', async () => {
      const listed = Array.from({ length: 1000 }, () => ({ id: 'a' }));
      at.answer(places((url) => (url.includes('limit') ? listed : workflow)));
      const many = await pull('--all');
      expect([many.exitCode, many.err]).toEqual([0, expect.stringContaining('platform/more')]);
      at.answer(raw(200, '<html>'));
      const { exitCode, out, err } = await pull('--all');
      expect([exitCode, out]).toEqual([1, '']);
      expect(err).toContain('all workflows: platform/not-json: the response is not a JSON');
    });

    it('has the address and the variable of the platform for usual ones', async () => {
      const { err, exitCode } = await at.squadc('pull', 'a', '-o', 'out');
      expect(exitCode).toBe(64);
      expect(err).toContain('Set VAPI_API_KEY, or name another variable with --key-env');
      const { out } = await at.squadc('pull', '--help');
      expect(out.replaceAll(/\s+/g, ' ')).toContain('(default: "https://api.vapi.ai")');
    });

    it('keeps digits and doubled keys as they came', async () => {
      at.answer(raw(200, '{"n":12345678901234567890,"n":1.10,"s":"a\\u0041{[,:","e":[],"o":{}}'));
      await pull('a');
      expect(text('out/a.json')).toBe(
        '{\n  "n": 12345678901234567890,\n  "n": 1.10,\n  "s": "a\\u0041{[,:",\n  "e": [],\n  "o": {}\n}\n',
      );
    });

    it('names files so that they stay in the folder', async () => {
      at.answer(json(200, workflow));
      const ids = ['../up', 'a/b', 'CON', 'nul.x', '.hidden', '-o', 'e\u0301', 'A', 'a'];
      put('ids', [...ids, 'x'.repeat(150)].join('\n'));
      expect((await pull('--ids-file', 'ids')).exitCode).toBe(0);
      for (const name of files()) expect(name).toMatch(/^[\p{L}\p{N}_][\p{L}\p{N}._-]*\.json$/u);
      expect(files().every((name) => !/^(?:con|nul)[.]/i.test(name))).toBe(true);
      expect(new Set(files().map((name) => name.toLowerCase())).size).toBe(ids.length + 1);
      expect(at.seen.map(({ url }) => url)).toContain('/v1/workflow/..%2Fup');
    });

    it('goes on after a fault of one id, and stops where no other can do better', async () => {
      at.answer(places((url) => (url.endsWith('b') ? undefined : workflow)));
      const { exitCode, out, err } = await pull('a', 'b', 'c');
      expect([exitCode, out]).toEqual([1, 'out/a.json\nout/c.json\n']);
      expect(err).toMatch(/^b: platform\/missing: .*\(status 404\)\n {2}help: .*\n2 of 3/);
      at.answer(json(401, { message: `Invalid key ${secret}` }));
      const refused = await pull('a', 'b');
      expect([refused.exitCode, at.seen.length]).toEqual([1, 4]);
      for (const said of [
        'a: platform/unauthorized:',
        'the environment variable API_KEY',
        'the server says: Invalid key [credential]',
        'b: platform/not-tried:',
      ]) {
        expect(refused.err).toContain(said);
      }
      const address = `http://127.0.0.1:${await freePort()}`;
      const rest = ['--base-url', address, '--key-env', 'API_KEY', '-o', 'out'];
      const nobody = await at.squadc('pull', 'a', 'b', ...rest);
      expect(nobody.exitCode).toBe(1);
      expect(nobody.err).toMatch(/a: platform\/unreachable:[\s\S]*b: platform\/not-tried:/);
    });

    it('hides the key wherever it stands, in an id too', async () => {
      at.answer(json(200, workflow));
      expect((await pull(secret)).out).toBe('out/••••.json\n');
    });

    it('warns of a workflow that holds the key', async () => {
      at.answer(json(200, { ...workflow, key: secret }));
      expect((await pull('a')).err).toContain('a: platform/key-in-workflow: warning:');
    });

    it('waits as long as a 429 asks', async () => {
      at.answer(inTurn(json(429, {}, { 'retry-after': '1' }), json(500, {}), json(200, workflow)));
      const begun = performance.now();
      expect((await pull('a')).exitCode).toBe(0);
      expect(performance.now() - begun).toBeGreaterThan(990);
    });

    const begun =
      (headers: Record<string, string>, then: (end: () => void) => void): Answer =>
      (_, response) => {
        response.writeHead(200, headers);
        response.write('{"nodes":[]}');
        then(() => response.destroy());
      };
    it.each<[string, Answer, string, number]>([
      ['a year to wait', json(429, {}, { 'retry-after': '31536000' }), 'platform/limited', 1],
      [
        'trouble',
        json(503, { message: 'busy' }),
        'a: platform/server: the server failed (status 503, 4 attempts)',
        4,
      ],
      ['no answer', () => {}, 'platform/timeout', 4],
      ['an answer without end', begun({}, () => {}), 'platform/timeout', 1],
      ['HTML', raw(200, '<html>hi</html>'), 'the response is a web page', 1],
      ['no JSON', raw(200, 'hello'), 'the response is not a JSON object', 1],
      ['an array', raw(200, '[]'), 'the response is not a JSON object', 1],
      ['nothing', raw(200, ''), 'the response is not a JSON object', 1],
      ['JSON cut off', raw(200, '{"nodes":['), 'the response is not a JSON object', 1],
      ['no UTF-8', raw(200, new Uint8Array([0x7b, 0xff, 0x7d])), 'platform/truncated', 1],
      [
        'a body cut off',
        begun({ 'content-length': '100' }, (end) => setTimeout(end, 20)),
        'platform/truncated',
        1,
      ],
      ['too much', raw(200, `{"a":"${'x'.repeat(17 * 1024 * 1024)}"}`), 'platform/too-large', 1],
      ['control characters', json(400, { message: '\u001b[2J\u0007gone\u202e' }), 'gone\\u202e', 1],
      ['a page of an error', raw(400, '<script>x</script>'), 'platform/refused', 1],
      ['another host', raw(302, '', { location: 'http://localhost:9/x' }), 'platform/redirect', 1],
      ['nowhere', raw(302, '', { location: 'http://[' }), 'platform/redirect', 1],
      ['itself', raw(302, '', { location: '?again' }), 'platform/redirect', 1],
    ])('takes %s for a fault of the id', async (_, answer, message, requests) => {
      at.answer(answer);
      const { exitCode, out, err } = await pull('a');
      expect([exitCode, out, files()]).toEqual([1, '', []]);
      expect(err).toContain(message);
      expect(at.seen.length).toBe(requests);
      for (const sign of ['\u001b', '\u0007', '\u202e', '<script']) expect(err).not.toContain(sign);
      expect(err.length).toBeLessThan(1000);
    });
  });

  const there = ['--base-url', 'https://x'];
  const keyed = ['--key-env', 'API_KEY'];

  it.each<[readonly string[], string]>([
    [['a', ...there], 'platform/no-key'],
    [['a', ...there, '--key', secret], 'platform/key-argument'],
    [['a', ...there, `--api-key=${secret}`], 'platform/key-argument'],
    [['a', ...there, `--bearer=${secret}`], "unknown option '--bearer'"],
    [['a', ...there, '--key-env', secret], 'this is no name'],
    [['a', ...there, '--key-env', 'NOPE'], 'is not set'],
    [['a', ...there, '--key-file', secret], 'cannot be read'],
    [['a', ...there, '--key-env', 'A', '--key-file', 'b'], 'cannot be'],
    [['a', '--base-url', 'http://x.example', ...keyed], 'plain http'],
    [['a', '--base-url', `https://u:${secret}@x`, ...keyed], 'password'],
    [['a', '--base-url', `https://x/?k=${secret}`, ...keyed], 'query'],
    [['a', '--base-url', `${secret}`, ...keyed], 'no URL'],
    [[...there, ...keyed], 'platform/no-ids'],
    ...['..', '.', 'a b', 'a\u0000', 'x'.repeat(201)].map((id): [string[], string] => [
      [id, ...there, ...keyed],
      'is not a workflow id',
    ]),
  ])('squadc pull is not used like this: %j', async (argv, message) => {
    const { exitCode, out, err } = await at.squadc('pull', ...argv, '-o', 'out');
    expect(out).toBe('');
    expect([1, 64]).toContain(exitCode);
    expect(err).toContain(message);
  });

  it.each(['', '\n', 'two words', 'line\nline', 'ümlaut'])('the key %j is none', async (key) => {
    put('key', key);
    const rest = ['--base-url', at.baseUrl(), '--key-file', 'key', '-o', 'out'];
    const { exitCode, err } = await at.squadc('pull', 'a', ...rest);
    expect([exitCode, at.seen.length]).toEqual([1, 0]);
    expect(err).toContain('platform/key:');
    if (key.trim() !== '') expect(err).not.toContain(key);
  });

  /** A port that nobody listens to. */
  async function freePort(): Promise<number> {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => {
      server.close(resolve);
    });
    return port;
  }
});

describe('pushing', () => {
  const at = platform({ attemptTimeoutMs: 300 });
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
    writeFileSync(
      join(at.folder(), name),
      typeof value === 'string' ? value : JSON.stringify(value),
    );
    return name;
  }

  const push = (...argv: readonly string[]) =>
    at.squadc(
      'push',
      ...argv,
      '--base-url',
      at.baseUrl(),
      '--key-env',
      'API_KEY',
      '--journal',
      'j',
    );

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

    it('creates each squad once, however often it is pushed, the intent before it is sent', async () => {
      const before: string[][] = [];
      at.answer((seen, response, nth) => {
        before.push(events());
        json(201, { id: `squad-${nth}` })(seen, response, nth);
      });
      put('s.json', squad('S'));
      put('laid-out.json', `\ufeff${JSON.stringify(squad('S'), null, 4)}\n`);
      put('t.json', squad('T'));
      const first = await push('s.json', 'laid-out.json', 't.json', '--yes');
      expect([first.exitCode, first.out]).toEqual([
        0,
        's.json: created squad squad-1\n' +
          'laid-out.json: already pushed as squad squad-1; no changes\n' +
          't.json: created squad squad-2\n',
      ]);
      const sent = at.seen.map(({ method, url, body }) => [method, url, JSON.parse(body)]);
      expect(sent).toEqual(['S', 'T'].map((name) => ['POST', '/v1/squad', squad(name)]));
      expect(at.seen[0]?.authorization).toBe(`Bearer ${secret}`);
      expect(before).toEqual([['intent'], ['intent', 'done', 'intent']]);
      const second = await push('t.json', 's.json', '--yes');
      expect([second.exitCode, at.seen.length, events().length]).toEqual([0, 2, 4]);
      expect((await push('s.json')).out).toContain('already pushed as squad squad-1');
      expect(readdirSync(at.folder()).filter((name) => name.startsWith('j.'))).toEqual([]);
    });

    it('does not repeat what a crash left open, but on demand', async () => {
      at.answer(json(201, { id: 'x' }));
      await push(put('s.json', squad('S')), '--yes');
      const [intent = ''] = journalText().split('\n');
      for (const torn of ['', '{"squadc":"push-jou', '{"squadc":"push-journal/1","event":"cre']) {
        put('j', `${intent}\n${torn}`);
        const again = await push('s.json', '--yes');
        expect([again.exitCode, at.seen.length]).toEqual([1, 1]);
        expect(again.err).toContain('s.json: push/unknown: a request of 2');
        expect(again.err).toContain('--retry-unknown');
        expect(journalText()).toBe(`${intent}\n`);
        expect((await push('s.json')).exitCode).toBe(1);
      }
      expect((await push('s.json', '--retry-unknown')).out).toContain('POST');
      const repeated = await push('s.json', '--yes', '--retry-unknown');
      expect([repeated.exitCode, at.seen.length]).toEqual([0, 2]);
      expect((await push('s.json', '--yes', '--retry-unknown')).out).toContain('already pushed as');
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
      expect([exitCode, at.seen.length]).toEqual([1, 1]);
      expect(err).toContain('push/unknown');
      expect(events()).toEqual(['intent', 'unknown']);
      at.answer(json(201, { id: 'x' }));
      expect((await push('s.json', '--yes')).err).toContain('push/unknown');
      expect(at.seen.length).toBe(1);
    });

    it('repeats a request that was surely not taken', async () => {
      at.answer(inTurn(json(429, {}, { 'retry-after': '0' }), json(201, { id: 'x' })));
      expect((await push(put('s.json', squad('S')), '--yes')).exitCode).toBe(0);
      expect([at.seen.length, events()]).toEqual([2, ['intent', 'done']]);
    });

    it.each([0, 1990, 290, 280])(
      'hides the key that a server repeats after %i signs',
      async (signs) => {
        at.answer(json(400, { message: `${'x'.repeat(signs)}${secret} is wrong` }));
        await push(put('s.json', squad('S')), '--yes');
        at.answer((_, response) => response.writeHead(400).end(`${'y'.repeat(signs)}${secret}`));
        await push(put('t.json', squad('T')), '--yes');
        for (const length of [4, 8, 12])
          expect(at.written()).not.toContain(secret.slice(0, length));
      },
    );

    it('says what the server complains of, without the secrets of the squad', async () => {
      at.answer(
        inTurn(json(400, { message: ['bad voice', `got ${hidden}`] }), json(201, { id: 'x' })),
      );
      const first = await push(put('s.json', squad('S')), '--yes');
      expect(first.exitCode).toBe(1);
      expect(first.err).toContain(
        's.json: platform/refused: the server rejects the request (status 400)',
      );
      expect(first.err).toContain('the server says: bad voice; got ••••');
      expect(events()).toEqual(['intent', 'refused']);
      expect((await push('s.json', '--yes')).exitCode).toBe(0);
    });

    it('stops at a 401', async () => {
      at.answer(json(401, {}));
      put('s.json', squad('S'));
      put('t.json', squad('T'));
      const { exitCode, err } = await push('s.json', 't.json', '--yes');
      expect([exitCode, at.seen.length]).toEqual([1, 1]);
      expect(err).toContain('the environment variable API_KEY');
      expect(err).toContain('t.json: platform/not-tried');
    });

    it.each([
      [303, '/v1/squad/x'],
      [302, '/elsewhere'],
      [308, 'https://other.example/'],
    ])('sends a body to no other place: %d', async (status, location) => {
      at.answer((_, response) => {
        response.writeHead(status, { location });
        response.end();
      });
      expect((await push(put('s.json', squad('S')), '--yes')).err).toContain('platform/redirect');
      expect([at.seen.length, events()]).toEqual([1, ['intent', 'unknown']]);
    });

    it.each([
      [{ squad: squad('S') }, 'push/target-squad', '--target vapi'],
      [{ name: 'W', nodes: [] }, 'push/workflow', 'Compile it'],
      [{ ...squad('S'), memberOverrides: {} }, 'push/member-overrides', 'membersOverrides'],
      [{ members: [] }, 'push/no-members', ''],
      [{ members: [{}] }, 'push/member', ''],
      [{ members: [{ assistantId: 'a' }, { assistantId: 'a' }] }, 'push/same-names', ''],
      [[squad('S')], 'push/not-object', ''],
      [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'push/not-json', ''],
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
        const { exitCode, out, err } = await push(
          'w.json',
          's.json',
          'gone',
          'empty.json',
          ...flags,
        );
        expect([exitCode, out, at.seen.length]).toEqual([1, '', 0]);
        expect(err).toMatch(
          /^squadc: w\.json: push\/workflow: .+\n {2}help: .+\ncannot read gone: .+\nempty\.json: push\/not-json: .+\n {2}help: .+\nnothing was sent\n$/,
        );
      }
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

    it.each<[string[], string]>([
      [['s.json', '--yes'], 'platform/no-key'],
      [['-', '-'], 'only one input can be read from standard input'],
      [[], 'name a file, or --numbers'],
    ])('is not used like this: %j', async (argv, message) => {
      put('s.json', squad('S'));
      const { exitCode, err } = await at.squadc('push', ...argv, '--base-url', at.baseUrl());
      expect([exitCode, at.seen.length]).toEqual([64, 0]);
      expect(err).toContain(message);
    });
  });

  describe('squadc push, after a change', () => {
    const text = (name: string, firstMessage: string, more: Held = {}) => ({
      name,
      members: [
        {
          assistant: {
            name: 'Intake',
            firstMessage,
            server: { headers: { key: hidden } },
            ...more,
          },
        },
        { assistantId: 'saved-1' },
      ],
    });

    it.each([[], ['--saved']])(
      'changes what it made, and only what changed (%s)',
      async (...flags) => {
        const { held, answer } = account();
        at.answer(answer);
        await push(put('s.json', text('S', 'Hello.', { voice: { id: 'v' } })), ...flags, '--yes');
        const field = flags.length === 0 ? 'members.0.assistant.' : '';
        const sent = at.seen.length;
        put('s.json', text('S', 'Good day.'));
        const shown = await push('s.json', ...flags);
        expect(shown.out).toContain(`PATCH ${at.baseUrl()}/`);
        expect(shown.out).toContain(
          `  changes: ${field}firstMessage\n  changes: ${field}voice.id\n`,
        );
        expect(at.seen.length).toBe(sent);
        const changed = await push('s.json', ...flags, '--yes');
        expect([changed.exitCode, changed.out]).toEqual([
          0,
          expect.stringContaining(`  changed: ${field}firstMessage\n`),
        ]);
        const patched = at.seen.slice(sent).map(({ method }) => method);
        expect(patched).toEqual(['GET', 'PATCH']);
        const all = JSON.stringify([...held.values()].filter((each) => each !== null));
        expect([all.includes('Good day.'), all.includes('"v"')]).toEqual([true, false]);
        const again = await push('s.json', ...flags, '--yes');
        expect([again.exitCode, at.seen.length]).toEqual([0, sent + 2]);
        // The same file as it was before is a change, too.
        put('s.json', text('S', 'Hello.'));
        expect((await push('s.json', ...flags, '--yes')).out).toContain('changed');
      },
    );

    // biome-ignore lint/suspicious/noExplicitAny: a thing on the platform has any members
    it.each<[string, (thing: any) => void, string]>([
      ['changed', (thing) => Object.assign(thing, { name: 'Mine' }), 'name'],
      [
        'added',
        (thing) => Object.assign(thing, { membersOverrides: { voice: { id: 'x' } } }),
        'membersOverrides.voice.id',
      ],
      [
        'removed',
        (thing) => delete thing.members[0].assistant.firstMessage,
        'members.0.assistant.firstMessage',
      ],
      [
        'changed of its own',
        (thing) => Object.assign(thing, { backgroundSound: 'office' }),
        'backgroundSound',
      ],
    ])('refuses where somebody edited it since: a field was %s', async (_, edit, field) => {
      const { held, answer } = account();
      at.answer(answer);
      await push(put('s.json', text('S', 'Hello.')), '--yes');
      edit(held.get('squad/squad-1'));
      put('s.json', text('S', 'Good day.'));
      const { exitCode, err } = await push('s.json', '--yes');
      expect(exitCode).toBe(1);
      expect(err).toContain(
        `s.json: push/edited: squad squad-1 was edited on the platform since it was pushed: ${field} `.trimEnd(),
      );
      expect(at.seen.map(({ method }) => method)).toEqual(['POST', 'GET']);
      expect(events()).toEqual(['intent', 'done']);
    });

    it('goes on where a change was left open, and whatever became of it', async () => {
      for (const wasTaken of [true, false]) {
        put('j', '');
        const { answer } = account();
        at.answer(answer);
        await push(put('s.json', text('S', 'Hello.')), '--yes');
        put('s.json', text('S', 'Good day.'));
        at.answer((seen, response, nth) => {
          if (seen.method !== 'PATCH') answer(seen, response, nth);
          else if (wasTaken) answer(seen, { writeHead() {}, end() {} } as never, nth);
          if (seen.method === 'PATCH') response.destroy();
        });
        expect((await push('s.json', '--yes')).err).toContain('platform/broken');
        at.answer(answer);
        const { exitCode, out } = await push('s.json', '--yes');
        expect([exitCode, out]).toEqual([0, expect.stringContaining('changed squad squad-1')]);
      }
    });

    it('says that what it is to change is gone', async () => {
      const { held, answer } = account();
      at.answer(answer);
      await push(put('s.json', text('S', 'Hello.')), '--yes');
      held.clear();
      put('s.json', text('S', 'Good day.'));
      expect((await push('s.json', '--yes')).err).toContain('s.json: platform/missing');
      await at.squadc('rollback', '--journal', 'j', '--key-env', 'API_KEY', '--yes');
      expect((await push('s.json', '--yes')).out).toContain('created squad');
    });
  });

  describe('squadc push --saved', () => {
    const destination = { type: 'assistant', assistantName: 'B', description: 'd' };
    const handoff = { type: 'handoff', destinations: [destination] };
    const assistants = ['A', 'B', 'C'].map((name) => {
      return { name, model: { tools: [handoff] }, server: { headers: { key: hidden } } };
    });
    const document = {
      name: 'S',
      members: [
        { assistant: assistants[0], assistantOverrides: { firstMessage: '' } },
        { assistant: assistants[1] },
        { assistantId: 'saved-1' },
        { assistant: assistants[2], assistantDestinations: [destination] },
      ],
      membersOverrides: { voice: { id: 'v' } },
    };
    const rollback = () => at.squadc('rollback', '--journal', 'j', '--key-env', 'API_KEY', '--yes');

    it('creates the assistants first, then a squad of their ids', async () => {
      const { held, answer } = account();
      at.answer(answer);
      const shown = await push(put('s.json', document), '--saved');
      expect(shown.out.match(/POST \S+/g)).toEqual([
        ...Array(3).fill(`POST ${at.baseUrl()}/assistant,`),
        `POST ${at.baseUrl()}/squad,`,
      ]);
      const { exitCode, out, err } = await push('s.json', '--saved', '--yes');
      expect([exitCode, err]).toEqual([0, '1 of 1 squad is there; journal: j\n']);
      expect(out).toBe(
        's.json: created assistant assistant-1 (A)\ns.json: created assistant assistant-2 (B)\n' +
          's.json: created assistant assistant-3 (C)\ns.json: created squad squad-1\n',
      );
      expect(at.seen.map(({ body }) => JSON.parse(body))).toEqual([
        ...assistants,
        {
          ...document,
          members: [
            { assistantId: 'assistant-1', assistantOverrides: { firstMessage: '' } },
            { assistantId: 'assistant-2' },
            { assistantId: 'saved-1' },
            { assistantId: 'assistant-3', assistantDestinations: [destination] },
          ],
        },
      ]);
      const again = await push('s.json', '--saved', '--yes');
      expect([again.exitCode, at.seen.length]).toEqual([0, 4]);
      expect((await rollback()).out.match(/^\S+ \S+ deleted/gm)).toEqual(
        [
          'squad squad-1',
          'assistant assistant-3',
          'assistant assistant-2',
          'assistant assistant-1',
        ].map((each) => `${each} deleted`),
      );
      expect(held.size).toBe(0);
    });

    it.each([1, 2, 3, 4])('goes on where request %i was the last', async (last) => {
      const { held, answer } = account();
      at.answer((seen, response, nth) => {
        if (nth > last) response.writeHead(503, { 'content-type': 'application/json' }).end('{}');
        else answer(seen, response, nth);
      });
      put('s.json', document);
      const first = await push('s.json', '--saved', '--yes');
      expect(first.exitCode).toBe(last === 4 ? 0 : 1);
      if (last < 4) {
        expect(first.err).toContain('push/unknown');
        expect((await push('s.json', '--saved', '--yes')).exitCode).toBe(1);
        expect(at.seen.length).toBe(last + 1);
      }
      at.answer(answer);
      await push('s.json', '--saved', '--yes', '--retry-unknown');
      expect([...held.keys()]).toEqual([
        ...[1, 2, 3].map((number) => `assistant/assistant-${number}`),
        'squad/squad-1',
      ]);
      await rollback();
      expect(held.size).toBe(0);
    });

    it('looks at everything that it has to change before it changes anything', async () => {
      const { held, answer } = account();
      at.answer(answer);
      await push(put('s.json', document), '--saved', '--yes');
      Object.assign(held.get('assistant/assistant-3')!, { firstMessage: 'Mine.' });
      const changed = document.members.map((member) =>
        member.assistant
          ? { ...member, assistant: { ...member.assistant, firstMessage: 'Hi.' } }
          : member,
      );
      put('s.json', { ...document, members: changed });
      const { err, exitCode } = await push('s.json', '--saved', '--yes');
      expect([exitCode, at.seen.slice(4).map(({ method }) => method)]).toEqual([
        1,
        ['GET', 'GET', 'GET'],
      ]);
      expect(err).toContain(
        's.json: assistant C: push/edited: assistant assistant-3 (C) was edited on the platform',
      );
      expect(err).toContain('firstMessage');
      // What our file leaves as it is may be edited on the platform as one likes.
      const [one, ...rest] = changed;
      put('s.json', {
        ...document,
        members: [one, ...document.members.slice(1)],
        rest: rest.length,
      });
      expect((await push('s.json', '--saved', '--yes')).exitCode).toBe(0);
      expect(held.get('assistant/assistant-3')).toMatchObject({ firstMessage: 'Mine.' });
    });

    it('makes a squad that was pushed whole one of saved assistants', async () => {
      const { held, answer } = account();
      at.answer(answer);
      await push(put('s.json', document), '--yes');
      await push('s.json', '--saved', '--yes');
      expect([...held.keys()].filter((key) => key.startsWith('squad'))).toEqual(['squad/squad-1']);
      expect(held.get('squad/squad-1')).toMatchObject({
        members: [{ assistantId: 'assistant-1' }, {}, {}, {}],
      });
    });
  });

  describe('squadc push --numbers', () => {
    function lines() {
      const held = new Map<string, Held>([
        ['phone-number/p1', { id: 'p1', number: '+12025550100', workflowId: 'wf-desk' }],
        ['phone-number/p2', { id: 'p2', number: '+12025550101', workflowId: 'wf-other' }],
        ['phone-number/p3', { id: 'p3', sipUri: 'sip:desk@example.com', workflowId: 'wf-desk' }],
        ['campaign/c1', { id: 'c1', name: 'Autumn', workflowId: 'wf-desk' }],
      ]);
      return account(held);
    }
    function migrated() {
      mkdirSync(join(at.folder(), 'desk'));
      put('desk/result.json', { workflow: { id: 'wf-desk' } });
      return put('desk/squad.json', squad('Desk'));
    }
    const named = ({ held }: ReturnType<typeof lines>) =>
      ['phone-number/p1', 'phone-number/p2', 'phone-number/p3', 'campaign/c1'].map(
        (key) => held.get(key)!['workflowId'] ?? held.get(key)!['squadId'],
      );

    it('lists what names a migrated workflow, moves it, and takes it back', async () => {
      const platform = lines();
      at.answer(platform.answer);
      const file = migrated();
      const shown = await push(file, '--numbers');
      expect(shown.out).toContain(
        `number +12025550100 (p1): PATCH ${at.baseUrl()}/phone-number/p1: workflow wf-desk → the squad of desk/squad.json\n`,
      );
      expect(shown.out).toContain('number sip:desk@example.com (p3)');
      expect(shown.out).toContain('campaign Autumn (c1)');
      expect(shown.out).not.toContain('p2');
      expect(at.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
        'GET /v1/phone-number?limit=1000',
        'GET /v1/campaign?limit=1000&status=scheduled',
      ]);
      const { exitCode, out, err } = await push(file, '--numbers', '--yes');
      expect(out).toContain(
        'number +12025550100 (p1): squad squad-1 in the place of workflow wf-desk\n',
      );
      expect([exitCode, err]).toEqual([
        0,
        expect.stringContaining('3 of 3 phone numbers and campaigns moved'),
      ]);
      expect(named(platform)).toEqual(['squad-1', 'wf-other', 'squad-1', 'squad-1']);
      const patch = at.seen.find(({ method }) => method === 'PATCH');
      expect(JSON.parse(patch?.body ?? '')).toEqual({ squadId: 'squad-1', workflowId: null });
      // Nothing is left to move, with the journal alone as well.
      expect((await push('--numbers', '--yes')).err).toContain('0 of 0 phone numbers');
      const back = await at.squadc('rollback', '--journal', 'j', '--key-env', 'API_KEY', '--yes');
      expect(back.out.split('\n').slice(0, 2)).toEqual([
        'campaign c1 names workflow wf-desk again (desk/squad.json)',
        'number p3 names workflow wf-desk again (desk/squad.json)',
      ]);
      expect(named(platform)).toEqual(['wf-desk', 'wf-other', 'wf-desk', 'wf-desk']);
      expect(platform.held.has('squad/squad-1')).toBe(false);
      await push(file, '--numbers', '--yes');
      expect(named(platform)[0]).toMatch(/^squad-/);
    });

    it('takes back what was left open, and leaves what somebody moved on', async () => {
      const platform = lines();
      at.answer((seen, response, nth) => {
        platform.answer(
          seen,
          seen.method === 'PATCH' ? ({ writeHead() {}, end() {} } as never) : response,
          nth,
        );
        if (seen.method === 'PATCH') response.destroy();
      });
      expect((await push(migrated(), '--numbers', '--yes')).err).toContain('platform/broken');
      expect(named(platform)).toEqual(['squad-1', 'wf-other', 'squad-1', 'squad-1']);
      Object.assign(platform.held.get('phone-number/p3')!, { squadId: 'another' });
      at.answer(platform.answer);
      const { exitCode, out } = await at.squadc(
        'rollback',
        '--journal',
        'j',
        '--key-env',
        'API_KEY',
        '--yes',
      );
      expect([exitCode, out]).toEqual([
        0,
        expect.stringContaining('number p3 was changed since then; left alone'),
      ]);
      expect(named(platform)).toEqual(['wf-desk', 'wf-other', 'another', 'wf-desk']);
    });

    it('says what could not be listed; an account without campaigns is as good', async () => {
      const { answer } = lines();
      at.answer((seen, response, nth) =>
        seen.url.includes('campaign')
          ? json(404, {})(seen, response, nth)
          : answer(seen, response, nth),
      );
      expect((await push(migrated(), '--numbers', '--yes')).exitCode).toBe(0);
      at.answer(json(200, { no: 'list' }));
      const { exitCode, err } = await push('--numbers');
      expect([exitCode, err]).toEqual([
        1,
        expect.stringContaining('phone numbers: platform/not-json'),
      ]);
      at.answer(
        json(
          200,
          Array.from({ length: 1000 }, () => ({})),
        ),
      );
      expect((await push('--numbers')).err).toContain('phone numbers: platform/more: warning:');
    });
  });

  describe('squadc rollback', () => {
    const rollback = (...argv: readonly string[]) =>
      at.squadc('rollback', '--journal', 'j', '--key-env', 'API_KEY', ...argv);

    /** By the end of the address, the status of a deletion; 200 for the rest. */
    const deleting = (statuses: Record<string, number>) =>
      at.answer((seen, response, nth) =>
        json(statuses[seen.url.slice(-1)] ?? 200, {})(seen, response, nth),
      );

    async function createThree(): Promise<void> {
      at.answer((seen, response, nth) => json(201, { id: `id-${nth}` })(seen, response, nth));
      await push(...['a', 'b', 'c'].map((name) => put(`${name}.json`, squad(name))), '--yes');
    }

    it('shows what it would delete, deletes newest first, and writes it down', async () => {
      await createThree();
      const shown = await rollback();
      expect([shown.exitCode, shown.err]).toEqual([
        0,
        '3 squads to take back (use --yes to do it)\n',
      ]);
      const urls = [3, 2, 1].map((number) => `squad/id-${number}`);
      expect(shown.out.match(/DELETE \S+/g)).toEqual(
        urls.map((url) => `DELETE ${at.baseUrl()}/${url}`),
      );
      expect(at.seen.length).toBe(3);
      deleting({ 2: 404 });
      const { exitCode, out } = await rollback('--yes');
      expect([exitCode, out]).toEqual([
        0,
        'squad id-3 deleted (c.json)\nsquad id-2 was already gone (b.json)\nsquad id-1 deleted (a.json)\n',
      ]);
      const sent = at.seen.slice(3).map(({ method, url }) => `${method} ${url}`);
      expect(sent).toEqual(urls.map((url) => `DELETE /v1/${url}`));
      expect(events().slice(6)).toEqual(['undone', 'undone', 'undone']);
      expect((await rollback('--yes')).err).toBe('nothing to take back\n');
      expect(at.seen.length).toBe(6);
      await createThree();
      expect(at.seen.length).toBe(9);
    });

    it('tries again after 5xx, keeps what could not be deleted, and stops at a 401', async () => {
      await createThree();
      deleting({ 3: 401 });
      const stopped = await rollback('--yes');
      expect([stopped.exitCode, at.seen.length]).toEqual([1, 4]);
      expect(stopped.err).toContain('squad id-3: platform/unauthorized');
      deleting({ 2: 500 });
      const { exitCode, err } = await rollback('--yes');
      expect([exitCode, at.seen.length]).toEqual([1, 10]);
      expect(err).toContain('squad id-2: platform/server');
      deleting({});
      expect((await rollback('--yes')).out).toBe('squad id-2 deleted (b.json)\n');
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
});
