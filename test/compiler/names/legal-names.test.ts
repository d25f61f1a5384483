import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createAssistantNames,
  createToolNames,
  type NameGiver,
} from '../../../src/compiler/names/legal-names.js';
import { runs, seed } from '../../seed.js';

const characters = (name: string): number => [...name].length;
const keyOf = (name: string): string => name.normalize('NFC').toLowerCase();
const giveAll = (give: NameGiver, wanted: readonly string[]): string[] =>
  wanted.map((each) => give(each).name);

describe('names of assistants', () => {
  it('leaves a legal name as it is', () => {
    const give = createAssistantNames();
    expect(give('Intake – Größe 4')).toEqual({ name: 'Intake – Größe 4', reason: null });
    const longest = 'ä'.repeat(40);
    expect(give(longest)).toEqual({ name: longest, reason: null });
  });

  it('knows a legal name of printable ASCII from one that is to be cleaned', () => {
    const word = fc.stringMatching(/^[!-$&-z|~]{1,6}$/);
    const odd = fc.constantFrom('', ' ', '{', '}', '%}', '\u007f', '\t', '\u00a0', '\u200b');
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 5 }),
        odd,
        fc.nat(),
        (words, it, at) => {
          const legal = words.join(' ');
          expect(createAssistantNames()(legal)).toEqual({ name: legal, reason: null });
          const { name } = createAssistantNames()(words.with(at % words.length, it).join(' '));
          expect(name).not.toMatch(/[{}\p{Cc}\p{Cf}\u00a0]|^ | $| {2}/u);
        },
      ),
      { seed, numRuns: runs(500) },
    );
  });

  it('numbers a name that is taken, case and form aside', () => {
    const give = createAssistantNames();
    expect(give('Café')).toEqual({ name: 'Café', reason: null });
    expect(give('café')).toEqual({ name: 'café 2', reason: 'taken' });
    expect(give('Cafe\u0301')).toEqual({ name: 'Cafe\u0301 3', reason: 'taken' });
    expect(give('CAFÉ 2').name).toBe('CAFÉ 2 2');
  });

  it('cuts a long name, and keeps two with one beginning apart', () => {
    const give = createAssistantNames();
    const [one, other] = [give(`${'long '.repeat(20)}one`), give(`${'long '.repeat(20)}other`)];
    expect([one.reason, other.reason]).toEqual(['too-long', 'too-long']);
    expect(one.name).not.toBe(other.name);
    expect(one.name).toMatch(/^long long .*-[0-9a-f]{8}$/);
    expect(characters(one.name)).toBeLessThanOrEqual(40);
  });

  it('gives a name that is too long and wanted twice a number within the limit', () => {
    const give = createAssistantNames();
    const names = giveAll(
      give,
      Array.from({ length: 12 }, () => 'x'.repeat(41)),
    );
    expect(new Set(names).size).toBe(12);
    for (const name of names) expect(characters(name)).toBeLessThanOrEqual(40);
  });

  it('never halves a character of two units', () => {
    const { name } = createAssistantNames()('🦉'.repeat(50));
    expect(name).toMatch(/^🦉{31}-[0-9a-f]{8}$/u);
    expect(name.isWellFormed()).toBe(true);
  });

  it('takes out what no name can hold', () => {
    const give = createAssistantNames();
    expect(give('a\n\tb\u0000c')).toEqual({ name: 'a b c', reason: 'unreadable' });
    expect(give('{{ order }} {%x%}').name).toBe('order %x');
    expect(give('\u200b\u2028').name).toBe('assistant');
    expect(give('{}').name).toBe('assistant 2');
  });

  it('gives the same names to the same wishes', () => {
    const wanted = ['a', 'A', 'x'.repeat(99), 'a 2', ''];
    expect(giveAll(createAssistantNames(), wanted)).toEqual(
      giveAll(createAssistantNames(), wanted),
    );
  });
});

describe('names of tools', () => {
  it('keeps letters, digits, underscores and dashes', () => {
    const give = createToolNames();
    expect(giveAll(give, ['look_up-2', 'Look up!', '  größe  ', '日本'])).toEqual([
      'look_up-2',
      'Look_up',
      'gr_e',
      'tool',
    ]);
    expect(give('Look_Up')).toEqual({ name: 'Look_Up_2', reason: 'taken' });
  });

  it('keeps to the length that it is given', () => {
    const names = giveAll(createToolNames(20), ['a'.repeat(30), 'a'.repeat(30), 'b'.repeat(20)]);
    expect(names.map((name) => name.length <= 20)).toEqual([true, true, true]);
    expect(names[2]).toBe('b'.repeat(20));
  });
});

/** Wishes that are hard to fulfil: long, empty, alike, or full of what no name can hold. */
const wish = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }).filter((text) => text.isWellFormed()),
  fc.constantFrom('a', 'A', 'a 2', 'é', 'e\u0301', '', ' ', '{{a}}', 'a'.repeat(41), '%}', '{%'),
  fc.string({ maxLength: 4 }).map((text) => text.repeat(20)),
);

describe('any names', () => {
  it.each([
    ['assistants', createAssistantNames, /^[^\p{Cc}{}]+$/u],
    ['tools', () => createToolNames(), /^[A-Za-z0-9_-]+$/],
  ] as const)('of %s are legal and unique', (_, create, legal) => {
    fc.assert(
      fc.property(fc.array(wish, { maxLength: 30 }), (wanted) => {
        const names = giveAll(create(), wanted);
        expect(new Set(names.map(keyOf)).size).toBe(wanted.length);
        for (const name of names) {
          expect(characters(name)).toBeLessThanOrEqual(40);
          expect(name).toMatch(legal);
          expect(name.trim()).toBe(name);
          expect(name.isWellFormed()).toBe(true);
        }
      }),
      { seed, numRuns: runs(500) },
    );
  });

  it('come with a reason exactly when they are not the wanted ones', () => {
    fc.assert(
      fc.property(fc.array(wish, { maxLength: 12 }), (wanted) => {
        const give = createAssistantNames();
        for (const each of wanted) {
          const { name, reason } = give(each);
          expect(reason === null).toBe(name === each);
        }
      }),
      { seed, numRuns: runs(300) },
    );
  });
});
