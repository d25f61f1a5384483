import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { schemaDocuments as billsDocuments } from '../../src/schemas/bills-documents.generated.js';
import { schemaDocuments as compilerDocuments } from '../../src/schemas/documents.generated.js';
import { schemaDocuments as documentsDocuments } from '../../src/schemas/documents-documents.generated.js';
import { schemaDocuments as toolsDocuments } from '../../src/schemas/tools-documents.generated.js';

const schemaDocuments = {
  ...compilerDocuments,
  ...billsDocuments,
  ...documentsDocuments,
  ...toolsDocuments,
};

const folder = new URL('../../schemas/', import.meta.url);
const suffix = '.schema.json';
const schemas = readdirSync(folder)
  .filter((file) => file.endsWith(suffix))
  .map((file) => ({
    name: file.slice(0, -suffix.length),
    document: JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
  }));

describe('published schemas', () => {
  it('are all there, and are the ones that were compiled', () => {
    const names = schemas.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'answer-value',
        'answers',
        'result',
        'squad',
        'vapi-squad',
        'workflow',
      ]),
    );
    for (const { name, document } of schemas) expect(schemaDocuments[name]).toEqual(document);
  });

  it.each(schemas)('$name is valid draft 2020-12', ({ document }) => {
    const ajv = new Ajv2020({ strict: true });
    expect(document.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(ajv.validateSchema(document), JSON.stringify(ajv.errors)).toBe(true);
  });

  it.each(schemas)('$name says who it is', ({ name, document }) => {
    expect(document.$id).toBe(`https://squadc.dev/schemas/${name}.schema.json`);
    expect(document.title).toMatch(/^[A-Z]/u);
    expect(document.description).toMatch(/^[A-Z].+\.$/su);
  });

  it.each(schemas)(
    '$name refers only to definitions that exist, and uses all of its own',
    ({ document }) => {
      const text = JSON.stringify(schemas.map((it) => it.document));
      for (const name of Object.keys(document.$defs ?? {})) {
        expect(text).toContain(`#/$defs/${name}"`);
      }
      const ajv = new Ajv2020({ strict: true, schemas: schemas.map((it) => it.document) });
      expect(ajv.getSchema(document.$id)).toBeTypeOf('function');
    },
  );
});
