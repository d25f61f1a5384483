/** squadc pull, push and rollback against a platform on this machine. */
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { thisMachine } from '../../src/io/lock.js';
import {
  type Answer,
  account,
  except,
  type Held,
  json,
  lost,
  platform,
  raw,
  secret,
} from './platform-server.js';

const at = platform();
const hidden = 'literal-secret-of-the-squad';
const key = '--key-env API_KEY';

afterEach(() => {
  const journal = existsSync(join(at.folder(), 'j')) ? at.text('j') : '';
  for (const word of [secret, hidden]) expect(at.written() + journal).not.toContain(word);
});

describe('squadc pull', () => {
  const workflow = { name: 'W', nodes: [], edges: [] };

  /** Answers by address; 404 elsewhere. */
  const places =
    (held: Readonly<Record<string, unknown>>): Answer =>
    (seen, response, nth) => {
      const found = held[seen.url.replace('/v1/', '')];
      json(found === undefined ? 404 : 200, found ?? {})(seen, response, nth);
    };

  it('writes each workflow to its own file, with its digits and doubled keys unchanged', async () => {
    at.answer(raw(200, '{"n":12345678901234567890,"n":1.10}'));
    at.put('ids', '# mine\nb\r\n\n  ../c \na\n');
    await at.play(`
      pull a --ids-file ids => 0 [GET workflow/a, GET workflow/b, GET workflow/..%2Fc]
        | out/a.json
        | out/b.json
        | out/____c-9604b906fd0c.json
        | 3 of 3 workflows written
      pull ${secret} => 0 out/••••.json`);
    expect(at.text('out/b.json')).toBe('{\n  "n": 12345678901234567890,\n  "n": 1.10\n}\n');
    // The key may come from a file, and the address may end with a slash.
    at.put('key', `${secret}\n`);
    await at.squadc(`pull d --base-url ${at.there()}/ --key-file key -o out`);
    const authorization = `Bearer ${secret}`;
    expect(at.seen.at(-1)).toMatchObject({ url: '/v1/workflow/d', authorization });
  });

  it('fetches every workflow that the platform lists, and the names of their tools', async () => {
    const named = { name: 'find_slot', description: 'Finds one.' };
    const held = {
      'workflow?limit=1000': [{ id: 'a', name: 'A' }, { id: 'b' }, { name: 'none' }],
      'workflow/a': { ...workflow, nodes: [{ type: 'tool', toolId: 't1' }], no: '"toolId":"t3"' },
      'workflow/b': { ...workflow, model: { toolIds: ['t1', 't2', '../x', 1] }, key: secret },
      'tool/t1': { type: 'function', function: named },
      'tool/t2': { type: 'endCall' },
    };
    at.answer(places(held));
    const sent = ['workflow?limit=1000', 'workflow/a', 'workflow/b', 'tool/t1', 'tool/t2'];
    const gets = [...sent, 'tool/..%2Fx'].map((path) => `GET ${path}`).join(', ');
    // Two tools tell no name, so not everything is done.
    await at.play(`
      pull --all --tool-names tools.json => 1 [${gets}] out/a.json…out/b.json
        | api/not-found`);
    expect(JSON.parse(at.text('tools.json'))).toEqual({ t1: named });
    const full = Array.from({ length: 1000 }, () => ({ id: 'a' }));
    at.answer(places({ ...held, 'workflow?limit=1000': full }));
    await at.play('pull --all => 0 api/more');
    at.answer(json(200, { no: 'list' }));
    await at.play('pull --all => 1 all workflows: … not the expected JSON (a list was expected)');
    at.answer(json(200, []));
    await at.play('pull --all => 0 0 of 0 workflows written');
  });

  it('continues after an id that fails, and stops where every other would fail, too', async () => {
    at.answer(places({ 'workflow/a': workflow, 'workflow/c': workflow }));
    await at.play(`
      pull a b c => 1 out/a.json…out/c.json
        | b: pull/retired: … (status 404)…help: …2 of 3`);
    await at.play('pull a .. c => 1 "..": api/id…2 of 3');
    at.answer(json(410, {}));
    await at.play(`
      pull a => 1 a: pull/retired: … (status 410)
      pull --all => 1 all workflows: pull/retired: …from a past call`);
    at.answer(json(401, { message: `Invalid key ${secret}` }));
    await at.play(`
      pull a b => 1 [GET workflow/a] a: api/unauthorized: …environment variable API_KEY)
        | the server says: Invalid key [credential]…b: api/not-tried:`);
    // Nobody listens on port 1.
    const nobody = await at.squadc(`pull a --base-url http://127.0.0.1:1 ${key} -o out`);
    expect([nobody.exitCode, nobody.err.startsWith('a: api/unreachable:')]).toEqual([1, true]);
  });

  it.each<[string, Answer, string]>([
    ['a year to wait', json(429, {}, { 'retry-after': '31536000' }), 'api/rate-limited'],
    ['HTML', raw(200, '<html>hi</html>'), 'not the expected JSON (it is a web page)'],
    ['too much', raw(200, `"${'x'.repeat(17 * 1024 * 1024)}"`), 'api/too-large'],
    ['control signs', json(400, { message: '\u001b[2Jgone\u202e' }), '[2Jgone\\u202e'],
    ['a web page of an error', raw(400, '<script>x</script>'), 'api/bad-request'],
    ['another host', raw(302, '', { location: 'http://localhost:9/x' }), 'api/redirect'],
  ])('reports %s as a fault of the id', async (_, answer, message) => {
    at.answer(answer);
    await at.play(`pull a => 1 ${message}`);
    expect(existsSync(join(at.folder(), 'out'))).toBe(false);
    expect(at.written()).not.toContain('<script');
    expect(at.written().length).toBeLessThan(1000);
  });
});

