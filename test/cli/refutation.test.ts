import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import type { CompileOptions } from '../../src/index.js';
import { exampleVerification } from './example-results.js';
import { fakeIo } from './fake-io.js';
import { stubApi } from './stub-api.js';
import { temporaryFolder } from './temporary-folder.js';

const { folder, put } = temporaryFolder();

const workflow = {
  name: 'Desk',
  nodes: [
    {
      id: 'lookup',
      type: 'apiRequest',
      headers: { Authorization: 'Bearer abc.def', 'X-Token': '{{token}}' },
      url: 'https://example.com/?t=Bearer abc.def',
    },
    {
      id: 'table',
      body: { type: 'object', properties: { token: { type: 'string', const: 'x1' } } },
    },
    {
      id: 'list',
      headers: [
        { name: 'X-Api-Key', value: 'qwertyuiop' },
        { key: 'Accept', value: 'a' },
      ],
    },
    { id: 'nested', auth: { user: 'anne', more: ['hunter22'] } },
  ],
};
const answers = {
  answers: {
    'missing-auth:lookup': { choice: 'header', value: { header: 'X-Key', secret: 'key_name' } },
    'missing-endpoint:a': { choice: 'request', value: { headers: { 'api-key': 'literal-key' } } },
  },
  policies: { 'missing-auth': 'none' },
};

/** What the compiler throws when the check refutes what it made. */
class Refuted extends Error {
  override readonly name = 'VerificationRefuted';
  readonly verification = exampleVerification({
    holds: false,
    checklist: [
      {
        item: 3,
        title: 'Handoffs',
        holds: false,
        evidence: [
          { holds: true, text: 'Fine.', source: [], output: [] },
          { holds: false, text: 'Lost: Bearer abc.def.', source: [], output: ['/squad'] },
        ],
      },
    ],
  });

  constructor(
    readonly workflow: unknown,
    readonly options: CompileOptions,
  ) {
    super('refuted');
  }
}

async function compile(...flags: string[]) {
  const api = stubApi((options) => {
    throw new Refuted(workflow, options);
  });
  const io = fakeIo({ stdin: JSON.stringify(workflow), cwd: folder });
  const exitCode = await run(['compile', '-', ...flags], io, api.load);
  return { exitCode, out: io.out(), err: io.err() };
}

const reportIn = (path: string) => {
  const [name = ''] = readdirSync(path).filter((each) =>
    /^squadc-bug-[0-9a-f]{8}\.json$/.test(each),
  );
  return { name, report: JSON.parse(readFileSync(join(path, name), 'utf8')) };
};

describe('a squad that the check refutes', () => {
  it('is not put out, and reported in a file', async () => {
    put('answers.json', JSON.stringify(answers));
    const flags = ['--answers', 'answers.json', '--model', 'a/b', '--json'];
    const { exitCode, out, err } = await compile(...flags);
    const { name, report } = reportIn(folder);
    expect([exitCode, out]).toEqual([70, '']);
    expect(err).toContain('squadc: refused its own output: ');
    expect(err).toContain('Item 3: Lost');
    expect(err).toContain(`${name}. It holds the workflow`);
    expect(err).toContain('read it before you share it');
    expect(report).toMatchObject({
      squadc: expect.stringMatching(/^\d+\./),
      source: { name: 'Desk' },
      answers: { answers: { 'missing-auth:lookup': answers.answers['missing-auth:lookup'] } },
      options: { boundary: 'branch', model: { provider: 'a', model: 'b' } },
      refutation: { holds: false, checklist: [{ item: 3 }] },
    });
  });

  it('is reported without literal secrets, and with all else', async () => {
    const { report } = reportIn(folder);
    const text = JSON.stringify(report);
    expect(text).not.toMatch(/abc\.def|qwertyuiop|hunter22|anne|literal-key|x1/);
    const [lookup, table, list, nested] = report.source.nodes;
    expect(lookup).toEqual({
      id: 'lookup',
      type: 'apiRequest',
      headers: { Authorization: '••••', 'X-Token': '{{token}}' },
      url: 'https://example.com/?t=Bearer ••••',
    });
    expect(table.body.properties).toEqual({ token: { type: 'string', const: '••••' } });
    expect(list.headers).toEqual([
      { name: 'X-Api-Key', value: '••••' },
      { key: 'Accept', value: 'a' },
    ]);
    expect(nested.auth).toEqual({ user: '••••', more: ['••••'] });
    expect(report.answers.policies).toEqual(answers.policies);
    expect(report.refutation.checklist[0].evidence[1].text).toBe('Lost: Bearer ••••.');
  });

  it('has the same name for the same source', async () => {
    const before = readdirSync(folder).length;
    await compile();
    expect(readdirSync(folder)).toHaveLength(before);
  });

  it('is reported beside the output file, which is not written', async () => {
    mkdirSync(join(folder, 'out'));
    const { exitCode } = await compile('-o', 'out/squad.json');
    expect(exitCode).toBe(70);
    expect(readdirSync(join(folder, 'out'))).toEqual([reportIn(folder).name]);
  });

  it('is a bug even where the report cannot be written', async () => {
    put('taken', '');
    const { exitCode, out, err } = await compile('-o', 'taken/squad.json');
    expect([exitCode, out]).toEqual([70, '']);
    expect(err).toContain('The report could not be written: cannot write taken/');
  });
});

it('leaves other faults alone', async () => {
  const api = stubApi(() => {
    throw new Error('something else');
  });
  const io = fakeIo({ stdin: '{}', cwd: '/' });
  expect(await run(['compile', '-'], io, api.load)).toBe(70);
  expect(io.err()).toContain('squadc: internal error: something else');
});
