/** squadc serve and sandbox, as far as the commands go; what is served is in test/serve and test/sandbox. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSandbox } from '../../src/sandbox/sandbox.js';
import {
  addressOf,
  has,
  type Surroundings,
  sendCalls,
  serving,
  temporaryFolder,
  transcript,
} from './fake-io.js';

const given = temporaryFolder();
const { folder, put, squadc } = given;
const env = {
  BILLS: 'sandbox-key',
  DOCUMENTS: 'sandbox-key',
  TOOLS: 'correct-horse-1',
  NEXT: 'correct-horse-2',
  BAD: 'a b\nc',
};

/** Starts `serve` or `sandbox` on a free port, until the test has ended. */
async function start(line: string, service = 'tools', more: Surroundings['env'] = {}) {
  const command = serving(`${line} --port 0`, { cwd: folder, env: { ...env, ...more } });
  onTestFinished(async () => {
    command.interrupt();
    await command.ended;
  });
  return { ...command, url: await addressOf(command, service) };
}

const served = (config: object, line = '--sandbox', more?: Surroundings['env']) =>
  start(`serve --config ${put('serve.json', config)} ${line}`.trim(), 'tools', more);
const lines = (text: string) => text.trimEnd().split('\n');
const widest = (text: string) => Math.max(...lines(text).map(({ length }) => length));

/** The lines of a log, once there are so many. */
async function logOf({ io }: Awaited<ReturnType<typeof start>>, count: number) {
  await expect.poll(() => lines(io.out()).length).toBe(count);
  return lines(io.out()).map((line) => JSON.parse(line));
}

describe('squadc serve --sandbox', () => {
  it('binds what operations need that a caller never decides', async () => {
    const { url } = await start('serve --sandbox');
    const fileUrl = 'https://files.example.com/a.pdf';
    const bill = { netAmount: 5, billDate: '2026-01-31', vendorNumber: 'V-1' };
    const calls: readonly (readonly [name: string, given: object])[] = [
      ['extract_document', { fileUrl }],
      ['classify_document', { fileUrl }],
      ['split_document', { fileUrl }],
      ['run_document_workflow', { fileUrl }],
      ['create_bill', bill],
      ['send_bill_to_approval', { idBill: 1 }],
      ['list_organization_bills', {}],
    ];
    const sent = calls.map(([name, given]) => ({ id: name, name, arguments: given }));
    // As many at a time as the server takes.
    const answers = [
      ...(await sendCalls(url, sent.slice(0, 4))),
      ...(await sendCalls(url, sent.slice(4))),
    ];
    for (const answer of answers) expect(answer).toHaveProperty('result');
  });

  it('prints a command to try that works, in lines that fit a terminal', async () => {
    const { io, url } = await start('serve --sandbox');
    const said = io.err();
    expect(widest(said)).toBeLessThanOrEqual(80);
    expect(said).toContain('any local process can call');
    const [, address = '', body = ''] = /^curl (\S+) -d '([^']+)'$/m.exec(said) ?? [];
    expect(address).toBe(url);
    const answer = await (await fetch(address, { method: 'POST', body })).text();
    expect(answer).toContain('TRIAL-1');
    expect(io.out()).not.toContain('TRIAL-1');
    const headers = { origin: 'http://localhost:1' };
    expect((await fetch(address, { method: 'POST', body, headers })).status).toBe(401);
  });

  it('logs each call, each refused request and each fault, and nothing that anybody said', async () => {
    const trial = await start('serve --sandbox');
    const headers = { 'x-request-id': 'req-12345' };
    const calls = [
      { id: 'a', name: 'get_bill', arguments: { idBill: 1 } },
      { id: 'b', name: 'create_bill', arguments: { billNumber: 'Jane Doe' } },
      { id: 'c', name: 'Jane Doe', arguments: {} },
    ];
    await sendCalls(trial.url, calls, { callId: 'Jane Doe', headers });
    await fetch(`${trial.url}/?token=Jane`, { method: 'POST', headers, body: 'no JSON' });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const common = { time, request: 'req-12345', ms: expect.any(Number) };
    const rows = [
      { toolCallId: 'a', tool: 'get_bill', operation: 'bills.get', outcome: 'done' },
      { toolCallId: 'b', tool: 'create_bill', operation: 'bills.create', outcome: 'bad-arguments' },
      { toolCallId: 'c', outcome: 'unknown-tool' },
    ].map((row) => ({ ...common, event: 'call', ...row }));
    const logged = await logOf(trial, 4);
    expect(logged).toEqual(
      expect.arrayContaining([...rows, { ...common, event: 'refused', status: 400 }]),
    );
    expect(trial.io.out() + trial.io.err()).not.toContain('Jane');
    const services = await createSandbox();
    onTestFinished(() => services.close());
    const bills = { baseUrl: services.billsUrl, apiKeyEnv: 'TOOLS' };
    const real = await served({ bills, allow: ['bills.get'], bind: { entry: 'shop' } }, '');
    await sendCalls(real.url, calls.slice(0, 1));
    const { error, ...about } = (await logOf(real, 2)).find(({ event }) => event === 'error');
    expect(about).toMatchObject({ toolCallId: 'a', operation: 'bills.get' });
    expect(error).toMatchObject({ code: 'api/unauthorized', status: 401, outcome: 'refused' });
    for (const word of ['serviceMessage', 'message']) expect(error).not.toHaveProperty(word);
  });
});

