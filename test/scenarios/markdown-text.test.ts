import { describe, expect, it } from 'vitest';
import { codeBlock, codeSpan } from '../../src/scenarios/markdown-text.js';
import { skeleton } from './markdown-skeleton.js';

describe('a text in Markdown', () => {
  it.each([
    ['plain', '`plain`'],
    ['', '`  `'],
    [' spaces ', '`  spaces  `'],
    ['a ` b', '``a ` b``'],
    ['``', '``` `` ```'],
    ['# no\n- heading', '`# no\\n- heading`'],
    ['<b>&amp;</b> [x](y)', '`<b>&amp;</b> [x](y)`'],
    ['\u202eturned\u0007', '`\\u202eturned\\u0007`'],
  ])('on one line: %j', (text, span) => {
    expect(codeSpan(text)).toBe(span);
    expect(skeleton(`a ${codeSpan(text)} b`)).toBe('a ` b');
  });

  it.each(['# a\r\n```\n~~~~\n- b', 'a\r# b', '\n\n', '`````\n', '\ta\n\u2028b'])(
    'on several lines: %j',
    (text) => {
      const block = codeBlock(text, '   ');
      expect(skeleton(`1. a\n\n${block}\n\n2. b`)).toBe('1. a\n\n\n2. b');
      expect(block.split('\n').every((line) => line === '' || line.startsWith('   '))).toBe(true);
    },
  );
});
