/** squadc pull, push and rollback against a platform on this machine. */
import { existsSync, readdirSync } from 'node:fs';
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

const has = (text: string) => expect.stringContaining(text);

const raw =
  (status: number, body: string | Uint8Array, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };

describe('squadc pull', () => {
  const workflow = { name: 'W', nodes: [], edges: [] };
  const at = platform({ attemptTimeoutMs: 1500 });
  afterEach(() => expect(at.written()).not.toContain(secret));

  const pull = (line: string) => at.squadc(`pull ${line} ${at.there()} -o out`);

  /** Answers by address; 404 elsewhere. */
  const places =
    (of: (url: string) => unknown): Answer =>
    (seen, response, nth) => {
      const found = of(seen.url);
      json(found === undefined ? 404 : 200, found ?? {})(seen, response, nth);
    };

  it('writes each workflow to a file of its own, digits and doubled keys as they came', async () => {
    at.answer(raw(200, '{"n":12345678901234567890,"n":1.10}'));
    at.put('ids', '# mine\nb\r\n\n  ../c \na\n');
    expect(await pull('a --ids-file ids')).toEqual({
      exitCode: 0,
      out: 'out/a.json\nout/b.json\nout/____c-9604b906fd0c.json\n',
      err: '3 of 3 workflows written\n',
      sent: ['a', 'b', '..%2Fc'].map((id) => `GET /v1/workflow/${id}`),
    });
    expect(at.text('out/b.json')).toBe('{\n  "n": 12345678901234567890,\n  "n": 1.10\n}\n');
    // The key may come from a file, and the address may end with a slash.
    at.put('key', `${secret}\n`);
    await at.squadc(`pull d --base-url ${at.baseUrl()}/ --key-file key -o out`);
    const authorization = `Bearer ${secret}`;
    expect(at.seen.at(-1)).toMatchObject({ url: '/v1/workflow/d', authorization });
    expect((await pull(secret)).out).toBe('out/••••.json\n');
  });

  it('fetches all that the platform lists, and what their tools are called', async () => {
    const named = { name: 'find_slot', description: 'Finds one.' };
    const held: Record<string, unknown> = {
      '/v1/workflow?limit=1000': [{ id: 'a', name: 'A' }, { id: 'b' }, { name: 'none' }],
      '/v1/workflow/a': { ...workflow, nodes: [{ type: 'tool', toolId: 't1' }] },
      '/v1/workflow/b': { ...workflow, model: { toolIds: ['t1', 't2', '../x'] }, key: secret },
      '/v1/tool/t1': { type: 'function', function: named },
      '/v1/tool/t2': { type: 'endCall' },
    };
    at.answer(places((url) => held[url]));
    const { exitCode, out, err, sent } = await pull('--all --tool-names tools.json');
    expect(out).toBe('out/a.json\nout/b.json\n');
    expect(JSON.parse(at.text('tools.json'))).toEqual({ t1: named });
    expect(sent).toContain('GET /v1/tool/..%2Fx');
    // Two tools tell no name, so not everything is done.
    expect([exitCode, err]).toEqual([1, has('platform/missing')]);
  });

  it('says that there may be more than the platform lists, or that it lists none', async () => {
    const listed = Array.from({ length: 1000 }, () => ({ id: 'a' }));
    at.answer(places((url) => (url.includes('limit') ? listed : workflow)));
    expect(await pull('--all')).toMatchObject({ exitCode: 0, err: has('platform/more') });
    at.answer(raw(200, '<html>'));
    const err = has('all workflows: platform/not-json: the response is not a JSON');
    expect(await pull('--all')).toMatchObject({ exitCode: 1, out: '', err });
    at.answer(json(200, { no: 'list' }));
    expect((await pull('--all')).err).toContain('not a JSON object (a list was expected)');
    at.answer(json(200, []));
    expect(await pull('--all')).toMatchObject({ exitCode: 0, err: '0 of 0 workflows written\n' });
  });

  it('goes on after a fault of one id, and stops where no other can do better', async () => {
    at.answer(places((url) => (url.endsWith('b') ? undefined : workflow)));
    const { exitCode, out, err } = await pull('a b c');
    expect([exitCode, out]).toEqual([1, 'out/a.json\nout/c.json\n']);
    expect(err).toMatch(/^b: platform\/missing: .*\(status 404\)\n {2}help: .*\n2 of 3/);
    at.answer(json(401, { message: `Invalid key ${secret}` }));
    const refused = await pull('a b');
    expect([refused.exitCode, refused.sent.length]).toEqual([1, 1]);
    expect(refused.err).toMatch(
      /^a: platform\/unauthorized: .*the environment variable API_KEY\)\n {2}the server says: Invalid key \[credential\]\n.*\nb: platform\/not-tried:/,
    );
    // Nobody listens on port 1.
    const nobody = await at.squadc('pull a --base-url http://127.0.0.1:1 --key-env API_KEY -o out');
    expect(nobody).toMatchObject({ exitCode: 1, err: has('a: platform/unreachable:') });
  });

  const cutOff: Answer = (_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"nodes":[]}');
    setTimeout(() => response.destroy(), 20);
  };
  it.each<[string, Answer, string]>([
    ['a year to wait', json(429, {}, { 'retry-after': '31536000' }), 'platform/limited'],
    ['trouble', json(503, { message: 'x' }), 'platform/server: the server failed (status 503, 4 a'],
    ['no answer', () => {}, 'platform/timeout'],
    ['HTML', raw(200, '<html>hi</html>'), 'not a JSON object (it is a web page)'],
    ['JSON cut off', raw(200, '{"nodes":['), 'the response is not a JSON object'],
    ['no UTF-8', raw(200, Uint8Array.of(0x7b, 0xff, 0x7d)), 'platform/truncated'],
    ['an array', raw(200, '[]'), 'the response is not a JSON object'],
    ['an answer cut off', cutOff, 'platform/truncated'],
    ['too much', raw(200, `"${'x'.repeat(17 * 1024 * 1024)}"`), 'platform/too-large'],
    ['control signs', json(400, { message: '\u001b[2Jgone\u202e' }), '[2Jgone\\u202e'],
    ['a web page of an error', raw(400, '<script>x</script>'), 'platform/refused'],
    ['another host', raw(302, '', { location: 'http://localhost:9/x' }), 'platform/redirect'],
    ['no permission', json(403, {}), 'platform/forbidden'],
  ])('takes %s for a fault of the id', async (_, answer, message) => {
    at.answer(answer);
    const { exitCode, out, err } = await pull('a');
    expect([exitCode, out, readdirSync(join(at.folder(), 'out'))]).toEqual([1, '', []]);
    expect(err).toContain(message);
    expect(err).not.toMatch(/[\p{Cc}\u202e](?<!\n)|<script/u);
    expect(err.length).toBeLessThan(1000);
  });

  const address = '--base-url https://x';
  const key = '--key-env API_KEY';
  it.each<[string, number, string]>([
    [`a ${address}`, 64, 'platform/no-key'],
    ['a', 64, 'Set VAPI_API_KEY, or name another variable with --key-env'],
    [`a ${address} --key ${secret}`, 64, "unknown option '--key'"],
    [`a ${address} --api-key=${secret}`, 64, "unknown option '--api-key'"],
    [`a ${address} --token ${secret}`, 64, "unknown option '--token'"],
    [`a ${address} --bearer=${secret}`, 64, "unknown option '--bearer'"],
    [`a ${address} --key-env ${secret}`, 1, 'takes the name of an environment variable'],
    [`a ${address} --key-env NOPE`, 1, 'is not set'],
    [`a ${address} --key-file ${secret}`, 1, 'cannot be read'],
    [`a ${address} --key-file two-words`, 1, 'platform/key:'],
    [`a ${address} --key-file empty`, 1, 'platform/key:'],
    [`a ${address} --key-env A --key-file b`, 64, 'cannot be'],
    [`a --base-url http://x.example ${key}`, 64, 'plain http'],
    [`a --base-url https://u:${secret}@x ${key}`, 64, 'password'],
    [`a --base-url https://x/?k=${secret} ${key}`, 64, 'query'],
    [`a --base-url ${secret} ${key}`, 64, 'it is not a URL'],
    [`a --base-url ftp://x ${key}`, 64, 'neither https nor http'],
    [`${address} ${key}`, 64, 'platform/no-ids'],
    [`.. ${address} ${key}`, 64, '("..")'],
    [`${'x'.repeat(201)} ${address} ${key}`, 64, 'platform/id'],
    [`a ${address} ${key} -o empty`, 1, 'cannot make the folder empty: '],
  ])('is not used like this: %s', async (line, code, message) => {
    at.put('two-words', 'line\nline');
    at.put('empty', '\n');
    const { exitCode, out, err } = await at.squadc(
      `pull ${line} -o out`.replace(/(-o empty) .*/, '$1'),
    );
    expect([exitCode, out]).toEqual([code, '']);
    expect(err).toContain(message);
    expect(err).not.toContain('line\nline');
  });
});

