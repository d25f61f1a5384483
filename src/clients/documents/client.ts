/**
 * The client of the documents service: its methods are made from the table of operations.
 *
 * The id `extractors.versions.create` is the method `create` of `extractors.versions`. Each `list` also
 * gets an `iterate`, and each `…Runs` with a `get` gets a `poll` and a `createAndPoll`.
 * documents-client.ts gives all of them their types.
 */
import { invalidArgument, invalidOption, unexpected } from '../http/error.js';
import { argumentsOf, type CallOptions, isHeaderValue, namesIn } from '../http/request.js';
import type { ServiceDialect } from '../http/response.js';
import { createSender } from '../http/send.js';
import type { DocumentsClient } from './documents-client.js';
import {
  type ApiVersion,
  apiVersions,
  currentForms,
  type DocumentOperation,
  documentOperations,
  latestApiVersion,
  newest,
  vendorHeaderPrefix,
} from './operations.js';
import { createPoller } from './poll.js';
import type { List, Wire } from './types.js';
import { type UploadOptions, type UploadSource, uploadArguments } from './upload.js';

/** Where the service keeps the documents. */
export type Region = 'us1' | 'us2';

/** One address, or one for each region. */
type Place =
  | { readonly baseUrl: string; readonly region?: never; readonly baseUrls?: never }
  | {
      readonly baseUrl?: never;
      /** Default: `us1`. */
      readonly region?: Region;
      readonly baseUrls: Readonly<Partial<Record<Region, string>>>;
    };

/** Address, credential, API version and wire form of a documents client. */
export type DocumentsClientOptions<W extends Wire = 'spec'> = CallOptions &
  Place & {
    readonly apiKey: string;
    /** Default: the latest, 2026-02-09. Operations that an older one lacks are refused unsent. */
    readonly apiVersion?: ApiVersion;
    /** Part of header names: `x-{vendorPrefix}-api-version`. Default: `service`. */
    readonly vendorPrefix?: string;
    /** Method and path of four operations: as specified, or as the service accepts them today. */
    readonly wire?: W;
  };

type Call = (...given: unknown[]) => Promise<unknown>;

interface Group {
  [name: string]: ((...given: unknown[]) => unknown) | Group;
}

/**
 * Creates a client of the documents service. Sends nothing until a method is called. Throws an
 * `ApiError` (`api/invalid-option`) for invalid options.
 */
export function createDocumentsClient<W extends Wire = 'spec'>(
  options: DocumentsClientOptions<W>,
): DocumentsClient<W> {
  const {
    apiKey,
    apiVersion = latestApiVersion,
    wire = 'spec',
    region = 'us1',
    baseUrls,
  } = options;
  const prefix = vendorHeaderPrefix(options.vendorPrefix);
  const baseUrl = options.baseUrl ?? baseUrls?.[region];
  const check = (name: string, fits: boolean) => {
    if (!fits) throw invalidOption(name);
  };
  check('apiVersion', apiVersions.includes(apiVersion));
  check('wire', wire === 'spec' || wire === 'current');
  check('apiKey', isHeaderValue(apiKey));
  check('vendorPrefix', prefix !== undefined);
  check(baseUrls ? 'region' : 'baseUrl', typeof baseUrl === 'string');
  const { send, close } = createSender({
    ...options,
    baseUrl: baseUrl as string,
    auth: { value: apiKey },
    headers: { [`${prefix}api-version`]: apiVersion },
    dialect,
  });

  /** Sends in the wire's form, whose path may omit parameters. */
  function methodOf(operation: DocumentOperation): Call {
    const { id, path } = operation;
    const form = wire === 'current' ? currentForms[id] : undefined;
    const sent = { ...operation, ...form };
    if (operation.body === 'multipart') {
      return async (source, about, own) =>
        send(
          sent,
          await uploadArguments(id, source as UploadSource, about as UploadOptions),
          own as CallOptions,
        );
    }
    return async (...given) => {
      const [ids, body, parameters, own] = argumentsOf(operation, given);
      const isMissing = apiVersion < latestApiVersion && newest.test(path);
      const lacking = isMissing ? 'apiVersion' : form === null && 'wire';
      if (lacking) throw invalidArgument(id, lacking, 'api/not-in-wire');
      const query = Object.entries(parameters).flatMap(([name, values]) =>
        [values].flat().map((value) => [name, value] as const),
      );
      return send(sent, { path: ids, query, body, secrets: secretsIn(body) }, own);
    };
  }

  const root: Group = { close };
  for (const operation of documentOperations) {
    const { id, path } = operation;
    const names = id.split('.');
    const last = names.pop() as string;
    let group = root;
    for (const name of names) {
      group[name] ??= {};
      group = group[name] as Group;
    }
    const call = methodOf(operation);
    group[last] = call;
    if (last === 'list') {
      // Query parameters follow those of the path.
      group.iterate = (...given) => {
        const ids = given.splice(0, namesIn(path).length);
        return iteratePages(id, Object(given[0]), (page) => call(...ids, page, given[1]));
      };
    }
    if (last === 'get' && names[0]?.endsWith('Runs')) {
      Object.assign(group, createPoller(operation, call, group.create as Call));
    }
  }
  return root as unknown as DocumentsClient<W>;
}

/** Fails if a page token repeats, because the pages would then never end. */
async function* iteratePages(
  operation: string,
  query: { readonly nextPageToken?: unknown },
  page: (query: object) => Promise<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  const seen = new Set<unknown>();
  let token = query.nextPageToken;
  do {
    if (seen.has(token)) throw unexpected('api/repeated-page', operation, 'nextPageToken');
    seen.add(token);
    const { data, nextPageToken }: List = Object(await page({ ...query, nextPageToken: token }));
    if (!Array.isArray(data)) throw unexpected('api/malformed', operation, 'data');
    yield* data;
    token = nextPageToken;
  } while (token);
}

/** The secrets of a call: the `secrets` of a run, or of each run of a batch. */
function secretsIn(body: unknown): string[] {
  const runs = [body, Object(body).inputs].flat();
  return runs.flatMap((run) => Object.values<string>(Object(Object(run).secrets)));
}

/**
 * The seven specified codes, and the statuses that mean the same: the code decides, whatever status it
 * comes with. For two of them the caller has to act, so they become codes of ours.
 */
const statuses: ReadonlyMap<unknown, number> = new Map([
  ['INVALID_REQUEST', 400],
  ['UNAUTHORIZED', 401],
  ['NOT_FOUND', 404],
  ['RATE_LIMIT_EXCEEDED', 429],
  ['USAGE_BLOCKED', 402],
  ['ENDPOINT_REMOVED', 402],
  ['INTERNAL_ERROR', 500],
]);

const dialect: ServiceDialect = {
  readError(body) {
    const { code: serviceCode, message, requestId, retryable } = Object(body);
    const status = statuses.get(serviceCode);
    const name = status === 402 && serviceCode.toLowerCase().replace('_', '-');
    const code = name ? (`api/${name}` as const) : undefined;
    return { code, serviceCode, message, requestId, retryable, status };
  },
};
