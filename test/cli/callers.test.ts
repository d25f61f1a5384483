/** squadc callers: which places are rewritten, which are left to a human, and in which files. */
import { execFileSync } from 'node:child_process';
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

/** Lines of texts between `⇒`, with signs for white space; one that begins with `#` is a comment. */
const rows = (table: string) =>
  table
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => line.replaceAll('⏎', '\n').replaceAll('␍', '\r').replaceAll('⇥', '\t'))
    .map((line) => line.split(' ⇒ ') as [text: string, after: string, ...string[]]);

describe('squadc callers', () => {
  it.each(
    rows(`
# A body in JavaScript, TypeScript, JSON and Python.
f({ workflowId: 'abc' }) ⇒ f({ squadId: 'xyz' })
f({ ...a, workflowId: 'abc' }, { workflowId: 'two' }, { squadId: 'x' }) ⇒ f({ ...a, squadId: 'xyz' }, { squadId: 'c' }, { squadId: 'x' })
f({ é: '😀', workflowId: \`abc\` }) ⇒ f({ é: '😀', squadId: \`xyz\` })
f({ ['workflowId']: 'abc' as Id }) ⇒ f({ ['squadId']: 'xyz' as Id })
\ufeff{␍⏎  "workflowId" :⇥"abc"␍⏎} ⇒ \ufeff{␍⏎  "squadId" :⇥"xyz"␍⏎}
body.workflowId = 'abc'; ⇒ body.squadId = 'xyz';
body["workflow_id"] = "abc" ⇒ body["squad_id"] = "xyz"
create(⏎  workflow_id="abc",⏎  workflow_overrides={"variable_values": v},⏎) ⇒ create(⏎  squad_id="xyz",⏎  squad_overrides={"variable_values": v},⏎)
# Overrides that stand elsewhere in the file.
const b = { workflowId: 'abc' };⏎b.workflowOverrides = { a: ')' }; ⇒ const b = { squadId: 'xyz' };⏎b.squadOverrides = { a: ')' };
# Other languages.
post(['workflowId' => 'abc']) ⇒ post(['squadId' => 'xyz'])
create(workflow_id: 'abc', :workflow_id => 'two') ⇒ create(squad_id: 'xyz', :squad_id => 'c')
CallDto{WorkflowId: vapi.String("abc")} ⇒ CallDto{SquadId: vapi.String("xyz")}
Call { workflow_id: Some("abc".into()) } ⇒ Call { squad_id: Some("xyz".into()) }
Call.builder().workflowId("abc").workflowOverrides(o).build() ⇒ Call.builder().squadId("xyz").squadOverrides(o).build()
new Call { WorkflowId = "abc", Name = "n" } ⇒ new Call { SquadId = "xyz", Name = "n" }
body.put("workflowId", "abc"); ⇒ body.put("squadId", "xyz");
resource "vapi_phone_number" "n" {⏎  workflow_id = "abc"⏎} ⇒ resource "vapi_phone_number" "n" {⏎  squad_id = "xyz"⏎}
# Requests in shells, collections and exports.
curl -d workflowId=abc⏎curl "x?workflowId=abc&a=1" ⇒ curl -d squadId=xyz⏎curl "x?squadId=xyz&a=1"
send("{\\"workflowId\\":\\"abc\\"}") ⇒ send("{\\"squadId\\":\\"xyz\\"}")
{ "name": "workflowId", "value": "abc" } ⇒ { "name": "squadId", "value": "xyz" }
run:⏎  workflowId: abc # the desk⏎  workflowOverrides:⏎    a: 1 ⇒ run:⏎  squadId: xyz # the desk⏎  squadOverrides:⏎    a: 1
`),
  )('rewrites a key with a literal id, and its overrides: %j', async (before, after) => {
    expect(await rewritten(before)).toEqual([after, []]);
  });

  it.each(
    rows(`
# The positional start of the SDK for browsers.
vapi.start(process.env.NEXT_PUBLIC_VAPI_WORKFLOW_ID!, { variableValues: v }) ⇒ 1:6 start
vapi?.start(⏎  import.meta.env.VITE_WORKFLOW_ID) ⇒ 1:7 start
vapiRef.current?.start(null, {}, null, 'abc', { variableValues: v }); ⇒ 1:18 start
this.vapi.start('two', o); ⇒ 1:11 start
getVapi().start(undefined, undefined, undefined, flow.id) ⇒ 1:11 start
const { start } = useVapi();⏎start(undefined, undefined, undefined, flow) ⇒ 2:1 start
client.start(Deno.env.get('VAPI_WORKFLOW_ID')) ⇒ 1:8 start ⇒ 1:28 name
vapi.start(null, o, null, { nodes, edges }) ⇒ 1:6 start
$vapi.start<T>(isNew ? config.public.vapiWorkflowId : assistant) ⇒ 1:7 start
import { vapi } from "./v";⏎const id = a || workflowId;⏎vapi.start(id) ⇒ 2:17 name
vapi.start({ assistantId: process.env.WORKFLOW_ID }) ⇒ 1:39 name
# Names of environments, constants and variables.
f({ workflowId: id,⏎  workflowId: other⏎}) ⇒ 1:5 name ⇒ 2:3 name
a.workflowId = b?.workflowId;⏎x ? workflowId : "abc" ⇒ 1:3 name ⇒ 1:19 name ⇒ 2:19 id
f({ workflowIds: 1, myWorkflowId: 1, $workflowId: 1, vapiWorkflow }) ⇒ 1:5 name ⇒ 1:21 name ⇒ 1:38 name ⇒ 1:54 name
NEXT_PUBLIC_VAPI_WORKFLOW_ID=abc⏎WORKFLOW_ID=a-1⏎VAPI_WORKFLOW_ID= ⇒ 1:30 id ⇒ 2:1 not-in-map ⇒ 3:1 name
const workflowId = 'abc'; ⇒ 1:21 id
workflow_id = 'abc'⏎def f(workflow_id='abc'):⏎  g(workflow_id) ⇒ 1:16 id ⇒ 2:20 id ⇒ 3:5 name
class A { workflowId = 'abc' } ⇒ 1:25 id
<Call workflowId="abc" /> ⇒ 1:19 id
X-Workflow-Id: abc⏎--workflow-id $ID ⇒ 1:16 id ⇒ 2:1 name
const ids = { desk: 'abc', bar: "abc" }; ⇒ 1:22 id ⇒ 1:34 id
fetch("https://x.example/workflow/abc") ⇒ 1:35 id
fetch("https://api.vapi.ai/workflow/" + id) ⇒ 1:28 endpoint
class Role:⏎  vapi_workflow_id: str ⇒ 2:3 name
# Ids that cannot be replaced, and overrides that cannot be moved with theirs.
f({ workflowId: 'nope' }) ⇒ 1:5 not-in-map
f({ workflowId: 'odd' }) ⇒ 1:5 not-in-map
f({ workflowId: 'abc', squadId: 'x' }) ⇒ 1:5 clash
f({ squadId: 'x', workflowId: 'abc' }) ⇒ 1:19 clash
f({ workflowId: 'abc', a: {}, squadId: 'x' }) ⇒ 1:5 clash
f({ workflowId: 'abc', workflowOverrides }) ⇒ 1:5 overrides ⇒ 1:24 overrides
f({ workflowId: id, workflowOverrides: o }, { workflowId: 'nope' }) ⇒ 1:5 name ⇒ 1:21 overrides ⇒ 1:47 not-in-map
b.workflowOverrides = o; ⇒ 1:3 overrides
f({ workflowId: 'abc' }); g(workflowId); b.workflowOverrides = o ⇒ 1:5 overrides ⇒ 1:29 name ⇒ 1:44 overrides
f({ workflowId: 'abc', workflowOverrides: o, squadOverrides: o }) ⇒ 1:5 clash ⇒ 1:24 clash
# Workflows in bodies and in answers to an assistant-request.
post({ phoneNumberId, workflow: flow }) ⇒ 1:23 inline
post({ workflow, customer: { number } }) ⇒ 1:8 inline
{"workflow": {"name": "n", "nodes": [], "edges": []}} ⇒ 1:3 inline
create(workflow=flow(), customer=c) ⇒ 1:8 inline
Workflow: &vapi.CreateWorkflowDto{Name: "n"} ⇒ 1:17 inline
# What programs read after a call.
call.artifact?.variableValues.name ⇒ 1:16 artifact
call["artifact"]["nodes"]; // vapi ⇒ 1:19 artifact
(message.get('artifact') or {}).get('variable_values') ⇒ 1:38 artifact
call.dig(:artifact, :variableValues) ⇒ 1:22 artifact
const { variableValues, transcript } = message.artifact ⇒ 1:9 artifact
{{ $json.body.message.artifact.variableValues.name }} ⇒ 1:32 artifact
`),
  )('leaves every other place to a human: %j', async (text, ...left) => {
    expect(await rewritten(text)).toEqual([text, left]);
  });

  it.each([
    "x = 'abcd' + 'dabc' + 'abc-d' + 'd_abc' + workflowIdx + workflowIdentity",
    'on: workflow_dispatch\njobs:\n  a:\n    uses: a/b\n    with: { workflow_id: 12, workflow: ci.yml }',
    'octokit.rest.actions.createWorkflowDispatch({ workflow_id: "ci.yml" })',
    "import { Client } from '@temporalio/client';\nclient.workflow.start(flow, { workflowId: 'w-1' })",
    '{"type": "n8n-nodes-base.executeWorkflow", "workflowId": "w"}',
    '{"url": "https://api.vapi.ai/call", "workflowId": {"__rl": true, "value": "w"}}',
    'N8N_WORKFLOW_ID=1\nDIFY_WORKFLOW_ID=a-1\nGITHUB_WORKFLOW_ID=ci',
    'vapi.start(assistantId, { variableValues })\nvapi.start(null, overrides, squadId)',
    'vapi.start({ model, voice })\nsource.start(undefined, undefined, undefined, 0.5)',
    'import { graph } from "g";\nartifact.nodes.length; assistantOverrides.variableValues',
    'const workflow = { steps: [] }; run(workflow);',
  ])('does not list what is not a caller: %j', async (text) => {
    expect(await rewritten(text)).toEqual([text, []]);
  });

  it('reads the pairs from a journal, for squads next to their results', async () => {
    const time = '2026-01-01T00:00:00Z';
    const facts = { kind: 'squad', name: 'S', hash: 'h', at: time, versions: [] } as const;
    const files = ['out/desk', 'out/desk', 'out/wrapped', 'out/gone', 'out/odd', 'lone', 'told'];
    const ids = ['old', 'new', 'boxed', 'deleted', 'odd', 'lone', 'told'];
    const things = ids.map((id, index) => {
      const state = id === 'deleted' ? 'undone' : 'done';
      const place = { baseUrl: 'https://a.example', file: `${files[index]}/squad.json` };
      const thing = { squadc: 'push-journal/3', thing: index + 1, id, state, ...place, ...facts };
      return `${JSON.stringify(thing)}\n`;
    });
    put('pushed/journal', things.join(''));
    put('pushed/out/desk/result.json', '{"workflow":{"id":"abc"}}');
    put('pushed/out/wrapped/result.json', '{"workflow":{"workflow":{"id":"wrapped"}}}');
    put('out/gone/result.json', '{"workflow":{"id":"gone"}}');
    put('out/odd/result.json', 'null');
    for (const id of ['abc', 'wrapped', 'lone', 'gone']) {
      put(`in/${id}.json`, `{"workflowId":"${id}"}`);
    }
    const { out, err } = await callers('in --journal pushed/journal --map wrapped=mine x=told');
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
    const shown = await callers('. --map abc=xyz');
    expect(shown).toEqual({
      exitCode: 1,
      out:
        '--- a/a.ts\n+++ b/a.ts\n@@ -1,4 +1,4 @@\n one();\n start({\n' +
        "-  workflowId: 'abc', // keep\n+  squadId: 'xyz', // keep\n });\n",
      err: has('1 place to rewrite in 1 file (use --write), 0 places left to do by hand'),
    });
    expect(read('a.ts')).toContain("workflowId: 'abc'");
    const done = (count: string) => ({ exitCode: 0, out: '', err: has(`${count} rewritten in`) });
    expect(await callers('. --map abc=xyz --write')).toMatchObject(done('1 place'));
    const { mtimeMs } = statSync(at('a.ts'));
    expect(await callers('. --map abc=xyz --write')).toMatchObject(done('0 places'));
    expect(statSync(at('a.ts')).mtimeMs).toBe(mtimeMs);
  });

  it('shows a diff that git applies, for files of any folder', async () => {
    const call = '{"workflowId":"abc"}';
    const apart = (size: number) => Array(size).fill('x').join('\n');
    const texts = [
      [call, apart(6), call, apart(7), call, call, ''].join('\n'),
      `1\r\n2\r\n${call}\r\n4`,
      `\n${call}`,
      call,
    ];
    const files = ['in/a b.json', 'in/é"\\\u0001.json', 'out/c.json', 'out/d\ne.json'];
    for (const [index, file] of files.entries()) put(file, texts[index]!);
    const cwd = { cwd: at('in') };
    const paths = ['callers', '.', at('out'), '--map', 'abc=xyz'];
    const { out, err } = await root.squadc(paths, cwd);
    expect(err).toContain(`apply the diff in ${at()}\n`.replace(/\/$/m, ''));
    execFileSync('git', ['apply', '-'], { cwd: at(), input: out });
    const changed = texts.map((text) => text.replaceAll(call, '{"squadId":"xyz"}'));
    expect(files.map(read)).toEqual(changed);
    expect(out.match(/^@@.*/gm)).toEqual([
      '@@ -1,11 +1,11 @@',
      '@@ -13,5 +13,5 @@',
      '@@ -1,4 +1,4 @@',
      '@@ -1,2 +1,2 @@',
      '@@ -1,1 +1,1 @@',
    ]);
  });

  it('takes no longer than a text is long', async () => {
    const texts = ["workflowId: 'abc'\n", 'workflowId ', 'vapi.start(', '{[(', 'abc ', 'a', ' '];
    for (const [index, text] of texts.entries()) {
      put(`${index}`, `vapi.start${text.repeat(2 ** 20 / text.length)}(`);
    }
    const start = process.cpuUsage().user;
    const ran = await callers('. --map abc=xyz --write', { isTTY: true });
    expect(ran.exitCode).toBe(1);
    expect(process.cpuUsage().user - start).toBeLessThan(texts.length * 2e6);
  });

  it('advises what to do about each place, once for each kind, and exits with 1', async () => {
    put(
      'a.ts',
      "vapi.start(null, null, null, 'abc');\nvapi.start('gone');\nvapi.start(workflow.id);",
    );
    put('c.env', 'FLOW_WORKFLOW_ID=abc\nA_WORKFLOW_ID=\nB_WORKFLOW_ID=');
    put('d\u001b[2J.js', 'f({ workflowId: "abc", squadId: "x" })');
    const order =
      'in start(assistant, assistantOverrides, squad), the squad is the third argument and its ' +
      'overrides are the second';
    const { exitCode, err } = await callers('. --map abc=xyz');
    expect([exitCode, err]).toEqual([1, has('d\\u001b[2J.js:1:5: callers/clash:')]);
    expect(err).toContain(
      `(workflow abc)\n  help: Pass the squad's id (xyz) as a squad: ${order}:`,
    );
    expect(err).toContain(
      `  help: Replace it with the squad's id (xyz), and send that as squadId; ${order}.`,
    );
    expect(err.match(/^ {2}help:/gm)).toHaveLength(5);
    // Without a map, nothing tells an assistant's id from a workflow's.
    const looked = await callers('. ');
    expect(looked).toMatchObject({ exitCode: 1, out: '', err: has('0 places to rewrite') });
    expect(looked.err).toMatch(/^a.ts:2:6: callers\/start: .* \(workflow gone\)$/m);
    expect(looked.err).toMatch(/^c.env:1:1: callers\/name/m);
  });

  it('reports the files that it skips, and ignores links out of the folder', async () => {
    const call = '{"workflowId":"abc"}';
    const others = ['in/node_modules/p/a.json', 'in/sub/.git/a.json', 'outside/a.json'];
    for (const path of others) put(path, call);
    put('in/image.json', new Uint8Array([0x7b, 0, 0x7d]));
    put('in/latin.py', new Uint8Array([0x22, 0xe9, 0x22]));
    put('in/big.json', `${call}${' '.repeat(8 * 1024 * 1024)}`);
    put('in/just.json', `${call}${' '.repeat(8 * 1024 * 1024 - 20)}`);
    put('in/video', new Uint8Array(9 * 1024 * 1024));
    symlinkSync(at('outside'), at('in/out'));
    symlinkSync(at('in/just.json'), at('in/again.json'));
    symlinkSync(at('in'), at('in/loop'));
    symlinkSync('nowhere', at('in/broken'));
    expect(await callers('in in/just.json --write --map abc=xyz')).toEqual({
      exitCode: 1,
      out: '',
      err:
        'skipped in/big.json: it is larger than 8 MB\n' +
        'skipped in/image.json: it is not UTF-8 text\n' +
        'skipped in/latin.py: it is not UTF-8 text\n' +
        'skipped in/video: it is not UTF-8 text\n' +
        '1 place rewritten in 1 file, 0 places left to do by hand, 4 files skipped\n',
    });
    for (const path of others) expect(read(path)).toBe(call);
    expect(await callers('in/image.json in/video --map abc=xyz')).toMatchObject({ exitCode: 0 });
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
    callers . --map abc => 64 Expected <workflowId>=<squadId>
    callers . --journal none => 1 journal/missing: there is no journal (none)
    callers no --map a=b => 1 skipped no: it cannot be read: no such file or directory`,
  );
});
