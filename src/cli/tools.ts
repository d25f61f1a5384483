/** `squadc tools`: what the tools of a squad can do with the two services. */
import type { Command } from 'commander';
import type { ToolDefinition } from '../adapters/tools/tool.js';
import { exitCodes, Refusal } from './exit.js';
import type { Invocation } from './invocation.js';
import type { Io } from './io.js';
import { didYouMean } from './nearest.js';
import { jsonText } from './write-output.js';

const help = `
Exit codes:
  0   printed
  64  wrong usage, for example an unknown operation

Examples:
  squadc tools list
  squadc tools show bills.get`;

/** Adds the command to the program. */
export function addToolsCommand(program: Command, { io }: Invocation): void {
  const tools = program
    .command('tools')
    .summary('list the tools that a squad can call')
    .description(
      'Lists the tools that a migrated squad can call, or shows one: what a caller may say, what ' +
        'the configuration binds, what it does and what of the answer may be said.',
    )
    .addHelpText('after', help);
  tools
    .command('list')
    .summary('list all tools')
    .description('Lists all tools: name, operation, effect and what each is for.')
    .option('--json', 'print all of their definitions as JSON')
    .option('--markdown', 'print one table with everything that tools can do')
    .addHelpText('after', help)
    .action(async (flags: ListFlags, command: Command) => {
      if (flags.json && flags.markdown) command.error('error: choose --json or --markdown');
      io.stdout.write(await listText(flags, io));
    });
  tools
    .command('show')
    .summary('show all about one tool')
    .description('Shows all about the tool of an operation.')
    .argument('<operation>', 'operation or name of its tool, for example bills.get or get_bill')
    .option('--json', 'print the definition and the JSON Schema of its parameters')
    .addHelpText('after', help)
    .action(async (operation: string, flags: { readonly json?: true }) => {
      io.stdout.write(await showText(operation, flags.json === true, io));
    });
}

interface ListFlags {
  readonly json?: true;
  readonly markdown?: true;
}

async function listText({ json, markdown }: ListFlags, io: Io): Promise<string> {
  const tools = await allTools();
  if (json) return jsonText(tools);
  if (markdown) return (await import('./tools-markdown.js')).toolsMarkdown(tools);
  return (await import('./tools-report.js')).listing(tools, io);
}

async function showText(wanted: string, json: boolean, io: Io): Promise<string> {
  const tools = await allTools();
  const tool = tools.find(({ operation, name }) => operation === wanted || name === wanted);
  if (tool === undefined) throw unknownOperation(wanted, tools);
  if (!json) return (await import('./tools-report.js')).aboutTool(tool, io);
  const { parametersSchema } = await import('../adapters/tools/table.js');
  return jsonText({ ...tool, schema: parametersSchema(tool) });
}

async function allTools(): Promise<readonly ToolDefinition[]> {
  const { toolDefinitions } = await import('../adapters/tools/table.js');
  return Object.values(toolDefinitions);
}

function unknownOperation(wanted: string, tools: readonly ToolDefinition[]): Refusal {
  const known = tools.flatMap(({ operation, name }) => [operation, name]);
  const hint = didYouMean(wanted, known) || '\n(squadc tools list shows all operations)';
  return new Refusal(`unknown operation '${wanted}'${hint}`, exitCodes.wrongUsage);
}
