/** The configuration of `squadc serve`: what may stand in it, and what is said of the rest. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSandbox } from '../../src/adapters/sandbox/sandbox.js';
import { addressOf, sendCalls, serving } from './serving.js';
import { temporaryFolder } from './temporary-folder.js';

const { folder, put } = temporaryFolder();
const env = { BILLS: 'sandbox-key', DOCUMENTS: 'sandbox-key', TOOLS: 'a-secret', BAD: 'a b\nc' };

/** What is said of a configuration that is refused. */
async function faultsOf(config: unknown, more: readonly string[] = []): Promise<string[]> {
  const file = put('serve.json', typeof config === 'string' ? config : JSON.stringify(config));
  const { io, ended } = serving(['--config', file, '--port', '0', ...more], { env, cwd: folder });
  expect([await ended, io.out()]).toEqual([1, '']);
  const [head, ...lines] = io.err().trimEnd().split('\n');
  expect(head).toMatch(/^squadc: serve\.json has (?:a fault|\d+ faults):$/);
  return lines.map((line) => line.trim());
}

const bills = { baseUrl: 'http://127.0.0.1:1/api', apiKeyEnv: 'BILLS' };
const documents = { baseUrl: 'http://127.0.0.1:1', apiKeyEnv: 'DOCUMENTS' };

describe('a configuration', () => {
  it('leads calls to the services that it names', async () => {
    const sandbox = await createSandbox();
    onTestFinished(() => sandbox.close());
    const file = put(
      'serve.json',
      JSON.stringify({
        secret: { env: 'TOOLS' },
        bills: {
          baseUrl: sandbox.billsUrl,
          clientIdEnv: 'ID',
          clientSecretEnv: 'WORD',
        },
        documents: { ...documents, baseUrl: sandbox.documentsUrl },
        allow: ['bills.create', 'documents.parseRuns.get'],
        bind: { entry: 'shop' },
        fileHosts: ['files.example.com'],
        limits: { deadlineMs: 10_000 },
        server: { requests: 8 },
      }),
    );
    const variables = { ...env, ID: 'sandbox-client', WORD: 'sandbox-secret' };
    const argv = ['--config', file, '--port', '0'];
    const command = serving(argv, { env: variables, cwd: folder });
    const url = await addressOf(command);
    const bill = { netAmount: 5, billDate: '2026-01-31', vendorNumber: 'V-1' };
    const results = await sendCalls(
      url,
      [
        { id: '1', name: 'create_bill', arguments: bill },
        { id: '2', name: 'get_parse_status', arguments: { id: 'pr_none' } },
      ],
      { headers: { authorization: 'Bearer a-secret' } },
    );
    expect(results[0]).toHaveProperty('result');
    expect(results[1]?.error).toMatch(/^I could not find that/);
    const asked = sandbox.requests.map(({ operation, status }) => `${operation} ${status}`);
    expect(new Set(asked)).toEqual(
      new Set(['token.create 200', 'bills.create 200', 'parseRuns.get 404']),
    );
    expect(sandbox.bills.all()[0]).toMatchObject({ PaypointEntryname: 'shop', NetAmount: 5 });
    command.interrupt();
    expect(await command.ended).toBe(0);
    for (const word of ['sandbox-secret', 'sandbox-key', 'a-secret']) {
      expect(command.io.out() + command.io.err()).not.toContain(word);
    }
  });
});

