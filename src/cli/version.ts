/** The version of the package that this file belongs to. */
import { readFileSync } from 'node:fs';

/** Read at run time, so that a build and its package can never disagree. */
export function packageVersion(): string {
  // One folder up from dist/, two from src/cli/.
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
