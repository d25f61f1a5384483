import { describe, expect, it } from 'vitest';
import { creationsOf, type JournalEntry } from '../../src/platform/journal.js';
import type { Journal } from '../../src/platform/journal-file.js';
import type { Network } from '../../src/platform/network.js';
import { push, UnrecordedResult } from '../../src/platform/push.js';
import { readSquadBody, type SquadBody } from '../../src/platform/squad-body.js';

const body = readSquadBody('{"members":[{"assistantId":"a"}]}') as SquadBody;
const target = { baseUrl: 'https://x', key: 'secret', retryUnknown: false };

/** A journal that has room for so many entries. */
function journal(room: number): Journal & { readonly entries: JournalEntry[] } {
  const entries: JournalEntry[] = [];
  return {
    entries,
    creations: () => creationsOf(entries),
    append: async (entry) => {
      if (entries.length === room) throw new Error('no space left');
      entries.push(entry);
    },
    close: async () => {},
  };
}

function network(): Network & { readonly sent: () => number } {
  let sent = 0;
  return {
    sent: () => sent,
    fetch: async () => {
      sent += 1;
      return new Response('{"id":"made"}', { status: 201 });
    },
    now: () => 0,
    random: () => 0,
    sleep: async () => {},
    attemptMs: 1000,
  };
}

async function outcome(room: number): Promise<[unknown, number, Journal]> {
  const [log, net] = [journal(room), network()];
  try {
    const all = [];
    for await (const each of push([{ file: 'f', body }], target, log, net)) all.push(each.kind);
    return [all, net.sent(), log];
  } catch (error) {
    return [error, net.sent(), log];
  }
}

describe('push', () => {
  it('sends nothing that it cannot write down before', async () => {
    const [error, sent] = await outcome(0);
    expect([error, sent]).toEqual([new Error('no space left'), 0]);
  });

  it('gives the id of what it cannot write down after, and leaves the intent', async () => {
    const [error, sent, log] = await outcome(1);
    expect(error).toBeInstanceOf(UnrecordedResult);
    expect(error).toMatchObject({ id: 'made' });
    expect([sent, log.creations()]).toMatchObject([1, [{ state: 'unknown' }]]);
  });

  it('creates where there is room', async () => {
    const [kinds, sent, log] = await outcome(2);
    expect([kinds, sent, log.creations()]).toMatchObject([['created'], 1, [{ id: 'made' }]]);
  });
});
