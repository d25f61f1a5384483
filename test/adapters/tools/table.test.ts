/** Every tool stands for an operation of the services' own tables, and none is made up. */
import { describe, expect, it } from 'vitest';
import { billsOperations } from '../../../src/adapters/bills/operations.js';
import { documentOperations } from '../../../src/adapters/documents/operations.js';
import { toolDefinitions } from '../../../src/tools.js';

const tools = Object.values(toolDefinitions);

const ofDocuments = documentOperations.map(({ id, ...rest }) => ({
  id: `documents.${id}`,
  ...rest,
}));
const operations = new Map(
  [...Object.values(billsOperations), ...ofDocuments].map((each) => [each.id as string, each]),
);

describe('the table', () => {
  it('has all bill operations, and those on documents that make sense in a call', () => {
    expect(Object.keys(toolDefinitions)).toEqual([
      ...Object.values(billsOperations).map(({ id }) => id),
      'documents.extract',
      'documents.classify',
      'documents.split',
      'documents.parse',
      'documents.workflowRuns.create',
      'documents.extractRuns.get',
      'documents.classifyRuns.get',
      'documents.splitRuns.get',
      'documents.parseRuns.get',
      'documents.workflowRuns.get',
    ]);
    for (const [operation, tool] of Object.entries(toolDefinitions)) {
      expect(tool.operation).toBe(operation);
    }
  });

  it.each(['constructor', '__proto__', 'toString'])('knows no operation %s', (name) => {
    expect(toolDefinitions[name]).toBeUndefined();
  });

  it.each(tools)('$operation: is sent as the table of operations says', (tool) => {
    const { method, path, repeat } = operations.get(tool.operation) ?? expect.fail();
    expect(tool).toMatchObject({ method, path, repeat });
  });

  it('says what each does to records', () => {
    const by = (effect: string) =>
      tools.filter((tool) => tool.effect === effect).map(({ operation }) => operation);
    expect(by('reads')).toEqual([
      'bills.get',
      'bills.getAttachment',
      'bills.list',
      'bills.listByOrg',
      'documents.extractRuns.get',
      'documents.classifyRuns.get',
      'documents.splitRuns.get',
      'documents.parseRuns.get',
      'documents.workflowRuns.get',
    ]);
    expect(by('processes')).toEqual([
      'documents.extract',
      'documents.classify',
      'documents.split',
      'documents.parse',
      'documents.workflowRuns.create',
    ]);
    expect(by('changes')).toHaveLength(7);
  });

  it('lets the platform itself read and nothing else, approval by GET least of all', () => {
    for (const { operation, effect, direct, method } of tools) {
      expect(direct, operation).toBe(effect === 'reads');
      if (direct) expect(method, operation).toBe('GET');
    }
  });
});

describe('names and descriptions', () => {
  it('are legal and nobody else’s', () => {
    for (const { name } of tools) expect(name).toMatch(/^[a-z][a-z0-9_]{2,39}$/);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  });

  it.each(tools)('$operation: is described in a few sentences', ({ description, parameters }) => {
    expect(description).toMatch(/^[A-Z][^\n]{40,260}\.$/);
    for (const { name, description: text } of parameters) {
      expect(text, name).toMatch(/^\S[^\n]{5,200}\.$/);
    }
  });

  it('tell the assistant to ask before it deletes, decides or pays', () => {
    for (const operation of ['create', 'delete', 'deleteAttachment', 'setApproved']) {
      expect(toolDefinitions[`bills.${operation}`]?.description).toMatch(/yes|clear answer/);
    }
  });
});
