/**
 * Who may call a server that has no secret.
 *
 * It listens on this machine alone. Programs of this machine may call it; the pages that a browser
 * of this machine shows may not, and a browser says so in each request of theirs.
 */
import type { ToolRequest } from '../handler/options.js';

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

export function isNoBrowser({ headers }: ToolRequest): boolean {
  return headers.get('origin') === null && headers.get('sec-fetch-site') === null;
}
