/** Waits for something, or for a point of time alone, and no longer than the caller wants. */
import type { Deadlines } from './deadlines.js';

/** The result in a box; undefined when the time is over or the signal was given. */
export function waitFor<Result>(
  deadlines: Deadlines,
  until: number,
  signal: AbortSignal | undefined,
  going?: Promise<Result>,
): Promise<{ readonly value: Result } | undefined> {
  return new Promise((resolve) => {
    const end = (box?: { readonly value: Result }) => {
      deadlines.remove(deadline);
      signal?.removeEventListener('abort', expire);
      resolve(box);
    };
    const expire = () => end();
    const deadline = { until, expire };
    deadlines.add(deadline);
    signal?.addEventListener('abort', expire);
    going?.then((value) => end({ value }));
  });
}
