/**
 * A request that found its operation, and the answer to it. What cannot be read is refused with 400,
 * in words; nothing is guessed.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from '../http/operation.js';

/** What the sandbox answers, before a fault spoils it on the way. */
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

export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The part `file` of a form, where the body is one. */
  readonly file: { readonly name: string; readonly type: string; readonly content: Buffer } | null;
}

/** A row of a table of operations, as far as the sandbox reads it. */
export type ServedOperation = Pick<Operation, 'id' | 'method' | 'path' | 'query'>;

export class Call {
  readonly query: URLSearchParams;

  constructor(
    readonly operation: ServedOperation,
    readonly path: ReadonlyMap<string, string>,
    readonly arrived: Arrived,
    /** What befalls what is asked for, once its key is used up: it is never done, or later. */
    readonly fate: 'lost' | 'late' | undefined,
  ) {
    this.query = new URLSearchParams(/\?([^#]*)/.exec(arrived.url)?.[1]);
  }

  /** A parameter that the path is known to have. */
  param(name: string): string {
    return this.path.get(name) ?? '';
  }

  /** A whole number of the path or of the query. */
  integer(name: string, absent = Number.NaN): number {
    const text = this.path.get(name) ?? this.query.get(name) ?? String(absent);
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

  json(): unknown {
    if (!/^application\/json\s*(?:;|$)/i.test(headerOf(this.arrived, 'content-type'))) {
      throw new Refused(400, 'Content-Type must be application/json');
    }
    try {
      return JSON.parse(this.arrived.body.toString());
    } catch {
      throw new Refused(400, 'The body is not JSON');
    }
  }

  object(): JsonObject {
    const body = this.json();
    if (isObject(body)) return body;
    throw new Refused(400, 'The body must be an object');
  }
}

/** A header, empty where it is absent. */
export function headerOf({ headers }: Pick<Arrived, 'headers'>, name: string): string {
  return String(headers[name.toLowerCase()] ?? '');
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text that must be there. */
export function text(value: unknown, name: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new Refused(400, `${name} must be a text that is not empty`);
}

export function objects(value: unknown, name: string): readonly JsonObject[] {
  if (Array.isArray(value) && value.every(isObject)) return value;
  throw new Refused(400, `${name} must be an array of objects`);
}
