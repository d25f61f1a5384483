/** Files of the package itself. */
import { existsSync, readFileSync } from 'node:fs';

/**
 * The address of a file of the package, by its path from the package's root. The nearest
 * `package.json` above this module marks the root, in `dist/` as in `src/`.
 */
export function packageFile(path: string): URL {
  for (let folder = new URL('./', import.meta.url); ; folder = new URL('../', folder)) {
    if (existsSync(new URL('package.json', folder))) return new URL(path, folder);
    if (folder.pathname === '/') throw new Error('the files of the package are missing');
  }
}

export function readPackageFile(path: string): string {
  return readFileSync(packageFile(path), 'utf8');
}
