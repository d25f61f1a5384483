/** The table of the documents service has what the specification has, and says when to repeat. */
import { describe, expect, it } from 'vitest';
import { currentForms, documentOperations } from '../../../src/adapters/documents/operations.js';
import { endpoints } from './endpoints.js';

describe('the operations of the documents service', () => {
  it('are the endpoints of the specification, in its order', () => {
    const expected = endpoints.map(([method, path, id]) => [method, path, id]);
    expect(documentOperations.map(({ method, path, id }) => [method, path, id])).toEqual(expected);
    expect(endpoints).toHaveLength(69);
  });

  it('take the query parameters that the service takes, and no other', () => {
    for (const [index, [, , id, names = '']] of endpoints.entries()) {
      const query = documentOperations[index]?.query ?? [];
      expect([...query].sort(), id).toEqual(names.split(' ').filter(Boolean).sort());
    }
  });

  it('promise no answer where something that exists is changed or deleted', () => {
    for (const { id, answer = 'json' } of documentOperations) {
      const changes = /\.(?:update|delete|cancel)$/.test(id);
      expect(answer, id).toBe(changes ? 'nothing' : 'json');
    }
  });

  it('may be repeated where they read or delete, and nowhere else', () => {
    for (const { id, method, repeat, key } of documentOperations) {
      const harmless = method === 'GET' || method === 'DELETE';
      expect(repeat, id).toBe(harmless ? 'always' : 'never');
      expect(key, id).toBeUndefined();
    }
  });

  it('wait for a document in five of them', () => {
    const waiting = documentOperations.filter(({ time }) => time === 'processing');
    expect(waiting.map(({ id }) => id)).toEqual(['extract', 'classify', 'split', 'parse', 'edit']);
  });

  it('have a body of JSON in every POST and PATCH but the upload', () => {
    for (const { id, method, body } of documentOperations) {
      const expected = method === 'POST' || method === 'PATCH' ? 'json' : undefined;
      expect(body, id).toBe(id === 'files.upload' ? 'multipart' : expected);
    }
  });

  it('came with the version of resources where it says so', () => {
    const later = documentOperations.filter(({ since }) => since !== undefined);
    expect(later.every(({ since }) => since === '2026-02-09')).toBe(true);
    expect(later.map(({ id }) => id.split('.')[0]).filter(firstOfItsKind)).toEqual([
      ...['extract', 'extractRuns', 'extractors'],
      ...['classify', 'classifyRuns', 'classifiers'],
      ...['split', 'splitRuns', 'splitters'],
      ...['parse', 'edit'],
    ]);
  });

  it('page through every list', () => {
    const lists = documentOperations.filter(({ id }) => id.endsWith('.list'));
    expect(lists).toHaveLength(13);
    for (const { id, query } of lists) {
      expect(query, id).toEqual(expect.arrayContaining(['nextPageToken', 'maxPageSize']));
      expect(new Set(query).size, id).toBe(query?.length);
    }
  });

  it('differ today in four forms, of which three are of the table', () => {
    const ids = documentOperations.map(({ id }) => id);
    expect(Object.keys(currentForms).filter((id) => !ids.includes(id))).toEqual([]);
    expect(currentForms).toEqual({
      'evaluationSets.items.createBulk': null,
      'evaluationSets.items.update': { method: 'POST' },
      'evaluationSets.runs.get': { path: '/evaluation_set_runs/{runId}' },
    });
  });
});

function firstOfItsKind<Item>(item: Item, index: number, all: readonly Item[]): boolean {
  return all.indexOf(item) === index;
}
