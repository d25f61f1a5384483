/** The made pages: every code and question, every operation, every tool, each from the code's own tables. */
import { billsTexts } from '../../src/adapters/bills/schemas.js';
import { documentsTexts } from '../../src/adapters/documents/schemas.js';
import type { Operation } from '../../src/adapters/http/operation.js';
import {
  type Effect,
  type ToolDefinition,
  type ToolParameter,
  toolDefinitions,
} from '../../src/adapters/tools/table.js';
import { type BillsOperation, billsOperations } from '../../src/bills.js';
import { explainFault, faultCodes } from '../../src/cli/faults.js';
import { codes, type Explanation, explain } from '../../src/diagnostics/explain.js';
import { needsValue, questionKinds } from '../../src/diagnostics/questions.js';
import { type DocumentOperation, documentOperations } from '../../src/documents.js';
import { markdownTable } from '../../src/report/markdown-text.js';

const codesOpening = `# Codes and questions

Made by \`npm run tables\`; not to be edited.

Everything that squadc can say about a workflow, a squad or a run, and how calls of the platform and of
the services fail. What stands in angle brackets is named in each case. An error leaves no squad, a warning wants to be read, an info is for whoever
asks (\`--verbose\`). A code is never renamed: filter by it.
`;

/** Areas in the order of the pipeline, each with what its codes are about. */
const areas = {
  shape: 'The document that was read: its text, its fields, its nodes.',
  flow: 'The graph: edges, the start, what can be reached, global nodes.',
  data: 'Variables: where they are set, read and carried.',
  lower: 'What the target makes of it: names, tools, saved assistants.',
  tools: 'Operations of the two services in the place of requests.',
  check: 'What the check of a squad finds.',
  api: 'Options and answers; of the clients of both services, the codes of an `ApiError`.',
  batch: 'A run over many workflows.',
  platform: 'Commands that call the platform.',
  push: 'Squads that are created on the platform.',
  rollback: 'Squads that are deleted there again.',
  journal: 'The journal of what was created.',
  extraction: 'Schemas for the extraction from documents.',
} as const;

export function codesPage(): string {
  const all = [...codes(), ...faultCodes]
    .sort()
    .map((code) => explain(code) ?? explainFault(code)!);
  const sections = Object.entries(areas).map(([area, about]) => {
    const rows = all.filter(({ code }) => code.startsWith(`${area}/`)).map(codeRow);
    const table = markdownTable(['Code', 'Severity', 'What it says', 'What to do'], rows).join('');
    return `## ${area}\n\n${about}\n\n${table}`;
  });
  return [codesOpening, ...sections, questionSections()].join('\n');
}

function codeRow({ code, severity, title, help }: Explanation): string[] {
  return [`\`${code}\``, severity ?? '', ...[title, help].map(ownText)];
}

function questionSections(): string {
  const sections = questionKinds().map((kind) => {
    const { title, why = '', help, choices = [] } = explain(kind)!;
    const rows = choices.map(({ key, label, effect }) => {
      return [`\`${key}\``, ...[label, effect].map(ownText)];
    });
    const table = markdownTable(['Choice', 'In words', 'What the squad will do'], rows).join('');
    const words = [title, why, help].map(ownText);
    return `### ${kind}\n\n${words[0]}. ${words[1]} ${words[2]}\n\n${table}`;
  });
  return ['## Questions\n', ...sections].join('\n');
}

/** README's table of questions. */
export function questionsTable(): string {
  const rows = questionKinds().map((kind) => {
    const { title, choices = [] } = explain(kind)!;
    const keys = choices.map(({ key }) => `\`${key}\`${needsValue(kind, key) ? ' …' : ''}`);
    return [`\`${kind}\``, ownText(title), keys.join(', ')];
  });
  return markdownTable(['kind', 'asked where', 'choices (… takes a value)'], rows).join('');
}

