/** The rules of repeating, each sentence a row: what may act twice is never sent twice. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Repeat } from '../../../src/adapters/http/operation.js';
import {
  type AttemptEnd,
  type CallState,
  decideRetry,
  type RetryPolicy,
} from '../../../src/adapters/http/retry.js';

const policy: RetryPolicy = { maxAttempts: 4, baseMs: 500, capMs: 8000 };
const fresh: CallState = {
  repeat: 'always',
  attempts: 1,
  acted: false,
  renewable: false,
  spent: false,
  elapsed: 0,
  remaining: 60_000,
};

const answer = (status: number, more: Partial<AttemptEnd> = {}): AttemptEnd => ({
  status,
  ...more,
});
const unsent: AttemptEnd = { status: 0, fault: 'unreachable' };
const lost: AttemptEnd = { status: 0, fault: 'connection-lost' };
const decide = (end: AttemptEnd, state: Partial<CallState> = {}, random = 0.5) =>
  decideRetry(end, { ...fresh, ...state }, policy, random);

const inDoubt = { acted: true };
const keyed = { repeat: 'with-key', acted: true } as const;
const never = { repeat: 'never', acted: true } as const;
const forGood = { stop: 'for-good' };
const later = { stop: 'later' };

describe('what may end otherwise', () => {
  const passing: readonly [string, AttemptEnd][] = [
    ['no connection', unsent],
    ['lost', lost],
    ...[408, 429, 500, 502, 503, 504, 599].map((status): [string, AttemptEnd] => {
      return [`${status}`, answer(status)];
    }),
    ['an answer of 200 that broke off', answer(200, { fault: 'truncated' })],
    ['an answer of 200 that took too long', answer(200, { fault: 'timeout' })],
  ];
  it.each(passing)(
    '%s is repeated where nothing may have acted, or twice does no harm',
    (_, end) => {
      for (const repeat of ['always', 'with-key', 'never'] as const) {
        expect(decide(end, { repeat, elapsed: 200_000 })).toHaveProperty('afterMs');
      }
      expect(decide(end, { ...inDoubt, elapsed: 200_000 })).toHaveProperty('afterMs');
      expect(decide(end, never)).toEqual(forGood);
      expect(decide(end, { spent: true })).toEqual(forGood);
      expect(decide({ ...end, retryable: false })).toEqual(forGood);
      expect(decide({ ...end, retryable: true }, never)).toEqual(forGood);
    },
  );
  it.each(passing)('%s: with a key while the first attempt is under 110 s old', (_, end) => {
    expect(decide(end, keyed)).toHaveProperty('afterMs');
    expect(decide(end, { ...keyed, elapsed: 109_999 }, 0)).toHaveProperty('afterMs');
    expect(decide(end, { ...keyed, elapsed: 110_000 }, 0)).toEqual(forGood);
    expect(decide(end, { ...keyed, elapsed: 109_900 }, 0.9)).toEqual(forGood);
    expect(decide({ ...end, waitMs: 500 }, { ...keyed, elapsed: 109_500 })).toEqual(forGood);
  });
});

describe('what would end the same way is final', () => {
  it.each([...[301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 409, 410, 413, 422]])(
    '%d',
    (status) => {
      expect(decide(answer(status))).toEqual(forGood);
      expect(decide(answer(status, { retryable: true }))).toEqual(forGood);
    },
  );
  it.each(['too-large', 'wrong-type', 'malformed', 'refused'] as const)(
    'a 200 that is %s',
    (fault) => expect(decide(answer(200, { fault }))).toEqual(forGood),
  );
  it.each([unsent, lost, answer(200)])('no token, and a caller who has had enough (%#)', (end) => {
    expect(decide({ ...end, fault: 'aborted' })).toEqual(forGood);
    expect(decide({ ...end, fault: 'no-token' })).toEqual(forGood);
  });
});

describe('401', () => {
  const renewable = { renewable: true, acted: false } as const;
  it('is repeated at once with a new token, whatever the operation', () => {
    for (const state of [{}, keyed, never]) {
      expect(decide(answer(401), { ...state, ...renewable })).toEqual({ afterMs: 0 });
    }
  });
  it('does not reopen what may have acted, nor what the service ends', () => {
    expect(decide(answer(401), { ...never, renewable: true })).toEqual(forGood);
    expect(decide(answer(401, { retryable: false }), renewable)).toEqual(forGood);
  });
});

describe('how long', () => {
  it('fully at random up to a bound that doubles up to the cap', () => {
    const generous = { ...policy, maxAttempts: 9999 };
    for (const [index, bound] of [500, 1000, 2000, 4000, 8000, 8000].entries()) {
      for (const random of [0, 0.25, 0.999]) {
        const state = { ...fresh, attempts: index + 1 };
        expect(decideRetry(lost, state, generous, random)).toEqual({ afterMs: random * bound });
      }
    }
    const many = { ...fresh, attempts: 5000 };
    expect(decideRetry(lost, many, generous, 0.5)).toEqual({ afterMs: 4000 });
  });
  it.each([429, 503])('exactly as long as the %d asks for', (status) => {
    for (const waitMs of [0, 1, 12_345, 59_999]) {
      expect(decide(answer(status, { waitMs }))).toEqual({ afterMs: waitMs });
    }
  });
  it('not at all when the wait passes the deadline, or the attempts are used up', () => {
    expect(decide(answer(429, { waitMs: 60_000 }))).toEqual(later);
    expect(decide(answer(429, { waitMs: 1e15 }))).toEqual(later);
    expect(decide(lost, { remaining: 0 }, 0)).toEqual(later);
    expect(decide(lost, { remaining: 100 }, 0.9)).toEqual(later);
    expect(decide(lost, { attempts: 3 })).toHaveProperty('afterMs');
    expect(decide(lost, { attempts: 4 })).toEqual(later);
    expect(decideRetry(unsent, fresh, { ...policy, maxAttempts: 1 }, 0)).toEqual(later);
  });
});

describe('laws', () => {
  const ends: fc.Arbitrary<AttemptEnd> = fc.oneof(
    fc.constantFrom<AttemptEnd>(unsent, lost, { ...lost, fault: 'aborted' }),
    fc.record(
      {
        status: fc.integer({ min: 200, max: 599 }),
        waitMs: fc.nat(200_000),
        retryable: fc.boolean(),
        fault: fc.constantFrom('truncated' as const, 'timeout' as const, 'malformed' as const),
      },
      { requiredKeys: ['status'] },
    ),
  );
  const states: fc.Arbitrary<CallState> = fc.record({
    repeat: fc.constantFrom<Repeat>('always', 'with-key', 'never'),
    attempts: fc.integer({ min: 1, max: 6 }),
    acted: fc.boolean(),
    renewable: fc.boolean(),
    spent: fc.boolean(),
    elapsed: fc.nat(150_000),
    remaining: fc.nat(100_000),
  });
  it('an attempt that may have acted is followed only by one that cannot act twice', () => {
    fc.assert(
      fc.property(
        ends,
        states,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (end, state, random) => {
          const decision = decideRetry(end, state, policy, random);
          if ('stop' in decision) return;
          expect(decision.afterMs).toBeLessThan(state.remaining);
          const young = state.elapsed + decision.afterMs < 110_000;
          const repeatable = state.repeat === 'always' || (state.repeat === 'with-key' && young);
          expect(!state.acted || repeatable).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
