/** A ZIP archive of a few files, uncompressed: all that a spreadsheet needs. */
import { crc32 } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly content: Buffer;
}

const localSignature = 0x04034b50;
const centralSignature = 0x02014b50;
const endSignature = 0x06054b50;

/** Version 2.0 of the format, names in UTF-8, stored as it is, on the first day of 1980. */
const common: readonly number[] = [20, 0x0800, 0, 0, 0x0021];

export function zip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const file = Buffer.concat([localHead(entry), Buffer.from(entry.name), entry.content]);
    files.push(file);
    directory.push(centralHead(entry, offset), Buffer.from(entry.name));
    offset += file.byteLength;
  }
  const central = Buffer.concat(directory);
  return Buffer.concat([...files, central, end(entries.length, central.byteLength, offset)]);
}

function localHead(entry: ZipEntry): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(localSignature, 0);
  describe(entry, head, 4);
  return head;
}

function centralHead(entry: ZipEntry, offset: number): Buffer {
  const head = Buffer.alloc(46);
  head.writeUInt32LE(centralSignature, 0);
  head.writeUInt16LE(20, 4);
  describe(entry, head, 6);
  head.writeUInt32LE(offset, 42);
  return head;
}

/** What both heads say of a file, in the same order. */
function describe({ name, content }: ZipEntry, head: Buffer, at: number): void {
  for (const [index, value] of common.entries()) head.writeUInt16LE(value, at + 2 * index);
  head.writeUInt32LE(crc32(content), at + 10);
  head.writeUInt32LE(content.byteLength, at + 14);
  head.writeUInt32LE(content.byteLength, at + 18);
  head.writeUInt16LE(Buffer.byteLength(name), at + 22);
}

function end(count: number, size: number, offset: number): Buffer {
  const record = Buffer.alloc(22);
  record.writeUInt32LE(endSignature, 0);
  record.writeUInt16LE(count, 8);
  record.writeUInt16LE(count, 10);
  record.writeUInt32LE(size, 12);
  record.writeUInt32LE(offset, 16);
  return record;
}