describe('squadc serve', () => {
  it('requires the secret from every caller, and never shows it', async () => {
    const { url, io } = await served({ secret: { env: ['TOOLS', 'NEXT'] } });
    expect(io.err()).toContain('in the header authorization');
    expect(io.err()).toContain(`curl ${url} -H "authorization: Bearer $TOOLS" \\\n`);
    const call = [{ id: '1', name: 'get_bill', arguments: { idBill: 1 } }];
    await expect(sendCalls(url, call)).rejects.toThrow('401');
    for (const value of [env.TOOLS, env.NEXT]) {
      const headers = { authorization: `Bearer ${value}` };
      expect((await sendCalls(url, call, { headers }))[0]).toHaveProperty('result');
    }
    expect(io.out() + io.err()).not.toContain('correct-horse');
    const other = await served({ secret: { env: 'TOOLS', header: 'x-tools' } });
    expect(other.io.err()).toContain('-H "x-tools: $TOOLS"');
    expect(await sendCalls(other.url, [], { headers: { 'x-tools': env.TOOLS } })).toEqual([]);
    const open = await served({ secret: { env: 'TOOLS' } }, '--sandbox --host 0.0.0.0');
    expect(open.url).toMatch(/^http:\/\/0\.0\.0\.0:\d+$/);
  });

  it('sends calls to the services that its configuration names', async () => {
    const sandbox = await createSandbox();
    onTestFinished(() => sandbox.close());
    const client = { clientIdEnv: 'ID', clientSecretEnv: 'WORD' };
    const config = {
      secret: { env: 'TOOLS' },
      bills: { baseUrl: sandbox.billsUrl, ...client },
      documents: { baseUrl: sandbox.documentsUrl, apiKeyEnv: 'DOCUMENTS' },
      allow: ['bills.create', 'documents.parseRuns.get'],
      bind: { entry: 'shop' },
      fileHosts: ['files.example.com'],
      limits: { deadlineMs: 10_000 },
      server: { requests: 8 },
    };
    const more = { ID: 'sandbox-client', WORD: 'sandbox-secret' };
    const { url, io } = await served(config, '', more);
    expect(io.err()).toMatch(/^operations +bills\.create, documents\.parseRuns\.get$/m);
    const bill = { netAmount: 5, billDate: '2026-01-31', vendorNumber: 'V-1' };
    const results = await sendCalls(
      url,
      [
        { id: '1', name: 'create_bill', arguments: bill },
        { id: '2', name: 'get_parse_status', arguments: { id: 'pr_none' } },
      ],
      { headers: { authorization: `Bearer ${env.TOOLS}` } },
    );
    expect(results).toMatchObject([{ result: has('') }, { error: has('I could not find that') }]);
    const asked = sandbox.requests.map(({ operation, status }) => `${operation} ${status}`);
    // A run that this conversation did not start is not even asked for.
    expect(new Set(asked)).toEqual(new Set(['token.create 200', 'bills.create 200']));
    expect(sandbox.bills.all()[0]).toMatchObject({ PaypointEntryname: 'shop', NetAmount: 5 });
    expect(io.out() + io.err()).not.toMatch(/sandbox-(?:secret|key)|correct-horse/);
  });
});

