import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ground } from '../../../src/verify/walks/ground.js';
import { eatDone, listOpenings } from '../../../src/verify/walks/line-openings.js';
import type { Way } from '../../../src/verify/walks/ways.js';

/** What can make one place look like another. */
const piece = fc.constantFrom(
  ...['a', ' ', ',', ':', '\n', 'when done with ', 'otherwise, '],
  ...[', then ', ':\n', ', go to step ', ', hand off to "'],
);
const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));

/** As much of a comparison as these look at. */
function groundOf(name: string): Ground {
  return { squad: { members: [{ name }] } } as unknown as Ground;
}

function openingsOf(name: string, line: string, otherwise: boolean) {
  const way = { edge: {}, otherwise } as unknown as Way;
  const cursor = { text: line, at: 0, end: line.length };
  const done = eatDone(groundOf(name), 0, way, cursor);
  const { at } = cursor;
  cursor.at = 0;
  return { done, at, all: listOpenings(groundOf(name), 0, way, cursor) };
}

describe('the words of an assistant that is done', () => {
  it('are the first of all that the line can begin with', () => {
    fc.assert(
      fc.property(text, text, fc.boolean(), fc.boolean(), (name, tail, said, otherwise) => {
        const line = `${said ? 'otherwise, ' : ''}when done with ${name}${tail}`;
        const { done, at, all } = openingsOf(name, line, otherwise);
        if (done === null) expect(at).toBe(0);
        else expect(all[0]).toEqual({ sentence: done, end: at });
      }),
      { numRuns: 2000 },
    );
  });

  it('are found where the name holds the words that follow it', () => {
    const { done } = openingsOf('A, then B', 'when done with A, then B:\n', false);
    expect(done).toBe('when done with A, then B');
  });

  it('do not go over the end of the line', () => {
    expect(openingsOf('A\nB', 'when done with A\nB:\n', false).done).toBeNull();
  });
});
