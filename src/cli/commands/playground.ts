/** `squadc playground`: gives the page that compiles a pasted workflow in the browser. */
import { packageFile, readPackageFile } from '../../io/files.js';
import type { CommandData } from '../command.js';
import { writeOutput } from '../files.js';
import { exitCodes } from '../io.js';
import { printable } from '../output/terminal.js';

const page = 'dist/playground.html';

export const command: CommandData<[], { readonly output?: string }> = {
  description:
    'Prints the address of a page for your browser. Paste a workflow, see the squad, answer ' +
    'the questions, walk a call and download the files. The page is one file and sends nothing.',
  options: {
    'Output:': {
      '-o, --output <file>': 'write a copy of the page to this file',
    },
  },
  examples: ['squadc playground -o playground.html'],
  async action(_, { output }, { io }) {
    if (output === undefined) io.stdout.write(`${packageFile(page)}\n`);
    else {
      await writeOutput(output, readPackageFile(page), io);
      io.stderr.write(printable(`${output}: open it in a browser\n`));
    }
    return exitCodes.complete;
  },
};
