/** How the squad of a workflow differs from the one that is in the output folder. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SquadDiff } from '../journal/records.js';
import { lineEdits } from './line-edits.js';
import type { MadeWorkflow } from './made-workflow.js';

/** Null where nothing would change. */
export function squadDiff(out: string, { folder, files }: MadeWorkflow): SquadDiff | null {
  const path = `${folder}/squad.json`;
  const before = textOf(join(out, path));
  const after = files.get('squad.json')?.join('') ?? null;
  if (before === after) return null;
  if (before === null) return { path, what: 'new', edits: [] };
  if (after === null) return { path, what: 'outdated', edits: [] };
  return { path, what: 'changed', edits: lineEdits(before, after) };
}

/** Null where there is none that could be read. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
