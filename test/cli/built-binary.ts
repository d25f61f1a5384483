/** The binary, bundled as the build does it, for tests that run it as a process. */
import { build } from 'esbuild';

/** What the threads of `migrate` run. */
export const migrateThreads = {
  'migrate-worker': 'src/batch/thread.ts',
};

/** Writes `cli.js`, and what else is asked for, into the folder. */
export async function buildBinary(
  folder: string,
  others: Readonly<Record<string, string>> = {},
): Promise<void> {
  await build({
    entryPoints: { cli: 'src/cli/main.ts', ...others },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
}
