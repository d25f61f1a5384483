/** squadc callers: which places are rewritten, which are left to a human, and in which files. */
import { statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { has, type Surroundings, temporaryFolder, transcript } from './fake-io.js';

const root = temporaryFolder();
let tests = 0;
beforeEach(() => {
  tests += 1;
});

const at = (path = '') => join(root.folder, `${tests}`, path);
const put = (path: string, content: string | Uint8Array) => root.put(`${tests}/${path}`, content);
const read = (path: string) => root.read(`${tests}/${path}`);
const callers = (line: string | readonly string[], given?: Surroundings) => {
  const argv = typeof line === 'string' ? line.split(' ') : line;
  return root.squadc(['callers', ...argv], { cwd: at(), ...given });
};

/** The text after the rewrite, and the places left: `line:column why`. */
async function rewritten(text: string): Promise<[string, string[]]> {
  put('f', text);
  const { err } = await callers(['f', '--write', '--map', 'abc=xyz', 'odd=a "b"', 'two=c']);
  return [
    read('f'),
    Array.from(err.matchAll(/^f:(\S+): callers\/(\S+):/gm), (it) => `${it[1]} ${it[2]}`),
  ];
}

describe('squadc callers', () => {
  it.each([
    ["f({ workflowId: 'abc' })", "f({ squadId: 'xyz' })"],
    ['f({ "workflowId" : "abc" , })', 'f({ "squadId" : "xyz" , })'],
    [
      "f({ ...a, workflowId: 'abc' }, { workflowId: 'two' })",
      "f({ ...a, squadId: 'xyz' }, { squadId: 'c' })",
    ],
    ['\ufeff{\r\n  "workflowId" :\t"abc"\r\n}', '\ufeff{\r\n  "squadId" :\t"xyz"\r\n}'],
    ['send("{\\"workflowId\\":\\"abc\\"}")', 'send("{\\"squadId\\":\\"xyz\\"}")'],
    ['call(workflow_id="abc")', 'call(squad_id="xyz")'],
    ["const workflowId = 'abc';", "const squadId = 'xyz';"],
    [
      'run:\n  workflowId: abc # the desk\n  other: 1',
      'run:\n  squadId: xyz # the desk\n  other: 1',
    ],
    ["f({ workflowId: 'abc' }, { squadId: 'x' })", "f({ squadId: 'xyz' }, { squadId: 'x' })"],
    ["f({ é: '😀', workflowId: 'abc' })", "f({ é: '😀', squadId: 'xyz' })"],
  ])('rewrites a name with a literal id: %j', async (before, after) => {
    expect(await rewritten(before)).toEqual([after, []]);
  });

  it.each([
    ['f({ workflowId: id,\n  workflowId: other\n})', '1:5 name', '2:3 name'],
    ['f({ workflowId: `abc` })', '1:5 name', '1:18 id'],
    ["f({ ['workflowId']: 'abc' })", '1:7 name', '1:22 id'],
    ['a.workflowId = b?.workflowId;', '1:3 name', '1:19 name'],
    ['const ids = { desk: "abc", bar: "abc" };', '1:22 id', '1:34 id'],
    ['DESK_ID=abc\n', '1:9 id'],
    ['fetch("https://x.example/workflow/abc")', '1:35 id'],
    ["f({ workflowId: 'nope' })", '1:5 not-in-map'],
    ["f({ workflowId: 'odd' })", '1:5 not-in-map'],
    ["f({ workflowId: 'abc', squadId: 'x' })", '1:5 clash'],
    ["f({ squadId: 'x', workflowId: 'abc' })", '1:19 clash'],
    ["f({ workflowId: 'abc', a: {}, squadId: 'x' })", '1:5 clash'],
    ['f({ workflowIds: 1, myWorkflowId: 1, workflowIdx: 1, $workflowId: 1 })'],
    ["x = 'abcd' + 'dabc' + 'abc-d' + 'd_abc'"],
  ])('leaves every other place to a human: %j', async (text, ...left) => {
    expect(await rewritten(text)).toEqual([text, left]);
  });

  it('reads the pairs from a journal, for squads next to their results', async () => {
    const time = '2026-01-01T00:00:00Z';
    const facts = { kind: 'squad', name: 'S', hash: 'h', at: time, versions: [] } as const;
    const files = ['out/desk', 'out/desk', 'out/wrapped', 'out/gone', 'out/odd', 'lone', 'told'];
    const ids = ['old', 'new', 'boxed', 'deleted', 'odd', 'lone', 'told'];
    const things = ids.map((id, index) => {
      const state = id === 'deleted' ? 'undone' : 'done';
      const place = { baseUrl: 'https://a.example', file: `${files[index]}/squad.json` };
      const thing = { squadc: 'push-journal/2', thing: index + 1, id, state, ...place, ...facts };
      return `${JSON.stringify(thing)}\n`;
    });
    put('journal', things.join(''));
    put('out/desk/result.json', '{"workflow":{"id":"abc"}}');
    put('out/wrapped/result.json', '{"workflow":{"workflow":{"id":"wrapped"}}}');
    put('out/gone/result.json', '{"workflow":{"id":"gone"}}');
    put('out/odd/result.json', 'null');
    for (const id of ['abc', 'wrapped', 'lone', 'gone']) {
      put(`in/${id}.json`, `{"workflowId":"${id}"}`);
    }
    const { out, err } = await callers('in --journal journal --map wrapped=mine x=told');
    expect(out.match(/^\+\{.*/gm)).toEqual(['+{"squadId":"new"}', '+{"squadId":"mine"}']);
    const what = 'there is no result.json with a workflow id next to this squad\n  help: Say with';
    expect(err.match(/^.*no result.json.*\n.*$/gm)).toEqual([
      `out/odd/squad.json: ${what} --map <workflowId>=odd what it replaces.`,
      `lone/squad.json: ${what} --map <workflowId>=lone what it replaces.`,
    ]);
    expect(err).toContain('2 places left to do by hand');
  });

  it('shows what would change, rewrites it with --write, and finds nothing again', async () => {
    put('a.ts', "one();\nstart({\n  workflowId: 'abc', // keep\n});\n");
    const lines = ['{"workflowId":"other"}', '2', '3', '4', '5', '6', '7', '8', '"other"'];
    put('c.json', lines.join('\r\n'));
    const line = '. --map abc=xyz other=team';
    const shown = await callers(line);
    expect(shown).toMatchObject({
      exitCode: 1,
      out: has('--- a/c.json\n+++ b/c.json\n@@ -1,4 +1,4 @@\n'),
    });
    expect(shown.out.split('--- a/c.json')[0]).toBe(
      '--- a/a.ts\n+++ b/a.ts\n@@ -1,4 +1,4 @@\n one();\n start({\n' +
        "-  workflowId: 'abc', // keep\n+  squadId: 'xyz', // keep\n });\n",
    );
    const rest = '1 place left to do by hand, 0 files skipped\n';
    expect(shown.err).toContain(`2 places to rewrite in 2 files (use --write), ${rest}`);
    expect(read('a.ts')).toContain("workflowId: 'abc'");
    const written = await callers(`${line} --write`);
    expect(written).toMatchObject({ out: '', err: has(`2 places rewritten in 2 files, ${rest}`) });
    expect(read('c.json')).toBe(
      lines.join('\r\n').replace('"workflowId":"other"', '"squadId":"team"'),
    );
    const { mtimeMs } = statSync(at('a.ts'));
    const again = await callers(`${line} --write`);
    expect(again.err).toContain(`0 places rewritten in 0 files, ${rest}`);
    expect(statSync(at('a.ts')).mtimeMs).toBe(mtimeMs);
  });

  it('advises what to do about each place, and exits with 1', async () => {
    put('c.json', '{"workflowId": "gone"}\nDESK = "abc"');
    put('d\u001b[2J.js', 'f({ workflowId: "abc", squadId: "x" })');
    const { exitCode, err } = await callers('. --map abc=xyz');
    expect([exitCode, err]).toEqual([1, has('d\\u001b[2J.js:1:5: callers/clash:')]);
    expect(err).toContain("Replace it with the squad's id, xyz,");
    expect(err).toContain('(workflow gone)\n  help: Add <workflowId>=<squadId> to --map');
  });

  it('reports the files that it skips, and ignores links out of the folder', async () => {
    const call = '{"workflowId":"abc"}';
    const others = ['in/node_modules/p/a.json', 'in/sub/.git/a.json', 'outside/a.json'];
    for (const path of others) put(path, call);
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
    for (const path of others) expect(read(path)).toBe(call);
  });

  it('escapes control characters on a terminal, and keeps them in a patch', async () => {
    put('a.json', '{"workflowId":"abc","x":"\u009b2J"}\r\n');
    const shown = await callers('. --map abc=xyz', { isTTY: true });
    expect(shown.out).toContain('\\u009b2J"}\\r\n');
    expect((await callers('. --map abc=xyz')).out).toContain('\u009b2J"}\r\n');
  });

  transcript(
    root,
    `
    callers . => 64 pass --map or --journal to say which squad replaces a workflow
    callers . --map abc => 64 Expected <workflowId>=<squadId>
    callers . --journal none => 1 journal/missing: there is no journal (none)
    callers no --map a=b => 1 skipped no: it cannot be read: no such file or directory`,
  );
});
