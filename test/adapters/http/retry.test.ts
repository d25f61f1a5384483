/** The rules of repeating, each sentence a row: what may act twice is never sent twice. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallOutcome } from '../../../src/adapters/http/error.js';
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
  actedBefore: false,
  renewable: false,
  spent: false,
  elapsed: 0,
  remaining: 60_000,
};

const answer = (status: number, more: Partial<AttemptEnd> = {}): AttemptEnd => {
  const inDoubt = status < 400 || status === 408 || status > 499;
  return { status, outcome: inDoubt ? 'unknown' : 'refused', ...more };
};
const unsent: AttemptEnd = { status: 0, outcome: 'not-sent' };
const lost: AttemptEnd = { status: 0, outcome: 'unknown' };
const decide = (end: AttemptEnd, state: Partial<CallState> = {}, random = 0.5) =>
  decideRetry(end, { ...fresh, ...state }, policy, random);

const keyed = { repeat: 'with-key' } as const;
const never = { repeat: 'never' } as const;

describe('what surely did not act is repeated for every operation', () => {
  const harmless: readonly [string, AttemptEnd][] = [
    ['no connection', unsent],
    ['429', answer(429)],
  ];
  for (const [name, end] of harmless) {
    for (const state of [{}, keyed, never]) {
      it(`${name}: ${JSON.stringify(state)}`, () =>
        expect(decide(end, state)).toHaveProperty('afterMs'));
    }
    it(`${name}: not where an earlier attempt may have acted`, () => {
      expect(decide(end, { ...never, actedBefore: true, attempts: 2 })).toEqual({
        why: 'not-repeatable',
      });
    });
    it(`${name}: at any age of the key, as long as nothing may have acted`, () => {
      const old = { ...keyed, elapsed: 200_000, attempts: 2 };
      expect(decide(end, old)).toHaveProperty('afterMs');
      expect(decide(end, { ...old, actedBefore: true })).toEqual({ why: 'key-age' });
    });
  }
});

describe('what may have acted is repeated by the table', () => {
  const unsure: readonly [string, AttemptEnd][] = [
    ['lost', lost],
    ...[408, 500, 502, 503, 504, 599].map((status) => [`${status}`, answer(status)] as const),
    ['an answer of 200 that broke off', answer(200, { fault: 'truncated' })],
    ['an answer of 200 that took too long', answer(200, { fault: 'timeout' })],
  ].map(([name, end]) => [name as string, end as AttemptEnd]);
  for (const [name, end] of unsure) {
    it(`${name}: always`, () => expect(decide(end)).toHaveProperty('afterMs'));
    it(`${name}: never`, () => {
      expect(decide(end, never)).toEqual({ why: 'not-repeatable' });
    });
    it(`${name}: with a key while the first attempt is under 110 s old`, () => {
      expect(decide(end, { ...keyed, elapsed: 0 })).toHaveProperty('afterMs');
      expect(decide(end, { ...keyed, elapsed: 109_999 }, 0)).toHaveProperty('afterMs');
      const late = { why: 'key-age' };
      expect(decide(end, { ...keyed, elapsed: 110_000 }, 0)).toEqual(late);
      expect(decide(end, { ...keyed, elapsed: 109_900 }, 0.9)).toEqual(late);
      expect(decide({ ...end, waitMs: 500 }, { ...keyed, elapsed: 109_500 })).toEqual(late);
    });
  }
});

describe('what would end the same way is final', () => {
  const final = [301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 409, 410, 413, 422];
  it.each(final)('%d', (status) => {
    expect(decide(answer(status))).toEqual({ why: 'final' });
  });
  it.each(['too-large', 'wrong-type', 'malformed', 'refused', 'invalid-answer'] as const)(
    'a 200 that is %s',
    (fault) => expect(decide(answer(200, { fault }))).toEqual({ why: 'final' }),
  );
  it('no token, and a caller who has had enough', () => {
    for (const end of [unsent, lost, answer(200)]) {
      expect(decide({ ...end, fault: 'aborted' })).toEqual({ why: 'final' });
      expect(decide({ ...end, fault: 'no-token' })).toEqual({ why: 'final' });
    }
  });
});

describe("the service's own word", () => {
  it.each([429, 500, 503])('false ends %d', (status) => {
    const end = answer(status, { retryable: false, waitMs: 10 });
    expect(decide(end)).toEqual({ why: 'final' });
  });
  it('true does not make a refusal passing, nor a payment repeatable', () => {
    expect(decide(answer(400, { retryable: true }))).toEqual({ why: 'final' });
    const why = 'not-repeatable';
    expect(decide(answer(500, { retryable: true }), never)).toEqual({ why });
  });
});

describe('401', () => {
  const renewable = { renewable: true } as const;
  it('is repeated once, at once, with a new token, whatever the operation', () => {
    for (const state of [{}, keyed, never]) {
      expect(decide(answer(401), { ...state, ...renewable })).toEqual({ afterMs: 0 });
    }
  });
  it('ends the call the second time', () => {
    const state = { renewable: false, attempts: 2 };
    expect(decide(answer(401), state)).toEqual({ why: 'final' });
  });
  it('does not reopen what may have acted', () => {
    const state = { ...never, ...renewable, actedBefore: true };
    expect(decide(answer(401), state)).toEqual({ why: 'not-repeatable' });
  });
  it('ends with retryable: false', () => {
    const end = answer(401, { retryable: false });
    expect(decide(end, renewable)).toEqual({ why: 'final' });
  });
});

describe('how long', () => {
  it('fully at random up to a bound that doubles up to the cap', () => {
    const bounds = [500, 1000, 2000, 4000, 8000, 8000];
    for (const [index, bound] of bounds.entries()) {
      const state = { attempts: index + 1 };
      const generous = { ...policy, maxAttempts: 99 };
      for (const random of [0, 0.25, 0.999]) {
        expect(decideRetry(lost, { ...fresh, ...state }, generous, random)).toEqual({
          afterMs: random * bound,
        });
      }
    }
  });
  it('does not overflow', () => {
    const state = { ...fresh, attempts: 5000 };
    const decision = decideRetry(lost, state, { ...policy, maxAttempts: 9999 }, 0.5);
    expect(decision).toEqual({ afterMs: 4000 });
  });
  it.each([429, 503])('exactly as long as the %d asks for', (status) => {
    for (const waitMs of [0, 1, 12_345, 59_999]) {
      expect(decide(answer(status, { waitMs }))).toEqual({ afterMs: waitMs });
    }
  });
  it('not at all when the wait passes the deadline', () => {
    const gone = { why: 'deadline' };
    expect(decide(answer(429, { waitMs: 60_000 }))).toEqual(gone);
    expect(decide(answer(429, { waitMs: 1e15 }))).toEqual(gone);
    expect(decide(lost, { remaining: 0 }, 0)).toEqual(gone);
    expect(decide(lost, { remaining: 100 }, 0.9)).toEqual(gone);
  });
});

describe('limits', () => {
  it('attempts', () => {
    expect(decide(lost, { attempts: 3 })).toHaveProperty('afterMs');
    expect(decide(lost, { attempts: 4 })).toEqual({ why: 'attempts' });
    const once = { ...policy, maxAttempts: 1 };
    expect(decideRetry(unsent, fresh, once, 0)).toEqual({ why: 'attempts' });
  });
  it('a body that cannot be read again', () => {
    expect(decide(lost, { spent: true })).toEqual({ why: 'body' });
    expect(decide(answer(429), { spent: true })).toEqual({ why: 'body' });
  });
});

describe('laws', () => {
  const ends: fc.Arbitrary<AttemptEnd> = fc.oneof(
    fc.constantFrom<AttemptEnd>(unsent, lost, { ...lost, fault: 'aborted' }),
    fc.record(
      {
        status: fc.integer({ min: 200, max: 599 }),
        outcome: fc.constantFrom<CallOutcome>('refused', 'unknown', 'applied'),
        waitMs: fc.nat(200_000),
        retryable: fc.boolean(),
        fault: fc.constantFrom('truncated' as const, 'timeout' as const, 'malformed' as const),
      },
      { requiredKeys: ['status', 'outcome'] },
    ),
  );
  const states: fc.Arbitrary<CallState> = fc.record({
    repeat: fc.constantFrom<Repeat>('always', 'with-key', 'never'),
    attempts: fc.integer({ min: 1, max: 6 }),
    actedBefore: fc.boolean(),
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
          if ('why' in decision) return;
          expect(decision.afterMs).toBeLessThan(state.remaining);
          const harmless = !state.actedBefore && /not-sent|refused/.test(end.outcome);
          const young = state.elapsed + decision.afterMs < 110_000;
          const repeatable = state.repeat === 'always' || (state.repeat === 'with-key' && young);
          expect(harmless || repeatable).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
