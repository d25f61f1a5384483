/** OPERATIONS.md: every operation of the two services, as the tables of the clients have them. */
import { billsTexts } from '../../src/adapters/bills/schemas.js';
import { documentsTexts } from '../../src/adapters/documents/schemas.js';
import type { Operation } from '../../src/adapters/http/operation.js';
import { type BillsOperation, billsOperations } from '../../src/bills.js';
import { type DocumentOperation, documentOperations } from '../../src/documents.js';
import { markdownTable } from '../../src/report/markdown-text.js';
import { ownText } from './own-text.js';
import { repeatWords } from './tools-page.js';

const opening = `# Operations of the two services

Made by \`npm run tables\`; not to be edited.

An operation is a method of a client, under its id. What its parameters and bodies are, the schemas
say (\`squadc/bills/schemas\`, \`squadc/documents/schemas\`); which operations an assistant may call, the
[table of tools](tools/TOOLS.md). “Sent again” is about a call of which nobody knows whether it acted.
`;

export function operationsPage(): string {
  const bills: readonly BillsOperation[] = Object.values(billsOperations);
  const documents: readonly DocumentOperation[] = documentOperations;
  return [
    opening,
    section('`squadc/bills`', bills, (id) => billsTexts[id]?.description ?? ''),
    section('`squadc/documents`', documents, (id) => documentsTexts[id]?.description ?? ''),
  ].join('\n');
}

function section<Of extends Operation>(
  title: string,
  operations: readonly Of[],
  describe: (id: Of['id']) => string,
): string {
  const rows = operations.map(({ id, method, path, repeat }) => [
    `\`${id}\``,
    `\`${method} ${path}\``,
    ownText(describe(id)),
    repeatWords[repeat],
  ]);
  const table = markdownTable(['Operation', 'Request', 'What it does', 'Sent again'], rows);
  return `## ${title}\n\n${table.join('')}`;
}
