/** The compiler with one line broken, bundled with the verifier and the laws, which it may share. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, resolve } from 'node:path';
import { build } from 'esbuild';
import type { compile, verify } from '../../src/index.js';
import type { laws } from '../../src/testing.js';

/** A text that occurs once in a file, and its replacement. */
export interface Breakage {
  readonly rule: string;
  /** Below `src/`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** The workflow by which the laws of values and lines notice it, too; empty if they need not. */
  readonly shownBy: string;
  /** Whether some of its squads are accepted: they make the same calls, or it is believed. */
  readonly isAccepted: boolean;
}

/** `the broken rule | file | workflow`, and below it the old text and the new one. */
export function readBreakages(): Breakage[] {
  const text = readFileSync('test/breakages/rows.txt', 'utf8');
  const accepted = text.indexOf('# Accepted');
  const form = /^(.+?) \| (\S+)(?: \| (.+))?\n- (.+)\n\+(?: (.*))?$/gm;
  return [...text.matchAll(form)].map((found) => {
    const [, rule = '', file = '', shownBy = '', from = '', to = ''] = found;
    return { rule, file, from, to, shownBy, isAccepted: found.index > accepted };
  });
}

export type Broken = Pick<typeof laws, 'valuesHold' | 'linesSpoken'> & {
  /** Returns the squad as it is: nobody has verified it. */
  readonly compile: typeof compile;
  readonly verify: typeof verify;
};

const unverified = {
  file: 'compiler/compile.ts',
  from: "status === 'complete' ? verifyParsed",
  to: 'false ? verifyParsed',
};

export async function breakCompiler(breakage: Breakage): Promise<Broken> {
  const waiting = new Map([breakage, unverified].map((it) => [resolve('src', it.file), it]));
  const contents =
    'export { compile, verify } from "./index.ts";' +
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
  return new Function('require', `${outputFiles[0]?.text}; return broken;`)(provide);
}
