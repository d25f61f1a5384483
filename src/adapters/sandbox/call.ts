/**
 * A request to a known operation, and its answer. If it cannot be read or does not match the
 * operation's schema, it is refused with 400 and a message; nothing is guessed.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Operation, Validator } from '../http/operation.js';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Ends a request with an error; each API formats it. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export function jsonAnswer(status: number, value: unknown): Answer {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return { status, headers, body: Buffer.from(JSON.stringify(value)) };
}

/** A file to download; its name is encoded so that it may contain any characters. */
export function fileAnswer(body: Uint8Array, contentType: string, name: string): Answer {
  const plain = name.replaceAll(/[^\w. -]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed());
  const disposition = `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
  const headers = { 'content-type': contentType, 'content-disposition': disposition };
  return { status: 200, headers, body };
}

/** An object from outside, with unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface Content {
  readonly name: string;
  readonly type: string;
  readonly content: Buffer;
}

export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The part `file` if the body is a form. */
  readonly file: Content | null;
}

/** A header, or an empty string if it is absent. */
export function headerOf({ headers }: Pick<Arrived, 'headers'>, name: string): string {
  return String(headers[name.toLowerCase()] ?? '');
}

/**
 * What happens to a request's operation: it is done; it is refused; or the key is used up and the
 * operation is done never (`lost`) or later (`late`).
 */
export type Fate = 'done' | 'refused' | 'lost' | 'late';

/** The parts of an operation that the sandbox uses. */
export type ServedOperation = Pick<Operation, 'id' | 'method' | 'path' | 'query' | 'integers'>;

export class Call {
  readonly query: URLSearchParams;

  constructor(
    readonly operation: ServedOperation,
    /** Path parameters, in order. */
    readonly path: readonly string[],
    readonly arrived: Arrived,
    readonly check: Validator | undefined,
    readonly fate: Fate,
  ) {
    this.query = new URLSearchParams(/\?([^#]*)/.exec(arrived.url)?.[1]);
  }

  /** An integer query parameter. */
  integer(name: string, absent: number): number {
    const text = this.query.get(name) ?? String(absent);
    if (/^-?\d{1,15}$/.test(text)) return Number(text);
    throw new Refused(400, `${name} must be an integer`);
  }

  /** A query parameter with a fixed set of values; the first is the default. */
  oneOf(name: string, values: readonly string[]): string {
    const value = this.query.get(name) ?? values[0] ?? '';
    if (values.includes(value)) return value;
    throw new Refused(400, `${name} must be one of ${values.join(', ')}`);
  }

  flag(name: string): boolean {
    return this.oneOf(name, ['false', 'true']) === 'true';
  }

  /** The body, checked against the operation's schema. */
  json(): unknown {
    if (!/^application\/json\s*(?:;|$)/i.test(headerOf(this.arrived, 'content-type'))) {
      throw new Refused(400, 'Content-Type must be application/json');
    }
    let body: unknown;
    try {
      body = JSON.parse(this.arrived.body.toString());
    } catch {
      throw new Refused(400, 'The body is not JSON');
    }
    const [finding] = this.check?.(body) ?? [];
    if (finding !== undefined) throw new Refused(400, finding);
    return body;
  }

  /** The body of an operation that expects an object. */
  object(): JsonObject {
    const body = this.json();
    if (isObject(body)) return body;
    throw new Refused(400, 'The body must be an object');
  }
}
