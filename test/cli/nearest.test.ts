import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from '../../src/cli/nearest.js';

const words = ['flow/unreachable', 'flow/dead-end', 'shape/not-json', 'cyclic-stages'];

describe('nearest', () => {
  it.each([
    ['flow/unreachble', 'flow/unreachable'],
    // Five letters of eleven are more than a third.
    ['unreachable', null],
    ['Cyclic-Stages', 'cyclic-stages'],
    ['cyclic-stage', 'cyclic-stages'],
  ])('%s', (word, expected) => {
    expect(nearest(word, words)).toBe(expected);
  });

  it('finds nothing for a word that is like none', () => {
    expect(nearest('hello', words)).toBeNull();
    expect(nearest('hello', [])).toBeNull();
  });

  it('takes the first of equals', () => {
    expect(nearest('ac', ['ab', 'ad'])).toBe('ab');
  });
});

describe('didYouMean', () => {
  it('reads like the suggestions of the argument parser', () => {
    expect(didYouMean('shape/no-json', words)).toBe('\n(Did you mean shape/not-json?)');
    expect(didYouMean('hello', words)).toBe('');
  });
});