describe('the journal', () => {
  const at = platform({ attemptTimeoutMs: 300 });
  const hidden = 'literal-secret-of-the-squad';
  const intake = { name: 'Intake', server: { headers: { Authorization: hidden } } };
  const squad = (name: string, more: Held = {}) => ({
    name,
    members: [{ assistant: { ...intake, ...more } }, { assistantId: 'saved-1' }],
  });

  const states = () => {
    const lines = at.text('j').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line).state);
  };
  const push = (line: string) => at.squadc(`push ${line} --journal j ${at.there()}`);
  const rollback = (line = '--yes') => at.squadc(`rollback --journal j --key-env API_KEY ${line}`);

  /** An account that answers, and what it holds. */
  function open(held?: Map<string, Held>) {
    const opened = account(held);
    at.answer(opened.answer);
    return opened;
  }

  afterEach(() => {
    const journal = existsSync(join(at.folder(), 'j')) ? at.text('j') : '';
    for (const word of [secret, hidden]) expect(at.written() + journal).not.toContain(word);
  });

  describe('squadc push', () => {
    it('shows what it would send, and sends and writes nothing', async () => {
      at.put('s.json', squad('S\u001b'));
      const bytes = JSON.stringify(squad('S\u001b')).length;
      expect(await at.squadc(`push s.json --base-url ${at.baseUrl()} --journal j`)).toEqual({
        exitCode: 0,
        out:
          `s.json: POST ${at.baseUrl()}/squad, ${bytes} bytes, 2 members\n` +
          '  squad: S\\u001b\n  member: Intake\n  member: saved-1\n',
        err: 'nothing was sent (--yes sends it)\n',
        sent: [],
      });
      expect(readdirSync(at.folder())).toEqual(['s.json']);
    });

    it('creates each squad once, however often it is pushed, the intent before it is sent', async () => {
      const before: string[][] = [];
      at.answer((seen, response, nth) => {
        before.push(states());
        json(201, { id: `squad-${nth}` })(seen, response, nth);
      });
      at.put('s.json', squad('S'));
      at.put('laid-out.json', `\ufeff${JSON.stringify(squad('S'), null, 4)}\n`);
      at.put('t.json', squad('T'));
      expect(await push('s.json laid-out.json t.json --yes')).toMatchObject({
        exitCode: 0,
        out:
          's.json: created squad squad-1\n' +
          'laid-out.json: already pushed as squad squad-1; no changes\n' +
          't.json: created squad squad-2\n',
        sent: ['POST /v1/squad', 'POST /v1/squad'],
      });
      expect(at.seen.map(({ body }) => JSON.parse(body))).toEqual([squad('S'), squad('T')]);
      expect(at.seen[0]?.authorization).toBe(`Bearer ${secret}`);
      expect(before).toEqual([['unknown'], ['unknown', 'done', 'unknown']]);
      expect(await push('t.json s.json --yes')).toMatchObject({ exitCode: 0, sent: [] });
      expect((await push('s.json')).out).toContain('already pushed as squad squad-1');
      expect(states()).toHaveLength(4);
      expect(readdirSync(at.folder()).filter((name) => name.startsWith('j.'))).toEqual([]);
    });

    it('does not repeat what a crash left open, but on demand', async () => {
      at.answer(json(201, { id: 'x' }));
      await push(`${at.put('s.json', squad('S'))} --yes`);
      const [intent = ''] = at.text('j').split('\n');
      at.put('j', `${intent}\n{"squadc":"push-journal/2","thing":2,"st`);
      for (const flag of ['--yes', '']) {
        const again = await push(`s.json ${flag}`);
        expect(again).toMatchObject({ exitCode: 1, sent: [], err: has('--retry-unknown') });
        expect(again.err).toContain(
          's.json: push/unknown: it is unknown whether it exists (squad "S", requested at 2',
        );
      }
      expect(at.text('j')).toBe(`${intent}\n`);
      expect((await push('s.json --retry-unknown')).out).toContain('POST');
      const sent = ['POST /v1/squad'];
      expect(await push('s.json --yes --retry-unknown')).toMatchObject({ exitCode: 0, sent });
      const out = has('already pushed as');
      expect(await push('s.json --yes --retry-unknown')).toMatchObject({ sent: [], out });
    });

    it.each<[string, Answer, string]>([
      ['a 500', json(500, { message: 'oops' }), 'the request was sent'],
      ['a connection that breaks', (_, response) => response.destroy(), 'push/unknown'],
      ['no JSON', raw(201, '<html>'), 'push/unknown'],
      ['no id', json(201, { name: 'S' }), 'the server accepted it, but its response has no'],
      ['an id that is none', json(201, { id: '../x y' }), 'push/unknown'],
      ['the key for an id', json(201, { id: secret }), 'push/unknown'],
    ])('takes a squad for doubtful after %s', async (_, answer, message) => {
      at.answer(answer);
      const sent = ['POST /v1/squad'];
      const err = has(message);
      expect(await push(`${at.put('s.json', squad('S'))} --yes`)).toMatchObject({
        exitCode: 1,
        sent,
        err,
      });
      expect(states()).toEqual(['unknown']);
      expect(await push('s.json --yes')).toMatchObject({ sent: [], err: has('push/unknown') });
      expect(await rollback()).toMatchObject({
        exitCode: 0,
        sent: [],
        err: has('s.json: rollback/unknown: warning:'),
      });
    });

    it('says what the server complains of, without secrets, however they are cut', async () => {
      const message = ['bad voice', `got ${hidden}`, `${'x'.repeat(280)}${secret}`];
      at.answer(inTurn(json(400, { message }), json(201, { id: 'x' })));
      const first = await push(`${at.put('s.json', squad('S'))} --yes`);
      expect(first.exitCode).toBe(1);
      expect(first.err).toContain(
        's.json: platform/refused: the server rejects the request (status 400)',
      );
      expect(first.err).toContain('the server says: bad voice; got ••••');
      expect(first.err).not.toContain(secret.slice(0, 4));
      expect(states()).toEqual(['unknown', 'refused']);
      expect((await push('s.json --yes')).exitCode).toBe(0);
    });

    it('stops at a 401', async () => {
      at.answer(json(401, {}));
      for (const name of ['s', 't']) at.put(`${name}.json`, squad(name));
      const err = has('t.json: platform/not-tried');
      const sent = ['POST /v1/squad'];
      expect(await push('s.json t.json --yes')).toMatchObject({ exitCode: 1, sent, err });
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
    ])(
      'refuses %j, names every such file and sends none of the others',
      async (document, code, help) => {
        at.put('s.json', document);
        at.put('good.json', squad('S'));
        for (const flag of ['', '--yes']) {
          const { exitCode, out, err, sent } = await push(`s.json good.json gone ${flag}`);
          expect([exitCode, out, sent]).toEqual([1, '', []]);
          expect(err).toMatch(
            /^squadc: s\.json: .+\n {2}help: .+\ncannot read gone: .+\nnothing was sent\n$/,
          );
          expect(err).toContain(`s.json: ${code}:`);
          expect(err).toContain(help);
        }
      },
    );

    it('refuses a journal that is none or that another run holds', async () => {
      at.answer(json(201, { id: 'x' }));
      at.put('s.json', squad('S'));
      at.put('j', '{"name":"W"}\n');
      for (const flag of ['', '--yes']) {
        const { exitCode, err, sent } = await push(`s.json ${flag}`);
        expect([exitCode, sent, at.text('j')]).toEqual([1, [], '{"name":"W"}\n']);
        expect(err).toContain('(j:1)');
      }
      at.put('j', '');
      const holder = { pid: process.pid, machine: thisMachine(), since: null };
      at.put('j.lock.1', holder);
      const locked = await push('s.json --yes');
      expect(locked).toMatchObject({ exitCode: 1, sent: [], err: has('journal/locked') });
      expect(locked.err).toContain('j.lock.1');
      // Beyond any process id that a system gives.
      at.put('j.lock.1', { ...holder, pid: 999_999_999 });
      expect((await push('s.json --yes')).exitCode).toBe(0);
      at.put('k/x', '');
      const folder = await at.squadc(`push s.json --journal k --yes ${at.there()}`);
      expect(folder).toMatchObject({
        exitCode: 1,
        err: has('journal/file: the journal cannot be read or written (k, '),
      });
    });

    it.each([
      ['s.json --yes', 'platform/no-key'],
      ['- -', 'only one input can be read from standard input'],
      ['', 'name a file, or --numbers'],
    ])('is not used like this: %j', async (line, message) => {
      at.put('s.json', squad('S'));
      const ran = await at.squadc(`push ${line} --base-url ${at.baseUrl()}`);
      expect(ran).toMatchObject({ exitCode: 64, sent: [], err: has(message) });
    });
  });

  describe('squadc push, after a change', () => {
    const hello = () =>
      at.put('s.json', squad('S', { firstMessage: 'Hello.', voice: { id: 'v' } }));
    const goodDay = () => at.put('s.json', squad('S', { firstMessage: 'Good day.' }));

    it.each(['', '--saved'])('changes what it made, and only what changed %s', async (flag) => {
      const { held } = open();
      await push(`${hello()} ${flag} --yes`);
      const field = flag === '' ? 'members.0.assistant.' : '';
      const shown = await push(`${goodDay()} ${flag}`);
      expect(shown.sent).toEqual([]);
      expect(shown.out).toContain(`PATCH ${at.baseUrl()}/`);
      expect(shown.out).toContain(`  changes: ${field}firstMessage\n  changes: ${field}voice.id\n`);
      const changed = await push(`s.json ${flag} --yes`);
      const out = has(`  changed: ${field}firstMessage\n`);
      expect(changed).toMatchObject({ exitCode: 0, out });
      expect(changed.sent.map((each) => each.split(' ')[0])).toEqual(['GET', 'PATCH']);
      const all = JSON.stringify([...held.values()]);
      expect([all.includes('Good day.'), all.includes('"v"')]).toEqual([true, false]);
      expect(await push(`s.json ${flag} --yes`)).toMatchObject({ exitCode: 0, sent: [] });
      // The same file as it was before is a change, too.
      expect((await push(`${hello()} ${flag} --yes`)).out).toContain('changed');
    });

    // biome-ignore lint/suspicious/noExplicitAny: a thing on the platform has any members
    it.each<[string, (thing: any) => void]>([
      ['name', (thing) => Object.assign(thing, { name: 'Mine' })],
      [
        'membersOverrides.voice.id',
        (thing) => Object.assign(thing, { membersOverrides: { voice: { id: 'x' } } }),
      ],
      [
        'members.0.assistant.firstMessage',
        (thing) => delete thing.members[0].assistant.firstMessage,
      ],
      ['backgroundSound', (thing) => Object.assign(thing, { backgroundSound: 'office' })],
    ])('refuses where somebody edited %s since', async (field, edit) => {
      const { held } = open();
      await push(`${hello()} --yes`);
      edit(held.get('squad/squad-1'));
      const { exitCode, err, sent } = await push(`${goodDay()} --yes`);
      expect([exitCode, sent]).toEqual([1, ['GET /v1/squad/squad-1']]);
      expect(err).toContain(`since it was pushed (squad squad-1, ${field})\n`);
      expect(states()).toEqual(['unknown', 'done']);
    });

    it('goes on where a change was left open, and whatever became of it', async () => {
      for (const wasTaken of [true, false]) {
        at.put('j', '');
        const { answer } = open();
        await push(`${hello()} --yes`);
        at.answer((seen, response, nth) => {
          if (seen.method !== 'PATCH') answer(seen, response, nth);
          else if (wasTaken) answer(seen, { writeHead() {}, end() {} } as never, nth);
          if (seen.method === 'PATCH') response.destroy();
        });
        expect((await push(`${goodDay()} --yes`)).err).toContain('platform/broken');
        at.answer(answer);
        const out = has('changed squad squad-1');
        expect(await push('s.json --yes')).toMatchObject({ exitCode: 0, out });
      }
    });

    it('knows what it made after a change that was refused', async () => {
      const { answer, held } = open();
      await push(`${hello()} --yes`);
      at.answer((seen, response, nth) => {
        (seen.method === 'PATCH' ? json(400, {}) : answer)(seen, response, nth);
      });
      expect((await push(`${goodDay()} --yes`)).err).toContain('platform/refused');
      Object.assign(held.get('squad/squad-1')!, squad('S', { firstMessage: 'Good day.' }));
      expect((await push('s.json --yes')).err).toContain('push/edited');
      expect((await push(`${hello()} --yes`)).out).toContain('already pushed as squad squad-1');
      expect(states()).toEqual(['unknown', 'done', 'done', 'done']);
    });

    it('says that what it is to change is gone', async () => {
      const { held } = open();
      await push(`${hello()} --yes`);
      held.clear();
      expect((await push(`${goodDay()} --yes`)).err).toContain('s.json: platform/missing');
      await rollback();
      expect((await push('s.json --yes')).out).toContain('created squad');
    });
  });

  describe('squadc push --saved', () => {
    const destination = { type: 'assistant', assistantName: 'B', description: 'd' };
    const handoff = { type: 'handoff', destinations: [destination] };
    const assistants = ['A', 'B', 'C'].map((name) => ({
      ...intake,
      name,
      model: { tools: [handoff] },
    }));
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

    it('creates the assistants first, then a squad of their ids', async () => {
      const { held } = open();
      const shown = await push(`${at.put('s.json', document)} --saved`);
      expect(shown.out.match(/POST \S+/g)).toEqual(
        ['assistant', 'assistant', 'assistant', 'squad'].map(
          (kind) => `POST ${at.baseUrl()}/${kind},`,
        ),
      );
      expect(await push('s.json --saved --yes')).toMatchObject({
        exitCode: 0,
        err: '1 of 1 squad is there; journal: j\n',
        out:
          's.json: created assistant assistant-1 (A)\ns.json: created assistant assistant-2 (B)\n' +
          's.json: created assistant assistant-3 (C)\ns.json: created squad squad-1\n',
      });
      const members = [
        { assistantId: 'assistant-1', assistantOverrides: { firstMessage: '' } },
        { assistantId: 'assistant-2' },
        { assistantId: 'saved-1' },
        { assistantId: 'assistant-3', assistantDestinations: [destination] },
      ];
      const bodies = at.seen.map(({ body }) => JSON.parse(body));
      expect(bodies).toEqual([...assistants, { ...document, members }]);
      expect(await push('s.json --saved --yes')).toMatchObject({ exitCode: 0, sent: [] });
      expect((await rollback()).sent).toEqual(
        ['squad/squad-1', ...[3, 2, 1].map((each) => `assistant/assistant-${each}`)].map(
          (each) => `DELETE /v1/${each}`,
        ),
      );
      expect(held.size).toBe(0);
    });

    it.each([1, 3])('goes on where request %i was the last', async (last) => {
      const { held, answer } = open();
      at.answer((seen, response, nth) =>
        nth > last ? json(503, {})(seen, response, nth) : answer(seen, response, nth),
      );
      const first = await push(`${at.put('s.json', document)} --saved --yes`);
      expect(first).toMatchObject({ exitCode: 1, err: has('push/unknown') });
      expect(await push('s.json --saved --yes')).toMatchObject({ exitCode: 1, sent: [] });
      at.answer(answer);
      await push('s.json --saved --yes --retry-unknown');
      const all = [1, 2, 3].map((number) => `assistant/assistant-${number}`);
      expect([...held.keys()]).toEqual([...all, 'squad/squad-1']);
      await rollback();
      expect(held.size).toBe(0);
    });

    it('looks at everything that it has to change before it changes anything', async () => {
      const { held } = open();
      await push(`${at.put('s.json', document)} --saved --yes`);
      Object.assign(held.get('assistant/assistant-3')!, { firstMessage: 'Mine.' });
      const changed = document.members.map((member) =>
        member.assistant
          ? { ...member, assistant: { ...member.assistant, firstMessage: 'Hi.' } }
          : member,
      );
      at.put('s.json', { ...document, members: changed });
      const { err, exitCode, sent } = await push('s.json --saved --yes');
      const looked = [1, 2, 3].map((number) => `GET /v1/assistant/assistant-${number}`);
      expect([exitCode, sent]).toEqual([1, looked]);
      expect(err).toMatch(
        /s\.json: assistant C: push\/edited: .*\(assistant assistant-3 \(C\), firstMessage\)\n/,
      );
      // What our file leaves as it is may be edited on the platform as one likes.
      at.put('s.json', { ...document, members: [changed[0], ...document.members.slice(1)] });
      expect((await push('s.json --saved --yes')).exitCode).toBe(0);
      expect(held.get('assistant/assistant-3')).toMatchObject({ firstMessage: 'Mine.' });
    });

    it('makes a squad that was pushed whole one of saved assistants', async () => {
      const { held } = open();
      await push(`${at.put('s.json', document)} --yes`);
      await push('s.json --saved --yes');
      expect([...held.keys()].filter((key) => key.startsWith('squad'))).toEqual(['squad/squad-1']);
      expect(held.get('squad/squad-1')).toMatchObject({
        members: [{ assistantId: 'assistant-1' }, {}, {}, {}],
      });
    });
  });

  describe('squadc push --numbers', () => {
    const lines = () =>
      open(
        new Map<string, Held>([
          ['phone-number/p1', { id: 'p1', number: '+12025550100', workflowId: 'wf-desk' }],
          ['phone-number/p2', { id: 'p2', number: '+12025550101', workflowId: 'wf-other' }],
          ['phone-number/p3', { id: 'p3', sipUri: 'sip:desk@example.com', workflowId: 'wf-desk' }],
          ['campaign/c1', { id: 'c1', name: 'Autumn', workflowId: 'wf-desk' }],
        ]),
      );
    function migrated() {
      at.put('desk/result.json', { workflow: { id: 'wf-desk' } });
      return at.put('desk/squad.json', squad('Desk'));
    }
    const named = ({ held }: ReturnType<typeof lines>) =>
      ['phone-number/p1', 'phone-number/p2', 'phone-number/p3', 'campaign/c1'].map(
        (key) => held.get(key)!['workflowId'] ?? held.get(key)!['squadId'],
      );

    it('lists what names a migrated workflow, moves it, and takes it back', async () => {
      const all = lines();
      const shown = await push(`${migrated()} --numbers`);
      expect(shown.out).toContain(
        `number +12025550100 (p1): PATCH ${at.baseUrl()}/phone-number/p1: workflow wf-desk → the squad of desk/squad.json\n`,
      );
      expect(shown.out).toContain('number sip:desk@example.com (p3)');
      expect(shown.out).toContain(`campaign Autumn (c1): PATCH ${at.baseUrl()}/campaign/c1`);
      expect(shown.out).not.toContain('p2');
      expect(shown.sent).toEqual([
        'GET /v1/phone-number?limit=1000',
        'GET /v1/campaign?limit=1000&status=scheduled',
      ]);
      expect(await push('desk/squad.json --numbers --yes')).toMatchObject({
        exitCode: 0,
        out: has('number +12025550100 (p1): squad squad-1 in the place of workflow wf-desk\n'),
        err: has('3 of 3 phone numbers and campaigns moved; journal: j\n'),
      });
      expect(named(all)).toEqual(['squad-1', 'wf-other', 'squad-1', 'squad-1']);
      const patch = at.seen.find(({ method }) => method === 'PATCH');
      expect(JSON.parse(patch?.body ?? '')).toEqual({ squadId: 'squad-1', workflowId: null });
      // Nothing is left to move, with the journal alone as well.
      expect((await push('--numbers --yes')).err).toContain('0 of 0 phone numbers');
      expect(await rollback('')).toMatchObject({
        out: has(`PATCH ${at.baseUrl()}/campaign/c1: workflow wf-desk (desk/squad.json, 2`),
        err: '1 squad, 2 numbers, 1 campaign to take back (use --yes to do it)\n',
      });
      expect((await rollback()).out.split('\n').slice(0, 2)).toEqual([
        'campaign c1 names workflow wf-desk again (desk/squad.json)',
        'number p3 names workflow wf-desk again (desk/squad.json)',
      ]);
      expect(named(all)).toEqual(['wf-desk', 'wf-other', 'wf-desk', 'wf-desk']);
      expect(all.held.has('squad/squad-1')).toBe(false);
      await push('desk/squad.json --numbers --yes');
      expect(named(all)[0]).toMatch(/^squad-/);
    });

    it('takes back what was left open, and leaves what somebody moved on', async () => {
      const all = lines();
      at.answer((seen, response, nth) => {
        const isLost = seen.method === 'PATCH';
        all.answer(seen, isLost ? ({ writeHead() {}, end() {} } as never) : response, nth);
        if (isLost) response.destroy();
      });
      const lost = await push(`${migrated()} --numbers --yes`);
      expect(lost).toMatchObject({
        exitCode: 1,
        err: has('number +12025550100 (p1): platform/broken'),
      });
      expect(named(all)).toEqual(['squad-1', 'wf-other', 'squad-1', 'squad-1']);
      Object.assign(all.held.get('phone-number/p3')!, { squadId: 'another' });
      at.answer(all.answer);
      const out = has('number p3 was changed since then; left alone');
      expect(await rollback()).toMatchObject({ exitCode: 0, out });
      expect(named(all)).toEqual(['wf-desk', 'wf-other', 'another', 'wf-desk']);
    });

    it('says what could not be listed; an account without campaigns is as good', async () => {
      const { answer } = lines();
      at.answer((seen, response, nth) =>
        seen.url.includes('campaign')
          ? json(404, {})(seen, response, nth)
          : answer(seen, response, nth),
      );
      expect((await push(`${migrated()} --numbers --yes`)).exitCode).toBe(0);
      at.answer(json(200, { no: 'list' }));
      const err = has('phone numbers: platform/not-json');
      expect(await push('--numbers')).toMatchObject({ exitCode: 1, err });
      at.answer(json(500, {}));
      expect(await push('--numbers')).toMatchObject({
        exitCode: 1,
        err: has('campaigns: platform/server'),
      });
      at.answer(json(200, Array(1000).fill({})));
      expect((await push('--numbers')).err).toContain('phone numbers: platform/more: warning:');
    });
  });

  describe('squadc rollback', () => {
    /** By the end of the address, the status of a deletion; 200 for the rest. */
    const deleting = (statuses: Record<string, number>) =>
      at.answer((seen, response, nth) =>
        json(statuses[seen.url.slice(-1)] ?? 200, {})(seen, response, nth),
      );

    async function createThree(): Promise<void> {
      at.answer((seen, response, nth) => json(201, { id: `id-${nth}` })(seen, response, nth));
      for (const name of ['a', 'b', 'c']) at.put(`${name}.json`, squad(name));
      expect((await push('a.json b.json c.json --yes')).sent).toHaveLength(3);
    }

    it('shows what it would delete, deletes newest first, and writes it down', async () => {
      await createThree();
      const urls = [3, 2, 1].map((number) => `squad/id-${number}`);
      const shown = await rollback('');
      expect(shown).toMatchObject({
        exitCode: 0,
        err: '3 squads to take back (use --yes to do it)\n',
        sent: [],
      });
      expect(shown.out.match(/DELETE \S+/g)).toEqual(
        urls.map((url) => `DELETE ${at.baseUrl()}/${url}`),
      );
      deleting({ 2: 404 });
      expect(await rollback()).toEqual({
        exitCode: 0,
        out: 'squad id-3 deleted (c.json)\nsquad id-2 was already gone (b.json)\nsquad id-1 deleted (a.json)\n',
        err: '3 of 3 taken back\n',
        sent: urls.map((url) => `DELETE /v1/${url}`),
      });
      expect(states().slice(6)).toEqual(['undone', 'undone', 'undone']);
      expect(await rollback()).toMatchObject({ err: 'nothing to take back\n', sent: [] });
      await createThree();
    });

    it('keeps what could not be deleted, and stops at a 401', async () => {
      await createThree();
      deleting({ 3: 401 });
      const stopped = await rollback();
      expect([stopped.exitCode, stopped.sent.length]).toEqual([1, 1]);
      expect(stopped.err).toMatch(
        /^squad id-3: platform\/unauthorized[\s\S]*\nsquad id-2: platform\/not-tried[\s\S]*\n0 of 3 taken back\n$/,
      );
      deleting({ 2: 500 });
      expect(await rollback()).toMatchObject({
        exitCode: 1,
        err: has('squad id-2: platform/server'),
      });
      deleting({});
      expect((await rollback()).out).toBe('squad id-2 deleted (b.json)\n');
    });

    it('deletes at one address only', async () => {
      await createThree();
      const [intent = '', created = ''] = at.text('j').split('\n');
      const other = [intent, created].map((line) =>
        line.replace('"thing":1', '"thing":4').replace(at.baseUrl(), 'https://other.example'),
      );
      at.put('j', `${at.text('j')}${other.join('\n')}\n`);
      expect(await rollback()).toMatchObject({ exitCode: 64, err: has('rollback/addresses') });
      deleting({});
      const here = await rollback(`--yes --base-url ${at.baseUrl()}`);
      expect([here.exitCode, here.sent.length]).toEqual([0, 3]);
    });

    it.each([
      ['', 1, 'there is no journal (squadc-journal.jsonl)'],
      ['--journal none --key-env API_KEY', 1, 'journal/missing'],
      ['--journal none --yes', 64, 'platform/no-key'],
      [`--journal none --token ${secret}`, 64, "unknown option '--token'"],
      ['--journal none --base-url http://x.example', 64, 'plain http'],
    ])('refuses %j', async (line, exitCode, message) => {
      expect(await at.squadc(`rollback ${line}`)).toMatchObject({ exitCode, err: has(message) });
    });
  });
});
