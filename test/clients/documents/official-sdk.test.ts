/**
 * Both clients on one server: what goes over the wire is the same for every operation that both
 * have. The differences that are meant are listed, and each has to appear.
 */
import { ExtendClient } from 'extend-ai';
import { describe, expect, it } from 'vitest';
import {
  createDocumentsClient,
  type DocumentOperation,
  documentOperations,
  type Wire,
} from '../../../src/documents.js';
import { type Recorded, useServer } from '../harness.js';

const server = useServer(() => ({
  body: { object: 'list', id: 'x', status: 'PROCESSED', data: [] },
}));

// biome-ignore lint/suspicious/noExplicitAny: methods are looked up by name
type Named = any;
const ours = (wire: Wire): Named =>
  createDocumentsClient({ baseUrl: server.url, apiKey: 'sk_1', vendorPrefix: 'extend', wire });
const theirs = (): Named => new ExtendClient({ token: 'sk_1', baseUrl: server.url, maxRetries: 0 });

/** The name that the official client has for an operation; null where it has none. */
function theirName(id: string): string | null {
  if (id === 'evaluationSets.items.createBulk') return null;
  if (id === 'evaluationSets.runs.get') return 'evaluationSetRuns.retrieve';
  return id
    .replace('s.versions', 'Versions')
    .replace('s.items', 'Items')
    .replace(/\.get$/, '.retrieve');
}

const idsOf = ({ path }: DocumentOperation) =>
  [...path.matchAll(/\{\w+\}/g)].map((_, index) => `id ${index}/ä%2F`);

const bodies: Record<string, object> = {
  'extractors.versions.create': { releaseType: 'minor', description: 'ä "b"' },
  'workflowRuns.create': { workflow: { id: 'workflow_1' }, file: { id: 'f' }, metadata: { a: 1 } },
  'workflowRuns.createBatch': { workflow: { id: 'workflow_1' }, inputs: [{ file: { id: 'f' } }] },
  'workflowRuns.update': { name: 'n', metadata: { b: null } },
  'evaluationSets.create': { name: 'n', entityId: 'ex_1' },
  'evaluationSets.items.create': { items: [{ fileId: 'f', expectedOutput: { value: {} } }] },
  'evaluationSets.items.update': { expectedOutput: { value: { a: [1.5, true, null] } } },
};

const usualBody = {
  name: 'näme',
  file: { url: 'https://example.com/a.pdf' },
  config: { schema: { type: 'object', properties: {} } },
};

const values: Record<string, unknown> = { maxPageSize: 7, convertToPdf: true };

function queryOf({ query = [] }: DocumentOperation): Record<string, unknown> {
  return Object.fromEntries(
    query.map((name) => [name, values[name] ?? (/^(raw|mark|html)/.test(name) || `${name} +&=/ä`)]),
  );
}

function called(client: Named, id: string, given: unknown[]): Promise<unknown> {
  const names = id.split('.');
  const last = names.pop() as string;
  const group = names.reduce((at, name) => at[name], client);
  return group[last](...given);
}

async function recordOf(call: () => Promise<unknown>): Promise<Recorded> {
  server.requests.length = 0;
  await call();
  expect(server.requests).toHaveLength(1);
  return server.requests[0] as Recorded;
}

function callOurs(wire: Wire, operation: DocumentOperation, body: object): Promise<unknown> {
  const takesBody = operation.body === 'json';
  const given: unknown[] = [...idsOf(operation), ...(takesBody ? [body] : [])];
  if (operation.query) given.push(queryOf(operation));
  return called(ours(wire), operation.id, given);
}

/** Body and query are one argument; the id of an evaluation's run stands alone. */
function callTheirs(name: string, operation: DocumentOperation, body: object): Promise<unknown> {
  const ids = name === 'evaluationSetRuns.retrieve' ? idsOf(operation).slice(1) : idsOf(operation);
  const takesBody = operation.body === 'json';
  return called(theirs(), name, [...ids, { ...(takesBody ? body : {}), ...queryOf(operation) }]);
}

const mediaType = (value = '') => value.split(';')[0];

function compared({ method, url, headers, body }: Recorded): Record<string, unknown> {
  const { pathname: path, searchParams } = new URL(url, server.url);
  searchParams.sort();
  return {
    method,
    path,
    query: `${searchParams}`,
    body: body.length === 0 ? null : JSON.parse(String(body)),
    contentType: mediaType(headers['content-type']),
    credential: headers.authorization,
    version: headers['x-extend-api-version'],
  };
}

async function differences(wire: Wire): Promise<string[]> {
  const found: string[] = [];
  for (const operation of documentOperations) {
    const name = theirName(operation.id);
    if (name === null || operation.id === 'files.upload') continue;
    const body = bodies[operation.id] ?? usualBody;
    const own = compared(await recordOf(() => callOurs(wire, operation, body)));
    const official = compared(await recordOf(() => callTheirs(name, operation, body)));
    for (const part of Object.keys(own)) {
      const [here, there] = [JSON.stringify(own[part]), JSON.stringify(official[part])];
      if (here !== there) found.push(`${operation.id} ${part}: ${here} rather than ${there}`);
    }
  }
  return found;
}

const cancels = documentOperations.filter(({ id }) => id.endsWith('.cancel'));

/** Every POST has a body and says of which type: the specification wants it. */
const meant = cancels.flatMap(({ id }) => [
  `${id} body: {} rather than null`,
  `${id} contentType: "application/json" rather than ""`,
]);

/** The forms of the specification that the service has given up. */
const older = [
  'evaluationSets.items.update method: "PATCH" rather than "POST"',
  `evaluationSets.runs.get path: ${JSON.stringify(
    `/evaluation_sets/${encodeURIComponent('id 0/ä%2F')}/runs/${encodeURIComponent('id 1/ä%2F')}`,
  )} rather than ${JSON.stringify(`/evaluation_set_runs/${encodeURIComponent('id 1/ä%2F')}`)}`,
];

describe('the official client sends the same requests', () => {
  it('in the current form, except for the listed differences', async () => {
    expect((await differences('current')).sort()).toEqual([...meant].sort());
  });

  it('in the form of the specification, except for two older ones', async () => {
    expect((await differences('spec')).sort()).toEqual([...meant, ...older].sort());
  });
});