describe('what is wrong with a configuration', () => {
  it('is said all at once, by its place', async () => {
    const faults = await faultsOf({
      secret: { env: 'UNSET', header: 'a b' },
      bills: { baseUrl: 'http://example.com', apiKeyEnv: 'BILLS' },
      documents: { baseUrl: 'https://example.com', apiKeyEnv: 'BAD' },
      allow: ['bills.gt', 'bills.get'],
      bind: { enrty: 'shop' },
      tools: {
        look: { operation: 'bills.gets' },
        other: { operation: 'bills.get', bind: { x: 1 } },
      },
      fileHosts: ['https://a.example'],
      say: { 'bills.nothing': [] },
    });
    expect(faults).toEqual([
      '/secret/env names an environment variable that is not set',
      expect.stringMatching(/^\/bills has an address that is neither https/),
      expect.stringMatching(/^\/documents has a key that cannot be sent/),
      '/bind/enrty cannot be bound for all tools',
      '/tools/look is no operation that there is (Did you mean bills.get?)',
      '/tools/other cannot be bound so',
      '/fileHosts/0 is no host, such as files.example.com',
      '/say/bills.nothing is no operation that there is',
      '/allow/0 is no operation that there is (Did you mean bills.get?)',
    ]);
  });

  it('is its form before its meaning', async () => {
    const faults = await faultsOf({
      secret: {},
      bills: { apiKeyEnv: 'a-b' },
      documents: [],
      allow: 'bills.get',
      tools: { a: 5, b: {} },
      limits: { calls: 0, deadlineMs: 60_000, call: 1 },
      server: { headerBytes: 10 },
      binds: {},
    });
    expect(faults).toEqual([
      '/binds is no member that there is (Did you mean bind?)',
      '/secret has no env',
      '/bills has no baseUrl',
      '/bills/apiKeyEnv is no name of an environment variable',
      '/documents is no object',
      '/allow is no list',
      '/tools/a is no object',
      '/tools/b has no operation',
      '/limits/call is no member that there is (Did you mean calls?)',
      expect.stringMatching(/^\/limits\/calls is no whole number from 1 to /),
      '/limits/deadlineMs is no whole number from 1 to 20000',
      '/server/headerBytes is no whole number from 1024 to 1048576',
    ]);
  });

  it.each([
    [
      { allow: ['bills.get'], bind: { entry: 'shop' } },
      '/allow/0 needs the service: there is no /bills',
    ],
    [
      { bills, allow: ['bills.get'] },
      '/allow/0 needs entry to be bound, in /bind or with its tool',
    ],
    [
      { documents, allow: ['documents.extract'] },
      '/allow/0 needs extractorId to be bound, in /bind or with its tool',
    ],
    [
      { bills, bind: { entry: 'shop' }, allow: ['bills.get', 'bills.setApprovers'] },
      '/allow/1 needs users to be bound, in /bind or with its tool',
    ],
    [{ bills: { baseUrl: bills.baseUrl } }, expect.stringContaining('/bills has no credentials')],
    [{ documents: { ...documents, wire: 'old' } }, '/documents/wire is none of spec, current'],
    [{ secret: { env: 'BAD' } }, '/secret cannot be sent in a header, or not in this one'],
    [
      { secret: { env: 'TOOLS', header: 'a b' } },
      '/secret cannot be sent in a header, or not in this one',
    ],
    ['{"allow":[],"allow":["bills.get"]}', expect.stringMatching(/^line 1, column 13: /)],
    ['{"allow":[1 2]}', expect.stringMatching(/^line 1, column 13: /)],
    ['[]', 'is no object'],
    ['{"__proto__":{"allow":[]}}', expect.stringMatching(/^\/__proto__ is no member/)],
  ])('%j', async (config, fault) => {
    expect(await faultsOf(config)).toEqual([fault]);
  });

  it('is said of a sandbox, too', async () => {
    expect(await faultsOf({ allow: ['x'], tools: { a: 'bills.gt' } }, ['--sandbox'])).toEqual([
      '/tools/a is no operation that there is (Did you mean bills.get?)',
      expect.stringMatching(/^\/allow\/0 is no operation/),
    ]);
  });

  it('never repeats a secret that was written into the wrong place', async () => {
    const word = 'hunter2-hunter2';
    const everywhere = [
      { secret: { value: word } },
      { secret: { env: word } },
      { secret: word },
      { bills: { baseUrl: `https://${word}@example.com`, apiKeyEnv: 'BILLS' } },
      { bills: { baseUrl: bills.baseUrl, apiKey: word } },
      { bills: { baseUrl: bills.baseUrl, apiKeyEnv: 'hunter2hunter2' } },
      { documents: { ...documents, apiKey: word, apiVersion: word } },
      { allow: [word], fileHosts: [`${word}/`], tools: { a: word } },
      `{"secret": ${word}}`,
    ];
    for (const config of everywhere) {
      expect((await faultsOf(config)).join()).not.toContain('hunter2');
    }
    expect(await faultsOf({ bills: { ...bills, apiKey: word } })).toEqual([
      '/bills/apiKey is not written into a file: name an environment variable in apiKeyEnv',
    ]);
  });

  it('is that there is none', async () => {
    const { io, ended } = serving(['--config', 'nothing.json'], { cwd: folder });
    expect(await ended).toBe(1);
    expect(io.err()).toBe('squadc: cannot read nothing.json: no such file or directory\n');
  });
});
