/** What squadc itself knows: codes, schemas and tools; that every code in the source is explained. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Fault } from '../../src/adapters/http/retry.js';
import { explainFault, faultCodes } from '../../src/cli/faults.js';
import { run } from '../../src/cli/run.js';
import * as library from '../../src/diagnostics/explain.js';
import { codes, explain } from '../../src/diagnostics/explain.js';
import { type ApiError, createDocumentsClient } from '../../src/documents.js';
import { lintExtractionSchema } from '../../src/documents-schemas.js';
import { schemaDocuments as billsDocuments } from '../../src/schemas/bills-documents.generated.js';
import { schemaDocuments as compilerDocuments } from '../../src/schemas/documents.generated.js';
import { schemaDocuments as documentsDocuments } from '../../src/schemas/documents-documents.generated.js';
import { parametersSchema, toolDefinitions } from '../../src/tools.js';
import { fakeIo, type Surroundings } from './fake-io.js';
import { stubApi } from './stub-api.js';

describe('codes and schemas', () => {
  describe('squadc explain', () => {
    async function squadc(argv: string[], surroundings: Surroundings = {}) {
      const io = fakeIo(surroundings);
      const exitCode = await run(argv, io, stubApi().load);
      return { exitCode, out: io.out(), err: io.err() };
    }

    const codes = [...library.codes(), ...faultCodes].sort();
    const explain = (code: string) => library.explain(code) ?? explainFault(code);

    const words = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

    describe('squadc explain', () => {
      it.each(codes)('%s', async (code) => {
        const { exitCode, out, err } = await squadc(['explain', code]);
        expect([exitCode, err]).toEqual([0, '']);
        const explanation = explain(code);
        const { kind, severity, title, why, help, choices = [] } = explanation ?? expect.fail();
        const reason = why === undefined ? '' : `Why ${words(why)} `;
        expect(words(out)).toContain(
          `${code} (${severity ?? kind}) ${title} ${reason}What to do ${words(help)}`,
        );
        for (const { key, label, effect } of choices) {
          expect(words(out)).toContain(words(`${key}: ${label} ${effect}`));
        }
        expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
      });

      it('lists all codes with their titles', async () => {
        const { exitCode, out } = await squadc(['explain']);
        expect(exitCode).toBe(0);
        const listed = out
          .trimEnd()
          .split('\n')
          .map((line) => line.split(/ {2,}/));
        expect(listed).toEqual(codes.map((code) => [code, explain(code)?.title]));
      });

      it.each([
        ['shape/not-jsn', '(Did you mean shape/not-json?)'],
        ['push/unknwon', '(Did you mean push/unknown?)'],
        ['cyclic-stage', '(Did you mean cyclic-stages?)'],
        ['constructor', '(squadc explain lists all codes)'],
        ['\u001b[2J', '(squadc explain lists all codes)'],
      ])('refuses the unknown code %j', async (code, hint) => {
        const { exitCode, out, err } = await squadc(['explain', code]);
        expect([exitCode, out]).toEqual([64, '']);
        expect(err).toBe(`squadc: unknown code '${code.replace('\u001b', '\\u001b')}'\n${hint}\n`);
      });

      it('paints headings on a terminal', async () => {
        const { out } = await squadc(['explain', 'shape/not-json'], { isTTY: true });
        expect(out).toContain('\u001b[1mWhat to do\u001b[22m');
      });
    });
  });

  describe('squadc schema', () => {
    const schemaDocuments = { ...compilerDocuments, ...billsDocuments, ...documentsDocuments };

    const names = Object.keys(schemaDocuments);

    describe('squadc schema', () => {
      it.each(names)('prints %s', async (name) => {
        const io = fakeIo();
        expect(await run(['schema', name], io)).toBe(0);
        expect(JSON.parse(io.out())).toEqual(schemaDocuments[name]);
        expect(io.out()).toMatch(/^\{\n {2}".*\}\n$/s);
        expect(io.err()).toBe('');
      });

      it('lists the names', async () => {
        const io = fakeIo();
        expect(await run(['schema'], io)).toBe(0);
        expect(io.out()).toBe(names.map((name) => `${name}\n`).join(''));
      });

      it.each(['wrkflow', 'constructor'])(
        'refuses the unknown name %s with the list',
        async (name) => {
          const io = fakeIo();
          expect(await run(['schema', name], io)).toBe(64);
          expect(io.out()).toBe('');
          expect(io.err()).toContain(`squadc: unknown schema '${name}'`);
          expect(io.err()).toContain(`Schemas: ${names.join(', ')}\n`);
        },
      );
    });
  });

  describe('codes of commands and clients', () => {
    const all = faultCodes.map((code) => explainFault(code) ?? expect.fail());

    /** Every reason of the request core; one that is missing here does not compile. */
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

    describe('the faults of commands and clients', () => {
      it('are no codes of diagnostics', () => {
        expect(faultCodes.filter((code) => codes().includes(code))).toEqual([]);
      });

      it.each(all)('$code speaks in sentences', ({ title, why, help }) => {
        expect(title).toMatch(/^[A-Z][^.]{7,70}$/u);
        expect(why).toMatch(/^[A-Z].{40,}\.$/u);
        expect(help).toMatch(/^[A-Z].+\.$/u);
        expect([title, why, help].join('\n')).not.toMatch(
          /!|please|sorry|undefined|\$\{| {2}|\.\./iu,
        );
      });

      it.each(Object.keys(reasons))('know why there is no answer: %s', (reason) => {
        expect(faultCodes).toContain(`api/${reason}`);
      });

      it('know what every status comes to', async () => {
        const [baseUrl, retry] = ['https://api.example.com', { maxAttempts: 1 }];
        const documents = createDocumentsClient({ baseUrl, apiKey: 'k', retry });
        for (let status = 300; status < 600; status += 1) {
          const fetch = async () => new Response(null, { status });
          const error = await documents.files
            .get('a', {}, { fetch })
            .catch((thrown: ApiError) => thrown);
          expect(faultCodes).toContain(error.code);
        }
      });

      it('have the severity of the finding', () => {
        const schema = { type: 'object', properties: { a: { type: ['string', 'null'] } }, odd: 1 };
        for (const { code, severity } of lintExtractionSchema(schema)) {
          expect([code, explainFault(code)?.severity]).toEqual([code, severity]);
        }
        expect(lintExtractionSchema(schema).length).toBeGreaterThan(2);
      });

      it.each(['constructor', '__proto__', '', 'api', 'api/'])('know nothing of %j', (word) => {
        expect(explainFault(word)).toBeNull();
      });
    });
  });

  describe('codes in the source', () => {
    /** What has the form of a code and is another thing. */
    const others: Readonly<Record<string, string>> = {
      'application/json': 'a media type',
      'application/octet-stream': 'a media type',
      'application/pdf': 'a media type',
      'multipart/form-data': 'a media type',
      'i/n': 'a value of --shard',
      'function/parameters': 'the end of a pointer into a tool',
      'model/temperature': 'a setting of the model',
      'squadc/bills': 'an entry of the package',
      'squadc/documents': 'an entry of the package',
      'squadc/testing': 'an entry of the package',
      'squadc/tools': 'an entry of the package',
      'text/plain': 'a media type',
    };

    /** Codes that are put together, and where it is held that all of them are known. */
    const made: Readonly<Record<string, string>> = {
      'api/': 'test/cli/explain.test.ts',
      'api/webhook-': 'by the next test',
      'extraction/': 'the type of the table: each is a code of a finding',
      'journal/': 'the type of the table',
      'platform/': 'the type of the table',
      'push/': 'the type of the table',
    };

    /** Without the tables themselves. */
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.generated(?:\.d)?)\.ts$/.test(file) && !/^cli.faults/.test(file))
      .map((file) => readFileSync(join('src', file), 'utf8'));

    /** What the groups of all matches in the source caught. */
    function caught(pattern: RegExp): string[] {
      const all = sources.flatMap((text) =>
        [...text.matchAll(pattern)].map(([, group]) => group ?? ''),
      );
      return [...new Set(all)].sort();
    }

    describe('the codes in the source', () => {
      const literals = caught(/["'`]([a-z]+\/[a-z]+(?:-[a-z]+)*)(?=["'`]|: )/g);

      it('are known to explain, or are none', () => {
        const unknown = literals.filter((code) => !(explain(code) ?? explainFault(code)));
        expect(unknown).toEqual(Object.keys(others).sort());
      });

      it('are put together where all of them are known', () => {
        const areas = new Set([...codes(), ...faultCodes].map((code) => code.split('/')[0]));
        const pattern = new RegExp(`(?<![\\w./])((?:${[...areas].join('|')})/[a-z-]*)\\$\\{`, 'g');
        expect(caught(pattern)).toEqual(Object.keys(made).sort());
      });

      it('are those of webhooks', () => {
        const reasons = caught(/untrusted\('([a-z-]+)'\)/g);
        expect(reasons).toHaveLength(5);
        for (const reason of reasons) expect(faultCodes).toContain(`api/webhook-${reason}`);
      });

      it('are all that is in the tables', () => {
        const words = new Set(caught(/'([a-z-]+)'/g));
        const unused = faultCodes.filter((code) => {
          const name = code.split('/')[1] ?? '';
          return !literals.includes(code) && !words.has(name.replace(/^webhook-/, ''));
        });
        expect(unused).toEqual([]);
      });
    });
  });
});

