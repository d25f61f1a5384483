/** `squadc tools`: what the tools of a squad can do with the two services. */
import { Option } from 'commander';
import { parametersSchema } from '../../adapters/tools/arguments.js';
import {
  type Effect,
  type ToolDefinition,
  type ToolParameter,
  toolDefinitions,
} from '../../adapters/tools/table.js';
import { type CommandData, printExitCodes } from '../command.js';
import { exitCodes, Refusal } from '../exit.js';
import type { Io } from '../io.js';
import { columnsOf, didYouMean, hanging, padTo, styleFor } from '../output/terminal.js';
import { jsonText } from '../output/write.js';

const help = {
  exitCodes: printExitCodes('an unknown operation'),
  examples: ['squadc tools list', 'squadc tools show bills.get'],
};

const tools: readonly ToolDefinition[] = Object.values(toolDefinitions);

interface Flags {
  readonly json?: true;
}

const listCommand: CommandData<[], Flags> = {
  name: 'list',
  summary: 'list all tools',
  description: 'Lists all tools with their name, operation, effect and purpose.',
  options: [new Option('--json', 'print all of their definitions as JSON')],
  ...help,
  async action(_, { json }, { io }) {
    io.stdout.write(json ? jsonText(tools) : listing(io));
    return exitCodes.complete;
  },
};

const showCommand: CommandData<[string], Flags> = {
  name: 'show',
  summary: 'show one tool',
  description: 'Shows the tool of an operation.',
  arguments: [['<operation>', 'operation or name of its tool, for example bills.get or get_bill']],
  options: [new Option('--json', 'print the definition and the JSON Schema of its parameters')],
  ...help,
  async action([wanted], { json }, { io }) {
    const tool = tools.find(({ operation, name }) => operation === wanted || name === wanted);
    if (tool === undefined) {
      const known = tools.flatMap(({ operation, name }) => [operation, name]);
      const hint = didYouMean(wanted, known) || '\n(squadc tools list shows all operations)';
      throw new Refusal(`unknown operation '${wanted}'${hint}`, exitCodes.wrongUsage);
    }
    const schema = parametersSchema(tool);
    io.stdout.write(json ? jsonText({ ...tool, schema }) : aboutTool(tool, io));
    return exitCodes.complete;
  },
};

export const toolsCommand: CommandData = {
  name: 'tools',
  summary: 'list the tools that a squad can call',
  description:
    'Lists the tools that a migrated squad can call, or shows one: what a caller may provide, ' +
    'what the configuration binds, what it does, and what the assistant may say.',
  commands: [listCommand, showCommand],
  ...help,
};

/** Name, operation, effect and purpose; the purpose on a line of its own where there is no room. */
function listing({ stdout, env }: Io): string {
  const { bold } = styleFor(stdout, env);
  const widest = (of: (tool: ToolDefinition) => string) =>
    Math.max(...tools.map((tool) => of(tool).length));
  const [names, operations] = [widest(({ name }) => name), widest((tool) => tool.operation)];
  const effects = 'processes'.length;
  // What is no terminal is read by programs: a line for each.
  const room = stdout.columns ?? Number.POSITIVE_INFINITY;
  const beside = room >= names + operations + effects + 6 + widest(purposeOf);
  const rows = tools.map((tool) => {
    const { name, operation, effect } = tool;
    const facts = `${bold(padTo(name, names))}  ${padTo(operation, operations)}  `;
    const purpose = purposeOf(tool);
    if (beside) return `${facts}${padTo(effect, effects)}  ${purpose}`;
    return [`${facts}${effect}`, ...hanging('    ', purpose, columnsOf(stdout))].join('\n');
  });
  return `${rows.join('\n')}\n`;
}

/** The first sentence: what a tool does, without how to use it. */
export function purposeOf({ description }: ToolDefinition): string {
  return description.split(/(?<=\.) /)[0] ?? '';
}

export const effectWords: Readonly<Record<Effect, string>> = {
  reads: 'reads only',
  processes: 'creates something, changes nothing else',
  changes: 'changes records',
};

export const repeatWords: Readonly<Record<ToolDefinition['repeat'], string>> = {
  always: 'safe to repeat',
  'with-key': 'safe to repeat with its key, while the service remembers it',
  never: 'never',
};

/** Everything that the table says of a tool. */
function aboutTool(tool: ToolDefinition, { stdout, env }: Io): string {
  const { bold } = styleFor(stdout, env);
  const columns = columnsOf(stdout);
  const parameters = (source: ToolParameter['from']) =>
    tool.parameters
      .filter(({ from }) => from === source)
      .flatMap((each) => parameterLines(each, bold, columns));
  const width = Math.max(0, ...tool.sayable.map(({ name }) => name.length));
  const sections: readonly (readonly [string, readonly string[]])[] = [
    [
      'Request',
      [
        `  ${tool.method} ${tool.path}`,
        ...hanging(
          '  sent:       ',
          tool.effect === 'reads' ? 'by the handler, or by the platform itself' : 'by the handler',
          columns,
        ),
        ...hanging('  effect:     ', effectWords[tool.effect], columns),
        ...hanging('  sent again: ', repeatWords[tool.repeat], columns),
      ],
    ],
    ['From the caller', parameters('caller')],
    ['From the configuration', parameters('binding')],
    [
      'The assistant may say',
      tool.sayable.map(
        ({ name, at, as }) => `  ${bold(padTo(name, width))}  ${padTo(as, 10)}  ${at}`,
      ),
    ],
  ];
  const parts = sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => [bold(title), ...lines].join('\n'));
  const head = [
    `${bold(tool.name)} (${tool.operation})`,
    ...hanging('', tool.description, columns),
  ];
  return `${[head.join('\n'), ...parts].join('\n\n')}\n`;
}

function parameterLines(
  { name, required, unless, description, schema }: ToolParameter,
  bold: (text: string) => string,
  columns: number,
): string[] {
  const facts = [
    valueWords(schema),
    ...(required ? ['required'] : []),
    ...(unless === undefined ? [] : [`not where ${unless} is bound`]),
  ].join('; ');
  const [line = '', ...more] = hanging(`  ${name}: `, facts, columns);
  const bolder = line.replace(name, () => bold(name));
  return [bolder, ...more, ...hanging('      ', description, columns)];
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'yes or no',
  array: 'a list',
  object: 'an object',
};

/** What a value may be: `a whole number, 1 to 100`. */
export function valueWords(schema: ToolParameter['schema']): string {
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
