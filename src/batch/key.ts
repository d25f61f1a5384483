/**
 * The key of a workflow: its name in a run, in answers, and on the disk.
 *
 * `<slug>-<8 hex>`, lower-case ASCII letters and digits with single dashes: a valid name on every
 * file system. The slug is for people; the hash makes the key unique. A key depends only on the
 * workflow and its source.
 */
import { hash } from 'node:crypto';
import { isObject } from '../text/json.js';

/** A part of a run that is done in several; `index` counts from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

export const keyForm = /^[a-z0-9-]+-[0-9a-f]{8}$/;

/**
 * `document` is undefined if the text was not JSON. In a file with several workflows, `part` (bytes
 * or place) distinguishes those without id and name; null if the workflow has its own file.
 */
export function workflowKey(
  source: string,
  document: unknown,
  part: Uint8Array | string | null,
): string {
  const [id, name] = [workflowId(document), workflowName(document)];
  const identity = id || name || (part === null ? '' : `line:${hash('sha256', part)}`);
  // UTF-8 has no lone surrogates: all of them would become the same bytes.
  const text = identity.isWellFormed() ? identity : JSON.stringify(identity);
  const digest = hash('sha256', `${source}\0${text}`).slice(0, 8);
  const file = source.slice(source.lastIndexOf('/') + 1).replace(/\.(?:jsonl?|ndjson)$/i, '');
  return `${slugOf(name) || slugOf(id) || slugOf(file) || 'workflow'}-${digest}`;
}

/** The readable part of a key. */
export function slugOfKey(key: string): string {
  return key.slice(0, -9);
}

/** The id in the document or in the workflow that it wraps; '' if there is none. */
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

/** Each workflow belongs to exactly one shard. */
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
  return isObject(value) && Object.hasOwn(value, field) ? value[field] : undefined;
}

/** The first thousand characters are enough for a slug of 40. */
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