const x = '--base-url https://x';
it.each<[line: string, exitCode: number, says: string]>([
  [`pull a ${x}`, 64, 'api/no-key'],
  ['pull a', 64, 'Set VAPI_API_KEY, or name another variable with --key-env'],
  [`pull a ${x} --token=${secret}`, 64, "unknown option '--token'"],
  [`pull a ${x} --key-env ${secret}`, 1, 'is not set'],
  [`pull a ${x} --key-file ${secret}`, 1, 'cannot be read'],
  [`pull a ${x} --key-file two-words`, 1, 'api/key:'],
  [`pull a --base-url http://x.example ${key}`, 64, 'api/base-url'],
  [`pull a --base-url https://u:${secret}@x ${key}`, 64, 'api/base-url'],
  [`pull a --base-url ${secret} ${key}`, 64, 'api/base-url'],
  [`pull ${x} ${key}`, 64, 'api/no-ids'],
  [`pull .. ${x} ${key}`, 64, '("..")'],
  [`push s.json --yes ${x}`, 64, 'api/no-key'],
  [`push s.json --yes --journal folder ${x} ${key}`, 1, 'journal/file: the journal cannot be read'],
  [`push ${x} ${key}`, 64, 'name a file, or --numbers'],
  ['rollback', 1, 'there is no journal (squadc-journal.jsonl)'],
  [`rollback --journal none ${key}`, 1, 'journal/missing'],
  ['rollback --base-url http://x.example', 64, 'api/base-url'],
])('squadc %s exits with %i', async (line, exitCode, says) => {
  at.put('two-words', 'line\nline');
  at.put('folder/x', '');
  at.put('s.json', squad('S'));
  const ran = await at.squadc(line.startsWith('pull') ? `${line} -o out` : line);
  expect(ran).toMatchObject({ exitCode, out: '', err: expect.stringContaining(says) });
  expect(ran.err).not.toContain('line\nline');
});

const intake = { name: 'Intake', server: { headers: { Authorization: hidden } } };
function squad(name: string, more: Held = {}) {
  return { name, members: [{ assistant: { ...intake, ...more } }, { assistantId: 'saved-1' }] };
}
const states = () => {
  const lines = at.text('j').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line).state);
};

/** An account that answers, and what it holds. */
function open(held?: Map<string, Held>) {
  const opened = account(held);
  at.answer(opened.answer);
  return opened;
}

