/** Texts as UTF-8, in room that is used again: most files are small, and there are many of them. */
import { sameRoom } from '../sources/open-file.js';

/** The bytes of the pieces, one after the other; they stay as they are up to the next call. */
export type Encode = (pieces: readonly string[]) => Uint8Array;

const roomLength = 1024 * 1024;

/** A unit of UTF-16 takes no more bytes than this. */
const mostBytes = 3;

/**
 * Piece by piece: put together to one text first, all of it would be copied once more, and one
 * character beyond Latin-1 would make all of it twice as wide.
 */
export function encodeInRoom(): Encode {
  const allot = sameRoom();
  return (pieces) => {
    const units = pieces.reduce((sum, { length }) => sum + length, 0);
    if (units * mostBytes > roomLength) return Buffer.concat(pieces.map((it) => Buffer.from(it)));
    const room = allot(roomLength);
    let end = 0;
    for (const piece of pieces) end += room.write(piece, end);
    return room.subarray(0, end);
  };
}
