/** What squadc itself knows: codes, schemas and tools. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Fault } from '../../src/adapters/http/retry.js';
import { parametersSchema } from '../../src/adapters/tools/arguments.js';
import { explainFault, faultCodes } from '../../src/cli/faults.js';
import { run } from '../../src/cli/run.js';
import * as library from '../../src/diagnostics/explain.js';
import { type ApiError, createDocumentsClient } from '../../src/documents.js';
import { lintExtractionSchema } from '../../src/documents-schemas.js';
import { schemaDocuments as billsDocuments } from '../../src/schemas/bills-documents.generated.js';
import { schemaDocuments as compilerDocuments } from '../../src/schemas/documents.generated.js';
import { schemaDocuments as documentsDocuments } from '../../src/schemas/documents-documents.generated.js';
import { toolDefinitions } from '../../src/tools.js';
import { fakeIo, type Surroundings } from './fake-io.js';

async function squadc(argv: readonly string[], surroundings: Surroundings = {}) {
  const io = fakeIo(surroundings);
  const exitCode = await run(argv, io);
  return { exitCode, out: io.out(), err: io.err() };
}

const codes = [...library.codes(), ...faultCodes].sort();
const explain = (code: string) => library.explain(code) ?? explainFault(code) ?? expect.fail(code);
const words = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

describe('squadc explain', () => {
  it.each([
    ['push/edited', /overwrite that edit/],
    ['push/unknown', /duplicate/],
    ['push/workflow', /nothing is sent for any/],
    ['platform/key-argument', /before anything was sent/],
    ['platform/no-key', /before anything was sent/],
    ['platform/more', /some may be missing/],
    ['platform/timeout', /there was none/],
    ['rollback/unknown', /cannot be deleted/],
    ['journal/missing', /what a journal names/],
    ['api/webhook-too-old', /recent delivery/],
    ['api/invalid-option', /before anything was sent/],
    ['api/conflict', /outcome/],
  ])('gives the reason of %s itself', (code, why) => expect(explain(code).why).toMatch(why));

  it('says of every code what it is, why, and what to do, in lines that fit', async () => {
    for (const code of codes) {
      const { exitCode, out, err } = await squadc(['explain', code]);
      expect([exitCode, err]).toEqual([0, '']);
      const { kind, severity, title, why, help, choices = [] } = explain(code);
      const reason = why === undefined ? '' : `Why ${words(why)} `;
      expect(words(out)).toContain(
        `${code} (${severity ?? kind}) ${title} ${reason}What to do ${words(help)}`,
      );
      for (const { key, label, effect } of choices) {
        expect(words(out)).toContain(words(`${key}: ${label} ${effect}`));
      }
      expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    }
  });

  it('lists all codes with their titles, and paints headings on a terminal', async () => {
    const lines = (await squadc(['explain'])).out.trimEnd().split('\n');
    const rows = codes.map((code) => [code, explain(code).title]);
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual(rows);
    const { out } = await squadc(['explain', 'shape/not-json'], { isTTY: true });
    expect(out).toContain('\u001b[1mWhat to do\u001b[22m');
  });

  it.each([
    ['explain', 'shape/not-jsn', 'code', '(Did you mean shape/not-json?)'],
    ['explain', 'push/unknwon', 'code', '(Did you mean push/unknown?)'],
    ['explain', 'cyclic-stage', 'code', '(Did you mean cyclic-stages?)'],
    ['explain', 'constructor', 'code', '(squadc explain lists all codes)'],
    ['explain', '\u001b[2J', 'code', '(squadc explain lists all codes)'],
    ['schema', 'answer', 'schema', '(Did you mean answers?)'],
    ['schema', 'constructor', 'schema', '(squadc schema lists all names)'],
  ])('squadc %s does not know %j', async (command, word, what, hint) => {
    const { exitCode, out, err } = await squadc([command, word]);
    expect([exitCode, out]).toEqual([64, '']);
    const shown = word.replace('\u001b', '\\u001b');
    expect(err.startsWith(`squadc: unknown ${what} '${shown}'\n${hint}`)).toBe(true);
  });

  it('speaks in sentences of what commands and clients meet', () => {
    for (const code of faultCodes) {
      const { title, why, help } = explain(code);
      expect(title).toMatch(/^[A-Z][^.]{7,70}$/u);
      expect(why).toMatch(/^[A-Z].{40,}\.$/u);
      expect(help).toMatch(/^[A-Z].+\.$/u);
      expect(`${title} ${why} ${help}`).not.toMatch(/!|please|sorry|undefined|\$\{| {2}|\.\./iu);
    }
  });

  it('knows how a call of a service fails', async () => {
    /** One that is missing here does not compile. */
    const reasons: Readonly<Record<Fault, true>> = {
      timeout: true,
      aborted: true,
      'no-token': true,
      unreachable: true,
      'connection-lost': true,
      truncated: true,
      'too-large': true,
      'wrong-type': true,
      malformed: true,
      refused: true,
    };
    for (const reason of Object.keys(reasons)) expect(faultCodes).toContain(`api/${reason}`);
    const [baseUrl, retry] = ['https://api.example.com', { maxAttempts: 1 }];
    const { files } = createDocumentsClient({ baseUrl, apiKey: 'k', retry });
    for (let status = 300; status < 600; status += 1) {
      const fetch = async () => new Response(null, { status });
      const error = await files.get('a', {}, { fetch }).catch((thrown: ApiError) => thrown);
      expect(faultCodes).toContain((error as ApiError).code);
    }
    const schema = { type: 'object', properties: { a: { type: ['string', 'null'] } }, odd: 1 };
    const found = lintExtractionSchema(schema);
    expect(found.length).toBeGreaterThan(2);
    for (const { code, severity } of found) expect(explain(code).severity).toBe(severity);
  });

  it('knows every code that stands in the source, and has no other', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter(
        (file) => /(?<!\.generated(?:\.d)?)\.ts$/.test(file) && file !== join('cli', 'faults.ts'),
      )
      .map((file) => readFileSync(join('src', file), 'utf8'));
    const areas = [...new Set(faultCodes.map((code) => code.split('/')[0]))].join('|');
    const code = new RegExp(`["'\`]((?:${areas})/[a-z]+(?:-[a-z]+)*)["'\`]`, 'g');
    const all = (pattern: RegExp) =>
      new Set(sources.flatMap((text) => Array.from(text.matchAll(pattern), ([, found]) => found)));
    const written = all(code);
    for (const each of written) expect(codes).toContain(each);
    for (const reason of all(/untrusted\('([a-z-]+)'\)/g)) {
      expect(faultCodes).toContain(`api/webhook-${reason}`);
    }
    // Others are put together of their area and a word.
    const parts = all(/'([a-z-]+)'/g);
    const unused = faultCodes.filter(
      (each) => !written.has(each) && !parts.has(each.split('/')[1]?.replace(/^webhook-/, '')),
    );
    expect(unused).toEqual([]);
  });
});

