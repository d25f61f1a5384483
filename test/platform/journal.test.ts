import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type Intent,
  type JournalEntry,
  lineOf,
  openJournal,
  readJournal,
  thingsOf,
} from '../../src/platform/journal.js';
import { push, UnrecordedResult } from '../../src/platform/push.js';
import { createService } from '../../src/platform/service.js';
import { seed } from '../seed.js';

const folder = mkdtempSync(join(tmpdir(), 'squadc-journal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'j');

const at = '2026-08-01T00:00:00.000Z';
const baseUrl = 'https://x.example';
const intent = (number: number, more: Partial<Intent> = {}): Intent => {
  const facts = { kind: 'squad', name: 'S', hash: 'h', sent: { name: 'd' } } as const;
  return { event: 'intent', intent: number, at, baseUrl, file: 'é\u2028😀', ...facts, ...more };
};
const done = (number: number, id = `id-${number}`): JournalEntry => {
  return { event: 'done', intent: number, at, id };
};
const ended = (event: 'refused' | 'unknown' | 'undone', number: number): JournalEntry => {
  return { event, intent: number, at };
};

describe('a journal', () => {
  const entries = [
    intent(1),
    done(1),
    intent(2),
    ended('unknown', 2),
    intent(3),
    ended('undone', 1),
  ];
  const text = entries.map(lineOf).join('');

  it('can be cut off anywhere: whole lines stay, a piece of a line is taken away', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length), async (length) => {
        writeFileSync(file, text.slice(0, length));
        const whole = text.slice(0, length).split('\n').length - 1;
        expect(await readJournal(file)).toEqual(thingsOf(entries.slice(0, whole)));
        const journal = await openJournal(file);
        if ('fault' in journal) return expect.fail(journal.fault);
        await journal.close();
        expect(readFileSync(file, 'utf8')).toBe(entries.slice(0, whole).map(lineOf).join(''));
      }),
      { seed, numRuns: 50 },
    );
  });

  it.each([
    ['x\n', 1],
    [`${lineOf(intent(1))}\n`, 2],
    [lineOf(done(1)), 1],
    [lineOf(intent(1)) + lineOf(intent(1)), 2],
    [lineOf(intent(1)).replace('"intent":1', '"intent":-1'), 1],
    [lineOf(intent(1)).replace('"hash":"h"', '"hash":1'), 1],
    [lineOf(intent(1)).replace('"sent":{"name":"d"}', '"sent":{"name":1}'), 1],
    [lineOf(intent(1)).replace('"kind":"squad"', '"kind":"__proto__"'), 1],
    [lineOf(intent(1)).replace('"event":"intent"', '"event":"__proto__"'), 1],
    [lineOf(intent(1)) + lineOf(done(1, '../x y')), 2],
    [`${lineOf(intent(1))}{"name":`, 2],
  ])('is refused by line: %j', async (wrong, line) => {
    writeFileSync(file, wrong);
    expect(await readJournal(file)).toEqual({ fault: 'line', line });
  });
});

describe('what is there', () => {
  const changed = intent(2, { id: 'id-1', hash: 'g', sent: { name: 'e' } });
  const moved = (number: number) => intent(number, { kind: 'number', id: 'n', squadId: 'q' });
  it.each([
    [[intent(1)], [['unknown', null, 'h', 1]]],
    [[intent(1), done(1)], [['done', 'id-1', 'h', 1]]],
    [[intent(1), ended('refused', 1)], [['refused', null, 'h', 1]]],
    [[intent(1), done(1), ended('undone', 1)], [['undone', 'id-1', 'h', 1]]],
    [[intent(1), done(1), changed], [['done', 'id-1', 'h', 2]]],
    [[intent(1), done(1), changed, ended('unknown', 2)], [['done', 'id-1', 'h', 2]]],
    [[intent(1), done(1), changed, ended('refused', 2)], [['done', 'id-1', 'h', 1]]],
    [[intent(1), done(1), changed, done(2, 'id-1')], [['done', 'id-1', 'g', 1]]],
    [
      [moved(1), ended('refused', 1), moved(2)],
      [
        ['refused', 'n', 'h', 1],
        ['unknown', 'n', 'h', 1],
      ],
    ],
    [[moved(1), moved(2), done(2, 'n')], [['done', 'n', 'h', 1]]],
  ] as [JournalEntry[], unknown[][]][])('case %#', (entries, expected) => {
    const things = thingsOf(entries).map((each) => [
      each.state,
      each.id,
      each.hash,
      each.versions.length,
    ]);
    expect(things).toEqual(expected);
  });
});

describe('push', () => {
  const squad = { document: { members: [{ assistantId: 'a' }] }, name: null, members: ['a'] };
  const target = { baseUrl, saved: false, retryUnknown: false };

  /** Pushes with a journal that has room for so many entries. */
  async function outcome(room: number) {
    const entries: JournalEntry[] = [];
    let sent = 0;
    const fetch = async () => {
      sent += 1;
      return Response.json({ id: 'made' }, { status: 201 });
    };
    const service = createService({ baseUrl, key: 'secret', calls: { fetch } });
    const append = async (entry: JournalEntry) => {
      if (entries.length === room) throw new Error('no space left');
      entries.push(entry);
    };
    const next = () => 1;
    const journal = { things: () => thingsOf(entries), append, next, close: async () => {} };
    const kinds: unknown[] = [];
    try {
      for await (const { kind } of push([{ file: 'f', squad }], target, journal, service)) {
        kinds.push(kind);
      }
    } catch (error) {
      kinds.push(error);
    }
    return [kinds, sent, journal.things().map(({ state }) => state)];
  }

  it('sends nothing that it cannot write down before', async () => {
    expect(await outcome(0)).toEqual([[new Error('no space left')], 0, []]);
  });

  it('gives the id of what it cannot write down after, and leaves the intent', async () => {
    const [kinds, ...rest] = await outcome(1);
    expect(kinds).toMatchObject([{ what: 'squad made' }]);
    expect((kinds as unknown[])[0]).toBeInstanceOf(UnrecordedResult);
    expect(rest).toEqual([1, ['unknown']]);
  });

  it('creates where there is room', async () => {
    expect(await outcome(2)).toEqual([['created'], 1, ['done']]);
  });
});
