/**
 * The compiler with some of its rules broken.
 *
 * A patch is a text in a file of the compiler and what takes its place while compiler, verifier and
 * laws are bundled; nothing is written to disk. The text has to stand in the file exactly once, so a
 * patch that has lost its place says so. What verifier and laws share with the compiler is as broken
 * for them.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import type { compile } from '../src/index.js';
import type { laws } from '../src/testing.js';

/** A file below src/compiler/, a text in it and what takes its place. */
export type Patch = readonly [file: string, from: string, to: string];

interface Broken {
  readonly compile: typeof compile;
  readonly valuesHold: typeof laws.valuesHold;
}

/** It compiles what the verifier refutes. */
export const unchecked: Patch = ['compile.ts', 'verification?.holds === false', 'false'];

const rooms = ['compiler', 'verify', 'testing', 'simulator'].map((it) => resolve('src', it));
const packages = createRequire(import.meta.url);
/** What these rooms import from others. */
const others = new Map<string, unknown>();

export async function breakCompiler(...patches: readonly Patch[]): Promise<Broken> {
  // A file that has moved would not be patched at all.
  for (const [file] of patches) readFileSync(join(rooms[0]!, file));
  const contents =
    'export { compile } from "./compiler/compile.ts";' +
    'export { valuesHold } from "./testing/laws-of-calls.ts";';
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: resolve('src'), loader: 'ts' },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'broken',
    packages: 'external',
    logLevel: 'silent',
    plugins: [
      {
        name: 'patch',
        setup({ onLoad, onResolve }) {
          onResolve({ filter: /^\.\.?\// }, async ({ path, resolveDir }) => {
            const other = join(resolveDir, path);
            if (other === resolve('src/index.js') || rooms.some((it) => other.startsWith(it))) {
              return undefined;
            }
            if (!others.has(other)) others.set(other, await import(other));
            return { path: other, external: true };
          });
          onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const own = patches.filter(([file]) => path === join(rooms[0]!, file));
            if (own.length === 0) return undefined;
            let contents = readFileSync(path, 'utf8');
            for (const [, from, to] of own) {
              const parts = contents.split(from);
              if (parts.length !== 2) throw new Error(`not once: ${from}`);
              contents = parts.join(to);
            }
            return { contents, loader: 'ts' };
          });
        },
      },
    ],
  });
  const load = (name: string): unknown => others.get(name) ?? packages(name);
  return new Function('require', `${outputFiles[0]?.text}; return broken;`)(load);
}
