/**
 * What a handler is made of, and what of it cannot be.
 *
 * All that is wrong with a configuration is said when the handler is made (`api/invalid-option`, with
 * the option at fault), not when a caller is on the line.
 */
import type { BillsClient } from '../../../bills.js';
import type { DocumentsClient } from '../../../documents.js';
import { type ApiError, invalidArgument } from '../../http/error.js';
import type { CallNames, CallReport } from './call-report.js';
import type { ToolCallsMessage } from './request.js';
import type { SayableFact } from './say.js';
import type { CallStore } from './store.js';

/** A value that is there at once, or later. What is there at once is not waited for. */
export type Eventual<Value> = Value | Promise<Value>;

/** Values by the names of parameters; `entry` and `orgId` are the account. */
export type Bound = Readonly<Record<string, unknown>>;

/** A further name for an operation, with what is fixed of it. */
export interface ToolBinding {
  readonly operation: string;
  /** Goes before what is bound for all tools. */
  readonly bind?: Bound;
}

/** A secret that arrives in a header: any of several, while one takes the place of another. */
export type Secret = {
  /** Default: `Authorization: Bearer …`, or `X-Vapi-Secret`. */
  readonly header?: string;
} & (
  | { readonly value: string; readonly values?: never }
  | { readonly value?: never; readonly values: readonly string[] }
);

/** What is read of a request. The web's `Request` is one, and a lighter thing can be. */
export interface ToolRequest {
  readonly method: string;
  /** Names in small letters. */
  readonly headers: { get(name: string): string | null };
  /** To be read once, and to its end or not. */
  readonly body: AsyncIterable<Uint8Array> | null;
  /**
   * All of the body, where the request knows a cheaper way to it than piece by piece: null where it
   * is longer than this. Rejects where it breaks off.
   */
  readonly read?: (maxBytes: number) => Promise<Uint8Array | null>;
}

/** Looks at the request and at its raw body; what throws does not authorize. */
export type Authorize<Incoming extends ToolRequest = Request> = (
  request: Incoming,
  body: Uint8Array,
) => Eventual<boolean>;

/** Who may call. */
export type DoorOptions<Incoming extends ToolRequest> =
  | { readonly secret: Secret; readonly authorize?: never }
  | { readonly secret?: never; readonly authorize: Authorize<Incoming> };

/** Bounds of a message and its calls. */
export interface Limits {
  /** Bytes of a request. Default: 4 MiB, as a message carries the whole conversation. */
  readonly requestBytes: number;
  /** Characters of arguments that are written as a text. Default: 16,384. */
  readonly argumentChars: number;
  /** Calls of one message, which run side by side; those beyond are refused. Default: 16. */
  readonly calls: number;
  /** Characters of a result. Default: 2000. */
  readonly resultChars: number;
  /** All of a message. The platform waits for 20 s. Default: 15,000. */
  readonly deadlineMs: number;
}

/** All that has nothing to do with requests. */
export interface HandlerSettings {
  readonly bills?: BillsClient;
  readonly documents?: DocumentsClient;
  /** Operations that may be called, such as `bills.get`. Default: none. */
  readonly allow?: readonly string[];
  /** What no caller decides: one for all, or by the message, which is authenticated by then. */
  readonly bind?: Bound | ((message: ToolCallsMessage) => Eventual<Bound>);
  /** Further names of tools: those of a migrated squad (`toolBindings` of its compilation). */
  readonly tools?: Readonly<Record<string, string | ToolBinding>>;
  /** Hosts from which files may be taken, such as `files.example.com`. Default: none. */
  readonly fileHosts?: readonly string[];
  /** What may be said of the answers of an operation beside what its definition allows. */
  readonly say?: Readonly<Record<string, readonly SayableFact[]>>;
  readonly limits?: Partial<Limits>;
  /** Default: one in memory, of this handler alone. */
  readonly store?: CallStore;
}

export type AnswererOptions<Incoming extends ToolRequest> = HandlerSettings &
  DoorOptions<Incoming> & {
    /** Called once for each call that was answered; nothing in it is about a person. */
    readonly onCall?: (report: CallReport, request: Incoming) => void;
    /**
     * Called with what went wrong with a call: what a service, `bind` or the store threw, an ApiError
     * for a service. The caller hears nothing of it.
     */
    readonly onError?: (error: unknown, call: CallNames, request: Incoming) => void;
  };

/** What a handler may do, for whom, and within which bounds. */
export type ToolHandlerOptions = AnswererOptions<Request>;

const usual: Limits = {
  requestBytes: 4 * 1024 * 1024,
  argumentChars: 16_384,
  calls: 16,
  resultChars: 2000,
  deadlineMs: 15_000,
};

export function settleLimits(given: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const known = Object.hasOwn(usual, name);
    if (!known || !Number.isSafeInteger(value) || value < 1) throw wrongOption(`limits.${name}`);
  }
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...usual, ...Object.fromEntries(named) };
}

export function wrongOption(reason: string): ApiError {
  return invalidArgument('createToolHandler', reason, 'api/invalid-option');
}
