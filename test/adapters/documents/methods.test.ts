/** Methods are derived from the table: names, order of arguments, wire, pages. */
import { describe, expect, it } from 'vitest';
import type { DocumentsClient } from '../../../src/adapters/documents/documents-client.js';
import { createMethods } from '../../../src/adapters/documents/methods.js';
import { documentOperations } from '../../../src/adapters/documents/operations.js';
import type { Wire } from '../../../src/documents.js';
import { endpoints } from './endpoints.js';
import { type FakeSender, fakeSender } from './fake-sender.js';

function clientOn<W extends Wire = 'spec'>(
  sender: FakeSender,
  wire: W = 'spec' as W,
  onUse: (id: string) => void = () => {},
): DocumentsClient<W> {
  return createMethods(sender, wire, ({ id }) => onUse(id)) as DocumentsClient<W>;
}

const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

// biome-ignore lint/suspicious/noExplicitAny: methods are looked up by name
const methodOf = (client: any, id: string) => id.split('.').reduce((at, name) => at[name], client);

describe('a method', () => {
  for (const [method, path, id] of endpoints.filter(([, , id]) => id !== 'files.upload')) {
    it(`${id} takes path, body, query and options in this order`, async () => {
      const operation = documentOperations.find((each) => each.id === id);
      const sender = fakeSender(() => 'answer');
      const ids = namesIn(path).map((_, index) => `id-${index}`);
      const body = { some: 'body' };
      const query = { some: 'query' };
      const options = { deadlineMs: 5 };
      const takesBody = (method === 'POST' || method === 'PATCH') && !id.endsWith('.cancel');
      const given = [...ids, ...(takesBody ? [body] : []), ...(operation?.query ? [query] : [])];
      expect(await methodOf(clientOn(sender), id)(...given, options)).toBe('answer');
      expect(sender.sent).toEqual([
        {
          operation: expect.objectContaining({ id, method, path }),
          given: {
            path: ids,
            body: takesBody ? body : undefined,
            secrets: takesBody ? [] : undefined,
            query: operation?.query ? query : undefined,
          },
          options,
        },
      ]);
    });
  }

  it('passes what was left out as absent', async () => {
    const sender = fakeSender();
    const client = clientOn(sender);
    await client.extractRuns.list();
    await client.extractors.versions.list('ex');
    await (client.extractors.versions.get as (...given: unknown[]) => Promise<unknown>)('ex');
    expect(sender.sent.map(({ given }) => given.path)).toEqual([[], ['ex'], ['ex', undefined]]);
    expect(sender.sent.every(({ given, options }) => !given.query && !options)).toBe(true);
  });

  it('stands for every operation, and beside lists and runs for no more than iterate and poll', () => {
    const found: string[] = [];
    const walk = (at: object, path: string): void => {
      for (const [name, value] of Object.entries(at)) {
        const id = path === '' ? name : `${path}.${name}`;
        if (typeof value === 'function') found.push(id);
        else walk(value, id);
      }
    };
    walk(clientOn(fakeSender()), '');
    const ids = endpoints.map(([, , id]) => id);
    const lists = ids
      .filter((id) => id.endsWith('.list'))
      .map((id) => id.replace('list', 'iterate'));
    const polled = ['extract', 'classify', 'split', 'parse', 'edit', 'workflow'].flatMap((verb) => [
      `${verb}Runs.poll`,
      `${verb}Runs.createAndPoll`,
    ]);
    expect(found.sort()).toEqual([...ids, ...lists, ...polled].sort());
  });

  it('tells which operation is used, before it is sent', async () => {
    const used: string[] = [];
    await clientOn(fakeSender(), 'spec', (id) => used.push(id)).files.get('f');
    expect(used).toEqual(['files.get']);
  });
});

