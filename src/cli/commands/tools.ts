/** `squadc tools`: lists what the tools of a squad can do with the two services. */
import { parametersSchema } from '../../serve/arguments.js';
import { toolDefinitions } from '../../serve/table.js';
import type { CommandData } from '../command.js';
import { jsonText } from '../files.js';
import { exitCodes, Refusal } from '../io.js';
import { unknownName } from '../output/terminal.js';

const tools = Object.values(toolDefinitions);

export const command: CommandData<[string, string | undefined], { readonly json?: true }> = {
  description:
    'Lists the tools that a migrated squad can call, with their operation, effect and purpose, or ' +
    'shows one: what a caller may provide, what the configuration binds, what it does, and what ' +
    'the assistant may say.',
  arguments: {
    '<list|show>': 'what to do',
    '[operation]': 'operation or name of the tool to show, for example bills.get or get_bill',
  },
  options: {
    'Output:': {
      '--json': 'list the definitions of all tools as JSON',
    },
  },
  examples: ['squadc tools list', 'squadc tools show bills.get'],
  async action([verb, wanted], { json }, { io: { stdout } }) {
    if (verb === 'list' && wanted === undefined) stdout.write(json ? jsonText(tools) : listing());
    else if (verb === 'show' && wanted !== undefined) {
      const tool = tools.find(({ operation, name }) => operation === wanted || name === wanted);
      const known = tools.flatMap(({ operation, name }) => [operation, name]);
      if (tool === undefined) {
        throw unknownName('operation', wanted, known, 'squadc tools list shows all operations');
      }
      stdout.write(jsonText({ ...tool, schema: parametersSchema(tool) }));
    } else {
      const usage = 'use `squadc tools list` or `squadc tools show <operation>`';
      throw new Refusal(usage, exitCodes.wrongUsage);
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
