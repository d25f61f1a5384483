/**
 * A request to a known operation. If it cannot be read or does not match the operation's schema, it
 * is refused with 400 and a message; nothing is guessed.
 */
import type { Operation, Validator } from '../clients/http/operation.js';
import { isObject, type OpenObject } from '../text/json.js';

/** Ends a request with an error; each API formats it. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export interface Content {
  readonly name: string;
  readonly type: string;
  readonly content: Buffer;
}

/** An answer that is a file; every other answer is JSON. */
export class Download {
  constructor(readonly file: Content) {}
}

export interface Arrived {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  readonly headers: Headers;
  readonly body: Buffer;
  /** The part `file` if the body is a form. */
  readonly file: Content | null;
}

/**
 * What happens to a request's operation: it is done; it is refused; or the key is used up and the
 * operation is done never (`lost`) or later (`late`).
 */
export type Fate = 'done' | 'refused' | 'lost' | 'late';

/** The parts of an operation that the sandbox uses. */
export type ServedOperation = Pick<Operation, 'method' | 'path' | 'query' | 'key'> & {
  readonly id: string;
};

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
    const text = this.query.get(name) ?? `${absent}`;
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
    const { headers, body } = this.arrived;
    if (!/^application\/json\s*(?:;|$)/i.test(headers.get('content-type') ?? '')) {
      throw new Refused(400, 'Content-Type must be application/json');
    }
    let value: unknown;
    try {
      value = JSON.parse(body.toString());
    } catch {
      throw new Refused(400, 'The body is not JSON');
    }
    const [finding] = this.check?.(value) ?? [];
    if (finding !== undefined) throw new Refused(400, finding);
    return value;
  }

  /** The body of an operation that expects an object. */
  object(): OpenObject {
    const body = this.json();
    if (isObject(body)) return body;
    throw new Refused(400, 'The body must be an object');
  }
}
