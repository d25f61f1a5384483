/** `squadc tools`: lists what the tools of a squad can do with the two services. */
import { Option } from 'commander';
import { parametersSchema } from '../../adapters/tools/arguments.js';
import { toolDefinitions } from '../../adapters/tools/table.js';
import { type CommandData, printExitCodes } from '../command.js';
import { exitCodes } from '../exit.js';
import { unknownName } from '../output/terminal.js';
import { jsonText } from '../output/write.js';

const tools = Object.values(toolDefinitions);

export const toolsCommand: CommandData<[string | undefined], { readonly json?: true }> = {
  name: 'tools',
  summary: 'list the tools that a squad can call',
  description:
    'Lists the tools that a migrated squad can call, with their operation, effect and purpose. ' +
    'With a name, prints the definition of one: what a caller may provide, what the ' +
    'configuration binds, what it does, and what the assistant may say.',
  arguments: [['[operation]', 'operation or name of its tool, for example bills.get or get_bill']],
  options: [new Option('--json', 'print the definitions of all tools as JSON')],
  exitCodes: printExitCodes,
  examples: ['squadc tools', 'squadc tools bills.get'],
  async action([wanted], { json }, { io: { stdout } }) {
    if (wanted === undefined) stdout.write(json ? jsonText(tools) : listing());
    else {
      const tool = tools.find(({ operation, name }) => operation === wanted || name === wanted);
      const known = tools.flatMap(({ operation, name }) => [operation, name]);
      if (tool === undefined) {
        throw unknownName('operation', wanted, known, 'squadc tools lists all operations');
      }
      stdout.write(jsonText({ ...tool, schema: parametersSchema(tool) }));
    }
    return exitCodes.complete;
  },
};

function listing(): string {
  const names = Math.max(...tools.map(({ name }) => name.length));
  const operations = Math.max(...tools.map(({ operation }) => operation.length));
  const rows = tools.map(({ name, operation, effect, description }) => {
    // The first sentence says what a tool does; the others say how to use it.
    const [purpose] = description.split(/(?<=\.) /);
    const facts = [name.padEnd(names), operation.padEnd(operations), effect.padEnd(9)];
    return `${[...facts, purpose].join('  ')}\n`;
  });
  return rows.join('');
}