describe('a configuration', () => {
  const bills = { baseUrl: 'http://127.0.0.1:1/api', apiKeyEnv: 'BILLS' };
  const documents = { baseUrl: 'http://127.0.0.1:1', apiKeyEnv: 'DOCUMENTS' };

  /** What is said of one that is refused. */
  async function faultsOf(config: string | object): Promise<string[]> {
    const line = `serve --config ${put('serve.json', config)} --port 0`;
    const { exitCode, out, err } = await squadc(line, { env });
    expect([exitCode, out]).toEqual([1, '']);
    const [head, ...faults] = lines(err);
    const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`;
    expect(head).toBe(`squadc: serve.json has ${count}:`);
    return faults.map((each) => each.trim());
  }

  it.each<[config: string | object, ...faults: string[]]>([
    [
      { secret: {}, documents: [], tools: { b: {} }, limits: { deadlineMs: 60_000 }, binds: {} },
      'must not have “binds”',
      '/secret must have “env”',
      '/documents must be an object',
      '/tools/b must have “operation”',
      '/limits/deadlineMs must be at most 20000',
    ],
    [
      {
        secret: { env: 'UNSET' },
        bills: { baseUrl: 'http://example.com', apiKeyEnv: 'BILLS' },
        documents: { baseUrl: 'https://example.com', apiKeyEnv: 'BAD' },
        allow: ['bills.gt'],
      },
      '/secret/env names an environment variable that is not set',
      '/bills/baseUrl must be an https address',
      '/documents/apiKey contains characters that cannot be sent',
    ],
    [{ allow: ['bills.get'], bind: { entry: 'shop' } }, '/allow names an unknown operation '],
    [{ bills, allow: ['bills.get'] }, '/bind/entry must be bound, '],
    [{ bills: { baseUrl: bills.baseUrl } }, '/bills/auth is invalid: use apiKeyEnv'],
    [{ secret: { env: 'BAD' } }, '/secret/value contains characters that cannot be sent'],
    [{ bills: { ...bills, apiKey: 'x' } }, '/bills/apiKey is not written into a file: name an'],
    ['{"allow":[],"allow":["bills.get"]}', 'line 1, column 13: '],
    ['[]', 'must be an object'],
  ])('with faults is refused, with all of them: %j', async (config, ...faults) => {
    expect(await faultsOf(config)).toEqual(faults.map(has));
  });

  it('never repeats a secret that was written into the wrong place', async () => {
    const word = 'hunter2-hunter2';
    for (const config of [
      { secret: { value: word } },
      { secret: { env: word } },
      { secret: word },
      { bills: { baseUrl: `https://${word}@example.com`, apiKeyEnv: 'BILLS' } },
      { bills: { baseUrl: bills.baseUrl, apiKey: word } },
      { bills: { baseUrl: bills.baseUrl, apiKeyEnv: 'hunter2hunter2' } },
      { documents: { ...documents, apiKey: word, apiVersion: word } },
      { allow: [word], fileHosts: [`${word}/`], tools: { a: word } },
      `{"secret": ${word}}`,
    ]) {
      expect((await faultsOf(config)).join()).not.toContain('hunter2');
    }
  });
});

describe('squadc sandbox', () => {
  const version = { 'x-service-api-version': '2026-02-09' };
  const keyed = { authorization: 'Bearer sandbox-key' };

  it('serves both services until it is interrupted', async () => {
    const command = await start('sandbox', 'bills');
    expect(command.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/);
    const headers = { requestToken: 'sandbox-key' };
    expect((await fetch(`${command.url}/Query/bills/shop`, { headers })).status).toBe(200);
    const documents = await addressOf(command, 'documents');
    expect((await fetch(`${documents}/files`, { headers: { ...keyed, ...version } })).status).toBe(
      200,
    );
    command.interrupt();
    expect([await command.ended, command.listening(), command.io.err()]).toEqual([0, false, '']);
    await expect(fetch(`${command.url}/Bill/1`)).rejects.toThrow();
  });

  it('injects faults, and prints what to send, in lines that fit a terminal', async () => {
    const flags = '--fault-share 0.25 --faults reset,status=503 --seed 7';
    const { io } = await start(`sandbox ${flags}`, 'bills');
    expect(widest(io.out())).toBeLessThanOrEqual(80);
    const said = io.out().replaceAll(/\s+/g, ' ');
    for (const text of [
      'requestToken: sandbox-key',
      'issued at /v2/Token/serverside to clientId sandbox-client,',
      'Authorization: Bearer sandbox-key',
      'x-service-api-version: 2026-02-09',
      '25 % of requests: reset, status=503',
    ]) {
      expect(said).toContain(text);
    }
    const other = await start('sandbox --fault-share 1 --faults status=418', 'bills');
    expect((await fetch(`${other.url}/Bill/1`)).status).toBe(418);
  });
});

describe('wrong usage', () => {
  const hosts = ['0.0.0.0', '::', 'example.com', '127.0.0.1.example.com'].map(
    (host) => `
    serve --sandbox --host ${host} => 64 a server that others can reach needs a secret
      | help:`,
  );
  const others = `
    serve => 64 pass --config or --sandbox
    serve --sandbox --port 70000 => 64 Expected a whole number from 0 to 65535.
    serve --secret x => 64 unknown option '--secret'
    sandbox --faults reset,explode => 64 unknown fault 'explode'
    sandbox --fault-share 2 => 64 Expected a number from 0 to 1.
    sandbox --port 70000 => 64 Expected a whole number from 0 to 65535.`;
  transcript(given, others + hosts.join(''));

  it.each([
    ['serve --sandbox', 'tools', '127.0.0.1, port'],
    ['sandbox', 'bills', 'port'],
  ])('squadc %s reports a port that is in use', async (line, service, where) => {
    const { port } = new URL((await start(line, service)).url);
    const err = `squadc: cannot listen on ${where} ${port}: it is in use\n`;
    expect(await squadc(`${line} --port ${port}`)).toMatchObject({ exitCode: 1, err });
  });
});