describe('squadc tools', () => {
  const tools = Object.values(toolDefinitions);

  async function squadc(...argv: readonly string[]) {
    const io = fakeIo();
    const exitCode = await run(['tools', ...argv], io);
    return { exitCode, out: io.out(), err: io.err() };
  }

  it('lists each tool on a line: name, operation, effect and what it is for', async () => {
    const { exitCode, out, err } = await squadc('list');
    expect([exitCode, err]).toEqual([0, '']);
    const rows = tools.map(({ name, operation, effect, description }) => {
      return [name, operation, effect, `${description.split('. ')[0]}.`.replace('..', '.')];
    });
    const lines = out.trimEnd().split('\n');
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual(rows);
    expect(JSON.parse((await squadc('list', '--json')).out)).toEqual(tools);
  });

  it.each(tools)('shows what $operation takes and tells', async (tool) => {
    const { exitCode, out, err } = await squadc('show', tool.operation);
    expect([exitCode, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toEqual({ ...tool, schema: parametersSchema(tool) });
    expect((await squadc('show', tool.name)).out).toBe(out);
  });

  it.each([
    ['bills.gt', '(Did you mean bills.get?)'],
    ['delete_bills', '(Did you mean delete_bill?)'],
    ['constructor', '(squadc tools list shows all operations)'],
    ['\u001b[2J', '(squadc tools list shows all operations)'],
  ])('does not know %j', async (operation, hint) => {
    const shown = operation.replace('\u001b', '\\u001b');
    const err = `squadc: unknown operation '${shown}'\n${hint}\n`;
    expect(await squadc('show', operation)).toEqual({ exitCode: 64, out: '', err });
  });

  it.each([[[]], [['shw']], [['show']], [['list', 'bills.get']]])('is not %j', async (argv) => {
    expect(await squadc(...argv)).toMatchObject({ exitCode: 64, out: '' });
  });
});
