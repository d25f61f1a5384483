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
  it('is said all at once where it is one of form', async () => {
    const faults = await faultsOf({
      secret: {},
      bills: { apiKeyEnv: 'a-b' },
      documents: [],
      tools: { a: 5, b: {} },
      limits: { deadlineMs: 60_000, call: 1 },
      server: { headerBytes: 10 },
      binds: {},
    });
    expect(faults).toEqual([
      'must not have “binds”',
      '/secret must have “env”',
      '/bills must have “baseUrl”',
      expect.stringMatching(/^\/bills\/apiKeyEnv must be /),
      '/documents must be an object',
      '/tools/a must be an object',
      '/tools/b must have “operation”',
      '/limits must not have “call”',
      '/limits/deadlineMs must be at most 20000',
      '/server/headerBytes must be at least 1024',
    ]);
  });

  it('is each variable that is not set, and each service that cannot be', async () => {
    const faults = await faultsOf({
      secret: { env: 'UNSET' },
      bills: { baseUrl: 'http://example.com', apiKeyEnv: 'BILLS' },
      documents: { baseUrl: 'https://example.com', apiKeyEnv: 'BAD' },
      allow: ['bills.gt'],
    });
    expect(faults).toEqual([
      '/secret/env names an environment variable that is not set',
      expect.stringMatching(/^\/bills\/baseUrl is neither https/),
      '/documents/apiKey cannot be sent',
    ]);
  });

  it.each([
    [{ allow: ['bills.get'], bind: { entry: 'shop' } }, /^\/allow names an operation /],
    [{ bills, allow: ['bills.gt'] }, /^\/allow names an operation that there is not/],
    [{ bills, allow: ['bills.get'] }, /^\/bind\/entry has to be bound/],
    [{ documents, allow: ['documents.extract'] }, /^\/bind\/extractorId has to be bound/],
    [{ bind: { enrty: 'shop' } }, /^\/bind\/enrty has to be bound, .* not otherwise$/],
    [{ tools: { look: { operation: 'bills.gets' } } }, /^\/tools\/look names an operation /],
    [{ fileHosts: ['https://a.example'] }, /^\/fileHosts has to hold hosts/],
    [{ say: { 'bills.nothing': [] } }, /^\/say\/bills\/nothing cannot be said$/],
    [{ bills: { baseUrl: bills.baseUrl } }, /^\/bills\/auth cannot be sent: it takes apiKeyEnv/],
    [
      { documents: { ...documents, wire: 'old' } },
      /^\/documents\/wire must be “spec” or “current”$/,
    ],
    [{ secret: { env: 'BAD' } }, /^\/secret\/value cannot be sent in a header/],
    [{ secret: { env: 'TOOLS', header: 'a b' } }, /^\/secret\/header cannot be sent in a header/],
    ['{"allow":[],"allow":["bills.get"]}', /^line 1, column 13: /],
    ['{"allow":[1 2]}', /^line 1, column 13: /],
    ['[]', /^must be an object$/],
    ['{"__proto__":{"allow":[]}}', /^must not have “__proto__”$/],
  ])('%j', async (config, fault) => {
    expect(await faultsOf(config)).toEqual([expect.stringMatching(fault)]);
  });

  it('is said of a sandbox, too', async () => {
    const [fault] = await faultsOf({ tools: { a: 'bills.gt' } }, ['--sandbox']);
    expect(fault).toMatch(/^\/tools\/a names an operation/);
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
