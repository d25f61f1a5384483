/** The sources of a path that was given: the file, or the workflows in the folder. */
import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { faultMet, type Ground, type Met, realPath, sourceMet } from './ground.js';
import { failureOf } from './open-file.js';
import { type Found, type FoundFile, fileAt, sourceFiles } from './source-files.js';
import { inOrderOfNames, isBelow, sourceName } from './source-name.js';

type FoundLink = Extract<Found, { kind: 'link-in' }>;

/** What is wrong, then the sources in the order of their names. */
export function sourcesOfPath(argument: string, ground: Ground): Met[] {
  if (argument === '') return [faultMet('', 'batch/missing', 'the path is empty')];
  const base = resolve(ground.cwd, argument);
  const faults: Met[] = [];
  const files: FoundFile[] = [];
  const links: FoundLink[] = [];
  let isEmpty = true;
  for (const found of sourceFiles(base, ground.search)) {
    const fault = faultOf(found, base, ground);
    if (fault !== null) faults.push(fault);
    if (found.kind === 'file') files.push(found);
    if (found.kind === 'link-in' && mayBeMissed(found, ground)) links.push(found);
    isEmpty &&= found.kind.startsWith('link-');
  }
  files.push(...linkedFiles(links, ground));
  if (isEmpty && files.length + faults.length === 0) return [emptyFolder(base, ground)];
  const sources = inOrderOfNames(files).map((file) => sourceMet(file, base, ground));
  return [...faults, ...sources];
}

/** Whether a file may be met through the link alone, because its folder is one that is left out. */
function mayBeMissed({ path, real }: FoundLink, { search, out }: Ground): boolean {
  return search.takes(basename(path)) && !isBelow(real, out);
}

function linkedFiles(links: readonly FoundLink[], { search }: Ground): FoundFile[] {
  const files: FoundFile[] = [];
  for (const { path, real } of inOrderOfNames(links)) {
    if (search.met.has(real)) continue;
    search.met.add(real);
    files.push(fileAt(path));
  }
  return files;
}

function faultOf(found: Found, base: string, ground: Ground): Met | null {
  const name = sourceName(found.path, base, ground.cwd);
  switch (found.kind) {
    case 'fault':
      return unreadable(name, found.error);
    case 'special':
      return faultMet(
        name,
        'batch/unreadable',
        'it is no file (a pipe, or a device); `-` reads standard input',
      );
    case 'link-out':
      return mayHoldSources(found.path, ground) ? linkOut(name) : null;
    case 'link-nowhere':
      return ground.search.takes(basename(found.path))
        ? faultMet(name, 'batch/missing', 'it is a symbolic link that leads nowhere')
        : null;
    default:
      return null;
  }
}

/** What the system says of a path that cannot be read. */
export function unreadable(name: string, error: unknown): Met {
  const { code, message } = failureOf(error);
  return faultMet(name, code === 'batch/vanished' ? 'batch/missing' : 'batch/unreadable', message);
}

export function linkOut(name: string): Met {
  const message = 'it is a symbolic link that leads out of the folder; name what it leads to';
  return faultMet(name, 'batch/unreadable', message);
}

/** Whether the link leads to a folder, or has the name of a source. */
function mayHoldSources(link: string, { search }: Ground): boolean {
  return search.takes(basename(link)) || statSync(link).isDirectory();
}

function emptyFolder(base: string, ground: Ground): Met {
  const message =
    realPath(base) === ground.out
      ? 'it is the output folder'
      : 'no *.json, *.jsonl or *.ndjson file is in it';
  return faultMet(sourceName(base, base, ground.cwd), 'batch/empty', message);
}
