import { describe, expect, it } from 'vitest';
import { type Ending, mayHaveActed, retryDecision, waitOf } from '../../src/platform/retry.js';

const chance = { now: Date.parse('2026-08-01T00:00:00Z'), random: 0.999 };
const answer = (status: number, retryAfter: string | null = null): Ending => {
  return { kind: 'answer', status, retryAfter };
};
const decide = (ending: Ending, number = 1, repeatable = true) =>
  retryDecision({ ending, number, repeatable }, chance);

describe('retryDecision', () => {
  it.each([400, 401, 403, 404, 409, 422, 302])('takes %d as it is', (status) => {
    expect(decide(answer(status))).toEqual({ retry: false, why: 'final' });
  });

  it.each([408, 500, 502, 503, 599])('repeats after %d only what may be sent twice', (status) => {
    expect(decide(answer(status))).toEqual({ retry: true, afterMs: 499 });
    expect(decide(answer(status), 1, false)).toEqual({ retry: false, why: 'not-repeatable' });
  });

  it.each(['timeout', 'broken'] as const)(
    'repeats after %s only what may be sent twice',
    (kind) => {
      expect(decide({ kind }).retry).toBe(true);
      expect(decide({ kind }, 1, false)).toEqual({ retry: false, why: 'not-repeatable' });
    },
  );

  it('repeats everything that was surely not taken', () => {
    for (const ending of [answer(429), { kind: 'unreachable' } as const]) {
      expect(decide(ending, 1, false).retry).toBe(true);
      expect(mayHaveActed(ending)).toBe(false);
    }
  });

  it('bounds the wait by doubling, and ends after the fourth attempt', () => {
    const waits = [1, 2, 3].map((number) => decide(answer(500), number));
    expect(waits).toEqual([499, 999, 1998].map((afterMs) => ({ retry: true, afterMs })));
    expect(decide(answer(500), 4)).toEqual({ retry: false, why: 'attempts-spent' });
    expect(decide(answer(429, '1'), 4)).toEqual({ retry: false, why: 'attempts-spent' });
  });

  it('waits exactly as long as it is asked to, up to ten minutes', () => {
    expect(decide(answer(429, '600'))).toEqual({ retry: true, afterMs: 600_000 });
    expect(decide(answer(503, '0'))).toEqual({ retry: true, afterMs: 0 });
    expect(decide(answer(429, '601'))).toEqual({ retry: false, why: 'wait-too-long' });
    expect(decide(answer(429, '9'.repeat(400)))).toEqual({ retry: false, why: 'wait-too-long' });
  });
});

describe('waitOf', () => {
  it.each([
    ['12', 12_000],
    [' 1.5 ', 1500],
    ['Sat, 01 Aug 2026 00:01:00 GMT', 60_000],
    ['Fri, 31 Jul 2026 00:00:00 GMT', 0],
    ['', null],
    ['-1', null],
    ['soon', null],
    ['2026', 2_026_000],
    ['1e9', null],
    [null, null],
  ])('%j is %j', (text, wait) => expect(waitOf(text, chance.now)).toBe(wait));
});
