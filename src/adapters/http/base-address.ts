/**
 * Reads the address of a service.
 *
 * In: a text. Out: origin and path without a slash at its end. Refused: anything but https:, or
 * http: to this machine; credentials, queries and fragments.
 */
import { invalidOption } from './api-error.js';

export interface BaseAddress {
  readonly origin: string;
  readonly path: string;
}

export function parseBaseUrl(text: string): BaseAddress {
  // URL has brought addresses into their usual form: `127.1` is `127.0.0.1` by then.
  const safe = /^(?:https:|http:\/\/(?:localhost|\[::1\]|127(?:\.\d+){3})(?::\d+)?$)/;
  try {
    const { origin, pathname, username, password, search, hash } = new URL(text);
    if (safe.test(origin) && !(username || password || search || hash)) {
      return { origin, path: pathname.replace(/\/+$/, '') };
    }
  } catch {
    // No address at all.
  }
  throw invalidOption('baseUrl');
}
