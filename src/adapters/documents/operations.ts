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

export type ApiVersion = (typeof apiVersions)[number];

export const latestApiVersion = '2026-02-09' satisfies ApiVersion;

export interface DocumentOperation extends Operation {
  /** The version of the API that brought the endpoint, where that is told. */
  readonly since?: ApiVersion;
  /** The body is always `{}`; callers give none. */
  readonly emptyBody?: true;
}

type Traits = Partial<DocumentOperation>;

const json = { method: 'POST', body: 'json', repeat: 'never' } as const;
const read = { method: 'GET', repeat: 'always' } as const;
/** What comes back from a change to what exists is not told. */
const change = { ...json, answer: 'nothing' } as const;

/** What the usual methods of a resource do, and what they add to its path. */
const usual = {
  create: { ...json, path: '' },
  get: { ...read, path: '/{id}' },
  list: { ...read, path: '' },
  update: { ...change, path: '/{id}' },
  delete: { method: 'DELETE', path: '/{id}', answer: 'nothing', repeat: 'always' },
  cancel: { ...change, path: '/{id}/cancel', emptyBody: true },
} as const;

/** Methods of one resource, each with what is special about it. */
function resource(
  group: string,
  path: string,
  methods: Readonly<Partial<Record<keyof typeof usual, Traits | null>>>,
  idPath = '/{id}',
): DocumentOperation[] {
  return Object.entries(methods).map(([name, traits]) => {
    const shape = usual[name as keyof typeof usual];
    const full = path + shape.path.replace('/{id}', idPath);
    return { id: `${group}.${name}`, ...shape, path: full, ...traits };
  });
}

const post = (id: string, path: string, traits?: Traits): DocumentOperation => ({
  id,
  ...json,
  path,
  ...traits,
});

/** Holds the connection until the document is done. */
const wait = (verb: string, traits?: Traits): DocumentOperation =>
  post(verb, `/${verb}`, { time: 'processing', since: latestApiVersion, ...traits });

const paging = ['nextPageToken', 'maxPageSize'];
const directed = ['sortDir', ...paging];
const sorted = ['sortBy', ...directed];
const runFilters = ['status', 'batchId', 'fileNameContains', ...sorted];
const bySorting = { query: sorted };
const responseType = { query: ['responseType'] };

/** All about one kind of processor; `noun` in the singular. */
function processor(verb: string, noun: string): DocumentOperation[] {
  const nouns = `${noun}s`;
  const ofProcessor = { query: [...runFilters, `${noun}Id`, 'sourceId', 'source'] };
  return [
    wait(verb),
    ...resource(`${verb}Runs`, `/${verb}_runs`, {
      create: null,
      get: null,
      list: ofProcessor,
      delete: null,
      cancel: null,
    }),
    ...resource(nouns, `/${nouns}`, { create: null, get: null, update: null, list: bySorting }),
    ...resource(
      `${nouns}.versions`,
      `/${nouns}/{${noun}Id}/versions`,
      { create: null, get: null, list: { query: directed } },
      '/{versionId}',
    ),
  ].map((operation) => ({ ...operation, since: latestApiVersion }));
}

/** Parse and edit, whose runs are neither listed nor cancelled. */
function pageWork(verb: string, traits: Traits | null): DocumentOperation[] {
  const runs = resource(`${verb}Runs`, `/${verb}_runs`, {
    create: null,
    get: traits,
    delete: null,
  });
  return [wait(verb, traits ?? {}), ...runs];
}

const items = 'evaluationSets.items';
const itemPath = '/evaluation_sets/{id}/items';

export const documentOperations: readonly DocumentOperation[] = [
  post('files.upload', '/files/upload', { body: 'multipart', query: ['convertToPdf'] }),
  ...resource('files', '/files', {
    get: { query: ['rawText', 'markdown', 'html'] },
    list: { query: ['nameContains', ...directed] },
    delete: null,
  }),
  ...processor('extract', 'extractor'),
  ...processor('classify', 'classifier'),
  ...processor('split', 'splitter'),
  ...pageWork('parse', responseType),
  ...pageWork('edit', null),
  ...resource('workflowRuns', '/workflow_runs', { create: null }),
  post('workflowRuns.createBatch', '/workflow_runs/batch'),
  ...resource('workflowRuns', '/workflow_runs', {
    get: null,
    update: null,
    cancel: null,
    delete: null,
    list: { query: [...runFilters, 'workflowId'] },
  }),
  ...resource('workflows', '/workflows', { create: null }),
  ...resource('evaluationSets', '/evaluation_sets', {
    create: null,
    get: null,
    list: { query: ['entityId', ...sorted] },
  }),
  post(`${items}.create`, itemPath),
  post(`${items}.createBulk`, `${itemPath}/bulk`),
  ...resource(
    items,
    itemPath,
    { get: null, update: { method: 'PATCH' }, delete: null, list: bySorting },
    '/{itemId}',
  ),
  ...resource('evaluationSets.runs', '/evaluation_sets/{id}/runs', { get: null }, '/{runId}'),
];

/** The form of the specification, or the one that the service takes today. */
export type Wire = 'spec' | 'current';

/** What differs today: method or path; null where there is no such endpoint any more. */
export const currentForms: Readonly<Record<string, Pick<Traits, 'method' | 'path'> | null>> = {
  'evaluationSets.items.createBulk': null,
  'evaluationSets.items.update': { method: 'POST' },
  'evaluationSets.runs.get': { path: '/evaluation_set_runs/{runId}' },
};
