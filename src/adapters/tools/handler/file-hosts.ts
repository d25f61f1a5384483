/**
 * Addresses from which files may be taken.
 *
 * The service fetches what it is told to, from wherever it stands; so only hosts that the
 * configuration names are passed on, over https, on the usual port unless a host is named with one.
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

/** Whether all addresses of files among the values may be passed on. */
export function mayTakeFiles(
  { parameters }: ToolDefinition,
  values: Readonly<Record<string, unknown>>,
  bound: Readonly<Record<string, unknown>>,
  hosts: FileHosts,
): boolean {
  return parameters
    .filter(({ at, name }) => at?.endsWith('/url') && !Object.hasOwn(bound, name))
    .every(({ name }) => values[name] === undefined || isAllowed(values[name], hosts));
}

function isAllowed(value: unknown, hosts: FileHosts): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, host, username, password } = new URL(value);
  return protocol === 'https:' && hosts.has(host) && username === '' && password === '';
}
