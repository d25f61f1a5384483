import { describe, expect, it } from 'vitest';
import { encodeInRoom } from '../../../src/batch/output/encode.js';

const pieces = ['', 'plain', 'é', '•', '🙂', '\ud83d', '\0', '{"a":"–"}\n'];

describe('encoding in room that is used again', () => {
  it('gives the bytes of the whole text', () => {
    const encode = encodeInRoom();
    for (const piece of pieces)
      expect(textOf(encode([piece, 'end']))).toEqual(wholeOf(piece, 'end'));
    expect(textOf(encode(pieces.slice(0, 5)))).toEqual(wholeOf(...pieces.slice(0, 5)));
    expect(encode([])).toHaveLength(0);
  });

  it('takes texts that have no room in it', () => {
    const encode = encodeInRoom();
    for (const length of [349_524, 349_526, 2_000_000]) {
      expect(
        textOf(encode(['•'.repeat(length), 'end'])) === wholeOf('•'.repeat(length), 'end'),
      ).toBe(true);
    }
  });
});

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function wholeOf(...parts: readonly string[]): string {
  return Buffer.from(parts.join('')).toString('hex');
}
