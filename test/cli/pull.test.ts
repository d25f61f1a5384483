import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Answer, inTurn, json, platform, secret } from './platform-server.js';

const workflow = { name: 'W', nodes: [], edges: [] };
const at = platform({ attemptTimeoutMs: 1500 });
afterEach(() => expect(at.written()).not.toContain(secret));

const pull = (...argv: readonly string[]) =>
  at.squadc('pull', ...argv, '--base-url', at.baseUrl(), '--key-env', 'API_KEY', '-o', 'out');
const files = () => readdirSync(join(at.folder(), 'out')).sort();
const text = (name: string) => readFileSync(join(at.folder(), 'out', name), 'utf8');

const raw =
  (status: number, body: string | Uint8Array, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };

describe('squadc pull', () => {
  it('writes each workflow to a file of its own', async () => {
    at.answer(({ url }, response, nth) =>
      json(200, { ...workflow, url })({} as never, response, nth),
    );
    writeFileSync(join(at.folder(), 'ids'), '# mine\nb\r\n\n  c \na\n');
    const { exitCode, out, err } = await pull('a', '--ids-file', 'ids');
    expect([exitCode, err]).toEqual([0, '3 of 3 workflows written\n']);
    expect(out).toBe('out/a.json\nout/b.json\nout/c.json\n');
    expect(at.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /v1/workflow/a',
      'GET /v1/workflow/b',
      'GET /v1/workflow/c',
    ]);
    expect(new Set(at.seen.map(({ authorization }) => authorization))).toEqual(
      new Set([`Bearer ${secret}`]),
    );
    expect(JSON.parse(text('b.json'))).toEqual({ ...workflow, url: '/v1/workflow/b' });
    expect(text('a.json')).toContain('\n  "name": "W",\n');
  });

  it('takes the key from a file, and the base URL with a slash', async () => {
    at.answer(json(200, workflow));
    writeFileSync(join(at.folder(), 'key'), `${secret}\n`);
    const rest = ['--base-url', `${at.baseUrl()}/`, '--key-file', 'key', '-o', 'out'];
    expect((await at.squadc('pull', 'a', ...rest)).exitCode).toBe(0);
    expect(at.seen[0]).toMatchObject({ url: '/v1/workflow/a', authorization: `Bearer ${secret}` });
  });

  it('fetches all that the platform lists, and what their tools are called', async () => {
    const tool = { type: 'function', function: { name: 'find_slot', description: 'Finds one.' } };
    const places: Record<string, unknown> = {
      '/v1/workflow?limit=1000': [{ id: 'a', name: 'A' }, { id: 'b' }, { name: 'none' }],
      '/v1/workflow/a': { ...workflow, nodes: [{ type: 'tool', toolId: 't1' }] },
      '/v1/workflow/b': { ...workflow, model: { toolIds: ['t1', 't2', '../x'] } },
      '/v1/tool/t1': tool,
      '/v1/tool/t2': { type: 'endCall' },
    };
    at.answer(({ url }, response, nth) => {
      json(places[url] === undefined ? 404 : 200, places[url] ?? {})({} as never, response, nth);
    });
    const { exitCode, out, err } = await pull('--all', '--tool-names', 'tools.json');
    expect(out).toBe('out/a.json\nout/b.json\n');
    expect(JSON.parse(readFileSync(join(at.folder(), 'tools.json'), 'utf8'))).toEqual({
      t1: { name: 'find_slot', description: 'Finds one.' },
    });
    expect(at.seen.map(({ url }) => url)).toContain('/v1/tool/..%2Fx');
    // Two tools tell no name, so not everything is done.
    expect([exitCode, err]).toEqual([1, expect.stringContaining('platform/missing')]);
  });

  it('says that there may be more than the platform lists, or that it lists none', async () => {
    const listed = Array.from({ length: 1000 }, () => ({ id: 'a' }));
    at.answer(({ url }, response, nth) => {
      json(200, url.includes('limit') ? listed : workflow)({} as never, response, nth);
    });
    const many = await pull('--all');
    expect([many.exitCode, many.err]).toEqual([0, expect.stringContaining('platform/more')]);
    at.answer(raw(200, '<html>'));
    const page = await pull('--all');
    expect([page.exitCode, page.out]).toEqual([1, '']);
    expect(page.err).toContain('all workflows: platform/not-json: the answer is no JSON');
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
    expect(text('a.json')).toBe(
      '{\n  "n": 12345678901234567890,\n  "n": 1.10,\n  "s": "a\\u0041{[,:",\n  "e": [],\n  "o": {}\n}\n',
    );
  });

  it('names files so that they stay in the folder', async () => {
    at.answer(json(200, workflow));
    const ids = [
      '../up',
      'a/b',
      'CON',
      'nul.x',
      '.hidden',
      '-o',
      'e\u0301',
      'A',
      'a',
      'x'.repeat(150),
    ];
    expect((await pull('--ids-file', idsFile(ids))).exitCode).toBe(0);
    expect(files()).toHaveLength(ids.length);
    for (const name of files()) expect(name).toMatch(/^[\p{L}\p{N}_][\p{L}\p{N}._-]*\.json$/u);
    expect(files().every((name) => !/^(?:con|nul)[.]/i.test(name))).toBe(true);
    expect(new Set(files().map((name) => name.toLowerCase())).size).toBe(ids.length);
    expect(at.seen.map(({ url }) => url)).toContain('/v1/workflow/..%2Fup');
  });

  it.each(['..', '.', 'a b', 'a\u0000', 'x'.repeat(201)])('refuses the id %j', async (id) => {
    const { exitCode, err } = await pull(id);
    expect([exitCode, at.seen.length]).toEqual([64, 0]);
    expect(err).toContain('is no id of a workflow');
  });

  it('goes on after a 404 and names it', async () => {
    at.answer(({ url }, response, nth) =>
      json(url.endsWith('b') ? 404 : 200, url.endsWith('b') ? {} : workflow)(
        {} as never,
        response,
        nth,
      ),
    );
    const { exitCode, out, err } = await pull('a', 'b', 'c');
    expect([exitCode, out]).toEqual([1, 'out/a.json\nout/c.json\n']);
    expect(err).toMatch(/^b: platform\/missing: .*\(status 404\)\n {2}help: .*\n2 of 3/);
  });

  it('stops at a 401 and says where the key came from', async () => {
    at.answer(json(401, { message: `Invalid key ${secret}` }));
    const { exitCode, err } = await pull('a', 'b');
    expect([exitCode, at.seen.length]).toEqual([1, 1]);
    expect(err).toContain('a: platform/unauthorized:');
    expect(err).toContain('the environment variable API_KEY');
    expect(err).toContain('the server says: Invalid key [credential]');
    expect(err).toContain('b: platform/not-tried:');
  });

  it('waits as long as a 429 asks, but for no server that asks for a year', async () => {
    at.answer(inTurn(json(429, {}, { 'retry-after': '1' }), json(429, {}), json(200, workflow)));
    const begun = performance.now();
    expect((await pull('a')).exitCode).toBe(0);
    expect(performance.now() - begun).toBeGreaterThan(990);
    at.answer(json(429, {}, { 'retry-after': '31536000' }));
    const { exitCode, err } = await pull('b');
    expect([exitCode, at.seen.length]).toEqual([1, 4]);
    expect(err).toContain('platform/limited');
  });

  it('tries 4 times after 5xx', async () => {
    at.answer(json(503, { message: 'busy' }));
    const { exitCode, err } = await pull('a');
    expect([exitCode, at.seen.length]).toEqual([1, 4]);
    expect(err).toContain('a: platform/server: the server failed (status 503, 4 attempts)');
    at.answer(inTurn(json(500, {}), json(502, {}), json(200, workflow)));
    expect((await pull('b')).exitCode).toBe(0);
  });

  it('ends an attempt that takes too long, in the answer as before it', async () => {
    at.answer(() => {});
    const first = await pull('a');
    expect([first.exitCode, at.seen.length]).toEqual([1, 4]);
    expect(first.err).toContain('platform/timeout');
    at.answer((_, response) => {
      response.writeHead(200);
      response.write('{"nodes":');
    });
    expect((await pull('a')).err).toContain('platform/timeout');
  });

  it('says when there is nobody', async () => {
    const rest = [
      '--base-url',
      `http://127.0.0.1:${await freePort()}`,
      '--key-env',
      'API_KEY',
      '-o',
      'out',
    ];
    const { exitCode, err } = await at.squadc('pull', 'a', 'b', ...rest);
    expect(exitCode).toBe(1);
    expect(err).toContain('a: platform/unreachable:');
    expect(err).toContain('b: platform/not-tried:');
  });

  const hostile: readonly (readonly [string, Answer, string])[] = [
    ['HTML', raw(200, '<html>hi</html>'), 'the answer is a web page'],
    ['no JSON', raw(200, 'hello'), 'the answer is no JSON object'],
    ['an array', raw(200, '[]'), 'the answer is no JSON object'],
    ['nothing', raw(200, ''), 'the answer is no JSON object'],
    ['JSON cut off', raw(200, '{"nodes":['), 'the answer is no JSON object'],
    ['no UTF-8', raw(200, new Uint8Array([0x7b, 0xff, 0x7d])), 'platform/truncated'],
    [
      'a body cut off',
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"nodes":[]}');
        setTimeout(() => response.destroy(), 20);
      },
      'platform/truncated',
    ],
    ['too much', raw(200, `{"a":"${'x'.repeat(17 * 1024 * 1024)}"}`), 'platform/too-large'],
    ['control characters', json(400, { message: '\u001b[2J\u0007gone\u202e' }), 'gone\\u202e'],
    ['a page of an error', raw(400, '<script>x</script>'), 'platform/refused'],
    ['another host', raw(302, '', { location: 'http://localhost:9/x' }), 'platform/redirect'],
    ['nowhere', raw(302, '', { location: 'http://[' }), 'platform/redirect'],
    ['itself', raw(302, '', { location: '?again' }), 'platform/redirect'],
  ];
  it.each(hostile)('takes %s for a fault of the id', async (_, answer, message) => {
    at.answer(answer);
    const { exitCode, out, err } = await pull('a');
    expect([exitCode, out, files()]).toEqual([1, '', []]);
    expect(err).toContain(message);
    for (const sign of ['\u001b', '\u0007', '\u202e', '<script']) expect(err).not.toContain(sign);
    expect(err.length).toBeLessThan(1000);
  });

  it('warns of a workflow that holds the key', async () => {
    at.answer(json(200, { ...workflow, key: secret }));
    expect((await pull('a')).err).toContain('a: platform/key-in-workflow: warning:');
  });
});

