/** squadc callers; which places are rewritten in a text is in test/platform. */
import { statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { has, type Surroundings, temporaryFolder } from './fake-io.js';

const root = temporaryFolder();
let tests = 0;
beforeEach(() => {
  tests += 1;
});

const at = (path = '') => join(root.folder, `${tests}`, path);
const put = (path: string, content: string | Uint8Array) => root.put(`${tests}/${path}`, content);
const read = (path: string) => root.read(`${tests}/${path}`);
const callers = (line: string, given?: Surroundings) =>
  root.squadc(`callers ${line}`, { cwd: at(), ...given });

it('takes the pairs from a journal, for squads that lie beside their results', async () => {
  const time = '2026-01-01T00:00:00Z';
  const facts = { kind: 'squad', name: 'S', hash: 'h', at: time, versions: [] } as const;
  const files = ['out/desk', 'out/desk', 'out/wrapped', 'out/gone', 'out/odd', 'lone', 'told'];
  const ids = ['old', 'new', 'boxed', 'deleted', 'odd', 'lone', 'told'];
  const lines = ids.map((id, index) => {
    const state = id === 'deleted' ? 'undone' : 'done';
    const place = { baseUrl: 'https://a.example', file: `${files[index]}/squad.json` };
    const thing = { squadc: 'push-journal/2', thing: index + 1, id, state, ...place, ...facts };
    return `${JSON.stringify(thing)}\n`;
  });
  put('journal', lines.join(''));
  put('out/desk/result.json', '{"workflow":{"id":"abc"}}');
  put('out/wrapped/result.json', '{"workflow":{"workflow":{"id":"wrapped"}}}');
  put('out/gone/result.json', '{"workflow":{"id":"gone"}}');
  put('out/odd/result.json', 'null');
  for (const id of ['abc', 'wrapped', 'lone', 'gone'])
    put(`in/${id}.json`, `{"workflowId":"${id}"}`);
  const { out, err } = await callers('in --journal journal --map wrapped=mine x=told');
  expect(out.match(/^\+\{.*/gm)).toEqual(['+{"squadId":"new"}', '+{"squadId":"mine"}']);
  const what =
    'there is no result.json with a workflow id next to this squad\n  help: Say with --map';
  expect(err.match(/^.*no result.json.*\n.*$/gm)).toEqual([
    `out/odd/squad.json: ${what} <workflowId>=odd what it replaces.`,
    `lone/squad.json: ${what} <workflowId>=lone what it replaces.`,
  ]);
  expect(err).toContain('2 places left to do by hand');
});

it('shows what would change, rewrites it with --write, and finds nothing again', async () => {
  put('a.ts', "one();\nstart({\n  workflowId: 'abc', // keep\n});\n");
  put('b.json', '\ufeff{\r\n  "workflowId" : "abc"\r\n}');
  put('c.json', '{"workflowId":"other"}\n');
  const line = '. --map abc=xyz other=team';
  const shown = await callers(line);
  expect(shown.exitCode).toBe(0);
  const [patch] = shown.out.split('--- a/b.json');
  expect(patch).toBe(
    '--- a/a.ts\n+++ b/a.ts\n@@ -1,4 +1,4 @@\n one();\n start({\n' +
      "-  workflowId: 'abc', // keep\n+  squadId: 'xyz', // keep\n });\n",
  );
  const rest = '0 places left to do by hand, 0 files skipped\n';
  expect(shown.err).toBe(`3 places to rewrite in 3 files (--write does it), ${rest}`);
  expect(read('a.ts')).toContain("workflowId: 'abc'");
  const err = `3 places rewritten in 3 files, ${rest}`;
  expect(await callers(`${line} --write`)).toEqual({ exitCode: 0, out: '', err });
  expect(read('b.json')).toBe('\ufeff{\r\n  "squadId" : "xyz"\r\n}');
  expect(read('c.json')).toBe('{"squadId":"team"}\n');
  const { mtimeMs } = statSync(at('a.ts'));
  const again = await callers('. --map abc=xyz --map other=team --write');
  expect(again).toMatchObject({ exitCode: 0, err: `0 places rewritten in 0 files, ${rest}` });
  expect(statSync(at('a.ts')).mtimeMs).toBe(mtimeMs);
});

it('lists what is left to do by hand with its place, and exits 1', async () => {
  put('a.ts', 'const body = { workflowId };\n');
  put('b.py', 'DESK = "abc"\nbody = {"workflowId": DESK}\n');
  put('c.json', '{"workflowId": "gone"}');
  put('d\u001b[2J.js', 'f({ workflowId: "abc", squadId: "x" })');
  const { exitCode, out, err } = await callers('. --write --map abc=xyz');
  expect([exitCode, out]).toEqual([1, '']);
  expect(err.match(/^\S+: callers\/\S+:/gm)).toEqual([
    'a.ts:1:16: callers/name:',
    'b.py:1:9: callers/id:',
    'b.py:2:10: callers/name:',
    'c.json:1:3: callers/not-in-map:',
    'd\\u001b[2J.js:1:5: callers/clash:',
  ]);
  expect(err).toContain("Replace it with the squad's id, xyz,");
  expect(err).toContain('(workflow gone)\n  help: Add <workflowId>=<squadId> to --map');
  expect(read('b.py')).toContain('"workflowId"');
});

it('names what it did not look into, and leaves out what is not of the folder', async () => {
  const call = '{"workflowId":"abc"}';
  for (const path of ['in/node_modules/p/a.json', 'in/sub/.git/a.json', 'outside/a.json'])
    put(path, call);
  put('in/image.json', new Uint8Array([0x7b, 0, 0x7d]));
  put('in/latin.py', new Uint8Array([0x22, 0xe9, 0x22]));
  put('in/big.json', `${call}${' '.repeat(2 * 1024 * 1024)}`);
  put('in/just.json', `${call}${' '.repeat(2 * 1024 * 1024 - 20)}`);
  symlinkSync(at('outside'), at('in/out'));
  symlinkSync(at('in/just.json'), at('in/again.json'));
  symlinkSync(at('in'), at('in/loop'));
  symlinkSync('nowhere', at('in/broken'));
  expect(await callers('in in/just.json --write --map abc=xyz')).toEqual({
    exitCode: 0,
    out: '',
    err:
      'skipped in/big.json: it is larger than 2 MB\n' +
      'skipped in/image.json: it is not UTF-8 text\n' +
      'skipped in/latin.py: it is not UTF-8 text\n' +
      '1 place rewritten in 1 file, 0 places left to do by hand, 3 files skipped\n',
  });
  for (const path of ['in/node_modules/p/a.json', 'outside/a.json']) expect(read(path)).toBe(call);
});

it('shows control characters to a terminal, and keeps them in a patch', async () => {
  put('a.json', '{"workflowId":"abc","x":"\u009b2J"}\r\n');
  const shown = await callers('. --map abc=xyz', { isTTY: true });
  expect(shown.out).toContain('\\u009b2J"}\\r\n');
  expect((await callers('. --map abc=xyz')).out).toContain('\u009b2J"}\r\n');
});

it.each<[string, number, string]>([
  ['.', 64, '--map or --journal says which squad replaces a workflow'],
  ['. --map abc', 64, 'Expected <workflowId>=<squadId>'],
  ['. --map =x', 64, 'Expected <workflowId>=<squadId>'],
  ['. --map a=b a=c', 64, 'a has another squad already, b.'],
  ['--map a=b', 64, "missing required argument 'paths'"],
  ['. --journal none', 1, 'journal/missing: there is no journal (none)'],
  ['nope --map a=b', 1, 'skipped nope: it cannot be read: no such file or directory'],
])('refuses %j', async (line, exitCode, message) => {
  put('a.txt', '');
  expect(await callers(line)).toMatchObject({ exitCode, out: '', err: has(message) });
});
