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
    expect(err).toContain('all workflows: platform/not-json: the answer is no JSON');
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
    ['HTML', raw(200, '<html>hi</html>'), 'the answer is a web page', 1],
    ['no JSON', raw(200, 'hello'), 'the answer is no JSON object', 1],
    ['an array', raw(200, '[]'), 'the answer is no JSON object', 1],
    ['nothing', raw(200, ''), 'the answer is no JSON object', 1],
    ['JSON cut off', raw(200, '{"nodes":['), 'the answer is no JSON object', 1],
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
    'is no id of a workflow',
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
