import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openProgress } from '../../src/cli/output/progress.js';
import { fakeIo, type Surroundings } from './fake-io.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** What is said of 100 pages, by how far they are at which time. */
async function told(
  states: readonly (readonly [ms: number, done: number])[],
  surroundings: Surroundings = {},
): Promise<string> {
  const io = fakeIo(surroundings);
  const progress = await openProgress(100, 'pages', io);
  for (const [ms, done] of states) {
    vi.advanceTimersByTime(ms);
    progress.update(done, 1);
  }
  progress.stop();
  return io.err();
}

describe('where there is no terminal', () => {
  it('nothing is said of what is done at once', async () => {
    expect(await told([[4000, 100]])).toBe('');
    expect(await told([[4000, 100]], { isTTY: true, env: { TERM: 'dumb' } })).toBe('');
  });

  it('a line comes every five seconds, and one at the end that is not said twice', async () => {
    const one = '10% of the pages: 10 done, 2.0/s, 1 failed, 45s left\n';
    expect(
      await told([
        [4000, 8],
        [1000, 10],
      ]),
    ).toBe(one);
    const end = '20% of the pages: 20 done, 3.3/s, 1 failed, 24s left\n';
    expect(
      await told([
        [5000, 10],
        [1000, 20],
      ]),
    ).toBe(one + end);
  });

  it.each([
    [[6000, 0], '? left'],
    [[100_000, 50], '1m 40s left'],
    [[3_600_000, 25], '3h 0m left'],
    [[6000, 101], '0s left'],
  ] as const)('the remaining time is told: %j', async (state, words) => {
    expect(await told([state])).toContain(words);
  });
});
