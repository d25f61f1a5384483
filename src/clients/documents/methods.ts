/**
 * Derives methods from the table of operations.
 *
 * In: operations and a sender. Out: an object in which the id `extractors.versions.create` is the
 * method `create` of `extractors.versions`. Each `list` also gets an `iterate`, and each `…Runs`
 * with a `get` gets a `poll` and a `createAndPoll`. An interface gives it its type.
 * Arguments: path parameters in path order; the body, if the caller gives one; query parameters in
 * one object, if there are any; options of the call.
 */
import { invalidArgument, unexpected } from '../http/error.js';
import { argumentsOf, type CallOptions, namesIn } from '../http/request.js';
import type { Sender } from '../http/send.js';
import {
  type ApiVersion,
  currentForms,
  type DocumentOperation,
  documentOperations,
  latestApiVersion,
  newest,
} from './operations.js';
import { createPoller } from './poll.js';
import type { List, Wire } from './types.js';
import { type UploadOptions, type UploadSource, uploadArguments } from './upload.js';

type Call = (...given: unknown[]) => Promise<unknown>;

interface Group {
  [name: string]: ((...given: unknown[]) => unknown) | Group;
}

export function createMethods(sender: Sender, wire: Wire, apiVersion: ApiVersion): object {
  const root: Group = {};
  for (const operation of documentOperations) {
    const { id, path } = operation;
    const names = id.split('.');
    const last = names.pop() as string;
    let group = root;
    for (const name of names) {
      group[name] ??= {};
      group = group[name] as Group;
    }
    const call = callOf(operation, sender, wire, apiVersion);
    group[last] = call;
    if (last === 'list') {
      // Query parameters follow those of the path.
      group.iterate = (...given) => {
        const ids = given.splice(0, namesIn(path).length);
        const [query, options] = given as [PageQuery | undefined, unknown];
        return iteratePages(id, query, (page) => call(...ids, page, options));
      };
    }
    if (last === 'get' && names[0]?.endsWith('Runs')) {
      Object.assign(group, createPoller(operation, call, group.create as Call));
    }
  }
  return root;
}

/** Sends in the wire's form, whose path may omit parameters. */
function callOf(
  operation: DocumentOperation,
  sender: Sender,
  wire: Wire,
  apiVersion: ApiVersion,
): Call {
  const { id, path, body } = operation;
  const isMissing = apiVersion < latestApiVersion && newest.test(path);
  const form = wire === 'current' ? currentForms[id] : undefined;
  const sent = { ...operation, ...form };
  if (body === 'multipart') {
    return async (source, about, options) => {
      const form = await uploadArguments(id, source as UploadSource, about as UploadOptions);
      return sender.send(sent, form, options as CallOptions);
    };
  }
  return async (...given) => {
    const [path, body, parameters, options] = argumentsOf(operation, given);
    if (form === null) throw invalidArgument(id, 'wire', 'api/not-in-wire');
    if (isMissing) throw invalidArgument(id, 'apiVersion', 'api/not-in-wire');
    const query = Object.entries(Object(parameters)).flatMap(([name, values]) =>
      [values].flat().map((value) => [name, value] as const),
    );
    return sender.send(sent, { path, query, body, secrets: secretsIn(body) }, options);
  };
}

interface PageQuery {
  readonly nextPageToken?: unknown;
}

/** Fails if a page token repeats, because the pages would then never end. */
async function* iteratePages(
  operation: string,
  query: PageQuery | undefined,
  page: (query: PageQuery) => Promise<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  const seen = new Set<unknown>();
  let token = query?.nextPageToken;
  do {
    if (seen.has(token)) throw unexpected('api/repeated-page', operation, 'nextPageToken');
    seen.add(token);
    const list = (await page({ ...query, nextPageToken: token })) as List | undefined;
    if (!Array.isArray(list?.data)) throw unexpected('api/malformed', operation, 'data');
    yield* list.data;
    token = list.nextPageToken;
  } while (token);
}

/** The secrets of a call: the `secrets` of a run, or of each run of a batch. */
function secretsIn(body: unknown): string[] {
  const runs = [body, Object(body).inputs].flat();
  return runs.flatMap((run) => Object.values<string>(Object(Object(run).secrets)));
}
