/** `squadc playground`: gives the page that compiles a pasted workflow in the browser. */
import { readFile } from 'node:fs/promises';
import type { CommandData } from '../command.js';
import { writeOutput } from '../files.js';
import { exitCodes } from '../io.js';
import { printable } from '../output/terminal.js';

export const command: CommandData<[], { readonly output?: string }> = {
  description:
    'Prints the address of a page for your browser. Paste a workflow, see the squad, answer ' +
    'the questions, walk a call and download the files. The page is one file and sends nothing.',
  options: {
    '-o, --output <file>': 'write a copy of the page to this file',
  },
  exitCodes: {
    0: 'success',
    1: 'the file cannot be written',
  },
  examples: ['squadc playground -o playground.html'],
  async action(_, { output }, { io }) {
    const { address, text } = await readPage();
    if (output === undefined) io.stdout.write(`${address}\n`);
    else {
      await writeOutput(output, text, io);
      io.stderr.write(printable(`${output}: open it in a browser\n`));
    }
    return exitCodes.complete;
  },
};

/** Next to the built command, or in a clone without a build, where the page is generated. */
async function readPage(): Promise<{ readonly address: URL; readonly text: string }> {
  const built = new URL('./playground.html', import.meta.url);
  const made = new URL('../../report/playground.generated.html', import.meta.url);
  try {
    return { address: built, text: await readFile(built, 'utf8') };
  } catch {
    return { address: made, text: await readFile(made, 'utf8') };
  }
}
