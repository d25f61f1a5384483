/** `squadc schema`: prints one of the published JSON Schemas. */
import { readdirSync } from 'node:fs';
import { packageFile, readPackageFile } from '../../io/files.js';
import type { CommandData } from '../command.js';
import { exitCodes } from '../io.js';
import { unknownName } from '../output/terminal.js';

const suffix = '.schema.json';

export const command: CommandData<[string | undefined]> = {
  description: 'Prints a JSON Schema. Without a name, lists the names.',
  arguments: { '[name]': 'name of the schema, for example answers' },
  examples: ['squadc schema answers > answers.schema.json'],
  async action([name], _, { io: { stdout } }) {
    const files = readdirSync(packageFile('schemas/')).filter((file) => file.endsWith(suffix));
    const names = files.sort().map((file) => file.slice(0, -suffix.length));
    if (name === undefined) stdout.write(names.map((each) => `${each}\n`).join(''));
    else if (names.includes(name)) stdout.write(readPackageFile(`schemas/${name}${suffix}`));
    else throw unknownName('schema', name, names, 'squadc schema lists all names');
    return exitCodes.complete;
  },
};
