/** The sources that were fetched by their ids: where each is kept, and what it is called. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Source, SourceFault } from '../plan.js';
import { failureOf } from './open-file.js';
import { fileAt } from './source-files.js';

/** In characters, so that name and hash stay below what file systems allow. */
const maxLength = 50;

/** Names that Windows keeps for devices, whatever follows the first dot. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/;

/** The file in which a workflow is kept until it is migrated. */
export function pulledFile(folder: string, id: string): string {
  return join(folder, `${fileNameOf(id)}.json`);
}

/** The workflows of the ids, each once, in the order given. */
export function pulledSources(
  folder: string,
  ids: readonly string[],
): { readonly sources: readonly Source[]; readonly faults: readonly SourceFault[] } {
  const sources: Source[] = [];
  const faults: SourceFault[] = [];
  for (const id of new Set(ids)) {
    const name = `pull/${fileNameOf(id)}.json`;
    try {
      const { path, size } = fileAt(pulledFile(folder, id));
      sources.push({ path, name, form: 'document', bytes: size });
    } catch (error) {
      const { code, message } = failureOf(error);
      const fault = code === 'batch/vanished' ? 'batch/missing' : 'batch/unreadable';
      faults.push({ name, code: fault, message });
    }
  }
  return { sources, faults };
}

/**
 * The id itself where it is a name that is safe everywhere; any other keeps what is safe of it and
 * gets a part of its hash. The name depends on its id alone, whatever else is fetched.
 */
function fileNameOf(id: string): string {
  const safe = id.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, maxLength);
  // Capital letters are no other name on some systems, so they get a hash too.
  if (safe === id && /^[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_-])?$/.test(id) && !reserved.test(id)) {
    return id;
  }
  const text = id.isWellFormed() ? id : JSON.stringify(id);
  return `_${safe}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
}
