/** Searches files for callers and keeps what is to be shown of them. */
import { readFile } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { type Found, searchOfAll, sourceFiles } from '../batch/sources/source-files.js';
import { reasonOf } from '../batch/system-error.js';
import { findCallers, placed, type SquadIds } from '../platform/callers.js';
import { patchOf, withEdits } from '../platform/patch.js';
import { maxBytes, sourceText } from '../platform/source-text.js';
import type { CallersReport, FileReport, Skipped } from './callers-report.js';
import { exitCodes, Refusal } from './exit.js';
import type { Io } from './io.js';

/** Searches the files below the paths. */
export async function searchFiles(
  paths: readonly string[],
  squadIds: SquadIds,
  io: Io,
): Promise<CallersReport> {
  const files: FileReport[] = [];
  const skipped: Skipped[] = [];
  const roots = paths.map((path) => resolve(io.cwd, path));
  for (const found of allFiles(roots)) {
    const path = pathFrom(io.cwd, found.path);
    if (found.kind === 'fault') {
      const reason = reasonOf(found.error);
      if (roots.includes(found.path)) {
        throw new Refusal(`cannot read ${path}: ${reason}`, exitCodes.invalid);
      }
      skipped.push({ path, why: 'fault', reason });
    } else if (found.kind === 'link-out') {
      skipped.push({ path, why: 'link-out' });
    } else if (found.kind === 'file' && found.size > maxBytes) {
      skipped.push({ path, why: 'too-large' });
    } else if (found.kind === 'file') {
      const report = await searchFile(found.path, path, squadIds);
      if ('why' in report) skipped.push(report);
      else if (report.rewrites.length + report.byHand.length > 0) files.push(report);
    }
  }
  return { files, skipped };
}

function* allFiles(roots: readonly string[]): Generator<Found> {
  const search = searchOfAll();
  for (const root of roots) yield* sourceFiles(root, search);
}

async function searchFile(
  file: string,
  path: string,
  squadIds: SquadIds,
): Promise<FileReport | Skipped> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    return { path, why: 'fault', reason: reasonOf(error) };
  }
  const source = sourceText(bytes);
  if (source === null) return { path, why: 'binary' };
  const { mark, text } = source;
  const { rewrites, byHand } = findCallers(text, squadIds);
  const changed = rewrites.length === 0 ? null : mark + withEdits(text, rewrites);
  return {
    path,
    rewrites: placed(text, rewrites),
    byHand: placed(text, byHand),
    diff: changed === null ? '' : patchOf(path, mark + text, changed),
    changed,
  };
}

/** The path as messages show it: from the working folder, where the file is below it. */
function pathFrom(cwd: string, file: string): string {
  const path = relative(cwd, file);
  if (path === '' || path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)) return file;
  return path.split(sep).join('/');
}
