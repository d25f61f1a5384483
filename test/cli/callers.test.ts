import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { lineOf } from '../../src/platform/journal.js';
import { fakeIo } from './fake-io.js';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'squadc-callers-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
}

const text = (name: string) => readFileSync(join(folder, name), 'utf8');

async function callers(argv: readonly string[], isTTY = false) {
  const io = fakeIo({ cwd: folder, isTTY });
  const exitCode = await run(['callers', ...argv], io);
  return { exitCode, out: io.out(), err: io.err() };
}

describe('squadc callers', () => {
  it('takes the pairs from a journal, for squads that lie beside their results', async () => {
    const at = '2026-01-01T00:00:00Z';
    const facts = { kind: 'squad', name: 'S', hash: 'h', sent: {} } as const;
    const created = (intent: number, id: string, file: string) => [
      lineOf({ event: 'intent', intent, at, baseUrl: 'https://a.example', file, ...facts }),
      lineOf({ event: 'done', intent, at, id }),
    ];
    put('out/desk/result.json', '{"workflow":{"id":"abc"}}');
    put('out/wrapped/result.json', '{"workflow":{"workflow":{"id":"wrapped"}}}');
    put('out/gone/result.json', '{"workflow":{"id":"gone"}}');
    put('out/odd/result.json', 'null');
    const journal = [
      ...created(1, 'old', 'out/desk/squad.json'),
      ...created(2, 'new', 'out/desk/squad.json'),
      ...created(3, 'boxed', 'out/wrapped/squad.json'),
      ...created(4, 'deleted', 'out/gone/squad.json'),
      lineOf({ event: 'undone', intent: 4, at }),
      ...created(5, 'odd', 'out/odd/squad.json'),
      ...created(6, 'lone', 'lone.json'),
      ...created(7, 'told', 'told.json'),
    ];
    put('journal', journal.join(''));
    for (const id of ['abc', 'wrapped', 'lone', 'gone'])
      put(`in/${id}.json`, `{"workflowId":"${id}"}`);
    const { out, err } = await callers([
      'in',
      '--journal',
      'journal',
      '--map',
      'wrapped=mine',
      'x=told',
    ]);
    expect(out.match(/^\+\{.*/gm)).toEqual(['+{"squadId":"new"}', '+{"squadId":"mine"}']);
    expect(err.match(/^.*no result.json.*\n.*$/gm)).toEqual(
      [
        ['out/odd/squad.json', 'odd'],
        ['lone.json', 'lone'],
      ].map(
        ([file, id]) =>
          `${file}: there is no result.json with a workflow id next to this squad\n` +
          `  help: Say with --map <workflowId>=${id} what it replaces.`,
      ),
    );
    expect(err).toContain('2 places left to do by hand');
  });

  it('shows what would change and changes nothing', async () => {
    put('src/a.ts', "one();\nstart({\n  workflowId: 'abc', // keep\n});\n");
    const { exitCode, out, err } = await callers(['src', '--map', 'abc=xyz']);
    expect(exitCode).toBe(0);
    expect(out).toBe(
      [
        '--- a/src/a.ts',
        '+++ b/src/a.ts',
        '@@ -1,4 +1,4 @@',
        ' one();',
        ' start({',
        "-  workflowId: 'abc', // keep",
        "+  squadId: 'xyz', // keep",
        ' });',
        '',
      ].join('\n'),
    );
    expect(err).toBe(
      '1 place to rewrite in 1 file (--write does it), 0 places left to do by hand, 0 files skipped\n',
    );
    expect(text('src/a.ts')).toContain("workflowId: 'abc'");
  });

  it('rewrites with --write, and a second run finds nothing', async () => {
    put('a.json', '\ufeff{\r\n  "workflowId" : "abc"\r\n}');
    put('b.mjs', "export const body = { 'workflowId': 'abc' };\n");
    put('c.json', '{"workflowId":"other"}\n');
    const first = await callers(['.', '--write', '--map', 'abc=xyz', 'other=team']);
    expect(first).toEqual({
      exitCode: 0,
      out: '',
      err: '3 places rewritten in 3 files, 0 places left to do by hand, 0 files skipped\n',
    });
    const after = ['a.json', 'b.mjs', 'c.json'].map(text);
    expect(after).toEqual([
      '\ufeff{\r\n  "squadId" : "xyz"\r\n}',
      "export const body = { 'squadId': 'xyz' };\n",
      '{"squadId":"team"}\n',
    ]);
    const times = ['a.json', 'b.mjs', 'c.json'].map((name) => statSync(join(folder, name)).mtimeMs);
    const second = await callers(['.', '--write', '--map', 'abc=xyz', '--map', 'other=team']);
    expect(second.exitCode).toBe(0);
    expect(second.err).toMatch(/^0 places rewritten in 0 files/);
    expect(
      ['a.json', 'b.mjs', 'c.json'].map((name) => statSync(join(folder, name)).mtimeMs),
    ).toEqual(times);
  });

  it('lists what is left to do by hand with its place, and exits 1', async () => {
    put('a.ts', 'const body = { workflowId };\n');
    put('b.py', 'DESK = "abc"\nbody = {"workflowId": DESK}\n');
    put('c.json', '{"workflowId": "gone"}');
    put('d.env', 'WORKFLOW_ID=abc\n');
    const { exitCode, out, err } = await callers(['.', '--write', '--map', 'abc=xyz']);
    expect([exitCode, out]).toEqual([1, '']);
    expect(err.match(/^\S+: callers\/\S+:/gm)).toEqual([
      'a.ts:1:16: callers/name:',
      'b.py:1:9: callers/id:',
      'b.py:2:10: callers/name:',
      'c.json:1:3: callers/not-in-map:',
      'd.env:1:13: callers/id:',
    ]);
    expect(err).toContain("Replace it with the squad's id, xyz,");
    expect(err).toContain('(workflow gone)\n  help: Add <workflowId>=<squadId> to --map');
    expect(text('b.py')).toContain('"workflowId"');
  });

  it('leaves out node_modules and .git, and names what it did not look into', async () => {
    put('node_modules/p/a.json', '{"workflowId":"abc"}');
    put('sub/.git/a.json', '{"workflowId":"abc"}');
    put('image.json', new Uint8Array([0x7b, 0, 0x7d]));
    put('latin.py', new Uint8Array([0x22, 0xe9, 0x22]));
    put('big.json', `{"workflowId":"abc"}${' '.repeat(2 * 1024 * 1024)}`);
    put('just.json', `{"workflowId":"abc"}${' '.repeat(2 * 1024 * 1024 - 20)}`);
    const { exitCode, err } = await callers(['.', '--write', '--map', 'abc=xyz']);
    expect(exitCode).toBe(0);
    expect(err).toBe(
      'skipped big.json: it is larger than 2 MB\n' +
        'skipped image.json: it is not UTF-8 text\n' +
        'skipped latin.py: it is not UTF-8 text\n' +
        '1 place rewritten in 1 file, 0 places left to do by hand, 3 files skipped\n',
    );
    expect(text('node_modules/p/a.json')).toContain('workflowId');
  });

  it('follows no symbolic link out of the folder, and meets each file once', async () => {
    put('outside/secret.json', '{"workflowId":"abc"}');
    put('in/real.json', '{"workflowId":"abc"}');
    symlinkSync(join(folder, 'outside'), join(folder, 'in/out'));
    symlinkSync(join(folder, 'in/real.json'), join(folder, 'in/again.json'));
    symlinkSync(join(folder, 'in'), join(folder, 'in/loop'));
    symlinkSync('nowhere', join(folder, 'in/broken'));
    const paths = ['in', 'in/real.json', '--map', 'abc=xyz'];
    expect((await callers(paths)).err).toContain('1 place to rewrite in 1 file ');
    const { exitCode, err } = await callers([...paths, '--write']);
    expect(exitCode).toBe(0);
    expect(err).toBe('1 place rewritten in 1 file, 0 places left to do by hand, 0 files skipped\n');
    expect(text('outside/secret.json')).toContain('workflowId');
  });

  it('shows control characters to a terminal, and keeps them in a patch', async () => {
    put('a.json', '{"workflowId":"abc","x":"\u009b2J"}\r\n');
    const shown = await callers(['.', '--map', 'abc=xyz'], true);
    expect(shown.out).toContain('\\u009b2J"}\\r\n');
    expect((await callers(['.', '--map', 'abc=xyz'])).out).toContain('\u009b2J"}\r\n');
    put('b\u001b[2J.py', 'workflowId');
    expect((await callers(['.', '--map', 'abc=xyz'])).err).toContain('b\\u001b[2J.py:1:1');
  });

  it.each<[string[], number, string]>([
    [['.'], 64, '--map or --journal says which squad replaces a workflow'],
    [['.', '--map', 'abc'], 64, 'Expected <workflowId>=<squadId>'],
    [['.', '--map', '=x'], 64, 'Expected <workflowId>=<squadId>'],
    [['.', '--map', 'a=b', 'a=c'], 64, 'a has another squad already, b.'],
    [['--map', 'a=b'], 64, "missing required argument 'paths'"],
    [['.', '--journal', 'none'], 1, 'journal/missing: there is no journal none'],
    [['nope', '--map', 'a=b'], 1, 'skipped nope: it cannot be read: no such file or directory'],
  ])('refuses %j', async (argv, code, message) => {
    const { exitCode, out, err } = await callers(argv);
    expect([exitCode, out]).toEqual([code, '']);
    expect(err).toContain(message);
  });
});
