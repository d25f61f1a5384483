/**
 * The client of the documents service.
 *
 * In: the service's address, a key, the version of the API. Out: the operations as methods.
 * Invalid options are refused at once.
 */
import { invalidOption } from '../http/error.js';
import { type CallOptions, isHeaderValue } from '../http/request.js';
import type { ServiceDialect } from '../http/response.js';
import { createSender } from '../http/send.js';
import type { DocumentsClient } from './documents-client.js';
import { createMethods } from './methods.js';
import {
  type ApiVersion,
  apiVersions,
  latestApiVersion,
  vendorHeaderPrefix,
} from './operations.js';
import type { Wire } from './types.js';

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
    /** Default: the latest, 2026-02-09. */
    readonly apiVersion?: ApiVersion;
    /** Part of header names: `x-{vendorPrefix}-api-version`. Default: `service`. */
    readonly vendorPrefix?: string;
    /** Method and path of four operations: as specified, or as the service accepts them today. */
    readonly wire?: W;
  };

/**
 * Creates a client of the documents service. Sends nothing until a method is called. Throws an
 * `ApiError` (`api/invalid-option`) for invalid options.
 */
export function createDocumentsClient<W extends Wire = 'spec'>(
  options: DocumentsClientOptions<W>,
): DocumentsClient<W> {
  const { apiKey, apiVersion = latestApiVersion, wire = 'spec' } = options;
  const prefix = vendorHeaderPrefix(options.vendorPrefix);
  if (!apiVersions.includes(apiVersion)) throw invalidOption('apiVersion');
  if (wire !== 'spec' && wire !== 'current') throw invalidOption('wire');
  if (!isHeaderValue(apiKey)) throw invalidOption('apiKey');
  if (prefix === undefined) throw invalidOption('vendorPrefix');
  const sender = createSender({
    ...options,
    baseUrl: baseUrlOf(options),
    auth: { value: apiKey },
    headers: { [`${prefix}api-version`]: apiVersion },
    dialect,
  });
  const methods = createMethods(sender, wire, apiVersion);
  return Object.assign(methods, { close: () => sender.close() }) as DocumentsClient<W>;
}

/**
 * The specified codes, and the statuses that mean the same: the code decides, whatever status it comes
 * with. For two of them the caller has to act, so they become codes of ours.
 */
const statuses: ReadonlyMap<unknown, number> = new Map(
  Object.entries({
    INVALID_REQUEST: 400,
    UNAUTHORIZED: 401,
    NOT_FOUND: 404,
    RATE_LIMIT_EXCEEDED: 429,
    USAGE_BLOCKED: 402,
    ENDPOINT_REMOVED: 402,
    INTERNAL_ERROR: 500,
  }),
);

const dialect: ServiceDialect = {
  readError(body) {
    const { code, message, requestId, retryable } = Object(body) as Record<string, unknown>;
    const status = statuses.get(code);
    const read = { serviceCode: code, message, requestId, retryable, status };
    if (status !== 402) return read;
    return { ...read, code: `api/${`${code}`.toLowerCase().replace('_', '-')}` };
  },
};

function baseUrlOf({ baseUrl, region = 'us1', baseUrls }: Place): string {
  const found = baseUrl ?? baseUrls?.[region];
  if (typeof found === 'string') return found;
  throw invalidOption(baseUrls === undefined ? 'baseUrl' : 'region');
}