describe('squadc push', () => {
  it('shows what it would send, and sends and writes nothing', async () => {
    at.put('s.json', squad('S\u001b'));
    const bytes = JSON.stringify(squad('S\u001b')).length;
    expect(await at.squadc(`push s.json --base-url ${at.there()} --journal j`)).toEqual({
      exitCode: 0,
      out:
        `s.json: POST ${at.there()}/squad, ${bytes} bytes, 2 members\n` +
        '  squad: S\\u001b\n  member: Intake\n  member: saved-1\n',
      err: 'Dry run: nothing was sent. Add --yes to send.\n',
    });
    expect([at.seen, readdirSync(at.folder()).sort()]).toEqual([[], ['here', 's.json']]);
  });

  it('creates each squad once, and writes down the intent before it is sent', async () => {
    const before: string[][] = [];
    at.answer((seen, response, nth) => {
      before.push(states());
      json(201, { id: `squad-${nth}` })(seen, response, nth);
    });
    at.put('s.json', squad('S'));
    at.put('laid-out.json', `\ufeff${JSON.stringify(squad('S'), null, 4)}\n`);
    at.put('t.json', squad('T'));
    await at.play(`
      push s.json ./s.json t.json --yes => 0 [POST squad, POST squad]
        | s.json: created squad squad-1
        | t.json: created squad squad-2
      push t.json s.json --yes => 0 []
      push s.json => 0 [] already pushed as squad squad-1`);
    expect(at.seen.map(({ body }) => JSON.parse(body))).toEqual([squad('S'), squad('T')]);
    expect(at.seen[0]?.authorization).toBe(`Bearer ${secret}`);
    expect(before).toEqual([['unknown'], ['unknown', 'done', 'unknown']]);
    expect(states()).toHaveLength(4);
    // An equal squad in another file is another one, unless its file was moved or has no name.
    await at.play(
      'push laid-out.json --yes => 0 [POST squad] laid-out.json: created squad squad-3',
    );
    await at.play('push - --yes => 0 [] already pushed', { stdin: JSON.stringify(squad('T')) });
    for (const file of ['s.json', 'laid-out.json']) {
      renameSync(join(at.folder(), file), join(at.folder(), `new-${file}`));
    }
    await at.play(`
      push new-s.json new-laid-out.json --yes => 0 []
        | new-s.json: already pushed as squad squad-3
        | new-laid-out.json: already pushed as squad squad-1
      push new-laid-out.json new-s.json --yes => 0 []
        | new-s.json: already pushed as squad squad-3`);
    at.put('s.json', squad('S'));
    await at.play('push s.json --yes => 0 [POST squad]');
    expect(readdirSync(at.folder()).filter((name) => name.startsWith('j.'))).toEqual([]);
  });

  it('repeats what a crash left open only on demand', async () => {
    at.answer(json(201, { id: 'x' }));
    at.put('s.json', squad('S'));
    await at.play('push s.json --yes => 0 [POST squad]');
    const [intent = ''] = at.text('j').split('\n');
    at.put('j', `${intent}\n{"squadc":"push-journal/3","thing":2,"st`);
    await at.play(`
      push s.json --yes => 1 [] s.json: push/unknown: …(squad "S", requested at 2…--retry-unknown
      push s.json => 1 [] s.json: push/unknown:
      push s.json --retry-unknown => 0 [] POST`);
    expect(at.text('j')).toBe(`${intent}\n`);
    await at.play(`
      push s.json --yes --retry-unknown => 0 [POST squad]
      push s.json --yes --retry-unknown => 0 [] already pushed as`);
  });

  it.each<[string, Answer, string]>([
    ['a 500', json(500, { message: 'oops' }), 'the request was sent'],
    ['a connection that breaks', (_, response) => response.destroy(), 'push/unknown'],
    ['no JSON', raw(201, '<html>'), 'push/unknown'],
    ['no id', json(201, { name: 'S' }), 'the server accepted it, but its response has no'],
    ['an id that is none', json(201, { id: '../x y' }), 'push/unknown'],
    ['the key for an id', json(201, { id: secret }), 'push/unknown'],
  ])('treats a squad as doubtful after %s', async (_, answer, message) => {
    at.answer(answer);
    at.put('s.json', squad('S'));
    await at.play(`push s.json --yes => 1 [POST squad] ${message}`);
    expect(states()).toEqual(['unknown']);
    await at.play(`
      push s.json --yes => 1 [] push/unknown
      rollback --yes => 0 [] s.json: rollback/unknown: warning:`);
  });

  it('repeats what the server complains of, without secrets, however they are cut', async () => {
    const message = ['bad voice', `got ${hidden}`, `${'x'.repeat(280)}${secret}`];
    at.answer(json(400, { message }));
    at.put('s.json', squad('S'));
    await at.play(`
      push s.json --yes => 1
        | s.json: api/bad-request: the service rejects the request (status 400)
        | the server says: bad voice; got ••••`);
    expect(at.written()).not.toContain(secret.slice(0, 4));
    expect(states()).toEqual(['unknown', 'refused']);
    at.answer(json(401, {}));
    at.put('t.json', squad('T'));
    await at.play('push s.json t.json --yes => 1 [POST squad] t.json: api/not-tried');
    at.answer(json(201, { id: 'x' }));
    await at.play('push s.json --yes => 0 [POST squad]');
  });

  it.each<[string | object, string]>([
    [{ squad: squad('S') }, 'push/target-squad: …--target vapi'],
    [{ name: 'W', nodes: [] }, 'push/workflow: …Compile it'],
    [{ ...squad('S'), memberOverrides: {} }, 'push/member-overrides: …membersOverrides'],
    [{ members: [] }, 'push/no-members: '],
    [{ members: [{}] }, 'push/member: '],
    [{ members: [{ assistantId: 'a' }, { assistantId: 'a' }] }, 'push/same-names: '],
    [[squad('S')], 'push/not-object: '],
    [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'push/not-json: '],
  ])('refuses %j, names every such file and sends none of the others', async (file, says) => {
    at.put('s.json', file);
    at.put('good.json', squad('S'));
    const all = `squadc: s.json: ${says}…cannot read gone: …nothing was sent`;
    await at.play(`
      push s.json good.json gone => 1 [] ${all}
      push s.json good.json gone --yes => 1 [] ${all}`);
  });

  it('refuses a journal that is not one, or that another run holds', async () => {
    at.answer(json(201, { id: 'x' }));
    at.put('s.json', squad('S'));
    at.put('j', '{"name":"W"}\n');
    await at.play(`
      push s.json => 1 [] (j:1)
      push s.json --yes => 1 [] (j:1)`);
    expect(at.text('j')).toBe('{"name":"W"}\n');
    at.put('j', '');
    at.put('j.lock.1', { pid: process.pid, machine: thisMachine(), since: null });
    await at.play('push s.json --yes => 1 [] journal/locked…j.lock.1');
    // Beyond any process id that a system gives.
    at.put('j.lock.1', { pid: 999_999_999, machine: thisMachine(), since: null });
    await at.play('push s.json --yes => 0 [POST squad]');
  });
});

