/** TOOLS.md: everything that tools can do, as one table. */

import type { Effect, ToolDefinition, ToolParameter } from '../../src/adapters/tools/table.js';
import { toolDefinitions } from '../../src/adapters/tools/table.js';

const opening = `# What a tool can do

Made by \`npm run tables\`; not to be edited.

A tool is an operation of a service as an assistant may call it. What a caller says comes from the
model and is checked. What is bound comes from the configuration, and the model neither sees nor
changes it; a configuration can bind what a caller says, too. Of an answer nothing is said but what
stands in the last column, and only where it looks like what it is taken for. Bold parameters are
required.
`;

/** The first sentence: what a tool does, without how to use it. */
function purposeOf({ description }: ToolDefinition): string {
  return description.split(/(?<=\.) /)[0] ?? '';
}

const effectWords: Readonly<Record<Effect, string>> = {
  reads: 'reads only',
  processes: 'creates something, changes nothing else',
  changes: 'changes records',
};

export const repeatWords: Readonly<Record<ToolDefinition['repeat'], string>> = {
  always: 'safe to repeat',
  'with-key': 'safe to repeat with its key, while the service remembers it',
  never: 'never',
};

const columns: readonly (readonly [title: string, cell: (tool: ToolDefinition) => string])[] = [
  ['Tool', ({ name }) => code(name)],
  [
    'Operation',
    ({ operation, method, path }) => `${code(operation)}<br>${code(`${method} ${path}`)}`,
  ],
  ['What it does', (tool) => escaped(purposeOf(tool))],
  ['A caller says', (tool) => parametersCell(tool, 'caller')],
  ['Bound', (tool) => parametersCell(tool, 'binding')],
  ['Effect', ({ effect }) => effectWords[effect]],
  ['Sent again', ({ repeat }) => repeatWords[repeat]],
  ['Called by', ({ effect }) => (effect === 'reads' ? 'handler or platform' : 'handler')],
  ['May be said', (tool) => lines(tool.sayable.map(({ name, as }) => `${code(name)}: ${as}`))],
];

export function toolsPage(): string {
  const tools: readonly ToolDefinition[] = Object.values(toolDefinitions);
  const rows = [
    columns.map(([title]) => title),
    columns.map(() => '---'),
    ...tools.map((tool) => columns.map(([, cell]) => cell(tool))),
  ];
  return `${opening}\n${rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('')}`;
}

function parametersCell({ parameters }: ToolDefinition, from: ToolParameter['from']): string {
  return lines(parameters.filter((each) => each.from === from).map(parameterWords));
}

function parameterWords({ name, required, unless, schema }: ToolParameter): string {
  const shown = required ? `**${code(name)}**` : code(name);
  const instead = unless === undefined ? '' : ` (not where ${code(unless)} is bound)`;
  return `${shown}: ${escaped(valueWords(schema))}${instead}`;
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
