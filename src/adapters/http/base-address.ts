/**
 * Reads the address of a service: one rule for all to which a secret or what a caller said is sent.
 *
 * Refused: anything but https:, or http: to this machine; credentials, queries and fragments.
 */
export interface BaseAddress {
  readonly origin: string;
  /** Without a slash at its end. */
  readonly path: string;
}

export type AddressFault = 'no-url' | 'scheme' | 'credentials' | 'query' | 'plain';

/** The address in its usual form; a fault where nothing may be sent there. */
export function readAddress(text: string): BaseAddress | { readonly fault: AddressFault } {
  if (!URL.canParse(text)) return { fault: 'no-url' };
  const { protocol, hostname, origin, pathname, username, password, search, hash } = new URL(text);
  if (!/^https?:$/.test(protocol)) return { fault: 'scheme' };
  if (username || password) return { fault: 'credentials' };
  if (search || hash) return { fault: 'query' };
  // URL has brought hosts into their usual form: `127.1` is `127.0.0.1` by then.
  const isHere = /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/.test(hostname);
  if (protocol === 'http:' && !isHere) return { fault: 'plain' };
  return { origin, path: pathname.replace(/\/+$/, '') };
}