describe('squadc push, after a change', () => {
  const hello = () => at.put('s.json', squad('S', { firstMessage: 'Hello.', voice: { id: 'v' } }));
  const goodDay = () => at.put('s.json', squad('S', { firstMessage: 'Good day.' }));

  it.each([
    ['--yes', 'members.0.assistant.', 'squad/squad-1'],
    ['--saved --yes', '', 'assistant/assistant-1'],
  ])('changes what it made, and only what changed: %s', async (flags, field, path) => {
    const { held } = open();
    hello();
    await at.play(`push s.json ${flags} => 0`);
    goodDay();
    await at.play(`
      push s.json ${flags.replace('--yes', '')} => 0 [] PATCH {there}/${path}
        | changes: ${field}firstMessage
        | changes: ${field}voice.id
      push s.json ${flags} => 0 [GET ${path}, PATCH ${path}] changed: ${field}firstMessage
      push s.json ${flags} => 0 []`);
    const all = JSON.stringify([...held.values()]);
    expect([all.includes('Good day.'), all.includes('"v"')]).toEqual([true, false]);
    // The same file as it was before is a change, too.
    hello();
    await at.play(`push s.json ${flags} => 0 changed`);
  });

  // biome-ignore lint/suspicious/noExplicitAny: a thing on the platform has any members
  it.each<[string, (thing: any) => unknown]>([
    ['name', (thing) => Object.assign(thing, { name: 'Mine' })],
    ['membersOverrides.x', (thing) => Object.assign(thing, { membersOverrides: { x: 'y' } })],
    ['members.0.assistant.firstMessage', (thing) => delete thing.members[0].assistant.firstMessage],
    ['backgroundSound', (thing) => Object.assign(thing, { backgroundSound: 'office' })],
  ])('refuses where somebody edited %s since', async (field, edit) => {
    const { held } = open();
    hello();
    await at.play('push s.json --yes => 0 [POST squad]');
    edit(held.get('squad/squad-1'));
    goodDay();
    const says = `since it was pushed (squad squad-1, ${field})`;
    await at.play(`push s.json --yes => 1 [GET squad/squad-1] ${says}`);
    expect(states()).toEqual(['unknown', 'done']);
  });

  it('does not take a null of the platform for an edit', async () => {
    const { held } = open();
    at.put('s.json', squad('S', { hooks: [{ on: 'call.ending' }] }));
    await at.play('push s.json --yes => 0 [POST squad]');
    // biome-ignore lint/suspicious/noExplicitAny: a thing on the platform has any members
    const { members } = held.get('squad/squad-1') as any;
    Object.assign(members[0].assistant.hooks[0], { filters: null });
    Object.assign(members[0].assistant, { voice: null });
    at.put('s.json', squad('S', { hooks: [{ on: 'call.ringing' }] }));
    await at.play('push s.json --yes => 0 [GET squad/squad-1, PATCH squad/squad-1]');
  });

  it('knows what it made after a change that was refused', async () => {
    const { answer, held } = open();
    hello();
    await at.play('push s.json --yes => 0 [POST squad]');
    at.answer(except('PATCH', json(400, {}), answer));
    goodDay();
    await at.play('push s.json --yes => 1 api/bad-request');
    Object.assign(held.get('squad/squad-1')!, squad('S', { firstMessage: 'Good day.' }));
    await at.play('push s.json --yes => 1 push/edited');
    hello();
    await at.play('push s.json --yes => 0 already pushed as squad squad-1');
    expect(states()).toEqual(['unknown', 'done', 'done', 'done']);
  });

  it.each([true, false])('continues where a change was left open (taken: %s)', async (taken) => {
    const { answer, held } = open();
    hello();
    await at.play('push s.json --yes => 0 [POST squad]');
    goodDay();
    at.answer(except('PATCH', taken ? lost(answer) : (_, it) => it.destroy(), answer));
    await at.play('push s.json --yes => 1 api/connection-lost');
    expect(at.written()).not.toContain('push/unknown');
    at.answer(answer);
    await at.play('push s.json --yes => 0 changed squad squad-1');
    held.clear();
    hello();
    await at.play(`
      push s.json --yes => 1 [GET squad/squad-1] s.json: api/not-found
      rollback --yes => 0
      push s.json --yes => 0 [POST squad] created squad`);
  });
});

describe('squadc push --saved', () => {
  const destination = { type: 'assistant', assistantName: 'B', description: 'd' };
  const model = { tools: [{ type: 'handoff', destinations: [destination] }] };
  const assistants = ['A', 'B', 'C'].map((name) => ({ ...intake, name, model }));
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
  const all = [1, 2, 3].map((number) => `assistant/assistant-${number}`);

  it('creates the assistants first, then a squad of their ids', async () => {
    const { held } = open();
    at.put('s.json', document);
    await at.play(`
      push s.json --saved => 0 [] POST …/assistant,…POST …/assistant,…POST …/squad,
      push s.json --saved --yes => 0 [POST assistant, POST assistant, POST assistant, POST squad]
        | s.json: created assistant assistant-1 (A)
        | s.json: created assistant assistant-3 (C)
        | s.json: created squad squad-1
        | 1 of 1 squads up to date; journal: j
      push s.json --saved --yes => 0 []`);
    const members = [
      { assistantId: 'assistant-1', assistantOverrides: { firstMessage: '' } },
      { assistantId: 'assistant-2' },
      { assistantId: 'saved-1' },
      {
        assistantId: 'assistant-3',
        assistantDestinations: [{ ...destination, assistantName: 'B' }],
      },
    ];
    const bodies = at.seen.map(({ body }) => JSON.parse(body));
    expect(bodies).toEqual([...assistants, { ...document, members }]);
    const gone = ['squad/squad-1', ...all.toReversed()].map((path) => `DELETE ${path}`);
    await at.play(`rollback --yes => 0 [${gone.join(', ')}]`);
    expect(held.size).toBe(0);
  });

  it('tells of assistants that a squad no longer has', async () => {
    const { held } = open();
    at.put('s.json', document);
    await at.play('push s.json --saved --yes => 0');
    at.put('s.json', { ...document, members: document.members.slice(0, 3) });
    const orphan = 's.json: assistant assistant-3 (C): push/orphan: warning';
    await at.play(`
      push s.json --saved => 0 ${orphan}
      push s.json --saved --yes => 0 ${orphan}`);
    // Inline assistants leave all of them behind.
    await at.play('push s.json --yes => 0 assistant-1 (A): push/orphan…assistant-2…assistant-3');
    await at.play('rollback --yes => 0 assistant assistant-3 deleted');
    expect(held.size).toBe(0);
  });

  it('deletes with --prune what a squad no longer has, once the squad names it no more', async () => {
    const { held, answer } = open();
    at.put('s.json', document);
    at.put('t.json', { ...document, name: 'T' });
    await at.play('push s.json t.json --saved --yes => 0');
    at.put('s.json', { ...document, members: document.members.slice(0, 3) });
    const orphan = 's.json: assistant assistant-3 (C): push/orphan: …--prune';
    const squads = 'GET squad/squad-1, PATCH squad/squad-1';
    at.answer(except('PATCH', json(400, {}), answer));
    await at.play(`
      push s.json --saved --prune => 0 [] DELETE {there}/assistant/assistant-3 (s.json, 2
      push s.json --saved --prune --yes => 1 [${squads}] ${orphan}`);
    at.answer(except('DELETE', json(500, {}), answer));
    await at.play(`
      push s.json --saved --prune --yes => 1 assistant assistant-3: api/server-error`);
    at.answer(answer);
    await at.play(`
      push s.json --saved --yes => 0 [] ${orphan}
      push s.json --saved --prune --yes => 0 [DELETE assistant/assistant-3]
        | assistant assistant-3 deleted (s.json)
      push s.json --saved --prune --yes => 0 []`);
    // Inline assistants leave the others behind; those of another file are not touched.
    const two = 'DELETE assistant/assistant-1, DELETE assistant/assistant-2';
    await at.play(`push s.json --prune --yes => 0 [${squads}, ${two}] 1 of 1 squads up to date`);
    const left = ['assistant/assistant-4', 'assistant/assistant-5', 'assistant/assistant-6'];
    expect([...held.keys()].sort()).toEqual([...left, 'squad/squad-1', 'squad/squad-2']);
    await at.play('rollback --yes => 0');
    expect(held.size).toBe(0);
  });

  it('prunes nothing after it was stopped, and counts as gone what somebody has deleted', async () => {
    const { held, answer } = open();
    at.put('s.json', document);
    await at.play('push s.json --saved --yes => 0');
    at.put('s.json', { ...document, members: document.members.slice(2) });
    at.answer((seen, response, nth) => {
      if (seen.method === 'PATCH') at.interrupt();
      answer(seen, response, nth);
    });
    await at.play(
      'push s.json --saved --prune --yes => 130 [GET squad/squad-1, PATCH squad/squad-1]',
    );
    held.delete('assistant/assistant-1');
    at.answer(answer);
    await at.play(`
      push s.json --saved --prune --yes => 0 assistant assistant-1 was already gone (s.json)
        | assistant assistant-2 deleted (s.json)`);
    expect([...held.keys()]).toEqual(['assistant/assistant-3', 'squad/squad-1']);
  });

  it.each([1, 3])('continues where request %i was the last', async (last) => {
    const { held, answer } = open();
    at.answer((seen, response, nth) => (nth > last ? json(503, {}) : answer)(seen, response, nth));
    at.put('s.json', document);
    await at.play(`
      push s.json --saved --yes => 1 push/unknown
      push s.json --saved --yes => 1 []`);
    at.answer(answer);
    await at.play('push s.json --saved --yes --retry-unknown => 0');
    expect([...held.keys()]).toEqual([...all, 'squad/squad-1']);
    await at.play('rollback --yes => 0');
    expect(held.size).toBe(0);
  });

  it('looks at everything that it has to change before it changes anything', async () => {
    const { held } = open();
    at.put('s.json', document);
    await at.play('push s.json --saved --yes => 0');
    Object.assign(held.get('assistant/assistant-3')!, { firstMessage: 'Mine.' });
    const changed = document.members.map(({ assistant, ...member }) =>
      assistant ? { ...member, assistant: { ...assistant, firstMessage: 'Hi.' } } : member,
    );
    at.put('s.json', { ...document, members: changed });
    const looked = all.map((path) => `GET ${path}`).join(', ');
    await at.play(`
      push s.json --saved --yes => 1 [${looked}] s.json: assistant C: push/edited:
        | (assistant assistant-3 (C), firstMessage)`);
    // What our file leaves as it is may be edited on the platform as one likes.
    at.put('s.json', { ...document, members: [changed[0], ...document.members.slice(1)] });
    await at.play('push s.json --saved --yes => 0');
    expect(held.get('assistant/assistant-3')).toMatchObject({ firstMessage: 'Mine.' });
  });
});

