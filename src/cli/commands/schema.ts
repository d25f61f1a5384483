/** `squadc schema`: prints one of the published JSON Schemas. */
import { type CommandData, printExitCodes } from '../command.js';
import { jsonText } from '../files.js';
import { exitCodes } from '../io.js';
import { unknownName } from '../output/terminal.js';

export const command: CommandData<[string | undefined]> = {
  description: 'Prints a JSON Schema. Without a name, lists the names.',
  arguments: { '[name]': 'name of the schema, for example answers' },
  exitCodes: printExitCodes,
  examples: ['squadc schema answers > answers.schema.json'],
  async action([name], _, { io }) {
    const schemas = await allSchemas();
    const names = Object.keys(schemas);
    if (name === undefined) io.stdout.write(names.map((each) => `${each}\n`).join(''));
    else if (Object.hasOwn(schemas, name)) io.stdout.write(jsonText(schemas[name]));
    else throw unknownName('schema', name, names, 'squadc schema lists all names');
    return exitCodes.complete;
  },
};

async function allSchemas(): Promise<Readonly<Record<string, unknown>>> {
  const modules = await Promise.all([
    import('../../schemas/documents.generated.js'),
    import('../../schemas/bills-documents.generated.js'),
    import('../../schemas/documents-documents.generated.js'),
  ]);
  return Object.assign({}, ...modules.map(({ schemaDocuments }) => schemaDocuments));
}
