import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Journal, openJournal, readJournal, type Thing } from '../../src/platform/journal.js';
import { planPush } from '../../src/platform/plan.js';
import { push, UnrecordedResult } from '../../src/platform/push.js';
import { createService } from '../../src/platform/service.js';
import { temporaryFolder } from '../cli/fake-io.js';
import { seed } from '../seed.js';

const file = join(temporaryFolder().folder, 'j');

const baseUrl = 'https://x.example';
const thing = {
  ...{ thing: 1, at: '2026-08-01T00:00:00.000Z', state: 'done', kind: 'squad', id: 'id-1' },
  ...{ baseUrl, file: 'é\u2028😀', name: 'S', hash: 'h', versions: [{ sent: { name: 'd' } }] },
};
const lineOf = (more: object = {}) =>
  `${JSON.stringify({ squadc: 'push-journal/3', ...thing, ...more })}\n`;

describe('a journal', () => {
  const open = { state: 'unknown', id: null };
  const lines = [open, {}, { thing: 2, ...open }, { thing: 2, ...open, state: 'refused' }];

  it('can be cut off anywhere: complete lines stay, and the rest is removed', async () => {
    const text = lines.map(lineOf).join('');
    const states = [[], ['unknown'], ['done'], ['done', 'unknown'], ['done', 'refused']];
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length), async (length) => {
        writeFileSync(file, text.slice(0, length));
        const whole = text.slice(0, length).split('\n').length - 1;
        const things = (await readJournal(file)) as readonly Thing[];
        expect(things.map(({ state }) => state)).toEqual(states[whole]);
        const journal = await openJournal(file);
        if ('fault' in journal) return expect.fail(journal.fault);
        await journal.close();
        expect(readFileSync(file, 'utf8')).toBe(lines.slice(0, whole).map(lineOf).join(''));
      }),
      { seed, numRuns: 50 },
    );
  });

  it.each([
    ['x\n', 1],
    [`${lineOf()}\n`, 2],
    [lineOf({ thing: 2 }), 1],
    // An earlier format.
    [lineOf().replace('journal/3', 'journal/2'), 1],
    [lineOf({ thing: -1 }), 1],
    [lineOf({ hash: 1 }), 1],
    [lineOf({ versions: [{ sent: { name: 1 } }] }), 1],
    [lineOf({ versions: [{ sent: {}, held: [] }] }), 1],
    [lineOf({ versions: null }), 1],
    [lineOf({ kind: '__proto__' }), 1],
    [lineOf({ state: 'gone' }), 1],
    [lineOf({ id: null }), 1],
    [lineOf() + lineOf({ id: '../x y' }), 2],
    [`${lineOf()}{"name":`, 2],
  ])('with an invalid line is refused: %j', async (wrong, line) => {
    writeFileSync(file, wrong);
    expect(await readJournal(file)).toEqual({ fault: 'line', line });
  });
});

describe('push', () => {
  const squad = { document: { members: [{ assistantId: 'a' }] }, name: null, members: ['a'] };
  const flags = { saved: false, retryUnknown: false };
  const target = { baseUrl, ...flags, isFile: () => true, workflowOf: () => null, map: new Map() };

  /** Pushes with a journal that has room for so many lines. */
  async function outcome(room: number) {
    const lines: Thing[] = [];
    let sent = 0;
    const fetch = async () => {
      sent += 1;
      return Response.json({ id: 'made' }, { status: 201 });
    };
    const service = createService({ baseUrl, key: 'secret', calls: { fetch } });
    const journal: Journal = {
      things: () => lines.slice(-1),
      checkpoint: () => {},
      write: async (line) => {
        if (lines.length === room) throw new Error('no space left');
        lines.push({ ...line, at: thing.at });
      },
      close: async () => {},
    };
    const kinds: unknown[] = [];
    const plan = planPush([{ file: 'f', squad }], [], [], target);
    try {
      for await (const { kind } of push(plan, target, journal, service)) {
        kinds.push(kind);
      }
    } catch (error) {
      kinds.push(error);
    }
    return [kinds, sent, lines.map(({ state }) => state)];
  }

  it('sends nothing that it cannot record first', async () => {
    expect(await outcome(0)).toEqual([[new Error('no space left')], 0, []]);
  });

  it('reports the id of a result that it cannot record, which stays unknown', async () => {
    const [kinds, ...rest] = await outcome(1);
    expect(kinds).toMatchObject([{ what: 'squad made' }]);
    expect((kinds as unknown[])[0]).toBeInstanceOf(UnrecordedResult);
    expect(rest).toEqual([1, ['unknown']]);
  });

  it('creates a squad and records it', async () => {
    expect(await outcome(2)).toEqual([['created'], 1, ['unknown', 'done']]);
  });
});
