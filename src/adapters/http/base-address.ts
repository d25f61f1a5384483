/**
 * Reads the address of a service.
 *
 * In: a text. Out: origin and path without a slash at its end. Refused: anything but https:, or
 * http: to this machine; credentials, queries and fragments. One rule for every address to which a
 * secret or what a caller said is sent.
 */
import { invalidOption } from './error.js';

export interface BaseAddress {
  readonly origin: string;
  readonly path: string;
}

export type AddressFault = 'no-url' | 'scheme' | 'credentials' | 'query' | 'plain';

/** The address in its usual form; a fault where nothing may be sent there. */
export function readAddress(text: string): BaseAddress | { readonly fault: AddressFault } {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) return { fault: 'no-url' };
  const { protocol, hostname, origin, pathname, username, password, search, hash } = url;
  if (protocol !== 'https:' && protocol !== 'http:') return { fault: 'scheme' };
  if (username !== '' || password !== '') return { fault: 'credentials' };
  if (search !== '' || hash !== '') return { fault: 'query' };
  // URL has brought hosts into their usual form: `127.1` is `127.0.0.1` by then.
  const isHere = /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/.test(hostname);
  if (protocol === 'http:' && !isHere) return { fault: 'plain' };
  return { origin, path: pathname.replace(/\/+$/, '') };
}

export function parseBaseUrl(text: string): BaseAddress {
  const address = readAddress(text);
  if ('fault' in address) throw invalidOption('baseUrl');
  return address;
}
