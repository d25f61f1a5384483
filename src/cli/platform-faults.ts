/** What is said of requests that the platform did not answer as wanted. */
import type { Fault, FaultKind } from '../platform/platform-api.js';
import { printable } from './terminal.js';

interface Sentences {
  readonly what: string;
  readonly help: string;
}

const again = 'Run the command again later; what is done already is not done twice.';

const sentences: Readonly<Record<FaultKind, Sentences>> = {
  unauthorized: { what: 'the server does not accept the key', help: 'Correct the key in {key}.' },
  forbidden: {
    what: 'the key is not allowed to do this',
    help: 'Use a key with the rights for it in {key}.',
  },
  missing: {
    what: 'the server does not know it',
    help: 'Correct the id, or check that the key belongs to the account that has it.',
  },
  refused: {
    what: 'the server refuses the request',
    help: 'Correct what the server complains of.',
  },
  limited: { what: 'the server asks for fewer requests', help: again },
  server: { what: 'the server failed', help: again },
  timeout: { what: 'no whole answer came in time', help: again },
  unreachable: {
    what: 'there is no connection to the server',
    help: 'Check --base-url, its certificate and the network.',
  },
  broken: { what: 'the connection broke before the answer', help: again },
  truncated: { what: 'the answer is cut off, or no text in UTF-8', help: again },
  'too-large': {
    what: 'the answer is longer than 16 MB',
    help: 'Check that --base-url is the address of the API.',
  },
  redirect: {
    what: 'the server redirects elsewhere, where the key is not sent',
    help: 'Check --base-url; use the address that it redirects to if you trust it.',
  },
};

/** A fault in one to three lines: what it is about, what happened, what the server said, what to do. */
export function faultText(subject: string, fault: Fault, keySource: string): string {
  const { what, help } = sentences[fault.kind];
  const facts = [
    ...(fault.status === null ? [] : [`status ${fault.status}`]),
    ...(fault.attempts > 1 ? [`${fault.attempts} attempts`] : []),
  ];
  const brackets = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  const said = saidBy(fault.detail);
  return lines(
    subject,
    `platform/${fault.kind}`,
    what + brackets,
    help.replace('{key}', keySource),
    {
      said,
    },
  );
}

/** The same form for everything else that goes wrong. */
export function lines(
  subject: string,
  code: string,
  what: string,
  help: string,
  { said = null }: { readonly said?: string | null } = {},
): string {
  const server = said === null ? '' : `  the server says: ${said}\n`;
  return printable(`${subject}: ${code}: ${what}\n${server}  help: ${help}\n`);
}

/** Its beginning on one line; nothing of a page. */
function saidBy(detail: string | null): string | null {
  if (detail === null || detail.trimStart().startsWith('<')) return null;
  const text = detail.replaceAll(/\s+/g, ' ').trim();
  if (text === '') return null;
  return text.length > 300 ? `${text.slice(0, 299)}…` : text;
}
