/**
 * The 69 operations of the documents service, as data.
 *
 * Out: one table in the form of the specification, and the differences in the form that the service
 * accepts today. The compiler checks that the table has every method of the client.
 * Invariants: only reads and DELETE may be sent again, because no other operation accepts an
 * idempotency key.
 */
import type { Checks, Operation } from '../http/operation.js';
import { isFlag, isPositive } from '../http/request.js';
import type { DocumentsClient } from './documents-client.js';

/** The versions of the API, oldest first; as strings they compare like dates. */
export const apiVersions = ['2024-07-30', '2024-12-23', '2025-04-21', '2026-02-09'] as const;

/** The date that names a version of the documents API; sent as a header with every call. */
export type ApiVersion = (typeof apiVersions)[number];

export const latestApiVersion = '2026-02-09' satisfies ApiVersion;

/** Prefix of the service's header names, such as `x-acme-` for `acme`; undefined if invalid. */
export function vendorHeaderPrefix(vendorPrefix: unknown = 'service'): string | undefined {
  const fits = typeof vendorPrefix === 'string' && /^[a-z][a-z0-9-]*$/i.test(vendorPrefix);
  return fits ? `x-${vendorPrefix.toLowerCase()}-` : undefined;
}

/** One of the operations of the documents specification, as data. */
export type DocumentOperation = Operation;

/** How a method is sent; its path is relative to that of the resource. */
type Shape = Pick<DocumentOperation, 'method' | 'path'> & Partial<DocumentOperation>;

/** Every method of a client except those built on others. */
type Table<Client> = {
  readonly [Name in keyof Client as Exclude<
    Name,
    'iterate' | 'poll' | 'createAndPoll' | 'close'
  >]: Client[Name] extends (...given: never[]) => unknown ? Shape : Table<Client[Name]>;
};

/** The specification does not say what changing a resource returns. */
const answer = 'nothing';

const create: Shape = { method: 'POST', path: '' };
const get: Shape = { method: 'GET', path: '/{id}' };
const update: Shape = { method: 'POST', path: '/{id}', answer };
const remove: Shape = { method: 'DELETE', path: '/{id}', answer };
const cancel: Shape = { method: 'POST', path: '/{id}/cancel', answer, body: 'empty' };
const list = (...query: string[]): Shape => ({ method: 'GET', path: '', query });
/** Keeps the connection open until the document is done. */
const wait = (path: string): Shape => ({ method: 'POST', path, time: 'processing' });

/** The methods of one resource, by name. */
function resource<Name extends string>(
  base: string,
  methods: Readonly<Record<Name, Shape>>,
  id = '{id}',
): Readonly<Record<Name, Shape>> {
  const placed: Record<Name, Shape> = { ...methods };
  for (const name in placed) {
    const shape: Shape = placed[name];
    placed[name] = { ...shape, path: base + shape.path.replace('{id}', id) };
  }
  return placed;
}

const directed = ['sortDir', 'nextPageToken', 'maxPageSize'];
const sorted = ['sortBy', ...directed];
const runFilters = ['status', 'batchId', 'fileNameContains', ...sorted];
const query = ['responseType'];

const runs = (verb: string, noun: string) =>
  resource(`/${verb}_runs`, {
    create,
    get,
    list: list(...runFilters, `${noun}Id`, 'sourceId', 'source'),
    delete: remove,
    cancel,
  });

const processors = (noun: string) => ({
  ...resource(`/${noun}s`, { create, get, update, list: list(...sorted) }),
  versions: resource(
    `/${noun}s/{${noun}Id}/versions`,
    { create, get, list: list(...directed) },
    '{versionId}',
  ),
});

const table: Table<DocumentsClient> = {
  files: resource('/files', {
    upload: { ...create, path: '/upload', body: 'multipart', query: ['convertToPdf'] },
    get: { ...get, query: ['rawText', 'markdown', 'html'] },
    list: list('nameContains', ...directed),
    delete: remove,
  }),
  extract: wait('/extract'),
  extractRuns: runs('extract', 'extractor'),
  extractors: processors('extractor'),
  classify: wait('/classify'),
  classifyRuns: runs('classify', 'classifier'),
  classifiers: processors('classifier'),
  split: wait('/split'),
  splitRuns: runs('split', 'splitter'),
  splitters: processors('splitter'),
  parse: { ...wait('/parse'), query },
  parseRuns: resource('/parse_runs', { create, get: { ...get, query }, delete: remove }),
  edit: wait('/edit'),
  editRuns: resource('/edit_runs', { create, get, delete: remove }),
  workflowRuns: resource('/workflow_runs', {
    create,
    createBatch: { ...create, path: '/batch' },
    get,
    update,
    cancel,
    delete: remove,
    list: list(...runFilters, 'workflowId'),
  }),
  workflows: resource('/workflows', { create }),
  evaluationSets: {
    ...resource('/evaluation_sets', { create, get, list: list('entityId', ...sorted) }),
    items: resource(
      '/evaluation_sets/{id}/items',
      {
        create,
        createBulk: { ...create, path: '/bulk' },
        get,
        update: { ...update, method: 'PATCH' },
        delete: remove,
        list: list(...sorted),
      },
      '{itemId}',
    ),
    runs: resource('/evaluation_sets/{id}/runs', { get }, '{runId}'),
  },
};

const checks: Checks = [
  [/^maxPageSize$/, isPositive],
  [/^(?:rawText|markdown|html|convertToPdf)$/, isFlag],
];

interface Rows {
  readonly [name: string]: Shape | Rows;
}

/** An operation's id is the path of its method in the client. */
function operationsIn(rows: Rows, group = ''): DocumentOperation[] {
  return Object.entries(rows).flatMap(([name, shape]) => {
    const id = group + name;
    if (!isShape(shape)) return operationsIn(shape, `${id}.`);
    const harmless = shape.method === 'GET' || shape.method === 'DELETE';
    return {
      id,
      checks,
      repeat: harmless ? ('always' as const) : 'never',
      ...(!harmless && { body: 'json' as const }),
      ...shape,
    };
  });
}

const isShape = (shape: Shape | Rows): shape is Shape => typeof shape['method'] === 'string';

/** All 69 operations, in the form of the specification. */
export const documentOperations: readonly DocumentOperation[] = operationsIn(table);

/** What differs today: method or path; null if the endpoint no longer exists. */
export const currentForms: Readonly<
  Record<string, Partial<Pick<Shape, 'method' | 'path'>> | null>
> = {
  'evaluationSets.items.createBulk': null,
  'evaluationSets.items.update': { method: 'POST' },
  'evaluationSets.runs.get': { path: '/evaluation_set_runs/{runId}' },
};
