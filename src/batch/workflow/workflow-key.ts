/**
 * The key of a workflow: its name among the others of a run, in answers, and on the disk.
 *
 * In: where the workflow stands, and what it says of itself. Out: `<slug>-<8 hex>`, letters and
 * digits of ASCII in lower case and single dashes, so that it is one name on every file system and
 * a reserved one on none. The slug is for people; the hash tells workflows apart. A key depends
 * on its workflow alone, so that every machine of a run finds the same.
 */
import { createHash } from 'node:crypto';

const hashLength = 8;
const slugLength = 40;

/** More of a name than this is not looked at; what makes a slug of 40 stands before. */
const maxNameLength = 1000;

/**
 * The key of a workflow.
 *
 * `document` is what was read, undefined where it was no JSON. `line` is the line that it stood in,
 * without its end; null where it has a file of its own.
 */
export function workflowKey(
  sourceName: string,
  document: unknown,
  line: Uint8Array | null,
): string {
  const id = workflowId(document);
  const name = ownText(document, 'name');
  const identity = id || name || (line === null ? '' : `line:${sha256(line)}`);
  const hash = sha256(`${sourceName}\0${wellFormed(identity)}`).slice(0, hashLength);
  return `${slugOf([name, id, baseName(sourceName)])}-${hash}`;
}

/** The id that the document, or the workflow that it wraps, says of itself; '' where none does. */
export function workflowId(document: unknown): string {
  return ownText(document, 'id');
}

/** Where the files of a workflow are, below the output folder; POSIX. */
export function folderOf(key: string, spread: boolean): string {
  return spread ? `${key.slice(-hashLength).slice(0, 2)}/${key}` : key;
}

/** A text of the document, or else of the workflow that it wraps; '' where there is none. */
function ownText(document: unknown, field: 'id' | 'name'): string {
  const own = ownValue(document, field);
  if (typeof own === 'string' && own !== '') return own;
  const wrapped = ownValue(ownValue(document, 'workflow'), field);
  return typeof wrapped === 'string' ? wrapped : '';
}

function ownValue(value: unknown, field: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, field) ? (value as Record<string, unknown>)[field] : undefined;
}

/** UTF-8 has no halves of characters: as bytes, all of them would be the same. */
function wellFormed(text: string): string {
  return text.isWellFormed() ? text : JSON.stringify(text);
}

/** The first of the names that leaves something to read. */
function slugOf(names: readonly string[]): string {
  for (const name of names) {
    const slug = slugged(name);
    if (slug !== '') return slug;
  }
  return 'workflow';
}

function slugged(name: string): string {
  return name
    .slice(0, maxNameLength)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, slugLength)
    .replace(/-$/, '');
}

/** The last part of the source's name, without what its form is told by. */
function baseName(sourceName: string): string {
  return sourceName.slice(sourceName.lastIndexOf('/') + 1).replace(/\.(?:json|jsonl|ndjson)$/i, '');
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
