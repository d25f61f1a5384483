/**
 * Files attached to bills.
 *
 * A request names a file and its address, and may bring its content in Base64; the sandbox fetches
 * nothing, so that a file without content holds a line about itself. `zipName`, under which a file
 * is asked for, is its name with a number in front and without what cannot stand in a file's name;
 * other characters stay, as they do in names of real files.
 */
import { Refused } from '../answer.js';
import type { JsonObject } from '../call.js';

export interface Attachment {
  readonly zipName: string;
  readonly filename: string;
  readonly ftype: string;
  readonly furl: string;
  readonly content: Buffer;
}

const contentTypes: ReadonlyMap<string, string> = new Map([
  ['pdf', 'application/pdf'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['txt', 'text/plain; charset=utf-8'],
  ['csv', 'text/csv; charset=utf-8'],
]);

export function contentTypeOf({ ftype }: Attachment): string {
  return contentTypes.get(ftype.toLowerCase()) ?? 'application/octet-stream';
}

export function readAttachments(requests: readonly JsonObject[]): Attachment[] {
  return requests.map((request, index) => {
    const filename = textOr(request, 'filename', `file${index + 1}`);
    const content = contentOf(request, filename);
    return attachmentOf(filename, textOr(request, 'ftype', typeOf(filename)), content, {
      furl: textOr(request, 'furl', ''),
      number: index + 1,
    });
  });
}

export function attachmentOf(
  filename: string,
  ftype: string,
  content: Buffer,
  { furl, number }: { readonly furl: string; readonly number: number },
): Attachment {
  const safe = filename.toWellFormed().replaceAll(/[\p{Cc}/\\]/gu, '_');
  return { zipName: `${number}_${safe}`, filename, ftype, furl, content };
}

export function typeOf(filename: string): string {
  return /\.([a-z0-9]{1,8})$/i.exec(filename)?.[1] ?? 'bin';
}

function contentOf({ fContent }: JsonObject, filename: string): Buffer {
  if (fContent === undefined || fContent === null || fContent === '') {
    return Buffer.from(`Sandbox content of ${filename}\n`);
  }
  const content = typeof fContent === 'string' ? Buffer.from(fContent, 'base64') : null;
  if (content !== null && content.toString('base64') === fContent) return content;
  throw new Refused(400, 'fContent is not Base64');
}

function textOr(request: JsonObject, name: string, absent: string): string {
  const value = request[name];
  if (value === undefined || value === null) return absent;
  if (typeof value === 'string') return value;
  throw new Refused(400, `${name} of an attachment is not a text`);
}
