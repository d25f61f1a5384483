/**
 * The 69 operations of the documents service, as data.
 *
 * Out: one table in the form of the specification, and what differs in the form that the service
 * takes today. An id is the path of the method in the client: `extractors.versions.create`.
 * Invariants: what only reads, and DELETE, may be sent again; no other operation can be given a
 * key, so none may. Extract, classify and split are one shape, written once.
 */
import type { Operation } from '../http/operation.js';

/** The versions of the API, oldest first, so that they compare like dates. */
export const apiVersions = ['2024-07-30', '2024-12-23', '2025-04-21', '2026-02-09'] as const;

/** The date that names a version of the documents API; goes out as a header with every call. */
export type ApiVersion = (typeof apiVersions)[number];

export const latestApiVersion = '2026-02-09' satisfies ApiVersion;

/** One of the operations of the documents specification, as data. */
export interface DocumentOperation extends Operation {
  /** The version of the API that brought the endpoint, where that is told. */
  readonly since?: ApiVersion;
  /** The body is always `{}`; callers give none. */
  readonly emptyBody?: true;
}

/** How a method of a resource is sent, and what it adds to the path of the resource. */
type Shape = Pick<DocumentOperation, 'method' | 'path'> & Partial<DocumentOperation>;

/** What comes back from a change to what exists is not told. */
const answer = 'nothing';

const create: Shape = { method: 'POST', path: '' };
const get: Shape = { method: 'GET', path: '/{id}' };
const update: Shape = { method: 'POST', path: '/{id}', answer };
const remove: Shape = { method: 'DELETE', path: '/{id}', answer };
const cancel: Shape = { method: 'POST', path: '/{id}/cancel', answer, emptyBody: true };
const list = (...query: string[]): Shape => ({ method: 'GET', path: '', query });
/** Holds the connection until the document is done. */
const wait: Shape = { ...create, time: 'processing', since: latestApiVersion };

function operationOf(id: string, path: string, shape: Shape): DocumentOperation {
  const harmless = /GET|DELETE/.test(shape.method);
  const usual = harmless ? ({ repeat: 'always' } as const) : rest;
  return { id, ...usual, ...shape, path: path + shape.path };
}

const rest = { repeat: 'never', body: 'json' } as const;

/** The methods of one resource, by name. */
function resource(
  group: string,
  path: string,
  methods: Readonly<Record<string, Shape>>,
  idPath = '{id}',
): DocumentOperation[] {
  return Object.entries(methods).map(([name, shape]) =>
    operationOf(`${group}.${name}`, path, { ...shape, path: shape.path.replace('{id}', idPath) }),
  );
}

const directed = ['sortDir', 'nextPageToken', 'maxPageSize'];
const sorted = ['sortBy', ...directed];
const runFilters = ['status', 'batchId', 'fileNameContains', ...sorted];
const query = ['responseType'];

/** All about one kind of processor; `noun` in the singular. */
function processor(verb: string, noun: string): DocumentOperation[] {
  const nouns = `${noun}s`;
  const runs = list(...runFilters, `${noun}Id`, 'sourceId', 'source');
  const versions = { create, get, list: list(...directed) };
  return [
    operationOf(verb, `/${verb}`, wait),
    ...resource(`${verb}Runs`, `/${verb}_runs`, {
      create,
      get,
      list: runs,
      delete: remove,
      cancel,
    }),
    ...resource(nouns, `/${nouns}`, { create, get, update, list: list(...sorted) }),
    ...resource(`${nouns}.versions`, `/${nouns}/{${noun}Id}/versions`, versions, '{versionId}'),
  ].map((operation) => ({ ...operation, since: latestApiVersion }));
}

const items = {
  create,
  createBulk: { ...create, path: '/bulk' },
  get,
  update: { ...update, method: 'PATCH' },
  delete: remove,
  list: list(...sorted),
} as const;

/** All operations, in the form of the specification; 69 of them. */
export const documentOperations: readonly DocumentOperation[] = [
  ...resource('files', '/files', {
    upload: { ...create, path: '/upload', body: 'multipart', query: ['convertToPdf'] },
    get: { ...get, query: ['rawText', 'markdown', 'html'] },
    list: list('nameContains', ...directed),
    delete: remove,
  }),
  ...processor('extract', 'extractor'),
  ...processor('classify', 'classifier'),
  ...processor('split', 'splitter'),
  operationOf('parse', '/parse', { ...wait, query }),
  ...resource('parseRuns', '/parse_runs', { create, get: { ...get, query }, delete: remove }),
  operationOf('edit', '/edit', wait),
  ...resource('editRuns', '/edit_runs', { create, get, delete: remove }),
  ...resource('workflowRuns', '/workflow_runs', {
    create,
    createBatch: { ...create, path: '/batch' },
    get,
    update,
    cancel,
    delete: remove,
    list: list(...runFilters, 'workflowId'),
  }),
  ...resource('workflows', '/workflows', { create }),
  ...resource('evaluationSets', '/evaluation_sets', {
    create,
    get,
    list: list('entityId', ...sorted),
  }),
  ...resource('evaluationSets.items', '/evaluation_sets/{id}/items', items, '{itemId}'),
  ...resource('evaluationSets.runs', '/evaluation_sets/{id}/runs', { get }, '{runId}'),
];

/** The form of the specification, or the one that the service takes today. */
export type Wire = 'spec' | 'current';

/** What differs today: method or path; null where there is no such endpoint any more. */
export const currentForms: Readonly<
  Record<string, Partial<Pick<Shape, 'method' | 'path'>> | null>
> = {
  'evaluationSets.items.createBulk': null,
  'evaluationSets.items.update': { method: 'POST' },
  'evaluationSets.runs.get': { path: '/evaluation_set_runs/{runId}' },
};
