import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { schemaDocuments as billsDocuments } from '../../src/schemas/bills-documents.generated.js';
import { schemaDocuments as compilerDocuments } from '../../src/schemas/documents.generated.js';
import { schemaDocuments as documentsDocuments } from '../../src/schemas/documents-documents.generated.js';
import { fakeIo } from './fake-io.js';

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

  it.each(['wrkflow', 'constructor'])('refuses the unknown name %s with the list', async (name) => {
    const io = fakeIo();
    expect(await run(['schema', name], io)).toBe(64);
    expect(io.out()).toBe('');
    expect(io.err()).toContain(`squadc: unknown schema '${name}'`);
    expect(io.err()).toContain(`Schemas: ${names.join(', ')}\n`);
  });
});
