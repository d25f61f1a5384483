/**
 * Uploaded files: kept whole, shown with a presigned address, and read as text where they are one.
 *
 * A password that comes with a file is taken and forgotten: nothing here is encrypted.
 */
import { type Answer, jsonAnswer, Refused } from '../answer.js';
import { type Call, flag, header, pathParameter, queryParameter } from '../call.js';
import { timestamp } from '../clock.js';
import { readMultipart } from '../multipart.js';
import type { Route } from '../routes.js';
import { type Collection, createCollection, pageOf, type Resource } from './collection.js';
import type { Downloads } from './downloads.js';
import type { Workspace } from './workspace.js';

export interface StoredFile extends Resource {
  readonly name: string;
  readonly contentType: string;
  readonly content: Buffer;
}

export interface Files {
  readonly collection: Collection<StoredFile>;
  readonly routes: readonly Route[];
  add(name: string, contentType: string, content: Buffer): StoredFile;
  /** A file as runs mention it. */
  summary(file: StoredFile): object;
}

export function createFiles(workspace: Workspace, downloads: Downloads): Files {
  const collection = createCollection<StoredFile>('file');
  const add: Files['add'] = (name, contentType, content) => {
    const file = { ...workspace.born('file_'), name, contentType, content };
    downloads.publish(file.id, file);
    return collection.add(file);
  };
  const render = (file: StoredFile, contents: object | null = null): object => ({
    object: 'file',
    id: file.id,
    name: file.name,
    type: file.contentType,
    presignedUrl: downloads.addressOf(file.id),
    parentFileId: null,
    contents,
    metadata: { pageCount: 1, sizeBytes: file.content.byteLength },
    createdAt: timestamp(file.createdAt),
    updatedAt: timestamp(file.updatedAt),
  });
  const upload = (call: Call): Answer => {
    const parts = readMultipart(header(call, 'content-type'), call.body);
    const part = parts.find(({ name, fileName }) => name === 'file' && fileName !== null);
    if (part === undefined) throw new Refused(400, 'The body has no part named file');
    const toPdf = flag(call, 'convertToPdf');
    const type = toPdf ? 'application/pdf' : (part.contentType ?? 'application/octet-stream');
    return jsonAnswer(200, render(add(part.fileName || 'file', type, part.content)));
  };
  const list = (call: Call): Answer => {
    const part = queryParameter(call, 'nameContains') ?? '';
    const found = collection.all().filter(({ name }) => name.includes(part));
    return jsonAnswer(
      200,
      pageOf(call, found, (file) => render(file)),
    );
  };
  const get = (call: Call): Answer => {
    const file = collection.find(pathParameter(call, 'id'));
    return jsonAnswer(200, render(file, contentsOf(file, call)));
  };
  const remove = (call: Call): Answer => {
    const id = pathParameter(call, 'id');
    collection.delete(id);
    downloads.withdraw(id);
    return jsonAnswer(200, { id });
  };
  return {
    collection,
    add,
    summary: ({ id, name, contentType }) => ({ object: 'file', id, name, type: contentType }),
    routes: [
      { operation: 'files.upload', method: 'POST', template: '/files/upload', act: upload },
      { operation: 'files.get', method: 'GET', template: '/files/{id}', act: get },
      { operation: 'files.list', method: 'GET', template: '/files', act: list },
      { operation: 'files.delete', method: 'DELETE', template: '/files/{id}', act: remove },
    ],
  };
}

/** The contents that were asked for; null where none were. */
function contentsOf(file: StoredFile, call: Call): object | null {
  const wanted = ['rawText', 'markdown', 'html'].filter((name) => flag(call, name));
  if (wanted.length === 0) return null;
  const text = textOf(file);
  return Object.fromEntries(
    wanted.map((name) => [name, name === 'html' ? `<pre>${escaped(text)}</pre>` : text]),
  );
}

/** What a reader makes of a file: its text, or its name where it has none. */
export function textOf({ name, content }: StoredFile): string {
  const text = content.toString('utf8');
  return content.byteLength > 0 && Buffer.from(text).equals(content) ? text : name;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
