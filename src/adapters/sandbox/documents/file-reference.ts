/**
 * The file that a request names: one that was uploaded, an address, or a text.
 *
 * Nothing is fetched from an address: a file by address is one whose content is not known.
 */
import { Refused } from '../answer.js';
import { isObject, type JsonObject } from '../call.js';
import type { Files, StoredFile } from './files.js';

export function readFileReference(value: unknown, files: Files): StoredFile {
  if (!isObject(value)) throw new Refused(400, 'file must be an object');
  const { id, url, text } = value;
  if (typeof id === 'string') return files.collection.find(id);
  if (typeof text === 'string') {
    return files.add(nameIn(value) ?? 'text.txt', 'text/plain; charset=utf-8', Buffer.from(text));
  }
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new Refused(400, 'file must have an id, a text, or a url that is one');
  }
  const name = nameIn(value) ?? (new URL(url).pathname.split('/').at(-1) || 'file');
  return files.add(name, 'application/octet-stream', Buffer.alloc(0));
}

/** `name` today, `fileName` in the specification's workflow runs. */
function nameIn({ name, fileName }: JsonObject): string | undefined {
  const given = name ?? fileName;
  if (given === undefined || given === null) return undefined;
  if (typeof given === 'string') return given;
  throw new Refused(400, 'The name of a file must be a text');
}