it('squadc schema lists the schemas, and prints each', async () => {
  const documents = { ...compilerDocuments, ...billsDocuments, ...documentsDocuments };
  const names = Object.keys(documents);
  expect((await squadc(['schema'])).out).toBe(names.map((name) => `${name}\n`).join(''));
  for (const name of names) {
    const { exitCode, out, err } = await squadc(['schema', name]);
    expect([exitCode, err, JSON.parse(out)]).toEqual([0, '', documents[name]]);
    expect(out).toMatch(/^\{\n {2}".*\}\n$/s);
  }
});

describe('squadc tools', () => {
  const tools = Object.values(toolDefinitions);

  const show = (...argv: readonly string[]) => squadc(['tools', ...argv]);

  it('lists each tool on a line: name, operation, effect and what it is for', async () => {
    const { exitCode, out, err } = await show();
    expect([exitCode, err]).toEqual([0, '']);
    const rows = tools.map(({ name, operation, effect, description }) => {
      return [name, operation, effect, `${description.split('. ')[0]}.`.replace('..', '.')];
    });
    const lines = out.trimEnd().split('\n');
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual(rows);
    expect(JSON.parse((await show('--json')).out)).toEqual(tools);
  });

  it.each(tools)('shows what $operation takes and tells', async (tool) => {
    const { exitCode, out, err } = await show(tool.operation);
    expect([exitCode, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toEqual({ ...tool, schema: parametersSchema(tool) });
    expect((await show(tool.name)).out).toBe(out);
  });

  it.each([
    ['bills.gt', '(Did you mean bills.get?)'],
    ['delete_bills', '(Did you mean delete_bill?)'],
    ['constructor', '(squadc tools lists all operations)'],
    ['\u001b[2J', '(squadc tools lists all operations)'],
  ])('does not know %j', async (operation, hint) => {
    const shown = operation.replace('\u001b', '\\u001b');
    const err = `squadc: unknown operation '${shown}'\n${hint}\n`;
    expect(await show(operation)).toEqual({ exitCode: 64, out: '', err });
  });

  it.each([[['shw']], [['bills.get', 'bills.list']]])('is not %j', async (argv) => {
    expect(await show(...argv)).toMatchObject({ exitCode: 64, out: '' });
  });
});
