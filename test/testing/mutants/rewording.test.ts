import { describe, expect, it } from 'vitest';
import { reword, rewrite } from '../../../src/testing/mutants/rewording.js';

describe('reword', () => {
  it('changes one word and nothing else', () => {
    expect(reword('the caller pays', 'zebra')).toBe('zebra caller pays');
    expect(reword(' "Bitte é"', 'zebra')).toBe(' "zebra é"');
  });

  it('leaves templates alone', () => {
    expect(reword('{{name}} {% if a %}is{% endif %} here', 'z')).toBe(
      '{{name}} {% if a %}z{% endif %} here',
    );
  });

  it('gives up on a text without a word', () => {
    expect(reword('{{name}} 12, a!', 'z')).toBeNull();
    expect(reword('', 'z')).toBeNull();
  });
});

describe('rewrite', () => {
  it('changes parts in whatever order they come', () => {
    const changes = [
      { start: 4, end: 5, text: 'E' },
      { start: 0, end: 2, text: '' },
      { start: 3, end: 3, text: '+' },
    ];
    expect(rewrite('abcdef', changes)).toBe('c+dEf');
  });

  it('cuts to a part of the text, without what is changed outside of it', () => {
    const changes = [
      { start: 0, end: 1, text: 'A' },
      { start: 2, end: 3, text: 'C' },
    ];
    expect(rewrite('abcdef', changes, { start: 1, end: 4 })).toBe('bCd');
  });
});
