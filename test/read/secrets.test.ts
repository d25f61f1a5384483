/** Literal secrets: they appear in the squad and nowhere else. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { redact } from '../../src/compiler/ir/secrets.js';
import { type CompileResult, compile, verify } from '../../src/index.js';
import { emit } from '../../src/report/representations.js';
import { tokenize } from '../../src/report/result-file.js';
import { migrate, put } from '../batch/migrating.js';
import { fakeIo, temporaryFolder } from '../cli/fake-io.js';
import { tableOf, told } from '../compiler/build.js';

const secret = 'Zx9SECRETq7';
const url = 'https://api.example.com/orders';
const property = (name: string, value: object) => {
  return { type: 'object', properties: { [name]: { type: 'string', ...value } } };
};
const requests: readonly (readonly [kind: string, request: object])[] = [
  ['a header', { headers: { 'X-Api-Key': secret } }],
  ['a header with its scheme', { headers: { Authorization: `Bearer ${secret}` } }],
  ['a header beside an output', { headers: { Authorization: `Bearer {{shop}}-${secret}` } }],
  ['a header of a schema', { headers: property('x-auth-token', { value: secret }) }],
  ['a cookie', { headers: { Cookie: `session=${secret}; lang=en` } }],
  ['a user and a password', { url: `https://desk:${secret}@api.example.com/orders` }],
  ['a query', { url: `${url}?page=1&api_key=${secret}` }],
  ['a field of the body', { method: 'POST', body: property('password', { value: secret }) }],
  ['a static parameter', { method: 'POST', parameters: [{ key: 'api_token', value: secret }] }],
];

/** An order desk: a request without a method raises a question, and an edge can lead to nowhere. */
function desk(request: object, to = 'orders'): object {
  const tool = { type: 'apiRequest', name: 'orders', url, method: 'GET', ...request };
  return {
    name: 'Orders',
    nodes: [
      { name: 'desk', type: 'conversation', isStart: true, prompt: 'Ask for the order.' },
      { name: 'orders', type: 'tool', tool },
    ],
    edges: [{ from: 'desk', to, condition: { type: 'ai', prompt: 'has an order' } }],
  };
}

const options = { dynamicVariables: ['shop'], answers: { policies: { 'missing-auth': 'none' } } };

it.each(requests)('%s appears in the squad only, with a warning', (_, request) => {
  const workflow = desk(request);
  const { output, sourceMap, ...rest } = compile(workflow, options);
  expect(rest.status).toBe('complete');
  expect(JSON.stringify(output)).toContain(secret);
  expect(JSON.stringify([sourceMap, rest])).not.toContain(secret);
  expect(told(compile(workflow, options), 'data/literal-secret')).toHaveLength(1);
  expect(JSON.stringify(emit(workflow, options, 'squad-ir').document)).not.toContain(secret);
  const other = JSON.parse(JSON.stringify(output).replace('has an order', 'has none'));
  expect(JSON.stringify(verify(workflow, other, options))).not.toContain(secret);
  const open = compile(desk({ ...request, method: undefined, headers: undefined }), {});
  expect(JSON.stringify([open.questions, open.diagnostics, open.ledger])).not.toContain(secret);
});

it.each(requests)('%s appears in no page, file or excerpt', async (_, request) => {
  const { folder: cwd } = temporaryFolder();
  for (const indent of [0, 2]) {
    // If the document is one line, the fault is in the line of the secret.
    put(cwd, 'faulty.json', JSON.stringify({ ...desk(request, 'ordres'), zebra: 1 }, null, indent));
    put(cwd, 'broken.json', JSON.stringify(desk(request), null, indent).slice(0, -9));
    for (const file of ['faulty.json', 'broken.json']) {
      const io = fakeIo({ cwd });
      expect(await run(['compile', file], io)).toBe(1);
      expect(io.err() + io.out()).not.toContain(secret);
    }
  }
  put(cwd, 'in.json', JSON.stringify(desk(request)));
  put(cwd, 'config.json', { dynamicVariables: ['shop'] });
  const flags = ['--config', 'config.json', '--policy', 'missing-auth=none'];
  await migrate(['in.json', '-o', 'out', '--policy', 'missing-auth=none'], { cwd });
  await migrate(['in.json', '-o', 'done', ...flags], { cwd });
  for (const folder of ['out', 'done']) {
    const files = readdirSync(join(cwd, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => join(cwd, folder, file))
      .filter((file) => statSync(file).isFile() && !file.endsWith('/squad.json'));
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) expect(readFileSync(file, 'utf8'), file).not.toContain(secret);
  }
});