const operationsOpening = `# Operations of the two services

Made by \`npm run tables\`; not to be edited.

An operation is a method of a client, under its id. What its parameters and bodies are, the schemas
say (\`squadc/bills/schemas\`, \`squadc/documents/schemas\`); which operations an assistant may call, the
[table of tools](tools/TOOLS.md). “Sent again” is about a call of which nobody knows whether it acted.
`;

export function operationsPage(): string {
  const bills: readonly BillsOperation[] = Object.values(billsOperations);
  const documents: readonly DocumentOperation[] = documentOperations;
  return [
    operationsOpening,
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

const toolsOpening = `# What a tool can do

Made by \`npm run tables\`; not to be edited.

A tool is an operation of a service as an assistant may call it. What a caller says comes from the
model and is checked. What is bound comes from the configuration, and the model neither sees nor
changes it; a configuration can bind what a caller says, too. Of an answer nothing is said but what
stands in the last column, and only where it looks like what it is taken for. Bold parameters are
required.
`;

const effectWords: Readonly<Record<Effect, string>> = {
  reads: 'reads only',
  processes: 'creates something, changes nothing else',
  changes: 'changes records',
};

const repeatWords: Readonly<Record<ToolDefinition['repeat'], string>> = {
  always: 'safe to repeat',
  'with-key': 'safe to repeat with its key, while the service remembers it',
  never: 'never',
};

export function toolsPage(): string {
  const head = ['Tool', 'Operation', 'What it does', 'A caller says', 'Bound', 'Effect'];
  const rows = Object.values(toolDefinitions).map((tool) => [
    code(tool.name),
    `${code(tool.operation)}<br>${code(`${tool.method} ${tool.path}`)}`,
    // The first sentence: what a tool does, without how to use it.
    escaped(tool.description.split(/(?<=\.) /)[0] ?? ''),
    parametersCell(tool, 'caller'),
    parametersCell(tool, 'binding'),
    effectWords[tool.effect],
    repeatWords[tool.repeat],
    tool.effect === 'reads' ? 'handler or platform' : 'handler',
    lines(tool.sayable.map(({ name, as }) => `${code(name)}: ${as}`)),
  ]);
  const table = markdownTable([...head, 'Sent again', 'Called by', 'May be said'], rows);
  return `${toolsOpening}\n${table.join('')}`;
}

function parametersCell({ parameters }: ToolDefinition, from: ToolParameter['from']): string {
  const own = parameters.filter((each) => each.from === from);
  const texts = own.map(({ name, required, unless, schema }) => {
    const shown = required ? `**${code(name)}**` : code(name);
    const instead = unless === undefined ? '' : ` (not where ${code(unless)} is bound)`;
    return `${shown}: ${escaped(valueWords(schema))}${instead}`;
  });
  return lines(texts);
}

const lines = (all: readonly string[]): string => all.join('<br>') || '–';

const code = (text: string): string => `\`${escaped(text)}\``;

/** A bar would end the cell. */
const escaped = (text: string): string => text.replaceAll('|', '\\|');

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'yes or no',
  array: 'a list',
  object: 'an object',
};

/** What a value may be: `a whole number, 1 to 100`. */
function valueWords(schema: ToolParameter['schema']): string {
  const { minimum, maximum, maxLength, maxItems } = schema;
  if ('const' in schema) return `always ${schema['const']}`;
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].join(', ')}`;
  const pattern = `${schema['pattern']}`;
  if (pattern.startsWith('^\\d{4}-')) return 'a day, YYYY-MM-DD';
  const kind = pattern.startsWith('^https:') ? 'an https address' : kinds[`${schema['type']}`];
  const range =
    maximum === Number.MAX_SAFE_INTEGER ? `${minimum} or more` : `${minimum} to ${maximum}`;
  return [
    kind ?? 'anything',
    ...(minimum === undefined ? [] : [range]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems}`]),
  ].join(', ');
}

/** Our own sentences in Markdown: they may have code in them, but neither cells nor HTML. */
function ownText(text: string): string {
  return text.replaceAll('|', '&#124;').replaceAll('<', '&lt;');
}
