/**
 * Addresses from which files may be taken.
 *
 * The service fetches what it is told to, from wherever it stands; so only hosts that the
 * configuration names are passed on, over https, on the usual port unless a host is named with one.
 * Guarantee: what was judged is what is sent, in the form that every reader of addresses agrees on.
 */
import type { ToolDefinition } from '../table/tool.js';
import { wrongOption } from './options.js';

export type FileHosts = ReadonlySet<string>;

export function fileHostsOf(hosts: readonly string[] = []): FileHosts {
  for (const host of hosts) {
    const address = `https://${host}/`;
    // As an address writes it: nothing else ever equals it.
    if (!URL.canParse(address) || new URL(address).host !== host) throw wrongOption('fileHosts');
  }
  return new Set(hosts);
}

/**
 * The values, with the addresses of files in their usual form; null where one of them must not be
 * passed on.
 */
export function takeFiles(
  { parameters }: ToolDefinition,
  values: Readonly<Record<string, unknown>>,
  bound: Readonly<Record<string, unknown>>,
  hosts: FileHosts,
): Readonly<Record<string, unknown>> | null {
  const taken = { ...values };
  for (const { at, name } of parameters) {
    if (!at?.endsWith('/url') || Object.hasOwn(bound, name) || values[name] === undefined) continue;
    const address = readAddress(values[name], hosts);
    if (address === null) return null;
    taken[name] = address;
  }
  return taken;
}

/** Controls, blanks and invisible signs are dropped or escaped in different ways. */
const odd = /[\s\p{Cc}\p{Cf}\\]/u;

function readAddress(value: unknown, hosts: FileHosts): string | null {
  if (typeof value !== 'string' || odd.test(value) || !URL.canParse(value)) return null;
  const { protocol, host, username, password, pathname, href } = new URL(value);
  const isSafe = protocol === 'https:' && username === '' && password === '';
  // An escaped control is one to whoever reads the path.
  return isSafe && hosts.has(host) && !/%(?:[01][\da-f]|7f)/i.test(pathname) ? href : null;
}
