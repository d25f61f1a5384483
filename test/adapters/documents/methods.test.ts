/** Methods are derived from the table: names, order of arguments, wire, pages. */
import { describe, expect, it } from 'vitest';
import type { DocumentsClient } from '../../../src/adapters/documents/documents-client.js';
import { createMethods } from '../../../src/adapters/documents/methods.js';
import { documentOperations, type Wire } from '../../../src/documents.js';
import { type FakeSender, fakeSender } from './fake-sender.js';

const clientOn = <W extends Wire = 'spec'>(sender: FakeSender, wire: W = 'spec' as W) =>
  createMethods(sender, wire) as DocumentsClient<W>;

// biome-ignore lint/suspicious/noExplicitAny: methods are looked up by name
const methodOf = (client: any, id: string) => id.split('.').reduce((at, name) => at[name], client);

const changing = /\.(?:update|delete|cancel)$/;

describe('a method', () => {
  it.each(documentOperations.map((each) => [each.id, each] as const))(
    '%s takes path, body, query and options in this order',
    async (id, operation) => {
      const { method, path, body, query, repeat, answer = 'json', time } = operation;
      const isHarmless = method === 'GET' || method === 'DELETE';
      expect(repeat).toBe(isHarmless ? 'always' : 'never');
      expect(answer).toBe(changing.test(id) ? 'nothing' : 'json');
      expect(time).toBe(/^[a-z]+$/.test(id) ? 'processing' : undefined);
      const upload = id === 'files.upload' ? 'multipart' : 'json';
      expect(body).toBe(isHarmless ? undefined : upload);
      if (body === 'multipart') return;
      const sender = fakeSender(() => 'answer');
      const ids = (path.match(/\{/g) ?? []).map((_, index) => `id-${index}`);
      const takesBody = body === 'json' && !id.endsWith('.cancel');
      const sent = { some: 'body' };
      const asked = query && { some: 'query' };
      const options = { deadlineMs: 5 };
      const given = [...ids, ...(takesBody ? [sent] : []), ...(asked ? [asked] : [])];
      expect(await methodOf(clientOn(sender), id)(...given, options)).toBe('answer');
      const told = takesBody ? { body: sent, secrets: [] } : {};
      const all = { path: ids, query: asked, ...told };
      expect(sender.sent).toEqual([{ operation, given: all, options }]);
    },
  );

  it('stands for each of 69 operations, and beside lists and runs for iterate and poll', () => {
    const found: string[] = [];
    const walk = (at: object, path: string): void => {
      for (const [name, value] of Object.entries(at)) {
        if (typeof value === 'function') found.push(path + name);
        else walk(value, `${path}${name}.`);
      }
    };
    walk(clientOn(fakeSender()), '');
    const ids = documentOperations.map(({ id }) => id);
    const lists = ids.filter((id) => id.endsWith('.list'));
    const verbs = ['extract', 'classify', 'split', 'parse', 'edit', 'workflow'];
    const polled = verbs.flatMap((verb) => [`${verb}Runs.poll`, `${verb}Runs.createAndPoll`]);
    const iterated = lists.map((id) => id.replace('list', 'iterate'));
    expect(found.sort()).toEqual([...ids, ...iterated, ...polled].sort());
    expect([ids.length, lists.length]).toEqual([69, 13]);
  });
});

it('the wire of today has three forms of its own', async () => {
  const sender = fakeSender();
  const { evaluationSets } = clientOn(sender, 'current');
  await evaluationSets.items.update('set', 'item', { expectedOutput: {} });
  await evaluationSets.runs.get('set', 'run', { deadlineMs: 9 });
  const { runs, items } = evaluationSets;
  await expect(runs.get('..', 'run')).rejects.toMatchObject({ code: 'api/invalid-argument' });
  await expect(items.createBulk('set', { items: [] })).rejects.toMatchObject({
    code: 'api/not-in-wire',
    operation: 'evaluationSets.items.createBulk',
    outcome: 'not-sent',
  });
  const sent = sender.sent.map(({ operation, given, options }) => [
    `${operation.method} ${operation.path}`,
    given.path,
    options,
  ]);
  expect(sent).toEqual([
    ['POST /evaluation_sets/{id}/items/{itemId}', ['set', 'item'], undefined],
    ['GET /evaluation_set_runs/{runId}', ['run'], { deadlineMs: 9 }],
  ]);
});

describe('iterate', () => {
  const pages: Record<string, unknown> = {
    first: { object: 'list', data: [1, 2], nextPageToken: 'b' },
    b: { object: 'list', data: [], nextPageToken: 'c' },
    c: { object: 'list', data: [3], nextPageToken: null },
  };
  const paged = () =>
    fakeSender(({ given }) => pages[(given.query?.['nextPageToken'] as string) ?? 'first']);

  async function all(entries: AsyncIterable<unknown>, found: unknown[] = []): Promise<unknown[]> {
    for await (const entry of entries) found.push(entry);
    return found;
  }

  it('goes through all pages with the query and the options of the call', async () => {
    const sender = paged();
    const options = { deadlineMs: 7 };
    const entries = clientOn(sender).extractors.versions.iterate('ex', { maxPageSize: 2 }, options);
    expect(sender.sent).toHaveLength(0);
    expect((await entries.next()).value).toBe(1);
    expect(sender.sent).toHaveLength(1);
    expect(await all(entries)).toEqual([2, 3]);
    const queries = ['b', 'c'].map((nextPageToken) => ({ maxPageSize: 2, nextPageToken }));
    expect(sender.sent.map(({ given }) => given.query)).toEqual([{ maxPageSize: 2 }, ...queries]);
    expect(sender.sent.every((each) => each.options === options)).toBe(true);
    expect(sender.sent.every(({ given }) => given.path?.[0] === 'ex')).toBe(true);
    expect(await all(clientOn(paged()).files.iterate({ nextPageToken: 'c' }))).toEqual([3]);
  });

  it.each([
    ['at once', ['a', 'a'], undefined],
    ['in a circle', ['a', 'b', 'c', 'a'], undefined],
    ['as the query named it', ['a'], 'a'],
  ])('ends with an error when a page token comes again %s', async (_, tokens, nextPageToken) => {
    const sender = fakeSender((_sent, count) => ({
      data: [count],
      nextPageToken: tokens[count - 1],
    }));
    const found: unknown[] = [];
    const reading = all(clientOn(sender).files.iterate({ nextPageToken }), found);
    const expected = { code: 'api/repeated-page', operation: 'files.list' };
    await expect(reading).rejects.toMatchObject(expected);
    expect(found).toHaveLength(tokens.length);
  });

  it.each([[undefined], [null], [[]], [{ data: 'x' }]])('refuses %j for a page', async (page) => {
    const reading = all(clientOn(fakeSender(() => page)).files.iterate());
    await expect(reading).rejects.toMatchObject({ code: 'api/malformed', reason: 'data' });
  });
});
