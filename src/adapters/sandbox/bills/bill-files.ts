/** The files of bills: each is kept by its `zipName`, and listed in the record of its bill. */
import { Refused } from '../answer.js';
import { isObject, type JsonObject } from '../call.js';
import { type Attachment, attachmentOf, readAttachments, typeOf } from './attachments.js';
import type { Shelf, StoredBill } from './shelf.js';

export interface BillFiles {
  findAttachment(id: number, zipName: string): Attachment;
  /** Adds a file, and returns the name to ask for it. */
  attach(id: number, filename: string, content: Uint8Array): string;
  detach(id: number, zipName: string): void;
}

export function createBillFiles({ find, change, notFound }: Shelf): BillFiles {
  const findAttachment = (id: number, zipName: string): Attachment => {
    const attachment = find(id).attachments.get(zipName);
    if (attachment === undefined) throw new Refused(notFound, 'The bill has no such file');
    return attachment;
  };
  return {
    findAttachment,
    attach(id, filename, content) {
      const attachment = freshAttachment(find(id), filename, Buffer.from(content));
      change(id, (bill) => putFiles(bill, [...bill.attachments.values(), attachment]));
      return attachment.zipName;
    },
    detach(id, zipName) {
      const gone = findAttachment(id, zipName);
      change(id, (bill) =>
        putFiles(
          bill,
          [...bill.attachments.values()].filter((each) => each !== gone),
        ),
      );
    },
  };
}

/** The attachment under the first number that none of the bill's has. */
function freshAttachment({ attachments }: StoredBill, name: string, content: Buffer): Attachment {
  let number = attachments.size + 1;
  const numbered = () => attachmentOf(name, typeOf(name), content, { furl: '', number });
  while (attachments.has(numbered().zipName)) number += 1;
  return numbered();
}

/** The files that a request brings; null where it says nothing of files. */
export function filesIn({ attachments }: JsonObject): readonly Attachment[] | null {
  return Array.isArray(attachments) ? readAttachments(attachments.filter(isObject)) : null;
}

/** Makes these the files of the bill, those in its record too. */
export function putFiles({ record, attachments }: StoredBill, files: readonly Attachment[]): void {
  attachments.clear();
  for (const each of files) attachments.set(each.zipName, each);
  record.DocumentsRef = {
    zipfile: files.length === 0 ? '' : `bill-${record.IdBill}.zip`,
    filelist: files.map(({ filename, zipName }) => ({
      originalName: filename,
      zipName,
      descriptor: '',
    })),
  };
}
