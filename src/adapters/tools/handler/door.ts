/**
 * Who may call: whoever knows the secret, or whom a function of the configuration lets in.
 *
 * Secrets are compared all of them and to their last character, so that the time that it takes tells
 * nothing of what is in any. It is done in plain code, which runs anywhere.
 */
import type { Eventual } from './eventual.js';
import {
  type Authorize,
  type DoorOptions,
  type Secret,
  type ToolRequest,
  wrongOption,
} from './options.js';

/** `body` is read only if it is asked for. */
export type Door<Incoming> = (
  request: Incoming,
  body: () => Promise<Uint8Array>,
) => Eventual<boolean>;

export function createDoor<Incoming extends ToolRequest>({
  secret,
  authorize,
}: DoorOptions<Incoming>): Door<Incoming> {
  if ((secret === undefined) === (authorize === undefined)) throw wrongOption('secret');
  return authorize === undefined ? bySecret(secret) : byFunction(authorize);
}

/** What could not be judged is not let in; a body that cannot be read is a fault of its own. */
function byFunction<Incoming extends ToolRequest>(authorize: Authorize<Incoming>): Door<Incoming> {
  if (typeof authorize !== 'function') throw wrongOption('authorize');
  return async (request, body) => {
    const bytes = await body();
    try {
      return (await authorize(request, bytes)) === true;
    } catch {
      return false;
    }
  };
}

function bySecret(secret: Secret): Door<ToolRequest> {
  const { header, value, values = [value] } = Object(secret) as Secret;
  if (header !== undefined && !/^[\w-]+$/.test(header)) throw wrongOption('secret.header');
  if (values.length === 0) throw wrongOption('secret.values');
  const known = values.map((each) => {
    // What no header can carry would never be right.
    if (!/^[\x21-\x7e]+$/.test(`${each ?? ''}`)) throw wrongOption('secret.value');
    return `${each}`;
  });
  const names = header === undefined ? ['authorization', 'x-vapi-secret'] : [header.toLowerCase()];
  return ({ headers }) => {
    let admitted = false;
    for (const name of names) {
      const given = presented(headers, name);
      for (const each of known) admitted = isSame(each, given) || admitted;
    }
    return admitted;
  };
}

/** Empty where there is none, which no secret is. */
function presented(headers: ToolRequest['headers'], name: string): string {
  const text = headers.get(name) ?? '';
  return name === 'authorization' ? text.replace(/^Bearer +/i, '') : text;
}

/** Takes as long as the secret is, wherever the first difference is. */
function isSame(secret: string, given: string): boolean {
  let difference = secret.length ^ given.length;
  for (let at = 0; at < secret.length; at += 1) {
    difference |= secret.charCodeAt(at) ^ given.charCodeAt(at);
  }
  return difference === 0;
}
