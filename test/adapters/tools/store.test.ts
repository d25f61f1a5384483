/** The store in memory: one turn per key, an hour, bounded. */
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../../src/tools.js';

const result = { code: 'done', line: 'Done.' } as const;

describe('the store in memory', () => {
  it('gives a key to one, and the first result to all others', () => {
    const store = createMemoryStore();
    expect(store.claim('a')).toEqual({ state: 'mine' });
    expect(store.claim('a')).toEqual({ state: 'pending' });
    expect(store.read('a')).toBeUndefined();
    store.settle('a', result);
    expect(store.claim('a')).toEqual({ state: 'done', result });
    expect(store.read('a')).toEqual(result);
    expect(store.claim('b')).toEqual({ state: 'mine' });
  });

  it('keeps a result for an hour from when it was there, and a turn for as long', () => {
    let time = 0;
    const store = createMemoryStore({ now: () => time });
    store.claim('a');
    store.claim('b');
    time = 1000;
    store.settle('a', result);
    time = 3_600_000;
    expect(store.claim('a')).toEqual({ state: 'done', result });
    expect(store.claim('b')).toEqual({ state: 'mine' });
    time += 1000;
    expect(store.claim('a')).toEqual({ state: 'mine' });
    // One that comes late is told all the same.
    store.settle('b', result);
    expect(store.claim('b')).toEqual({ state: 'done', result });
  });

  it('forgets the oldest result where it is full, and never what is pending', () => {
    const store = createMemoryStore({ maxEntries: 3 });
    store.claim('pending');
    for (const key of ['a', 'b']) {
      store.claim(key);
      store.settle(key, result);
    }
    expect(store.claim('c')).toEqual({ state: 'mine' });
    expect(store.read('a')).toBeUndefined();
    expect(store.read('b')).toEqual(result);
    expect(store.claim('pending')).toEqual({ state: 'pending' });
    expect(store.claim('d')).toEqual({ state: 'mine' });
    expect(() => store.claim('e')).toThrow('full');
  });
});