describe('squadc push --numbers', () => {
  /** Of an account with two numbers and a campaign of the workflow, and a number of a squad. */
  function lines() {
    at.put('desk/result.json', { workflow: { id: 'wf-desk' } });
    at.put('desk/squad.json', squad('Desk'));
    const desk = { workflowId: 'wf-desk' };
    const things = [
      ['phone-number/p1', { id: 'p1', number: '+12025550100', ...desk }],
      ['phone-number/p2', { id: 'p2', number: '+12025550101', squadId: 'mine' }],
      ['phone-number/p3', { id: 'p3', sipUri: 'sip:desk@example.com', ...desk }],
      ['campaign/c1', { id: 'c1', name: 'Autumn', ...desk }],
    ] as const;
    const all = open(new Map<string, Held>(things));
    const named = () =>
      things.map(([id]) => all.held.get(id)!['workflowId'] ?? all.held.get(id)!['squadId']);
    return { ...all, named };
  }

  it('lists what names a migrated workflow, moves it, and takes it back', async () => {
    const { held, named } = lines();
    const listed = 'GET phone-number?limit=1000, GET campaign?limit=1000&status=scheduled';
    await at.play(`
      push desk/squad.json --numbers => 0 [${listed}]
        | number +12025550100 (p1): PATCH {there}/phone-number/p1: workflow wf-desk → the squad of
        | number sip:desk@example.com (p3)
        | campaign Autumn (c1): PATCH {there}/campaign/c1
      push desk/squad.json --numbers --yes => 0
        | number +12025550100 (p1) now uses squad squad-1 (was workflow wf-desk)
        | 3 of 3 phone numbers and campaigns moved; journal: j`);
    expect(at.written()).not.toContain('p2');
    expect(named()).toEqual(['squad-1', 'mine', 'squad-1', 'squad-1']);
    const patch = at.seen.find(({ method }) => method === 'PATCH');
    expect(JSON.parse(patch?.body ?? '')).toEqual({ squadId: 'squad-1', workflowId: null });
    // Nothing is left to move, with the journal alone as well.
    await at.play(`
      push --numbers --yes => 0 [${listed}] 0 of 0 phone numbers
      rollback => 0 [] PATCH {there}/campaign/c1: workflow wf-desk (desk/squad.json, 2
        | 1 squad, 2 numbers, 1 campaign to undo (use --yes to do it)
        | workflow wf-desk: rollback/retired: warning: the platform no longer runs
      rollback --yes => 0 workflow wf-desk: rollback/retired: warning
        | campaign c1 names workflow wf-desk again (desk/squad.json)
        | number p3 names workflow wf-desk again (desk/squad.json)`);
    expect(named()).toEqual(['wf-desk', 'mine', 'wf-desk', 'wf-desk']);
    expect(held.has('squad/squad-1')).toBe(false);
    await at.play('push desk/squad.json --numbers --yes => 0');
    expect(named()[0]).toMatch(/^squad-/);
    Object.assign(held.get('phone-number/p1')!, { workflowId: 'wf-desk' });
    await at.play('push desk/squad.json --numbers => 0 workflow wf-desk → squad squad-');
  });

  it('moves one number at a time with --only, and back', async () => {
    const { named } = lines();
    await at.play(`
      push desk/squad.json --numbers --only +12025550100 --yes => 0
        | number +12025550100 (p1) now uses squad squad-1…1 of 1 phone numbers
      push --numbers --only Autum => 64 unknown number 'Autum'…(Did you mean Autumn?)
      push desk/squad.json --only p1 => 64 [] --only is for --numbers`);
    expect(named()).toEqual(['squad-1', 'mine', 'wf-desk', 'wf-desk']);
    await at.play(`
      push --numbers --only p3 --only Autumn --yes => 0 2 of 2 phone numbers
      rollback --only +12025550100 => 0 [] 1 number to undo
      rollback --only +12025550100 --yes => 0 number p1 names workflow wf-desk again…1 of 1 undone
      rollback --only +1 => 64 unknown number '+1'`);
    expect(named()).toEqual(['wf-desk', 'mine', 'squad-1', 'squad-1']);
  });

  it('takes back what was left open, and leaves what somebody has moved since', async () => {
    const { answer, held, named } = lines();
    at.answer(except('PATCH', lost(answer), answer));
    await at.play(`
      push desk/squad.json --numbers --yes => 1 number +12025550100 (p1): api/connection-lost`);
    expect(named()).toEqual(['squad-1', 'mine', 'squad-1', 'squad-1']);
    Object.assign(held.get('phone-number/p3')!, { squadId: 'another' });
    at.answer(answer);
    await at.play('rollback --yes => 0 number p3 has been changed since; left alone');
    expect(named()).toEqual(['wf-desk', 'mine', 'another', 'wf-desk']);
  });

  /** Squads of equal content, by folder and the workflow of the result next to each. */
  const clones = (workflows: Record<string, string | null>, ...numbers: Held[]) => {
    for (const [folder, id] of Object.entries(workflows)) {
      at.put(`${folder}/result.json`, { workflow: id === null ? {} : { id } });
      at.put(`${folder}/squad.json`, squad('Desk'));
    }
    const things = numbers.map((it, nth) => {
      const path = it['status'] === undefined ? 'phone-number' : 'campaign';
      return [`${path}/p${nth}`, { id: `p${nth}`, number: `+${nth}`, ...it }] as const;
    });
    const { held, answer } = open(new Map<string, Held>(things));
    const named = () =>
      things.map(([key]) => held.get(key)!['workflowId'] ?? held.get(key)!['squadId']);
    return { held, answer, named };
  };

  it('moves the numbers of each of two equal workflows to a squad of its own', async () => {
    const numbers = [{ workflowId: 'wf-b' }, { workflowId: 'wf-a' }, { workflowId: 'wf-b' }];
    const { held, named } = clones({ a: 'wf-a', b: 'wf-b' }, ...numbers);
    await at.play('push a/squad.json b/squad.json --numbers --yes => 0 3 of 3 phone numbers');
    expect(named()).toEqual(['squad-2', 'squad-1', 'squad-2']);
    // Another file of the workflow replaces the squad, and a moved folder is still the same squad.
    at.put('again/result.json', { workflow: { id: 'wf-a' } });
    at.put('again/squad.json', squad('Other'));
    renameSync(join(at.folder(), 'b'), join(at.folder(), 'c'));
    Object.assign(held.get('phone-number/p0')!, { workflowId: 'wf-b' });
    Object.assign(held.get('phone-number/p1')!, { workflowId: 'wf-a' });
    await at.play('push again/squad.json c/squad.json --numbers --yes => 0 2 of 2 phone numbers');
    expect(named()).toEqual(['squad-2', 'squad-3', 'squad-2']);
  });

  it('lists what names a workflow that no squad replaces, until --map tells the squad', async () => {
    const campaign = { name: 'Winter', number: undefined, workflowId: 'wf-b', status: 'scheduled' };
    const numbers = [{ workflowId: 'wf-a' }, campaign, { workflowId: '' }, { squadId: 'mine' }];
    const { named } = clones({ a: null, b: null, c: null }, ...numbers);
    await at.play(`
      push --numbers => 1 number +0 (p0): push/unmapped: …(workflow wf-a)
        | campaign Winter (p1): push/unmapped: …(workflow wf-b)
      push a/squad.json b/squad.json --yes => 0 [POST squad, POST squad]
      push --numbers --yes => 1 0 of 2 phone numbers and campaigns moved
      push --numbers --map wf-a=a/squad.json --yes => 1 p1): push/unmapped:
        | 1 of 2 phone numbers and campaigns moved
      push --numbers --map wf-b=none.json => 64 [] --map names none.json
      push --numbers --map wf-b => 64 [] Expected <workflowId>=<file>
      push a/squad.json --map wf-b=a/squad.json => 64 [] --numbers
      push c/squad.json --numbers --map wf-a=b/squad.json --map wf-b=./c/squad.json --yes => 0
        | 1 of 1 phone numbers and campaigns moved`);
    expect(named()).toEqual(['squad-1', 'squad-3', '', 'mine']);
    expect(at.written()).not.toMatch(/p2|p3/);
  });

  it('leaves a number where it is while its squad is not there', async () => {
    const { answer, named } = clones({ a: 'wf-a' }, { workflowId: 'wf-a' });
    at.answer(except('squad', json(503, {}), answer));
    const left = 'number +0 (p0): api/not-tried:';
    await at.play(`
      push a/squad.json --numbers --yes => 1 ${left}
      push a/squad.json --numbers => 1 ${left}
      push a/squad.json --numbers --yes => 1 ${left}`);
    expect(named()).toEqual(['wf-a']);
  });

  it.each([true, false])('keeps the squads that it cannot free (saved: %s)', async (saved) => {
    const { held, answer, named } = clones(
      { a: 'wf-a', b: 'wf-b' },
      { workflowId: 'wf-a' },
      { workflowId: 'wf-b' },
    );
    const flags = saved ? '--saved --numbers' : '--numbers';
    await at.play(`push a/squad.json b/squad.json ${flags} --yes => 0`);
    at.answer(except('phone-number/p0', json(400, {}), answer));
    await at.play(`
      rollback --yes => 1 number p0: api/bad-request
        | squad squad-1: rollback/in-use: …(number p0 names it)`);
    const rest = [...held.keys()].filter((key) => !key.startsWith('phone-number'));
    expect(rest).toEqual(['assistant/assistant-1', 'squad/squad-1'].slice(saved ? 0 : 1));
    expect(named()).toEqual(['squad-1', 'wf-b']);
    at.answer(answer);
    await at.play('rollback --yes => 0');
    expect([held.size, ...named()]).toEqual([2, 'wf-a', 'wf-b']);
  });

  it('keeps a squad that a number was moved to by hand or later', async () => {
    const { held, answer, named } = clones({ a: 'wf-a', b: 'wf-b' }, { workflowId: 'wf-a' });
    await at.play('push a/squad.json b/squad.json --numbers --yes => 0');
    held.get('phone-number/p0')!['squadId'] = 'squad-2';
    await at.play(`
      rollback --yes => 1 number p0 has been changed since; left alone
        | squad squad-2: rollback/in-use: …(number p0 names it)`);
    expect([...held.keys()]).toEqual(['phone-number/p0', 'squad/squad-2']);
    // Now the number is older in the journal than its squad.
    Object.assign(held.get('phone-number/p0')!, { workflowId: 'wf-a' });
    await at.play('push a/squad.json --numbers --yes => 0');
    at.answer(except('PATCH', json(400, {}), answer));
    await at.play('rollback --yes => 1');
    expect(held.has(`squad/${named()[0]}`)).toBe(true);
  });

  it('reports what could not be listed; an account may have no campaigns', async () => {
    const { answer } = lines();
    at.answer(except('campaign', json(404, {}), answer));
    await at.play('push desk/squad.json --numbers --yes => 0');
    at.answer(json(200, { no: 'list' }));
    await at.play('push --numbers => 1 phone numbers: api/not-json');
    at.answer(json(500, {}));
    await at.play('push --numbers => 1 campaigns: api/server-error');
    at.answer(json(200, Array(1000).fill({})));
    await at.play('push --numbers => 0 phone numbers: api/more: warning:');
  });
});

