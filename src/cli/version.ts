/** The version of this package. */
import { readFileSync } from 'node:fs';

/** Reads package.json at run time, so the version always matches the installed package. */
export function packageVersion(): string {
  // From dist/ it is one folder up, from src/cli/ two.
  for (const path of ['../package.json', '../../package.json']) {
    const found = versionIn(new URL(path, import.meta.url));
    if (found !== null) return found;
  }
  throw new Error('package.json of squadc not found');
}

function versionIn(file: URL): string | null {
  try {
    const { name, version } = JSON.parse(readFileSync(file, 'utf8'));
    return name === 'squadc' ? version : null;
  } catch {
    return null;
  }
}
