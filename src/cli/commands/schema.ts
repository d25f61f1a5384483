/** `squadc schema`: prints one of the published JSON Schemas. */
import { readdirSync } from 'node:fs';
import { packageFile, readPackageFile } from '../../io/files.js';
import type { CommandData } from '../command.js';
import { exitCodes } from '../io.js';
import { unknownName } from '../output/terminal.js';

export const command: CommandData<[string | undefined]> = {
  description: 'Prints a JSON Schema. Without a name, lists the names.',
  arguments: { '[name]': 'name of the schema, for example answers' },
  examples: ['squadc schema answers > answers.schema.json'],
  async action([name], _, { io }) {
    const schemas = allSchemas();
    const names = [...schemas.keys()];
    if (name === undefined) io.stdout.write(names.map((each) => `${each}\n`).join(''));
    else {
      const path = schemas.get(name);
      if (path === undefined) {
        throw unknownName('schema', name, names, 'squadc schema lists all names');
      }
      io.stdout.write(readPackageFile(path));
    }
    return exitCodes.complete;
  },
};

/** By name, the path in the package. */
function allSchemas(): Map<string, string> {
  const suffix = '.schema.json';
  const files = readdirSync(packageFile('schemas/')).filter((file) => file.endsWith(suffix));
  return new Map(files.sort().map((file) => [file.slice(0, -suffix.length), `schemas/${file}`]));
}
