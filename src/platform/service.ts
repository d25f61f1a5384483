/**
 * The platform's API: the kinds of things it has, and the requests that squadc sends about them.
 *
 * All requests use the http core of the clients: what could act twice is sent once, redirects are
 * not followed, and no error contains the key. A failed request returns its error as a value, since
 * the rest of a run goes on.
 */
import { ApiError } from '../clients/http/error.js';
import type { Operation } from '../clients/http/operation.js';
import type { CallOptions } from '../clients/http/request.js';
import type { FileAnswer } from '../clients/http/response.js';
import { createSender } from '../clients/http/send.js';
import { asObject } from '../text/json.js';

/**
 * Kinds of things: the path, the query of its list, and how rollback undoes a push. Numbers and
 * campaigns belong to the account; push only makes them name a squad.
 */
export const kinds = {
  assistant: { path: 'assistant', query: {}, undo: 'delete' },
  squad: { path: 'squad', query: {}, undo: 'delete' },
  number: { path: 'phone-number', query: {}, undo: 'restore' },
  // A campaign that has started cannot be changed.
  campaign: { path: 'campaign', query: { status: 'scheduled' }, undo: 'restore' },
} as const;

export type Kind = keyof typeof kinds;

/** The platform's address and the API key. */
export interface Source {
  readonly baseUrl: string;
  readonly key: string;
  /** Timeouts and retries, if they differ from the defaults. */
  readonly calls?: CallOptions | undefined;
}

export type Answer<Value> = Value | ApiError;

/** The most things that the platform lists. */
export const mostListed = 1000;

/** The longest response that is read, in bytes; no workflow is that long. */
const maxBytes = 16 * 1024 * 1024;

/** The longest wait that a server may ask for. */
const deadlineMs = 10 * 60 * 1000;

export type Service = ReturnType<typeof createService>;

/** The requests; each resolves to an `ApiError` if it fails. */
export function createService({ baseUrl, key, calls }: Source) {
  const sender = createSender({
    baseUrl,
    maxBytes,
    deadlineMs,
    ...calls,
    auth: { value: key },
    dialect: { readError: (body) => ({ message: messageOf(body) }) },
  });

  async function call(
    method: Operation['method'],
    path: string,
    given: { id?: string; query?: Readonly<Record<string, string | number>>; body?: unknown } = {},
    answer?: 'file' | 'nothing',
  ): Promise<unknown> {
    const { id, query, body } = given;
    const operation: Operation = {
      id: `${method} ${path}`,
      method,
      path: id === undefined ? `/${path}` : `/${path}/{id}`,
      repeat: method === 'POST' ? 'never' : 'always',
      ...(body === undefined ? {} : { body: 'json' }),
      ...(answer === 'nothing' && { answer }),
    };
    try {
      return await sender.send(operation, {
        path: { id },
        query: Object.entries(query ?? {}),
        body,
        file: answer === 'file',
      });
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
  }

  return {
    /** A workflow as text, with the digits and duplicate keys that the server sent. */
    async workflow(id: string): Promise<Answer<string>> {
      const file = await call('GET', 'workflow', { id }, 'file');
      return file instanceof ApiError ? file : textOf(file as FileAnswer);
    },
    /** Lists a kind, at most {@link mostListed}; null if the response is not a list. */
    async list(kind: Kind | 'workflow'): Promise<Answer<readonly unknown[] | null>> {
      const { path, query } = kind === 'workflow' ? { path: kind, query: {} } : kinds[kind];
      const listed = await call('GET', path, { query: { limit: mostListed, ...query } });
      if (listed instanceof ApiError) return listed;
      const items = asObject(listed)['results'] ?? listed;
      return Array.isArray(items) ? items : null;
    },
    read: (kind: Kind | 'tool', id: string) =>
      call('GET', kind === 'tool' ? kind : kinds[kind].path, { id }),
    create: (kind: Kind, body: unknown) => call('POST', kinds[kind].path, { body }),
    update: (kind: Kind, id: string, body: unknown) =>
      call('PATCH', kinds[kind].path, { id, body }),
    /** The id in a response; null if there is none, or if it contains the key. */
    idOf(answer: unknown): string | null {
      const { id } = asObject(answer);
      return isId(id) && !id.includes(key) ? id : null;
    },
    remove: (kind: Kind, id: string) => call('DELETE', kinds[kind].path, { id }, 'nothing'),
  };
}

/** Whether every request would fail: the key, the network or the address is wrong. */
export function concernsAll(fault: unknown): boolean {
  const codes = /^api\/(?:unauthorized|forbidden|unreachable|redirect)$/;
  return fault instanceof ApiError && codes.test(fault.code);
}

/** Whether the id can be a segment of a URL's path. */
export function isId(id: unknown): id is string {
  const form = /^(?!\.{1,2}$)[\p{L}\p{M}\p{N}\p{P}\p{S}]{1,200}$/u;
  return typeof id === 'string' && form.test(id);
}

/** The platform's error message: one text, or several. */
function messageOf(body: unknown): unknown {
  const { message, error } = asObject(body);
  const said = message ?? error;
  return Array.isArray(said) ? said.map(String).join('; ') : said;
}

async function textOf({ body }: FileAnswer): Promise<Answer<string>> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    let text = '';
    for await (const piece of body) text += decoder.decode(piece, { stream: true });
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof ApiError) return error;
    const facts = { operation: 'GET workflow', outcome: 'applied' } as const;
    return new ApiError({ code: 'api/truncated', ...facts });
  }
}
