/** One operation of a service, as data: how it is sent, and when it may be sent again. */

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Whether a request may be sent again after an earlier one may have acted:
 * - `always`: sending it twice has the same effect as sending it once;
 * - `with-key`: only with an idempotency key, while that key is certainly valid;
 * - `never`.
 */
export type Repeat = 'always' | 'with-key' | 'never';

/**
 * What values have to be, by the names of parameters and of fields anywhere in a body; `body` is the
 * name of the body itself. The first row that matches counts.
 */
export type Checks = readonly (readonly [names: RegExp, fits: (value: unknown) => boolean])[];

export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** Relative to the base address; each `{name}` is one segment. */
  readonly path: string;
  /** Without a check of its own, a path takes texts, and a body has to be an object. */
  readonly checks?: Checks;
  /** Names of query parameters. Only clients read them; the core sends whatever it is given. */
  readonly query?: readonly string[];
  /** The header that carries the idempotency key. */
  readonly key?: string;
  /** Absent: no body. `empty` is always `{}`, and callers pass none. */
  readonly body?: 'json' | 'empty' | 'multipart';
  /** The answer may have no body, and is then `undefined`. */
  readonly answer?: 'nothing';
  readonly repeat: Repeat;
  /** `processing` keeps the connection open until a document is done. Default: `quick`. */
  readonly time?: 'quick' | 'processing';
}

/** Makes a record with the same names from another. */
export const mapValues = <Name extends string, From, To>(
  record: Readonly<Record<Name, From>>,
  map: (value: From, name: Name) => To,
) =>
  Object.fromEntries(
    Object.entries<From>(record).map(([name, value]) => [name, map(value, name as Name)]),
  ) as Readonly<Record<Name, To>>;

/** Returns the problems of a body, one line each; empty if it is valid. */
export type Validator = (body: unknown) => readonly string[];

/** The checks of an operation's bodies; absent if it has no such body. */
export interface Validators {
  readonly request?: Validator;
  readonly response?: Validator;
}
