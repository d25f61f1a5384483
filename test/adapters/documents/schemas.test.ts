/** Schemas and texts stand for every operation, under the ids of the table. */
import { describe, expect, it } from 'vitest';
import { documentOperations } from '../../../src/adapters/documents/operations.js';
import { createDocumentsClient } from '../../../src/documents.js';
import {
  documentsSchema,
  documentsTexts,
  documentsValidators,
} from '../../../src/documents-schemas.js';

const ids = documentOperations.map(({ id }) => id);

describe('the schema', () => {
  it('has the operations of the table, in its order', () => {
    expect(Object.keys(documentsSchema['properties'] as object)).toEqual(ids);
    expect(Object.keys(documentsValidators)).toEqual(ids);
  });

  it('has bodies where the table has them, and an answer always', () => {
    for (const { id, body } of documentOperations) {
      const validators = documentsValidators[id];
      expect(typeof validators?.request, id).toBe(body === 'json' ? 'function' : 'undefined');
      expect(typeof validators?.response, id).toBe('function');
    }
  });
});

describe('the texts', () => {
  it('say what each operation and each of its parameters is for', () => {
    for (const { id, path, query = [] } of documentOperations) {
      const { description, parameters } = documentsTexts[id] ?? { description: '', parameters: {} };
      expect(description, id).toMatch(/^[A-Z][^.]{10,}$/);
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(parameters).sort(), id).toEqual([...inPath, ...query].sort());
      expect(Object.keys(parameters).slice(0, inPath.length), id).toEqual(inPath);
      for (const text of Object.values(parameters)) expect(text, id).toMatch(/^[A-Z].{10,}/);
    }
  });
});

describe('a body', () => {
  const file = { url: 'https://example.com/a.pdf' };
  it.each<[string, unknown, readonly string[]]>([
    ['extract', { file, extractor: { id: 'ex_1' } }, []],
    ['extract', { file: { id: 'f' }, config: { schema: {} }, more: 1 }, []],
    ['extract', { file: {}, config: {} }, ['/file']],
    ['extract', { file }, ['body']],
    ['extract', { file, config: {}, extractor: { id: 'ex_1' } }, ['body']],
    ['extract', { config: {} }, ['body']],
    ['classifyRuns.create', { file, classifier: {} }, ['/classifier']],
    ['extractors.create', {}, ['body']],
    [
      'extractors.create',
      { name: 'n', config: { fields: [{ name: 7, type: 'string' }] } },
      ['/config/fields/0/name'],
    ],
    ['extractRuns.cancel', {}, []],
    ['extractRuns.cancel', undefined, []],
    ['extractRuns.cancel', { reason: 'x' }, ['body']],
    ['workflowRuns.create', { workflowId: 'w', files: [{ url: 'u', fileName: 'n' }] }, []],
    ['workflowRuns.create', { workflow: { id: 'w' }, file }, []],
    ['workflowRuns.create', { workflow: { id: 'w' } }, ['body']],
    ['evaluationSets.items.update', 'x', ['body']],
  ])('of %s is judged: %j', (id, body, places) => {
    const findings = documentsValidators[id]?.request?.(body) ?? ['no validator'];
    if (places.length === 0) expect(findings).toEqual([]);
    for (const place of places) {
      expect(findings.some((finding) => finding.startsWith(`${place} `))).toBe(true);
    }
  });

  it.each<[string, unknown, boolean]>([
    ['extractRuns.get', { id: 'r', status: 'NEW_STATUS', output: null }, true],
    [
      'extractRuns.get',
      { id: 'r', status: 'PROCESSED', output: { value: {}, metadata: {} } },
      true,
    ],
    ['extractRuns.get', { id: 'r' }, false],
    ['extractRuns.get', { id: 'r', status: 'PROCESSED', output: 'x' }, false],
    ['extractRuns.list', { object: 'list', data: [{ id: 'r', status: 'FAILED' }] }, true],
    ['extractRuns.list', [], false],
    ['parseRuns.get', { id: 'r', status: 'PROCESSED', output: { chunks: [{}] } }, false],
    ['files.delete', undefined, true],
    ['files.get', undefined, false],
    [
      'workflowRuns.get',
      { id: 'r', status: 'PROCESSED', stepRuns: [{ step: { type: 'EXTRACT' } }] },
      true,
    ],
  ])('answered by %s is judged: %j', (id, body, right) => {
    const findings = documentsValidators[id]?.response?.(body);
    expect(findings?.length === 0).toBe(right);
  });

  it('is refused before it is sent, where the caller wants that', async () => {
    const sent: unknown[] = [];
    const client = createDocumentsClient({
      baseUrl: 'https://documents.example',
      apiKey: 'k',
      validate: 'error',
      validators: documentsValidators,
      fetch: async (...given) => {
        sent.push(given);
        return Response.json({ id: 'r' });
      },
    });
    await expect(client.extractors.create({} as { name: string })).rejects.toMatchObject({
      code: 'api/invalid-request',
      operation: 'extractors.create',
    });
    expect(sent).toEqual([]);
    await expect(client.extractRuns.get('r')).rejects.toMatchObject({ code: 'api/invalid-answer' });
    expect(sent).toHaveLength(1);
  });
});
