/**
 * Idempotency keys: a request that is repeated with its key within two minutes is not carried out
 * again.
 *
 * The repeat gets the first answer again, or a 409, by the switch `repeatedKey`; a key that comes
 * with another body gets the 409 either way. A key counts for its operation and path, and only a
 * request that was carried out uses it up.
 */
import { createHash } from 'node:crypto';
import { type Answer, Refused } from '../answer.js';
import { type Call, header } from '../call.js';
import type { SandboxClock } from '../clock.js';

const keyLifetimeMs = 2 * 60 * 1000;

export type RepeatedKey = 'replay' | 'conflict';

interface Used {
  readonly at: number;
  readonly body: string;
  readonly answer: Answer;
}

export function createKeys(clock: SandboxClock, repeated: RepeatedKey) {
  /** In the order of their time, as the clock does not go back. */
  const used = new Map<string, Used>();
  const forgetOld = (): void => {
    for (const [key, { at }] of used) {
      if (clock.now() - at < keyLifetimeMs) return;
      used.delete(key);
    }
  };
  return {
    once(call: Call, act: (call: Call) => Answer): Answer {
      const key = header(call, 'idempotencyKey');
      if (key === undefined || key === '') return act(call);
      forgetOld();
      const name = JSON.stringify([call.operation, ...call.path.values(), key]);
      const body = createHash('sha256').update(call.body).digest('base64');
      const before = used.get(name);
      if (before === undefined) {
        const answer = act(call);
        used.set(name, { at: clock.now(), body, answer });
        return answer;
      }
      if (repeated === 'replay' && before.body === body) return before.answer;
      throw new Refused(409, 'The idempotency key was used before', 'Use another key.');
    },
  };
}
