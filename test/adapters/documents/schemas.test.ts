/**
 * Schemas and texts stand for every operation, under the ids of the table. That the answers of the
 * service fit them is tried with the sandbox.
 */
import { expect, it } from 'vitest';
import { documentOperations } from '../../../src/documents.js';
import {
  documentsSchema,
  documentsTexts,
  documentsValidators,
} from '../../../src/documents-schemas.js';

it('schema, validators and texts have the operations of the table, and what each has', () => {
  const ids = documentOperations.map(({ id }) => id);
  expect(Object.keys(documentsSchema['properties'] as object)).toEqual(ids);
  expect(Object.keys(documentsValidators)).toEqual(ids);
  for (const { id, body, path, query = [] } of documentOperations) {
    const validators = documentsValidators[id];
    expect(typeof validators?.request, id).toBe(body === 'json' ? 'function' : 'undefined');
    expect(typeof validators?.response, id).toBe('function');
    const { description, parameters } = documentsTexts[id] ?? { description: '', parameters: {} };
    expect(description, id).toMatch(/^[A-Z][^.]{10,}$/);
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(parameters).sort(), id).toEqual([...inPath, ...query].sort());
    expect(Object.keys(parameters).slice(0, inPath.length), id).toEqual(inPath);
    for (const text of Object.values(parameters)) expect(text, id).toMatch(/^[A-Z].{10,}/);
  }
});

const file = { url: 'https://example.com/a.pdf' };
const fields = [{ name: 7, type: 'string' }];

it.each<[side: 'request' | 'response', id: string, body: unknown, place: string | null]>([
  ['request', 'extract', { file, extractor: { id: 'ex_1' } }, null],
  ['request', 'extract', { file: { id: 'f' }, config: { schema: {} }, more: 1 }, null],
  ['request', 'extract', { file: {}, config: {} }, '/file'],
  ['request', 'extract', { file }, 'body'],
  ['request', 'extract', { file, config: {}, extractor: { id: 'ex_1' } }, 'body'],
  ['request', 'classifyRuns.create', { file, classifier: {} }, '/classifier'],
  ['request', 'extractors.create', { name: 'n', config: { fields } }, '/config/fields/0/name'],
  ['request', 'extractRuns.cancel', undefined, null],
  ['request', 'extractRuns.cancel', { reason: 'x' }, 'body'],
  ['request', 'workflowRuns.create', { workflowId: 'w', files: [file] }, null],
  ['request', 'workflowRuns.create', { workflow: { id: 'w' }, file }, null],
  ['request', 'workflowRuns.create', { workflow: { id: 'w' } }, 'body'],
  ['response', 'extractRuns.get', { id: 'r', status: 'NEW_STATUS', output: null }, null],
  ['response', 'extractRuns.get', { id: 'r' }, 'body'],
  ['response', 'extractRuns.get', { id: 'r', status: 'PROCESSED', output: 'x' }, '/output'],
  ['response', 'extractRuns.list', [], 'body'],
  [
    'response',
    'parseRuns.get',
    { id: 'r', status: 'x', output: { chunks: [{}] } },
    '/output/chunks/0',
  ],
  ['response', 'files.delete', undefined, null],
  ['response', 'files.get', undefined, 'body'],
])('the %s of %s is judged: %j', (side, id, body, place) => {
  const findings = documentsValidators[id]?.[side]?.(body) ?? ['no validator'];
  if (place === null) expect(findings).toEqual([]);
  else expect(findings.some((finding) => finding.startsWith(`${place} `))).toBe(true);
});
