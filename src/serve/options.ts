/**
 * What a handler is made of. Everything that is wrong with a configuration is reported when the handler
 * is created (`api/invalid-option`, with the option at fault), not when a caller is on the line.
 */
import type { BillsClient } from '../bills.js';
import { type ApiError, invalidArgument } from '../clients/http/error.js';
import type { DocumentsClient } from '../documents.js';
import type { CallStore, Eventual } from './memory.js';
import type { ResultCode, SayableFact } from './say.js';

/** Values by the names of parameters; `entry` and `orgId` are the account. */
export type Bound = Readonly<Record<string, unknown>>;

/** Another name for an operation, with what is fixed of it. */
export interface ToolBinding {
  readonly operation: string;
  /** Takes precedence over what is bound for all tools; the platform fills in what is `{{…}}`. */
  readonly bind?: Bound;
}

/** A secret that arrives in a header. */
export interface Secret {
  /** Default: `Authorization: Bearer …`, or `X-Vapi-Secret`. */
  readonly header?: string;
  /** Any of several, while one replaces another. */
  readonly value: string | readonly string[];
}

/** Judges the request and its raw body; if it throws, the request is not authorized. */
export type Authorize = (request: Request, body: Uint8Array) => Eventual<boolean>;

/** The message of an authenticated request; only its type has been checked. */
export interface ToolCallsMessage {
  readonly type: 'tool-calls';
  readonly [name: string]: unknown;
}

/** Identifies a call, by ids that look like ids, and by what the configuration knows of it. */
export interface CallNames {
  readonly callId?: string;
  readonly toolCallId?: string;
  readonly tool?: string;
  readonly operation?: string;
}

/** What became of a call. */
export interface CallReport extends CallNames {
  readonly code: ResultCode;
  readonly durationMs: number;
}

const defaults = {
  /** Bytes of a request; a message contains the whole conversation. */
  requestBytes: 4 * 1024 * 1024,
  /** Calls of one message, which run concurrently; the rest is refused. */
  calls: 16,
  /** Characters of a result. */
  resultChars: 2000,
  /** For the whole message. The platform waits for 20 s. */
  deadlineMs: 15_000,
};

/** Limits of a message and its calls. */
export type Limits = Readonly<typeof defaults>;

/** What a handler may do, for whom, and within which limits. */
export type ToolHandlerOptions = {
  readonly bills?: BillsClient;
  readonly documents?: DocumentsClient;
  /** Operations that may be called, such as `bills.get`. Default: none. */
  readonly allow?: readonly string[];
  /**
   * What callers do not decide: the same for all, or a function of the authenticated message. It must
   * give the same for the same message, or a call that is delivered again would be another one.
   */
  readonly bind?: Bound | ((message: ToolCallsMessage) => Eventual<Bound>);
  /**
   * Names of tools, such as those of a migrated squad (`toolBindings` of its compilation). They replace
   * the name that the table has for their operation, so no call can avoid what is bound for them.
   */
  readonly tools?: Readonly<Record<string, string | ToolBinding>>;
  /** Hosts from which files may be taken, such as `files.example.com`. Default: none. */
  readonly fileHosts?: readonly string[];
  /** What may be told of the answers of an operation, in addition to the table. */
  readonly say?: Readonly<Record<string, readonly SayableFact[]>>;
  readonly limits?: Partial<Limits>;
  /** Default: one in memory, for this handler only. */
  readonly store?: CallStore;
  /** Called once for each call that was answered, without personal data. */
  readonly onCall?: (report: CallReport, request: Request) => void;
  /** Called with what a service (an ApiError), `bind` or the store threw. The caller is not told. */
  readonly onError?: (error: unknown, call: CallNames, request: Request) => void;
} & (
  | { readonly secret: Secret; readonly authorize?: never }
  | { readonly secret?: never; readonly authorize: Authorize }
);

export function resolveLimits(given: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(given)) {
    const isRight = Object.hasOwn(defaults, name) && Number.isSafeInteger(value) && value >= 1;
    if (!isRight) throw wrongOption(`limits.${name}`);
  }
  return { ...defaults, ...given };
}

export function wrongOption(reason: string): ApiError {
  return invalidArgument('createToolHandler', reason, 'api/invalid-option');
}
