import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  creationsOf,
  earlier,
  type JournalEntry,
  lineOf,
  readJournal,
} from '../../src/platform/journal.js';
import { seed } from '../seed.js';

const at = '2026-08-01T00:00:00.000Z';
const intent = (number: number, hash = 'h', baseUrl = 'https://x'): JournalEntry => {
  return { event: 'intent', intent: number, at, hash, baseUrl, file: 'é\u2028😀' };
};
const created = (number: number): JournalEntry => {
  return { event: 'created', intent: number, at, id: `id-${number}` };
};
const ended = (event: 'refused' | 'unknown' | 'deleted', number: number): JournalEntry => {
  return { event, intent: number, at };
};
const known = (entries: readonly JournalEntry[]) =>
  earlier(creationsOf(entries), { hash: 'h', baseUrl: 'https://x' });

describe('a journal', () => {
  const entries = [
    intent(1),
    created(1),
    intent(2),
    ended('unknown', 2),
    intent(3),
    ended('deleted', 1),
  ];
  const text = entries.map(lineOf).join('');

  it('reads what was written', () => {
    expect(readJournal(text)).toEqual({ entries, end: text.length });
    expect(readJournal('')).toEqual({ entries: [], end: 0 });
  });

  it('can be cut off anywhere: whole lines stay, a piece of a line does not count', () => {
    fc.assert(
      fc.property(fc.nat(text.length), (length) => {
        const whole = text.slice(0, length).split('\n').length - 1;
        const reading = readJournal(text.slice(0, length));
        expect(reading).toMatchObject({ entries: entries.slice(0, whole) });
      }),
      { seed },
    );
  });

  it.each([
    ['x\n', 1],
    [`${lineOf(intent(1))}\n`, 2],
    [lineOf(created(1)), 1],
    [lineOf(intent(1)) + lineOf(intent(1)), 2],
    [lineOf(intent(1)).replace('"intent":1', '"intent":-1'), 1],
    [lineOf(intent(1)).replace('"hash":"h"', '"hash":1'), 1],
    [lineOf(intent(1)).replace('"event":"intent"', '"event":"__proto__"'), 1],
    [`${lineOf(intent(1))}{"name":`, 2],
  ])('is refused by line: %j', (wrong, faultyLine) => {
    expect(readJournal(wrong)).toEqual({ faultyLine });
  });
});

describe('earlier', () => {
  it.each([
    [[], 'none'],
    [[intent(1)], 'unknown'],
    [[intent(1), created(1)], 'created'],
    [[intent(1), ended('refused', 1)], 'none'],
    [[intent(1), ended('unknown', 1)], 'unknown'],
    [[intent(1), created(1), ended('deleted', 1)], 'none'],
    [[intent(1), intent(2), created(2)], 'created'],
    [[intent(1), created(1), intent(2)], 'created'],
    [[intent(1, 'other'), created(1)], 'none'],
    [[intent(1, 'h', 'https://y'), created(1)], 'none'],
  ])('case %#', (entries, kind) => expect(known(entries).kind).toBe(kind));
});
