import { describe, expect, it } from 'vitest';
import { indented } from '../../src/cli/wrap.js';

describe('indented', () => {
  it('breaks between words and keeps line ends of the text', () => {
    expect(indented('one two three four five six seven\n\neight', 22)).toBe(
      '  one two three four\n  five six seven\n\n  eight',
    );
  });

  it('leaves a word that is too long whole', () => {
    expect(indented('https://example.com/a/very/long/path x', 22, 4)).toBe(
      '    https://example.com/a/very/long/path\n    x',
    );
  });

  it('stays readable on wide terminals', () => {
    const lines = indented('word '.repeat(80).trim(), 300).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  });
});
