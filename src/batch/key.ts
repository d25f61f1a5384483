/**
 * The key of a workflow: its name among the others of a run, in answers, and on the disk.
 *
 * `<slug>-<8 hex>`, letters and digits of ASCII in lower case and single dashes, so that it is one
 * name on every file system and a reserved one on none. The slug is for people; the hash tells
 * workflows apart. A key depends on its workflow and its source alone.
 */
import { hash } from 'node:crypto';
import type { Shard } from '../report/model.js';

export const keyForm = /^[a-z0-9-]+-[0-9a-f]{8}$/;

/**
 * `document` is what was read, undefined where it was no JSON. `part` tells apart what has neither
 * id nor name in a file of several: its bytes, or its place; null where it has a file of its own.
 */
export function workflowKey(
  source: string,
  document: unknown,
  part: Uint8Array | string | null,
): string {
  const [id, name] = [workflowId(document), workflowName(document)];
  const identity = id || name || (part === null ? '' : `line:${hash('sha256', part)}`);
  // UTF-8 has no halves of characters: as bytes, all of them would be the same.
  const text = identity.isWellFormed() ? identity : JSON.stringify(identity);
  const digest = hash('sha256', `${source}\0${text}`).slice(0, 8);
  const file = source.slice(source.lastIndexOf('/') + 1).replace(/\.(?:jsonl?|ndjson)$/i, '');
  return `${slugOf(name) || slugOf(id) || slugOf(file) || 'workflow'}-${digest}`;
}

/** Of a key, the part for people. */
export function slugOfKey(key: string): string {
  return key.slice(0, -9);
}

/** The id that the document, or the workflow that it wraps, says of itself; '' where none does. */
export function workflowId(document: unknown): string {
  return ownText(document, 'id');
}

export function workflowName(document: unknown): string {
  return ownText(document, 'name');
}

/** `i/n`, where i is 1 to n; undefined for anything else. */
export function parseShard(text: string): Shard | undefined {
  const [, index, count] = /^([1-9]\d{0,8})\/([1-9]\d{0,8})$/.exec(text) ?? [];
  const isShard = Number(index) <= Number(count);
  return isShard ? { index: Number(index), count: Number(count) } : undefined;
}

/** Each workflow is of exactly one of the shards. */
export function isOfShard(key: string, { index, count }: Shard): boolean {
  return Number.parseInt(hash('sha256', key).slice(0, 8), 16) % count === index - 1;
}

function ownText(document: unknown, field: 'id' | 'name'): string {
  for (const holder of [document, ownValue(document, 'workflow')]) {
    const value = ownValue(holder, field);
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}

function ownValue(value: unknown, field: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, field) ? (value as Record<string, unknown>)[field] : undefined;
}

/** What makes 40 letters stands in the first thousand. */
function slugOf(name: string): string {
  return name
    .slice(0, 1000)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 40)
    .replace(/-$/, '');
}
