/** The store in memory: one turn per key, an hour, bounded. */
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../../src/adapters/tools/store.js';

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

  it('keeps a result for an hour from when it was there', () => {
    let time = 0;
    const store = createMemoryStore({ now: () => time });
    store.claim('a');
    time = 1000;
    store.settle('a', result);
    time += 3_599_999;
    expect(store.claim('a')).toEqual({ state: 'done', result });
    time += 1;
    expect(store.claim('a')).toEqual({ state: 'mine' });
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

  it('forgets one by one, in the order in which results were there', () => {
    const maxEntries = 50;
    const store = createMemoryStore({ maxEntries });
    const keys = Array.from({ length: 500 }, (_, index) => `${index}`);
    for (const [index, key] of keys.entries()) {
      store.claim(key);
      store.settle(key, result);
      const kept = keys.filter((each) => store.read(each));
      expect(kept).toEqual(keys.slice(Math.max(0, index + 1 - maxEntries), index + 1));
    }
  });

  it('keeps a result that is told again from then on', () => {
    let time = 0;
    const again = { ...result, line: 'Again.' };
    const store = createMemoryStore({ maxEntries: 2, keepMs: 10, now: () => time });
    store.settle('a', result);
    store.settle('b', result);
    time = 5;
    store.settle('a', again);
    expect(store.claim('c')).toEqual({ state: 'mine' });
    expect([store.read('a'), store.read('b')]).toEqual([again, undefined]);
    time = 14;
    expect(store.claim('a')).toMatchObject({ state: 'done' });
    time = 15;
    expect(store.claim('a')).toEqual({ state: 'mine' });
  });

  it('gives what has been pending for an hour to the next', () => {
    let time = 0;
    const store = createMemoryStore({ keepMs: 10, now: () => time });
    for (const key of ['a', 'b']) store.claim(key);
    store.settle('b', result);
    time = 10;
    expect(['a', 'b'].map((key) => store.claim(key))).toEqual([
      { state: 'mine' },
      { state: 'mine' },
    ]);
    // One that comes late is told all the same.
    store.settle('a', result);
    expect(store.claim('a')).toEqual({ state: 'done', result });
  });
});
