/** Bytes that say where they stand, so that lost and exchanged pieces are noticed. */

const period = 251;
const pattern = Buffer.from(Array.from({ length: 65_536 + period }, (_, at) => at % period));

/**
 * At most 65,536 bytes as they stand at a place; not to be written to.
 *
 * @param {number} at
 * @param {number} length
 */
export function patternFrom(at, length) {
  return pattern.subarray(at % period, (at % period) + length);
}

/**
 * Empty pieces are right anywhere.
 *
 * @param {Uint8Array} piece
 * @param {number} at
 */
export function assertPattern(piece, at) {
  if (piece.length === 0) return;
  const last = piece.length - 1;
  if (piece[0] !== at % period || piece[last] !== (at + last) % period) {
    throw new Error(`the bytes at ${at} are not what was sent`);
  }
}
