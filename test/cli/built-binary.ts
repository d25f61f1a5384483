/** The binary, bundled as the build does it, for tests that run it as a process. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** What the threads of `migrate` run. */
export const migrateThreads = {
  'migrate-worker': 'src/batch/thread.ts',
};

/** Writes `cli.js` with the script of the pages, and what else is asked for, into the folder. */
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
  copyFileSync('src/report/squadc.generated.js', join(folder, 'squadc.js'));
}