const aliases = [{ key: 'order_token', value: '{{ $.id }}' }];
const asked = property('password', { description: 'the password' });
it.each<[what: string, request: object]>([
  ['the key of an alias', { variableExtractionPlan: { aliases } }],
  ['a header that is an output', { headers: { Authorization: 'Bearer {{shop}}' } }],
  ['a field that the model fills', { method: 'POST', body: asked }],
])('%s is not a secret', (_, request) => {
  expect(told(compile(desk(request), options), 'data/literal-secret')).toEqual([]);
});

describe('a document that is shown hides', () => {
  it.each(
    tableOf(`
    {"auth":{"a":[{"id":"SECRET"}]}} || {"auth":{"a":[{"id":"••••"}]}}
    {"name":"X-Token","value":"SECRET"} || {"name":"X-Token","value":"••••"}
    {"token":{"type":"string","default":"SECRET"}} || {"token":{"type":"string","default":"••••"}}
    {"__proto__":{"apiKey":"SECRET"}} || {"__proto__":{"apiKey":"••••"}}
    [{"apiKey":"SECRET"},"say SECRET never"] || [{"apiKey":"••••"},"say •••• never"]
    [{"apiKey":"123456"},"say 123456"] || [{"apiKey":"••••"},"say ••••"]
    [{"apiKey":"12345"},"say 12345"] || [{"apiKey":"••••"},"say 12345"]
    [{"to":"office"},{"token":"office"},"office"] || [{"to":"office"},{"token":"••••"},"office"]
    [{"headers":{"key":"SECRET"}},"?page=1&key=SECRET","://me:SECRET@x"] || [{"headers":{"key":"••••"}},"?page=1&key=••••","://••••:••••@x"]
    {"auth":{"type":"bearer","token":"SECRET"},"XAPIKey":"SECRET"} || {"auth":{"type":"bearer","token":"••••"},"XAPIKey":"••••"}
    [{"X-Key":"s3same"},"my_s3same, s3same-desk, s3sames: s3same, s3s… s3sa…"] || [{"X-Key":"••••"},"my_s3same, s3same-desk, s3sames: ••••, s3s… ••••…"]
    [{"X-Key":"orders"},"all orders"] || [{"X-Key":"••••"},"all orders"]
    `),
    // Also elsewhere, if the secret is long enough to be recognized and is not a name.
  )('%s', (given = '', shown = '') => {
    const document = JSON.parse(given.replaceAll('SECRET', secret));
    expect(JSON.stringify(redact(document))).toBe(shown);
  });

  it.each([
    '{"apiKey":"{{api_key}}","keypadInputPlan":{"delimiters":["hash-sign"]}}',
    '{"output":[{"key":"success","target":"order_success"}],"keyTerms":["success"],"tokenLimit":"9"}',
    '{"policies":{"mising-auth":"header"},"names":{"check-token":"desk"},"toolNames":{"auth":"x"}}',
    '{"answers":{"missing-auth:a":{"value":{"header":"X-Key","secret":"desk_key"}}}}',
    '{"variableExtractionPlan":{"aliases":[{"key":"last_token","value":"none"}]}}',
    '{"body":{"properties":{"auth_kind":{"description":"which","enum":["basic","other"]}}}}',
    '{"headers":{"X-Api-Key":"YOUR_API_KEY","Authorization":"Bearer <token>"}}',
    '["https://desk:{{password}}@api.example.com","https://api.example.com/?key={{shop}}"]',
  ])('nothing of %s', (given) => {
    const document = JSON.parse(given);
    expect(redact(document)).toBe(document);
  });
});

describe('tokens in the place of secrets', () => {
  it.each(requests)('compile like %s', (_, request) => {
    const workflow = desk({ ...request, description: `Never say ${secret}.` });
    const { tokenized } = tokenize(workflow);
    expect(JSON.stringify(tokenized)).not.toContain(secret);
    expect(tokenize(tokenized).tokenized).toEqual(tokenized);
    const [{ output, ...made }, { output: real, ...expected }] = [tokenized, workflow].map((it) =>
      compile(it, options),
    ) as [CompileResult, CompileResult];
    expect(made).toEqual(expected);
    expect(made.status).toBe('complete');
    expect(output).toEqual(tokenize({ real }).tokenized.real);
  });

  it('are the same for the same secret, and stay', () => {
    const given = ['a-secret', 'b-secret', 'a-secret', 'squadc-secret-1'];
    expect(tokenize(given.map((apiKey) => ({ apiKey }))).tokenized).toEqual(
      [2, 3, 2, 1].map((number) => ({ apiKey: `squadc-secret-${number}` })),
    );
  });

  it('a mask in the place of a secret is an error', () => {
    const masked = compile(redact(desk({ headers: { 'X-Api-Key': secret } })));
    expect(told(masked, 'data/masked-secret')).toHaveLength(1);
    expect(masked.status).toBe('invalid');
  });
});
