/** The compiler with one line broken, and the verifier and the laws bundled with it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, resolve } from 'node:path';
import { build } from 'esbuild';
import type { compile } from '../../src/index.js';
import type { laws } from '../../src/testing.js';
import type { Breakage } from './rows.js';

export type Broken = Pick<typeof laws, 'valuesHold' | 'linesSpoken'> & {
  readonly compile: typeof compile;
  /** If it is unchecked, the compiler returns a squad that the verifier refutes. */
  readonly state: { isUnchecked: boolean };
};

export async function breakCompiler(patch: Breakage): Promise<Broken> {
  const from = "verification?.verdict === 'fails'";
  const edits = [patch, { file: 'compile.ts', from, to: `!state.isUnchecked && ${from}` }];
  const waiting = new Map(edits.map((edit) => [resolve('src/compiler', edit.file), edit]));
  const contents =
    'export { compile } from "./compiler/compile.ts";' +
    'export { linesSpoken, valuesHold } from "./testing/laws-of-calls.ts";';
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: resolve('src'), loader: 'ts' },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'broken',
    packages: 'external',
    // Most of the text, and never broken.
    external: ['*-validator.generated.js'],
    define: { 'import.meta.url': JSON.stringify(import.meta.url) },
    plugins: [
      {
        name: 'edit',
        setup({ onLoad }) {
          onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const edit = waiting.get(path);
            if (edit === undefined) return undefined;
            waiting.delete(path);
            const parts = readFileSync(path, 'utf8').split(edit.from);
            if (parts.length !== 2) throw new Error(`not once: ${edit.from}`);
            return { contents: parts.join(edit.to), loader: 'ts' };
          });
        },
      },
    ],
  });
  // If a file has moved, it was not edited.
  if (waiting.size > 0) throw new Error(`not built: ${[...waiting.keys()].join(', ')}`);
  const load = createRequire(import.meta.url);
  const provide = (name: string) =>
    load(name.startsWith('.') ? resolve('src/schemas', basename(name)) : name);
  const code = `${outputFiles[0]?.text}; return { ...broken, state };`;
  return new Function('require', 'state', code)(provide, { isUnchecked: false });
}

/** The output as text, or the name of the bug. */
export function attempt(run: () => { readonly output: unknown }): string {
  try {
    return JSON.stringify(run().output);
  } catch (error) {
    return (error as Error).name;
  }
}
