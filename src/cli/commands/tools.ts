/** `squadc tools`: lists what the tools of a squad can do with the two services. */
import { Option } from 'commander';
import { parametersSchema } from '../../adapters/tools/arguments.js';
import { toolDefinitions } from '../../adapters/tools/table.js';
import { type CommandData, printExitCodes } from '../command.js';
import { exitCodes, Refusal } from '../exit.js';
import { didYouMean } from '../output/terminal.js';
import { jsonText } from '../output/write.js';

const help = {
  exitCodes: printExitCodes('an unknown operation'),
  examples: ['squadc tools list', 'squadc tools show bills.get'],
};

const tools = Object.values(toolDefinitions);

const listCommand: CommandData<[], { readonly json?: true }> = {
  name: 'list',
  summary: 'list all tools',
  description: 'Lists all tools with their name, operation, effect and purpose.',
  options: [new Option('--json', 'print all of their definitions as JSON')],
  ...help,
  async action(_, { json }, { io }) {
    const names = Math.max(...tools.map(({ name }) => name.length));
    const operations = Math.max(...tools.map(({ operation }) => operation.length));
    const rows = tools.map(({ name, operation, effect, description }) => {
      // The first sentence says what a tool does; the others say how to use it.
      const [purpose] = description.split(/(?<=\.) /);
      const facts = [name.padEnd(names), operation.padEnd(operations), effect.padEnd(9)];
      return `${[...facts, purpose].join('  ')}\n`;
    });
    io.stdout.write(json ? jsonText(tools) : rows.join(''));
    return exitCodes.complete;
  },
};

const showCommand: CommandData<[string]> = {
  name: 'show',
  summary: 'show one tool',
  description: 'Prints the definition of a tool and the JSON Schema of its parameters.',
  arguments: [['<operation>', 'operation or name of its tool, for example bills.get or get_bill']],
  ...help,
  async action([wanted], _, { io }) {
    const tool = tools.find(({ operation, name }) => operation === wanted || name === wanted);
    if (tool === undefined) {
      const known = tools.flatMap(({ operation, name }) => [operation, name]);
      const hint = didYouMean(wanted, known) || '\n(squadc tools list shows all operations)';
      throw new Refusal(`unknown operation '${wanted}'${hint}`, exitCodes.wrongUsage);
    }
    io.stdout.write(jsonText({ ...tool, schema: parametersSchema(tool) }));
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
