/**
 * Idempotency keys: a request that is repeated with its key within two minutes is not carried out
 * again.
 *
 * The repeat gets the first answer again, or a 409, by the switch `repeatedKey`; a key that comes
 * with another body, or whose request has no answer yet, gets the 409 either way. A key counts for its
 * operation and path. A request that is refused does not use it up; one that is lost or late does.
 */
import { createHash } from 'node:crypto';
import { type Answer, jsonAnswer, Refused } from '../answer.js';
import { type Call, header } from '../call.js';
import type { Schedule } from '../clock.js';

const keyLifetimeMs = 2 * 60 * 1000;
const lateMs = 2000;

export type RepeatedKey = 'replay' | 'conflict';

interface Used {
  readonly at: number;
  readonly body: string;
  /** Null where it was not carried out. */
  answer: Answer | null;
}

export function createKeys(clock: Schedule, repeated: RepeatedKey) {
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
      const isKeyed = key !== undefined && key !== '';
      if (!isKeyed && call.fate === undefined) return act(call);
      forgetOld();
      const name = JSON.stringify([call.operation, ...call.path.values(), key]);
      const body = createHash('sha256').update(call.body).digest('base64');
      const before = used.get(name);
      if (before === undefined) {
        const one: Used = { at: clock.now(), body, answer: null };
        const finish = () => {
          one.answer = act(call);
          return one.answer;
        };
        if (call.fate === undefined) finish();
        if (call.fate === 'late') clock.at(one.at + lateMs, () => refusedOr(finish));
        if (isKeyed) used.set(name, one);
        return one.answer ?? jsonAnswer(500, {});
      }
      if (repeated === 'replay' && before.body === body && before.answer) return before.answer;
      throw new Refused(409, 'The idempotency key was used before', 'Use another key.');
    },
  };
}

/** What comes late is refused like anything else, and nobody is there to be told. */
function refusedOr(act: () => Answer): Answer | null {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}
