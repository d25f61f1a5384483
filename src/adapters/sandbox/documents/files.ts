/**
 * Uploaded files: kept whole, shown with a presigned address, and read as text where they are one.
 *
 * A password that comes with a file is taken and forgotten: nothing here is encrypted.
 */
import { jsonAnswer, Refused } from '../answer.js';
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

/** What the operations work on. */
interface Shelf {
  readonly workspace: Workspace;
  readonly downloads: Downloads;
  readonly collection: Collection<StoredFile>;
}

type Act = (shelf: Shelf, call: Call) => unknown;

export function createFiles(workspace: Workspace, downloads: Downloads): Files {
  const shelf = { workspace, downloads, collection: createCollection<StoredFile>('file') };
  const route = (name: string, method: string, template: string, act: Act): Route => ({
    operation: `files.${name}`,
    method,
    template,
    act: (call) => jsonAnswer(200, act(shelf, call)),
  });
  return {
    collection: shelf.collection,
    add: (name, contentType, content) => add(shelf, { name, contentType, content }),
    summary: ({ id, name, contentType }) => ({ object: 'file', id, name, type: contentType }),
    routes: [
      route('upload', 'POST', '/files/upload', upload),
      route('get', 'GET', '/files/{id}', get),
      route('list', 'GET', '/files', list),
      route('delete', 'DELETE', '/files/{id}', remove),
    ],
  };
}

type NewFile = Pick<StoredFile, 'name' | 'contentType' | 'content'>;

function add({ workspace, downloads, collection }: Shelf, given: NewFile): StoredFile {
  const file = { ...workspace.born('file_'), ...given };
  downloads.publish(file.id, file);
  return collection.add(file);
}

const upload: Act = (shelf, call) => {
  const parts = readMultipart(header(call, 'content-type'), call.body);
  const part = parts.find(({ name, fileName }) => name === 'file' && fileName !== null);
  if (part === undefined) throw new Refused(400, 'The body has no part named file');
  const sent = part.contentType ?? 'application/octet-stream';
  const contentType = flag(call, 'convertToPdf') ? 'application/pdf' : sent;
  const { content, fileName } = part;
  return render(shelf, add(shelf, { name: fileName || 'file', contentType, content }));
};

const get: Act = (shelf, call) => {
  const file = shelf.collection.find(pathParameter(call, 'id'));
  return render(shelf, file, contentsOf(file, call));
};

const list: Act = (shelf, call) => {
  const part = queryParameter(call, 'nameContains') ?? '';
  const found = shelf.collection.all().filter(({ name }) => name.includes(part));
  return pageOf(call, found, (file) => render(shelf, file));
};

const remove: Act = ({ collection, downloads }, call) => {
  const id = pathParameter(call, 'id');
  collection.delete(id);
  downloads.withdraw(id);
  return { id };
};

function render({ downloads }: Shelf, file: StoredFile, contents: object | null = null): object {
  return {
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
