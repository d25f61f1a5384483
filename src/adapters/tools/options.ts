/**
 * What a handler is made of.
 *
 * All that is wrong with a configuration is said when the handler is made (`api/invalid-option`, with
 * the option at fault), not when a caller is on the line.
 */
import type { BillsClient } from '../../bills.js';
import type { DocumentsClient } from '../../documents.js';
import { type ApiError, invalidArgument } from '../http/error.js';
import type { CallResult, ResultCode, SayableFact } from './say.js';

/** A value that is there at once, or later. */
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

/** Looks at the request and at its raw body; what throws does not authorize. */
export type Authorize = (request: Request, body: Uint8Array) => Eventual<boolean>;

/** The message of an authenticated request. Nothing but its type is checked. */
export interface ToolCallsMessage {
  readonly type: 'tool-calls';
  readonly [name: string]: unknown;
}

/** Which call it was. */
export interface CallNames {
  /** The ids of the conversation and of the call in it; absent where they could be anything else. */
  readonly callId?: string;
  readonly toolCallId?: string;
  /** A name from the configuration; absent where there is no such tool. */
  readonly tool?: string;
  readonly operation?: string;
}

/** What was asked of whom, and what became of it. */
export interface CallReport extends CallNames {
  readonly code: ResultCode;
  readonly durationMs: number;
}

/** `mine`: the call is to be carried out by who asked. `pending`: somebody is at it. */
export type Claim =
  | { readonly state: 'mine' }
  | { readonly state: 'pending' }
  | { readonly state: 'done'; readonly result: CallResult };

/**
 * Where calls are remembered by a key of 64 hex digits, so that one that is delivered twice is
 * carried out once. A database with an atomic insert can be one.
 */
export interface CallStore {
  /**
   * Takes the key if it is free, in one step: of two that ask at once, one gets `mine`. A store
   * that can take no more throws; the call is then not carried out.
   */
  claim(key: string): Eventual<Claim>;
  /** Keeps the result of a key that was claimed; for an hour, so that every repeat finds it. */
  settle(key: string, result: CallResult): Eventual<void>;
  /** The result, once it is there. */
  read(key: string): Eventual<CallResult | undefined>;
}

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

/** What a handler may do, for whom, and within which bounds. */
export type ToolHandlerOptions = {
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
  /** Called once for each call that was answered; nothing in it is about a person. */
  readonly onCall?: (report: CallReport, request: Request) => void;
  /**
   * Called with what went wrong with a call: what a service, `bind` or the store threw, an ApiError
   * for a service. The caller hears nothing of it.
   */
  readonly onError?: (error: unknown, call: CallNames, request: Request) => void;
} & (
  | { readonly secret: Secret; readonly authorize?: never }
  | { readonly secret?: never; readonly authorize: Authorize }
);

const usual: Limits = {
  requestBytes: 4 * 1024 * 1024,
  argumentChars: 16_384,
  calls: 16,
  resultChars: 2000,
  deadlineMs: 15_000,
};

export function settleLimits(given: Partial<Limits> = {}): Limits {
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [name, value] of named) {
    const known = Object.hasOwn(usual, name);
    if (!known || !Number.isSafeInteger(value) || value < 1) throw wrongOption(`limits.${name}`);
  }
  return { ...usual, ...Object.fromEntries(named) };
}

export function wrongOption(reason: string): ApiError {
  return invalidArgument('createToolHandler', reason, 'api/invalid-option');
}
