/**
 * One operation of a service, as data: how it is sent, and when it may be sent again. A client is a
 * table of these.
 *
 * Example: { id: 'bills.get', method: 'GET', path: '/Bill/{idBill}', integers: ['idBill'],
 * repeat: 'always' } takes [17] and goes to /Bill/17.
 */

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * When the same request may be sent once more although an earlier one may have acted:
 * - `always`: sending it twice does what sending it once does;
 * - `with-key`: only with an idempotency key from the caller, while the key surely lives;
 * - `never`.
 */
export type Repeat = 'always' | 'with-key' | 'never';

/**
 * - `json`: a JSON body, always;
 * - `file`: bytes of any type, handed out as a stream;
 * - `json-or-file`: JSON, unless the call asks for a file (`SendArguments.file`);
 * - `nothing`: no body is promised: an empty one is `undefined`, another one must be JSON.
 */
export type AnswerKind = 'json' | 'file' | 'json-or-file' | 'nothing';

export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** Below the base address; `{name}` stands for one segment. */
  readonly path: string;
  /** Path parameters that are safe positive integers; all others are texts. */
  readonly integers?: readonly string[];
  /** Names of query parameters, for the tables of clients; the core sends what it is given. */
  readonly query?: readonly string[];
  /** The header that carries the caller's idempotency key. */
  readonly key?: string;
  /** Absent: the operation has no body. */
  readonly body?: 'json' | 'multipart';
  /** The body is always `{}`; callers give none. */
  readonly emptyBody?: true;
  /** Absent: `json`. */
  readonly answer?: AnswerKind;
  readonly repeat: Repeat;
  /** `processing` holds the connection until a document is done. Absent: `quick`. */
  readonly time?: 'quick' | 'processing';
}

/** Findings about a body, each one line; none when it is right. */
export type Validator = (body: unknown) => readonly string[];

/** Checks of the bodies of one operation; each is there only where a body of that kind is. */
export interface Validators {
  readonly request?: Validator;
  readonly response?: Validator;
}