describe('the wire of today', () => {
  it('updates an item by POST and finds a run of an evaluation by its own id', async () => {
    const sender = fakeSender();
    const { evaluationSets } = clientOn(sender, 'current');
    await evaluationSets.items.update('set', 'item', { expectedOutput: {} });
    await evaluationSets.runs.get('set', 'run', { deadlineMs: 9 });
    expect(
      sender.sent.map(({ operation, given }) => [operation.method, operation.path, given.path]),
    ).toEqual([
      ['POST', '/evaluation_sets/{id}/items/{itemId}', ['set', 'item']],
      ['GET', '/evaluation_set_runs/{runId}', ['run']],
    ]);
    expect(sender.sent[1]?.options).toEqual({ deadlineMs: 9 });
  });

  it('checks the id that it does not send', async () => {
    const sender = fakeSender();
    const { runs } = clientOn(sender, 'current').evaluationSets;
    await expect(runs.get('..', 'run')).rejects.toMatchObject({ code: 'api/invalid-argument' });
    expect(sender.sent).toEqual([]);
  });

  it('refuses items in bulk', async () => {
    const sender = fakeSender();
    const { items } = clientOn(sender, 'current').evaluationSets;
    await expect(items.createBulk('set', { items: [] })).rejects.toMatchObject({
      code: 'api/not-in-wire',
      operation: 'evaluationSets.items.createBulk',
      outcome: 'not-sent',
    });
    expect(sender.sent).toEqual([]);
  });

  it('sends everything else as specified', async () => {
    const forms = async (wire: Wire) => {
      const sender = fakeSender();
      const client = clientOn(sender, wire);
      for (const [, path, id] of endpoints) {
        if (/upload|createBulk/.test(id)) continue;
        await methodOf(client, id)(...namesIn(path).map(() => 'x'));
      }
      return sender.sent.map(({ operation }) => `${operation.method} ${operation.path}`);
    };
    const [specified, today] = [await forms('spec'), await forms('current')];
    expect(today.filter((form, index) => form !== specified[index])).toHaveLength(2);
  });
});

describe('iterate', () => {
  const pages: Record<string, unknown> = {
    first: { object: 'list', data: [1, 2], nextPageToken: 'b' },
    b: { object: 'list', data: [], nextPageToken: 'c' },
    c: { object: 'list', data: [3], nextPageToken: null },
  };
  const paged = () =>
    fakeSender(({ given }) => pages[(given.query?.['nextPageToken'] as string) ?? 'first']);

  async function all(entries: AsyncIterable<unknown>): Promise<unknown[]> {
    const found: unknown[] = [];
    for await (const entry of entries) found.push(entry);
    return found;
  }

  it('goes through all pages with the query and the options of the call', async () => {
    const sender = paged();
    const options = { deadlineMs: 7 };
    const query = { maxPageSize: 2 };
    expect(await all(clientOn(sender).extractors.versions.iterate('ex', query, options))).toEqual([
      1, 2, 3,
    ]);
    expect(sender.sent.map(({ given }) => given.query)).toEqual([
      { maxPageSize: 2 },
      { maxPageSize: 2, nextPageToken: 'b' },
      { maxPageSize: 2, nextPageToken: 'c' },
    ]);
    expect(sender.sent.every((each) => each.options === options)).toBe(true);
    expect(sender.sent.every(({ given }) => given.path?.[0] === 'ex')).toBe(true);
  });

  it('begins where the query says', async () => {
    expect(await all(clientOn(paged()).files.iterate({ nextPageToken: 'c' }))).toEqual([3]);
  });

  it('asks for no page before it is needed', async () => {
    const sender = paged();
    const entries = clientOn(sender).files.iterate();
    expect(sender.sent).toHaveLength(0);
    await entries.next();
    await entries.next();
    expect(sender.sent).toHaveLength(1);
    await entries.return();
  });

  it.each([
    ['at once', ['a', 'a']],
    ['in a circle', ['a', 'b', 'c', 'a']],
  ])('ends with an error when a page token comes again %s', async (_, tokens) => {
    const sender = fakeSender((_sent, count) => ({
      data: [count],
      nextPageToken: tokens[count - 1],
    }));
    const found: unknown[] = [];
    const reading = (async () => {
      for await (const entry of clientOn(sender).files.iterate()) found.push(entry);
    })();
    await expect(reading).rejects.toMatchObject({
      code: 'api/repeated-page',
      operation: 'files.list',
    });
    expect(found).toHaveLength(tokens.length);
  });

  it('ends with an error when the page that the query names comes again', async () => {
    const sender = fakeSender(() => ({ data: [], nextPageToken: 'a' }));
    const reading = clientOn(sender).files.iterate({ nextPageToken: 'a' }).next();
    await expect(reading).rejects.toMatchObject({ code: 'api/repeated-page' });
    expect(sender.sent).toHaveLength(1);
  });

  it.each([[undefined], [null], [[]], [{ data: 'x' }]])('refuses %j for a page', async (page) => {
    const reading = clientOn(fakeSender(() => page))
      .files.iterate()
      .next();
    await expect(reading).rejects.toMatchObject({ code: 'api/malformed', reason: 'data' });
  });
});