describe('wrong usage of squadc pull', () => {
  it.each([
    [['a', '-o', 'out', '--base-url', 'https://x'], 'platform/no-key'],
    [['a', '-o', 'out', '--base-url', 'https://x', '--key', secret], 'platform/key-argument'],
    [['a', '-o', 'out', '--base-url', 'https://x', `--api-key=${secret}`], 'platform/key-argument'],
    [
      ['a', '-o', 'out', '--base-url', 'https://x', `--bearer=${secret}`],
      "unknown option '--bearer'",
    ],
    [['a', '-o', 'out', '--base-url', 'https://x', '--key-env', secret], 'this is no name'],
    [['a', '-o', 'out', '--base-url', 'https://x', '--key-env', 'NOPE'], 'is not set'],
    [['a', '-o', 'out', '--base-url', 'https://x', '--key-file', secret], 'cannot be read'],
    [
      ['a', '-o', 'out', '--base-url', 'https://x', '--key-env', 'A', '--key-file', 'b'],
      'cannot be',
    ],
    [['a', '-o', 'out', '--base-url', 'http://x.example', '--key-env', 'API_KEY'], 'plain http'],
    [['a', '-o', 'out', '--base-url', `https://u:${secret}@x`, '--key-env', 'API_KEY'], 'password'],
    [['a', '-o', 'out', '--base-url', `https://x/?k=${secret}`, '--key-env', 'API_KEY'], 'query'],
    [['a', '-o', 'out', '--base-url', `${secret}`, '--key-env', 'API_KEY'], 'no URL'],
    [['-o', 'out', '--base-url', 'https://x', '--key-env', 'API_KEY'], 'platform/no-ids'],
  ])('%j', async (argv, message) => {
    const { exitCode, out, err } = await at.squadc('pull', ...argv);
    expect(out).toBe('');
    expect([1, 64]).toContain(exitCode);
    expect(err).toContain(message);
  });

  it.each(['', '\n', 'two words', 'line\nline', 'ümlaut'])('refuses the key %j', async (key) => {
    writeFileSync(join(at.folder(), 'key'), key);
    const rest = ['--base-url', at.baseUrl(), '--key-file', 'key', '-o', 'out'];
    const { exitCode, err } = await at.squadc('pull', 'a', ...rest);
    expect([exitCode, at.seen.length]).toEqual([1, 0]);
    expect(err).toContain('platform/key:');
    if (key.trim() !== '') expect(err).not.toContain(key);
  });
});

function idsFile(ids: readonly string[]): string {
  writeFileSync(join(at.folder(), 'ids'), ids.join('\n'));
  return 'ids';
}

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
