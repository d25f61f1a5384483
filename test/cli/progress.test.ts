import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openByteProgress, openProgress, remaining } from '../../src/cli/output/progress.js';
import { fakeIo } from './fake-io.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('where there is no terminal', () => {
  it('nothing is said of what is done at once', async () => {
    const io = fakeIo();
    const progress = await openProgress(3, 'pages', io);
    for (const done of [1, 2, 3]) progress.update(done, 0);
    vi.advanceTimersByTime(4000);
    progress.stop();
    expect(io.err()).toBe('');
  });

  it('a line comes every five seconds, and one at the end', async () => {
    const io = fakeIo();
    const progress = await openProgress(100, 'pages', io);
    for (let done = 1; done <= 24; done += 1) {
      vi.advanceTimersByTime(500);
      progress.update(done, 1);
    }
    expect(io.err()).toBe(
      '10 of 100 pages, 2.0 pages/s, 1 failed\n20 of 100 pages, 2.0 pages/s, 1 failed\n',
    );
    progress.stop();
    expect(io.err()).toMatch(/\n24 of 100 pages, 2\.0 pages\/s, 1 failed\n$/);
  });

  it('the end is not said twice', async () => {
    const io = fakeIo();
    const progress = await openByteProgress(400, 'workflows', io);
    vi.advanceTimersByTime(6000);
    progress.update(12, 200, 3);
    progress.stop();
    expect(io.err()).toBe('50% of the workflows: 12 done, 2.0/s, 3 invalid or failed, 6s left\n');
  });

  it('a terminal that cannot move its cursor is none', async () => {
    const io = fakeIo({ isTTY: true, env: { TERM: 'dumb' } });
    const progress = await openProgress(3, 'pages', io);
    progress.update(3, 0);
    progress.stop();
    expect(io.err()).toBe('');
  });
});

describe('the remaining time', () => {
  it('is told by what was done so far', () => {
    expect(remaining(1000, 0, 10)).toBe('?');
    expect(remaining(1000, 1, 10)).toBe('9s');
    expect(remaining(100_000, 1, 3)).toBe('3m 20s');
    expect(remaining(3_600_000, 1, 4)).toBe('3h 0m');
    expect(remaining(1000, 10, 10)).toBe('0s');
    expect(remaining(1000, 11, 10)).toBe('0s');
  });
});
