/** `squadc schema`: prints one of the published JSON Schemas. */
import type { Command } from 'commander';
import { exitCodes, Refusal } from './exit.js';
import type { Invocation } from './invocation.js';
import { didYouMean } from './nearest.js';
import { jsonText } from './write-output.js';

const help = `
Exit codes:
  0   printed
  64  wrong usage, for example an unknown name

Example:
  squadc schema answers > answers.schema.json`;

/** Adds the command to the program. */
export function addSchemaCommand(program: Command, { io }: Invocation): void {
  program
    .command('schema')
    .summary('print a JSON Schema')
    .description('Prints a JSON Schema; without a name, the names of all.')
    .argument('[name]', 'name of the schema, for example answers')
    .addHelpText('after', help)
    .action(async (name: string | undefined) => {
      const schemaDocuments = await allSchemas();
      const names = Object.keys(schemaDocuments);
      if (name === undefined) return io.stdout.write(names.map((each) => `${each}\n`).join(''));
      if (!Object.hasOwn(schemaDocuments, name)) throw unknownName(name, names);
      return io.stdout.write(jsonText(schemaDocuments[name]));
    });
}

/** Those of the compiler first, then those of the services. */
async function allSchemas(): Promise<Readonly<Record<string, unknown>>> {
  const modules = await Promise.all([
    import('../schemas/documents.generated.js'),
    import('../schemas/bills-documents.generated.js'),
    import('../schemas/documents-documents.generated.js'),
  ]);
  return Object.assign({}, ...modules.map(({ schemaDocuments }) => schemaDocuments));
}

function unknownName(name: string, names: readonly string[]): Refusal {
  const message = `unknown schema '${name}'${didYouMean(name, names)}`;
  return new Refusal(`${message}\nSchemas: ${names.join(', ')}`, exitCodes.wrongUsage);
}
