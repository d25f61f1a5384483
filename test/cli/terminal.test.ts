import { describe, expect, it } from 'vitest';
import { mayColour, printable, styleFor } from '../../src/cli/output/terminal.js';
import { fakeIo } from './fake-io.js';

const terminal = fakeIo({ isTTY: true }).stdout;
const pipe = fakeIo({ isTTY: false }).stdout;

describe('mayColour', () => {
  it.each([
    ['a terminal', terminal, {}, true],
    ['a pipe', pipe, {}, false],
    ['a dumb terminal', terminal, { TERM: 'dumb' }, false],
    ['NO_COLOR', terminal, { NO_COLOR: '1' }, false],
    ['NO_COLOR with any value', terminal, { NO_COLOR: '0' }, false],
    ['an empty NO_COLOR', terminal, { NO_COLOR: '' }, true],
    ['FORCE_COLOR on a pipe', pipe, { FORCE_COLOR: '1' }, true],
    ['an empty FORCE_COLOR', pipe, { FORCE_COLOR: '' }, true],
    ['FORCE_COLOR=0', terminal, { FORCE_COLOR: '0' }, false],
    ['FORCE_COLOR over NO_COLOR', pipe, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ])('%s', (_, output, env, expected) => {
    expect(mayColour(output, env)).toBe(expected);
  });
});

describe('styleFor', () => {
  it('paints where colour is on, whatever the process itself writes to', () => {
    expect(styleFor(terminal, {}).red('x')).toBe('\u001b[31mx\u001b[39m');
  });

  it('leaves texts alone where it is off', () => {
    expect(styleFor(pipe, {}).red('x')).toBe('x');
  });
});

describe('printable', () => {
  it('shows what could steer a terminal', () => {
    expect(printable('a\u001b[2Jb\u009bc\u202ed\re')).toBe('a\\u001b[2Jb\\u009bc\\u202ed\\re');
  });

  it('keeps line ends, tabs and letters of every script', () => {
    expect(printable('ä\n\t→ 😀')).toBe('ä\n\t→ 😀');
  });
});
