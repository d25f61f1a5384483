/**
 * The key of the platform's API: from an environment variable or a file, never from an argument.
 *
 * A fault names neither the variable nor the file: whoever mistook the option for the key itself
 * would find the key in the message.
 */
import { readFile } from 'node:fs/promises';

export interface ApiKey {
  readonly value: string;
  /** Where it came from, for messages. */
  readonly source: string;
}

export type KeyFault = 'name' | 'unset' | 'unreadable' | 'empty' | 'form';

/** The key in an environment variable. */
export function keyFromEnvironment(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): ApiKey | { readonly fault: KeyFault } {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return { fault: 'name' };
  const value = env[name];
  if (value === undefined) return { fault: 'unset' };
  return checked(value, `the environment variable ${name}`);
}

/** The key in a file, of which it is the only line. */
export async function keyFromFile(
  file: string,
  shownAs: string,
): Promise<ApiKey | { readonly fault: KeyFault }> {
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? { fault: 'unreadable' } : checked(text, `the file ${shownAs}`);
}

/** What a header can hold without a change; an error of the network could show the rest. */
function checked(text: string, source: string): ApiKey | { readonly fault: KeyFault } {
  const value = text.replace(/^\ufeff/, '').trim();
  if (value === '') return { fault: 'empty' };
  return /^[\x21-\x7e]{1,4096}$/.test(value) ? { value, source } : { fault: 'form' };
}
