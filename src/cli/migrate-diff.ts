/** `squadc migrate --diff`: how squads would change, as `patch` and `git apply` read it. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { SquadDiff } from '../batch/journal/records.js';
import { patchOf, withEdits } from '../platform/patch.js';
import type { Io } from './io.js';
import { printable } from './output/terminal.js';

/** The diff goes to standard output; a squad that comes or goes is named in the notes. */
export function showDiff(
  { path, what, edits }: SquadDiff,
  output: string,
  notes: string[],
  io: Io,
): void {
  if (what !== 'changed') {
    notes.push(what === 'new' ? `new: ${path}` : `would be removed, as it is outdated: ${path}`);
    return;
  }
  const text = readFileSync(join(resolve(io.cwd, output), path), 'utf8');
  io.stdout.write(printable(patchOf(path, text, withEdits(text, edits))));
}
