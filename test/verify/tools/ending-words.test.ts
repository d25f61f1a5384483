import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../../src/verify/comparison.js';
import { findEndingWords } from '../../../src/verify/tools/ending-words.js';

const piece = fc.constantFrom('then end the call', ', ', '  ', ' ', ',', '\n', 'a');
const prompt = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

/** A source with this instruction, as far as it is looked at. */
function sourceSaying(instruction: string): Comparison {
  const node = { id: 'a', name: null, systemPrompt: { value: instruction }, captures: [] };
  const workflow = { nodes: [node], edges: [], globalPrompt: null };
  return { graph: { workflow }, squad: { members: [] } } as unknown as Comparison;
}

describe('the words that end a call', () => {
  it('count behind a comma or indented, at the end of a line', () => {
    const said = /(?:, | {2})then end the call(?=\n|$)/g;
    const { count } = findEndingWords(sourceSaying('a'));
    fc.assert(
      fc.property(prompt, (text) => {
        expect(count(text)).toBe([...text.matchAll(said)].length);
      }),
      { numRuns: 2000 },
    );
  });

  it('count for sure where they are not inside of a text of the source', () => {
    const text = 'Ask, then end the call';
    const { count, countSure } = findEndingWords(sourceSaying(text));
    expect(count(`${text}\n- if so, then end the call\n`)).toBe(2);
    expect(countSure(`${text}\n- if so, then end the call\n`)).toBe(1);
  });
});
