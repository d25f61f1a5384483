/** Any number of deadlines share one timer; none fires early, none is forgotten. */
import { describe, expect, it } from 'vitest';
import { createDeadlines } from '../../../src/adapters/http/deadlines.js';
import { createFakeClock } from './fake-clock.js';

function entry(until: number, expired: number[]) {
  return { until, expire: () => void expired.push(until) };
}

describe('deadlines', () => {
  it('share one timer, which goes when the last one goes', () => {
    const clock = createFakeClock();
    const deadlines = createDeadlines(clock);
    const all = [5000, 3000, 9000].map((ms) => entry(clock.now() + ms, []));
    for (const each of all) deadlines.add(each);
    expect(clock.timers()).toBe(1);
    for (const each of all) deadlines.remove(each);
    expect(clock.timers()).toBe(0);
  });

  it('expire in due time, earlier ones added later included', async () => {
    const clock = createFakeClock();
    const deadlines = createDeadlines(clock);
    const start = clock.now();
    const expired: number[] = [];
    for (const ms of [5000, 3000, 9000]) deadlines.add(entry(start + ms, expired));
    await clock.advance(2999);
    expect(expired).toEqual([]);
    await clock.advance(1);
    expect(expired).toEqual([start + 3000]);
    await clock.advance(10_000);
    expect(expired).toEqual([start + 3000, start + 5000, start + 9000]);
    expect(clock.timers()).toBe(0);
  });

  it('are left alone once they are removed, even by one that expires at the same time', async () => {
    const clock = createFakeClock();
    const deadlines = createDeadlines(clock);
    const expired: number[] = [];
    const second = entry(clock.now() + 10, expired);
    deadlines.add({ until: clock.now() + 10, expire: () => deadlines.remove(second) });
    deadlines.add(second);
    await clock.advance(100);
    expect(expired).toEqual([]);
  });

  it('leave no timer behind when one that expires takes the others along', async () => {
    const clock = createFakeClock();
    const deadlines = createDeadlines(clock);
    const later = entry(clock.now() + 5000, []);
    deadlines.add(later);
    deadlines.add({ until: clock.now() + 10, expire: () => deadlines.remove(later) });
    await clock.advance(10);
    expect(clock.timers()).toBe(0);
  });

  it('of many at different times are looked through a bounded number of times', async () => {
    const clock = createFakeClock();
    const deadlines = createDeadlines(clock);
    const expired: number[] = [];
    for (let ms = 1; ms <= 1000; ms += 1) deadlines.add(entry(clock.now() + ms, expired));
    await clock.advance(2000);
    expect(expired).toHaveLength(1000);
    expect(clock.fired()).toBeLessThanOrEqual(101);
  });

  it('may never come, or be further away than a timer can count', async () => {
    const clock = createFakeClock();
    const deadlines = createDeadlines(clock);
    const expired: number[] = [];
    deadlines.add(entry(Number.POSITIVE_INFINITY, expired));
    deadlines.add(entry(clock.now() + 2 ** 32, expired));
    await clock.advance(2 ** 32 - 1);
    expect(expired).toEqual([]);
    await clock.advance(10);
    expect(expired).toHaveLength(1);
  });
});