describe('environments', () => {
  const mapped = { credentials: { 'cred-dev': 'cred-prod' }, numbers: { '+1555': '+1666' } };
  const team = (more: object = {}) =>
    at.put('squadc.config.json', {
      journal: 'team/log.jsonl',
      environments: {
        dev: { keyEnv: 'DEV_KEY', baseUrlEnv: 'DEV_URL' },
        prod: { keyEnv: 'API_KEY', baseUrlEnv: 'PROD_URL', ...more },
      },
    });
  const env = (words: string) => {
    const urls = { DEV_URL: at.there(), PROD_URL: at.there() };
    return at.squadc(words, { env: { API_KEY: secret, DEV_KEY: 'dev-key', ...urls } });
  };

  it('have a key, an address, a journal and ids of their own', async () => {
    const { held } = open();
    team(mapped);
    at.put('team/here', '');
    const own = { credentialIds: ['cred-dev'], destination: { number: '+1555' } };
    at.put('s.json', squad('S', { ...own, server: { credentialId: 'cred-dev' } }));
    expect(await env('push s.json --yes')).toMatchObject({ exitCode: 64, out: '' });
    for (const name of ['live', 'constructor']) {
      const { err } = await env(`push s.json --env ${name} --yes`);
      expect(err).toContain('squadc.config.json names them');
    }
    expect((await env('push s.json --env dev --yes')).exitCode).toBe(0);
    expect(JSON.stringify(held.get('squad/squad-1'))).toContain('"credentialIds":["cred-dev"]');
    expect((await env('push s.json --env prod --yes')).exitCode).toBe(0);
    expect(held.get('squad/squad-2')).toMatchObject({
      members: [
        {
          assistant: {
            credentialIds: ['cred-prod'],
            destination: { number: '+1666' },
            server: { credentialId: 'cred-prod' },
          },
        },
        { assistantId: 'saved-1' },
      ],
    });
    expect(at.seen.map(({ authorization }) => authorization)).toEqual([
      'Bearer dev-key',
      `Bearer ${secret}`,
    ]);
    // Paths are relative to the journal, so it can be read from anywhere.
    expect(at.text('team/log.prod.jsonl')).toContain('"file":"../s.json"');
    expect((await env('rollback --env dev --yes')).out).toContain('squad squad-1 deleted');
    expect([...held.keys()]).toEqual(['squad/squad-2']);
  });

  it('refuse an id of another organization', async () => {
    team({ ...mapped, tools: {} });
    const model = { toolIds: ['t-1', 't-2'] };
    const server = { credentialId: { toString: 1 } };
    at.put('s.json', squad('S', { credentialId: 'cred-other', model, server }));
    const { exitCode, err } = await env('push s.json --env prod --yes');
    expect([exitCode, at.seen]).toEqual([1, []]);
    expect(err).toContain('push/unmapped-id');
    expect(err).toContain('(credentialId cred-other, toolIds t-1, toolIds t-2)');
  });
});

