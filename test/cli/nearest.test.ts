import { describe, expect, it } from 'vitest';
import { didYouMean } from '../../src/cli/nearest.js';

const words = ['flow/unreachable', 'flow/dead-end', 'shape/not-json', 'cyclic-stages'];

describe('didYouMean', () => {
  it('reads like the suggestions of the argument parser', () => {
    expect(didYouMean('shape/no-json', words)).toBe('\n(Did you mean shape/not-json?)');
    expect(didYouMean('hello', words)).toBe('');
  });
});
