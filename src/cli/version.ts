/** The version of this package. */
import { existsSync, readFileSync } from 'node:fs';

/** Reads package.json at run time, so the version always matches the installed package. */
export function packageVersion(): string {
  // From dist/ it is one folder up, from src/cli/ two.
  const paths = ['../package.json', '../../package.json'];
  const [file] = paths.map((path) => new URL(path, import.meta.url)).filter((it) => existsSync(it));
  return JSON.parse(readFileSync(file!, 'utf8')).version;
}