describe('a run that has to stop', () => {
  /** Does this while a request of that method is answered. */
  const during = (method: string, act: () => void) => {
    const { held, answer } = open();
    at.answer((seen, response, nth) => {
      if (seen.method === method) act();
      answer(seen, response, nth);
    });
    for (const name of ['a', 'b']) at.put(`${name}.json`, squad(name));
    return held;
  };
  const lock = () => join(at.folder(), 'j.lock.1');
  const stopped = 'squadc: stopped; finished work is kept';

  it.each<[command: string, method: string, requests: string]>([
    ['push a.json b.json --yes', 'POST', 'POST squad'],
    ['push a.json --saved --yes', 'POST', 'POST assistant'],
    ['push a.json --yes', 'POST', 'POST squad'],
    ['push a.json b.json --numbers --yes', 'GET', 'GET phone-number?limit=1000'],
    ['pull a b', 'GET', 'GET workflow/a'],
    ['pull a --tool-names t', 'GET', 'GET workflow/a'],
  ])('stops at Ctrl-C after the request in hand: %s', async (line, method, requests) => {
    const held = during(method, at.interrupt);
    held.set('workflow/a', { nodes: [{ toolId: 't1' }] });
    await at.play(`${line} => 130 [${requests}] ${stopped}`);
    during('none', () => {});
    if (line.startsWith('push')) await at.play(`${line} => 0`);
    if (line.startsWith('push')) expect(new Set(states())).toEqual(new Set(['unknown', 'done']));
  });

  it('takes back and changes no more than what is in hand', async () => {
    during('DELETE', at.interrupt);
    await at.play('push a.json b.json --yes => 0');
    during('GET', at.interrupt).set('squad/squad-1', { id: 'squad-1', ...squad('a') });
    at.put('a.json', squad('new'));
    await at.play(`
      push a.json --yes => 130 [GET squad/squad-1] ${stopped}`);
    during('DELETE', at.interrupt);
    await at.play(`rollback --yes => 130 [DELETE squad/squad-2] ${stopped}`);
    during('none', () => {});
    await at.play('rollback --yes => 0 [DELETE squad/squad-1] 1 of 1 undone');
  });

  it.each<[what: string, act: () => void, says: string]>([
    ['removed', () => rmSync(lock()), 'journal/lost: …j.lock.1'],
    [
      'taken over',
      () => writeFileSync(lock(), '{"pid":1,"machine":"x"}'),
      'journal/lost: …j.lock.1',
    ],
  ])('sends nothing more once its lock was %s', async (_, act, says) => {
    during('POST', act);
    await at.play(
      `push a.json b.json --yes => 1 [POST squad] a.json: created squad…squadc: ${says}`,
    );
    expect([states(), existsSync(lock())]).toEqual([['unknown', 'done'], _ === 'taken over']);
    rmSync(lock(), { force: true });
    during('none', () => {});
    await at.play('push a.json b.json --yes => 0 [POST squad]');
  });

  it('names what it made when its journal was removed meanwhile', async () => {
    during('POST', () => rmSync(join(at.folder(), 'j')));
    await at.play(
      'push a.json b.json --yes => 1 [POST squad] push/unrecorded: …squad squad-1 exists',
    );
    expect(existsSync(lock())).toBe(false);
  });
});

