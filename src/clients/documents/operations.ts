/**
 * The 69 operations of the documents service, as data: the endpoints of the specification, and what
 * differs in the form that the service accepts today.
 *
 * Invariant: only reads and DELETE may be sent again, because no operation takes an idempotency key.
 */
import type { Documents } from '../../schemas/documents-types.generated.js';
import type { Checks, Method, Operation } from '../http/operation.js';
import { isFlag, isPositive } from '../http/request.js';

/** The versions of the API, oldest first; as strings they compare like dates. */
export const apiVersions = ['2024-07-30', '2024-12-23', '2025-04-21', '2026-02-09'] as const;

/** The date that names a version of the documents API; sent as a header with every call. */
export type ApiVersion = (typeof apiVersions)[number];

export const latestApiVersion = apiVersions[3];

/** Paths that only the latest version has; the older ones process documents elsewhere. */
export const newest = /^\/(?:extract|classif|split|(?:parse|edit)$)/;

/** Prefix of the service's header names, such as `x-acme-` for `acme`; undefined if invalid. */
export function vendorHeaderPrefix(vendorPrefix: unknown = 'service'): string | undefined {
  const fits = typeof vendorPrefix === 'string' && /^[a-z][a-z0-9-]*$/i.test(vendorPrefix);
  return fits ? `x-${vendorPrefix.toLowerCase()}-` : undefined;
}

/** Names an operation: it is the path of its method in the client, `extractors.versions.list`. */
export type DocumentOperationId = keyof Documents;

/** One of the operations of the documents specification, as data. */
export interface DocumentOperation extends Operation {
  readonly id: DocumentOperationId;
}

const directed = 'sortDir&nextPageToken&maxPageSize';
const sorted = `sortBy&${directed}`;
const ofRuns = `status&batchId&fileNameContains&${sorted}`;

/** Classifying and splitting have the same structure, with other names. */
const extracting = `
POST /extract
POST /extract_runs
GET /extract_runs/{id}
GET /extract_runs?${ofRuns}&extractorId&sourceId&source
DELETE /extract_runs/{id}
POST /extract_runs/{id}/cancel
POST /extractors
GET POST /extractors/{id}
GET /extractors?${sorted}
POST /extractors/{extractorId}/versions
GET /extractors/{extractorId}/versions/{versionId}
GET /extractors/{extractorId}/versions?${directed}`;

const like = (verb: string, noun: string) =>
  extracting.replaceAll('extractor', noun).replaceAll('extract', verb);

const table = `POST /files/upload?convertToPdf
GET /files/{id}?rawText&markdown&html
GET /files?nameContains&${directed}
DELETE /files/{id}${extracting}${like('classify', 'classifier')}${like('split', 'splitter')}
POST /parse?responseType
POST /parse_runs
GET /parse_runs/{id}?responseType
DELETE /parse_runs/{id}
POST /edit
POST /edit_runs
GET DELETE /edit_runs/{id}
POST /workflow_runs
POST /workflow_runs/batch
GET POST /workflow_runs/{id}
POST /workflow_runs/{id}/cancel
DELETE /workflow_runs/{id}
GET /workflow_runs?${ofRuns}&workflowId
POST /workflows
POST /evaluation_sets
GET /evaluation_sets/{id}
GET /evaluation_sets?entityId&${sorted}
POST /evaluation_sets/{id}/items
POST /evaluation_sets/{id}/items/bulk
GET PATCH DELETE /evaluation_sets/{id}/items/{itemId}
GET /evaluation_sets/{id}/items?${sorted}
GET /evaluation_sets/{id}/runs/{runId}`;

const checks: Checks = [
  [/^maxPageSize$/, isPositive],
  [/^(?:rawText|markdown|html|convertToPdf)$/, isFlag],
];

/** Each method of a line, with the path and the names of the query that follow. */
const requests = /(\w+)(?= .*?(\/[^?\n]*)\??(.*))/g;

/** `POST /extract_runs/{id}/cancel` is `extractRuns.cancel`; a path of one verb is its own id. */
function idOf(method: string, path: string): string {
  const isOne = path.endsWith('}');
  const id = path
    .replace(/\/{\w+}/g, '')
    .slice(1)
    .replaceAll('/', '.')
    .replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
    .replace('.b', '.createB');
  if (!id.endsWith('s')) return id;
  if (method === 'GET') return `${id}.${isOne ? 'get' : 'list'}`;
  return `${id}.${method === 'DELETE' ? 'delete' : isOne ? 'update' : 'create'}`;
}

/** All 69 operations, in the form of the specification. */
export const documentOperations = Array.from(table.matchAll(requests), (found): Operation => {
  const [, method = '', path = '', query] = found;
  const id = idOf(method, path);
  const isHarmless = /GET|DELETE/.test(method);
  const body = /upload$/.test(id) ? 'multipart' : /cancel$/.test(id) ? 'empty' : 'json';
  return {
    id,
    method: method as Method,
    path,
    checks,
    repeat: isHarmless ? 'always' : 'never',
    ...(query && { query: query.split('&') }),
    ...(!isHarmless && { body }),
    // The specification does not say what changing a resource returns.
    ...(/(?:update|delete|cancel)$/.test(id) && { answer: 'nothing' }),
    ...(!id.includes('.') && { time: 'processing' }),
  };
}) as readonly DocumentOperation[];

/** What differs today: method or path; null if the endpoint no longer exists. */
export const currentForms: Readonly<
  Record<string, Partial<Pick<Operation, 'method' | 'path'>> | null>
> = {
  'evaluationSets.items.createBulk': null,
  'evaluationSets.items.update': { method: 'POST' },
  'evaluationSets.runs.get': { path: '/evaluation_set_runs/{runId}' },
};
