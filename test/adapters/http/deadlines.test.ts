/** Any number of deadlines share one timer; none fires early, none is forgotten. */
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createDeadlines } from '../../../src/adapters/http/deadlines.js';
import { createFakeClock } from './fake-clock.js';

function setUp() {
  const clock = createFakeClock();
  const { watch, wait } = createDeadlines(clock);
  const start = clock.now();
  const expired: number[] = [];
  const add = (ms: number) => watch(start + ms, undefined, () => void expired.push(ms));
  return { clock, watch, wait, start, expired, add };
}

describe('deadlines', () => {
  it('share one timer, which goes when the last one goes', () => {
    const { clock, add } = setUp();
    const all = [5000, 3000, 9000].map(add);
    expect(clock.timers()).toBe(1);
    for (const stop of all) stop();
    expect(clock.timers()).toBe(0);
  });

  it('expire in due time, earlier ones added later included', async () => {
    const { clock, add, expired } = setUp();
    for (const ms of [5000, 3000, 9000]) add(ms);
    await clock.advance(2999);
    expect(expired).toEqual([]);
    await clock.advance(1);
    expect(expired).toEqual([3000]);
    await clock.advance(10_000);
    expect(expired).toEqual([3000, 5000, 9000]);
    expect(clock.timers()).toBe(0);
  });

  it('are left alone once they are stopped, even by one that expires at the same time', async () => {
    const { clock, watch, start, add, expired } = setUp();
    const stops: (() => void)[] = [];
    watch(start + 10, undefined, () => stops[0]?.());
    stops.push(add(10));
    await clock.advance(100);
    expect(expired).toEqual([]);
  });

  it('leave no timer behind when one that expires takes the others along', async () => {
    const { clock, watch, start, add } = setUp();
    const stop = add(5000);
    watch(start + 10, undefined, stop);
    await clock.advance(10);
    expect(clock.timers()).toBe(0);
  });

  it('of many at different times are looked through a bounded number of times', async () => {
    const { clock, add, expired } = setUp();
    for (let ms = 1; ms <= 1000; ms += 1) add(ms);
    await clock.advance(2000);
    expect(expired).toHaveLength(1000);
    expect(clock.fired()).toBeLessThanOrEqual(101);
  });

  it('may never come, or be further away than a timer can count', async () => {
    const { clock, add, expired } = setUp();
    add(Number.POSITIVE_INFINITY);
    add(2 ** 32);
    await clock.advance(2 ** 32 - 1);
    expect(expired).toEqual([]);
    await clock.advance(10);
    expect(expired).toHaveLength(1);
  });

  it('end with the signal, once, and let go of it', async () => {
    const { clock, watch, start } = setUp();
    const control = new AbortController();
    const cuts: unknown[] = [];
    watch(start + 10, control.signal, (cut) => cuts.push(cut));
    control.abort();
    await clock.advance(100);
    expect(cuts).toEqual([{ fault: 'aborted' }]);
    expect(clock.timers()).toBe(0);
  });

  it('of any number of calls have one listener on their signal', () => {
    const { watch, start } = setUp();
    const control = new AbortController();
    const stops = Array.from({ length: 20 }, () => watch(start + 10, control.signal, () => {}));
    expect(getEventListeners(control.signal, 'abort')).toHaveLength(1);
    for (const stop of stops) stop();
  });

  it('end with the signal although others on it were stopped before', () => {
    const { watch, start } = setUp();
    const control = new AbortController();
    const cuts: unknown[] = [];
    const stop = watch(start + 10, control.signal, () => cuts.push('stopped'));
    watch(start + 10, control.signal, (cut) => cuts.push(cut));
    stop();
    control.abort();
    expect(cuts).toEqual([{ fault: 'aborted' }]);
  });

  it('let a promise come first, or not', async () => {
    const { clock, wait, start } = setUp();
    const soon = wait(start + 10, undefined, Promise.resolve('here'));
    expect(await soon).toBe('here');
    expect(clock.timers()).toBe(0);
    const late = wait(start + 10, undefined, new Promise(() => {}));
    await clock.advance(10);
    expect(await late).toEqual({ fault: 'timeout' });
  });
});
