/** What tests need made first: generated code, and dist/ unless it is newer than its sources. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const lock = 'node_modules/.squadc-build';
const patience = 600_000;

/** Generates code before all tests, so that single test files can be run directly. */
export default function generate(): void {
  for (const script of ['schemas/compile.mjs', 'src/report/bundle-client.mjs']) {
    execFileSync(process.execPath, [script], { stdio: 'inherit' });
  }
}

/** For tests that run the built package; a test file that arrives during a build waits for it. */
export async function buildOnce(): Promise<void> {
  while (!isCurrent()) {
    if (takeLock()) return build();
    await sleep(200);
  }
}

function build(): void {
  try {
    execFileSync('npm', ['run', 'build'], { stdio: 'pipe', encoding: 'utf8' });
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/** The lock of a process that died is removed after this time. */
function takeLock(): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    if (Date.now() - changed(lock) > patience) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

/** The type declarations are written last. */
function isCurrent(): boolean {
  const built = Math.min(...['cli.js', 'types/tools.d.ts'].map((f) => changed(`dist/${f}`)));
  return sources().every((file) => changed(file) <= built);
}

function sources(): string[] {
  return ['src', 'schemas']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
    )
    .filter((path) => /\.(?:ts|mjs|json|css)$/.test(path) && !path.includes('.generated.'))
    .concat('package.json', 'tsup.config.ts');
}

/** The time of the last change; 0 if the file does not exist. */
function changed(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
