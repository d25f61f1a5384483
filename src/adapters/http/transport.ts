/**
 * What carries a request: undici on Node, `fetch` elsewhere or where it is given.
 *
 * Both tell an {@link AnswerSink} what happens, in the terms of undici's handlers: a start, a head,
 * pieces, an end or an error. Everything that is the same for both (time, limits, streams) is in
 * exchange.ts. Redirects are never followed.
 */
import type { Method } from './operation.js';

/** A body that is produced piece by piece (an upload). */
export interface BodySource {
  readonly contentType: string;
  /** In bytes, where it is known. */
  readonly length?: number | undefined;
  /** Whether it was begun and cannot be read again. Absent: it can always be. */
  readonly isSpent?: (() => boolean) | undefined;
  /** Reads nothing before its first piece is asked for. */
  open(): AsyncIterable<Uint8Array>;
}

export interface TransportRequest {
  readonly method: Method;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path and query, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | AsyncIterable<Uint8Array> | undefined;
}

/** By names in small letters. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The answer, from the side that sends it. */
export interface AnswerSource {
  abort(reason: Error): void;
  pause(): void;
  resume(): void;
}

export interface AnswerSink {
  /** Before anything is written; throws where the request is no longer wanted. */
  onRequestStart(source: AnswerSource): void;
  onResponseStart(source: AnswerSource, status: number, headers: AnswerHeaders): void;
  onResponseData(source: AnswerSource, piece: Uint8Array): void;
  onResponseEnd(): void;
  onResponseError(source: AnswerSource | undefined, error: unknown): void;
}

export interface Transport {
  dispatch(request: TransportRequest, sink: AnswerSink): void;
  /** Lets go of idle connections. */
  close(): Promise<void>;
}
