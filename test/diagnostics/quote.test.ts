import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  escapeControls,
  quote,
  quoteAll,
  quoteWalk,
  shorten,
} from '../../src/diagnostics/quote.js';
import { runs, seed } from '../seed.js';

describe('quote', () => {
  it('wraps a text and leaves it as it is', () => {
    expect(quote('wants an “appointment”')).toBe('“wants an “appointment””');
  });

  it('shows at most 60 characters', () => {
    expect(quote('a'.repeat(60))).toBe(`“${'a'.repeat(60)}”`);
    expect(quote('a'.repeat(61))).toBe(`“${'a'.repeat(59)}…”`);
  });

  it('never cuts a character in half', () => {
    expect(quote(`${'a'.repeat(58)}😀😀`)).toBe(`“${'a'.repeat(58)}…”`);
    expect(quote(`${'a'.repeat(57)}😀😀`)).toBe(`“${'a'.repeat(57)}😀…”`);
  });

  it('escapes what would break the line or steer a terminal', () => {
    expect(quote('a\nb\r\tc\u001b[2J\u0007')).toBe('“a\\nb\\r\\tc\\u001b[2J\\u0007”');
    expect(quote('\u202eabc\u2028\u200b\ufeff\u0085')).toBe(
      '“\\u202eabc\\u2028\\u200b\\ufeff\\u0085”',
    );
    expect(quote('\ud800')).toBe('“\\ud800”');
    expect(escapeControls('Grüße, 日本 😀')).toBe('Grüße, 日本 😀');
  });

  it('is one short, well-formed line for every text', () => {
    const text = fc.string({ unit: 'binary', maxLength: 120 });
    fc.assert(
      fc.property(
        fc.oneof(text, fc.string({ unit: fc.constantFrom('\ud83d', '\ude00', 'a') })),
        (it) => {
          const quoted = quote(it);
          expect(quoted).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e]/u);
          expect(shorten(it, 60).length).toBeLessThanOrEqual(60);
        },
      ),
      { seed, numRuns: runs(300) },
    );
  });
});

describe('quoteAll', () => {
  it('joins a few and counts the rest', () => {
    expect(quoteAll([])).toBe('nothing');
    expect(quoteAll(['a'])).toBe('“a”');
    expect(quoteAll(['a', 'b'], 'or')).toBe('“a” or “b”');
    expect(quoteAll(['a', 'b', 'c'])).toBe('“a”, “b” and “c”');
    expect(quoteAll([...'abcdef'])).toBe('“a”, “b”, “c”, “d”, “e” and “f”');
    expect(quoteAll([...'abcdefgh'])).toBe('“a”, “b”, “c”, “d”, “e” and 3 more');
  });
});

describe('quoteWalk', () => {
  it('shows the beginning and the end of a long walk', () => {
    expect(quoteWalk(['a', 'b'])).toBe('“a” → “b”');
    expect(quoteWalk([...'abcdefgh'])).toBe([...'abcdefgh'].map(quote).join(' → '));
    expect(quoteWalk([...'abcdefghij'])).toBe('“a” → “b” → “c” → “d” → … → “h” → “i” → “j”');
  });
});
