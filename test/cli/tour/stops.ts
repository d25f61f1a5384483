/** The command lines of the failure tour: golden inputs, provocations, and some of its own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFolders, readCase } from '../../golden/cases.js';
import { provocations } from '../../golden/provocations.js';
import { flagsOf, type Put } from './flags-of.js';

/** One command line; `prepare` writes the files that it names. */
export interface Stop {
  readonly name: string;
  prepare(put: Put): readonly string[];
}

/** Options that the argument parser refuses by itself, so that no code is given. */
const refusedByParser: ReadonlySet<string> = new Set(['wrong-options']);

const goldens: readonly Stop[] = listFolders()
  .filter((name) => !refusedByParser.has(name))
  .flatMap((name) => {
    const golden = readCase(name);
    if (golden === null) return [];
    const text = readFileSync(join(golden.folder, golden.input), 'utf8');
    return { name, prepare: (put) => compile(put, text, golden.options) };
  });

/** These hold what no file can. */
const notAsFiles = ['shape/not-json'];

const provoked: readonly Stop[] = Object.entries(provocations)
  .filter(([code]) => !notAsFiles.includes(code))
  .map(([name, provoke]) => ({
    name,
    prepare(put) {
      const { workflow, options, squad } = provoke();
      if (squad === undefined) return compile(put, workflow, options);
      const files = [put('workflow.json', workflow), put('squad.json', squad)];
      return ['check', ...files, '--verbose', ...flagsOf(options ?? {}, put)];
    },
  }));

const own: readonly Stop[] = [
  {
    name: 'nested too deeply',
    prepare: (put) => compile(put, '['.repeat(600) + ']'.repeat(600)),
  },
  {
    name: 'api/option',
    prepare: (put) =>
      compile(put, '{"name":"x","nodes":[]}', { memberOverrides: ['voice'] as never }),
  },
];

function compile(put: Put, workflow: unknown, options = {}): readonly string[] {
  return ['compile', put('workflow.json', workflow), '--verbose', ...flagsOf(options, put)];
}

export const stops: readonly Stop[] = [...goldens, ...provoked, ...own];