describe('squadc rollback', () => {
  /** By the end of the address, the status of a deletion; 200 for the rest. */
  const deleting = (statuses: Record<string, number>) =>
    at.answer((seen, response, nth) =>
      json(statuses[seen.url.slice(-1)] ?? 200, {})(seen, response, nth),
    );

  const deletions = 'DELETE squad/id-3, DELETE squad/id-2, DELETE squad/id-1';

  async function createThree(): Promise<void> {
    at.answer((seen, response, nth) => json(201, { id: `id-${nth}` })(seen, response, nth));
    for (const name of ['a', 'b', 'c']) at.put(`${name}.json`, squad(name));
    await at.play('push a.json b.json c.json --yes => 0 [POST squad, POST squad, POST squad]');
  }

  it('shows what it would delete, deletes newest first, and writes it down', async () => {
    await createThree();
    await at.play(`
      rollback => 0 [] DELETE …/squad/id-3…DELETE …/squad/id-2…DELETE …/squad/id-1
        | 3 squads to undo (use --yes to do it)`);
    deleting({ 2: 404 });
    await at.play(`
      rollback --yes => 0 [${deletions}] squad id-3 deleted (c.json)
        | squad id-2 was already gone (b.json)
        | squad id-1 deleted (a.json)
        | 3 of 3 undone`);
    expect(states().slice(6)).toEqual(['undone', 'undone', 'undone']);
    await at.play('rollback --yes => 0 [] nothing to undo');
    await createThree();
  });

  it('keeps what could not be deleted, and stops at a 401', async () => {
    await createThree();
    deleting({ 3: 401 });
    await at.play(`
      rollback --yes => 1 [DELETE squad/id-3] squad id-3: api/unauthorized
        | squad id-2: api/not-tried…0 of 3 undone`);
    deleting({ 2: 500 });
    await at.play('rollback --yes => 1 squad id-2: api/server-error');
    deleting({});
    await at.play('rollback --yes => 0 [DELETE squad/id-2] squad id-2 deleted (b.json)');
  });

  it('deletes at one address only', async () => {
    await createThree();
    const [intent = '', created = ''] = at.text('j').split('\n');
    const other = [intent, created].map((line) =>
      line.replace('"thing":1', '"thing":4').replace(at.there(), 'https://other.example'),
    );
    at.put('j', `${at.text('j')}${other.join('\n')}\n`);
    deleting({});
    await at.play(`
      rollback --yes => 64 [] rollback/addresses
      rollback --yes --base-url ${at.there()} => 0 [${deletions}]`);
  });
});
