/** What `squadc sandbox` says when it listens: where, what to send, and what to expect. */
import type { Sandbox, SandboxOptions } from '../adapters/sandbox/sandbox.js';
import { indented, printable } from './output/terminal.js';

const column = 11;

/** The text, for a terminal of this width. */
export function greeting(sandbox: Sandbox, options: SandboxOptions, width: number): string {
  const { faults, documents = {} } = options;
  const entry = (name: string, ...lines: readonly string[]): string =>
    `${name}${indented(lines.join('\n'), width, column).slice(name.length)}\n`;
  const parts = [
    entry(
      'bills',
      sandbox.billsUrl,
      'requestToken: sandbox-key',
      'or Authorization: Bearer <token>, issued at /v2/Token/serverside',
      'to clientId sandbox-client, clientSecret sandbox-secret',
    ),
    entry(
      'documents',
      sandbox.documentsUrl,
      'Authorization: Bearer sandbox-key',
      `x-${documents.vendorPrefix ?? 'service'}-api-version: 2026-02-09`,
    ),
  ];
  if (faults !== undefined && faults.share > 0) {
    const share = Number((faults.share * 100).toFixed(4));
    parts.push(entry('faults', `${share} % of requests: ${faults.faults.join(', ')}`));
  }
  if (documents.webhooks !== undefined) parts.push(entry('webhooks', documents.webhooks.url));
  return printable(`${parts.join('')}Ctrl-C ends it.\n`);
}
