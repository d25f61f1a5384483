/** Builds dist/ for tests that run the built package, unless it is newer than what it is made of. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const lock = 'node_modules/.squadc-build';
const patience = 120_000;

/** Whoever comes while another test file builds waits for that build. */
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

/** A lock whose owner died is old; it is broken after a while. */
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
  const built = Math.min(
    ...['cli.js', 'index.d.ts', 'index.d.cts'].map((f) => changed(`dist/${f}`)),
  );
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

/** Time of the last change; the beginning of time for a file that is not there. */
function changed(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
