/**
 * Reads a stored file out of a ZIP archive as programs do: from the end record to the directory,
 * from there to the file, and checks lengths and the sum on the way.
 */
import { expect } from 'vitest';

export function readArchived(archive: Buffer, name: string): string {
  const end = archive.length - 22;
  expect(archive.readUInt32LE(end)).toBe(0x06054b50);
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  expect(at + archive.readUInt32LE(end + 12)).toBe(end);
  for (let index = 0; index < count; index += 1) {
    expect(archive.readUInt32LE(at)).toBe(0x02014b50);
    const nameLength = archive.readUInt16LE(at + 28);
    const found = archive.toString('utf8', at + 46, at + 46 + nameLength);
    if (found === name) return storedAt(archive, archive.readUInt32LE(at + 42), name);
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  throw new Error(`the archive has no ${name}`);
}

function storedAt(archive: Buffer, at: number, name: string): string {
  expect(archive.readUInt32LE(at)).toBe(0x04034b50);
  expect(archive.readUInt16LE(at + 8)).toBe(0);
  const size = archive.readUInt32LE(at + 18);
  expect(archive.readUInt32LE(at + 22)).toBe(size);
  const nameLength = archive.readUInt16LE(at + 26);
  expect(archive.toString('utf8', at + 30, at + 30 + nameLength)).toBe(name);
  const start = at + 30 + nameLength + archive.readUInt16LE(at + 28);
  const content = archive.subarray(start, start + size);
  expect(archive.readUInt32LE(at + 14)).toBe(checksum(content));
  return content.toString();
}

/** The sum that the format asks for, bit by bit. */
function checksum(content: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of content) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}
