/**
 * A request that found its operation, and the answer to it. What cannot be read, or does not fit the
 * schema of the operation, is refused with 400, in words; nothing is guessed.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Operation, Validator } from '../http/operation.js';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Ends a request with an error; each API writes it in its own form. */
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

/** A file to save; its name is quoted in a form that carries any text. */
export function fileAnswer(body: Uint8Array, contentType: string, name: string): Answer {
  const plain = name.replaceAll(/[^\w. -]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed());
  const disposition = `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
  const headers = { 'content-type': contentType, 'content-disposition': disposition };
  return { status: 200, headers, body };
}

/** An object from outside, its names not yet checked. */
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
  /** The part `file` of a form, where the body is one. */
  readonly file: Content | null;
}

/** A header, empty where it is absent. */
export function headerOf({ headers }: Pick<Arrived, 'headers'>, name: string): string {
  return String(headers[name.toLowerCase()] ?? '');
}

/**
 * What becomes of the operation of a request: it is done, is not even tried, or uses up the key and
 * is never done, or done later.
 */
export type Fate = 'done' | 'refused' | 'lost' | 'late';

/** A row of a table of operations, as far as the sandbox reads it. */
export type ServedOperation = Pick<Operation, 'id' | 'method' | 'path' | 'query' | 'integers'>;

export class Call {
  readonly query: URLSearchParams;

  constructor(
    readonly operation: ServedOperation,
    /** What varies in the path, in its order. */
    readonly path: readonly string[],
    readonly arrived: Arrived,
    readonly check: Validator | undefined,
    readonly fate: Fate,
  ) {
    this.query = new URLSearchParams(/\?([^#]*)/.exec(arrived.url)?.[1]);
  }

  /** A whole number of the query. */
  integer(name: string, absent: number): number {
    const text = this.query.get(name) ?? String(absent);
    if (/^-?\d{1,15}$/.test(text)) return Number(text);
    throw new Refused(400, `${name} must be an integer`);
  }

  /** A parameter of the query with few values, of which the first stands for none. */
  oneOf(name: string, values: readonly string[]): string {
    const value = this.query.get(name) ?? values[0] ?? '';
    if (values.includes(value)) return value;
    throw new Refused(400, `${name} must be one of ${values.join(', ')}`);
  }

  flag(name: string): boolean {
    return this.oneOf(name, ['false', 'true']) === 'true';
  }

  /** The body, which fits the schema of the operation. */
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

  /** The body of an operation whose schema asks for an object. */
  object(): JsonObject {
    const body = this.json();
    if (isObject(body)) return body;
    throw new Refused(400, 'The body must be an object');
  }
}
