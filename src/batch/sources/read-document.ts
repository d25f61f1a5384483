/** Reads a document whole, unless it is larger than allowed. */
import {
  failureOf,
  type OpenFile,
  type ReadFailure,
  readAt,
  tooLarge,
  withFile,
} from './open-file.js';

/** The bytes of the file. */
export function readDocument(path: string, maxBytes: number): Uint8Array | ReadFailure {
  return withFile(path, (file) => {
    try {
      return readWhole(file, maxBytes);
    } catch (error) {
      return failureOf(error);
    }
  });
}

/** The size is what the file had when it was opened; somebody may be writing to it. */
function readWhole(file: OpenFile, maxBytes: number): Uint8Array | ReadFailure {
  if (file.size > maxBytes) return tooLarge(maxBytes);
  const parts: Buffer[] = [];
  let length = 0;
  // One byte more than is expected tells the end.
  for (let next = file.size + 1; length <= maxBytes; next = Math.max(length, 4096)) {
    const wanted = Math.min(next, maxBytes - length + 1);
    const part = readAt(file, length, wanted);
    parts.push(part);
    length += part.length;
    if (part.length < wanted) return parts.length === 1 ? part : Buffer.concat(parts, length);
  }
  return tooLarge(maxBytes);
}
