/**
 * How a run is to end.
 *
 * A run is processed, unless its request says otherwise in the header `x-sandbox-outcome`, or a
 * test has ordered an end for the next run.
 *
 *     PROCESSED
 *     FAILED                     for INTERNAL_ERROR
 *     FAILED=INVALID_WORKFLOW    for that reason
 *     NEEDS_REVIEW, REJECTED     runs of workflows alone
 */
import { Refused } from '../answer.js';
import { type Call, header } from '../call.js';
import type { KindName } from './kinds.js';

export type OutcomeText = 'PROCESSED' | 'FAILED' | `FAILED=${string}` | 'NEEDS_REVIEW' | 'REJECTED';

export interface Outcome {
  readonly status: 'PROCESSED' | 'FAILED' | 'NEEDS_REVIEW' | 'REJECTED';
  readonly failureReason: string | null;
}

export interface OutcomeSwitches {
  /** Orders how the next run ends, or the next of a kind. */
  next(outcome: OutcomeText, where?: { readonly kind?: KindName }): void;
}

export interface Outcomes extends OutcomeSwitches {
  decide(kind: KindName, call: Call): Outcome;
}

export function createOutcomes(): Outcomes {
  const orders: { readonly outcome: Outcome; readonly kind: KindName | undefined }[] = [];
  return {
    next(text, { kind } = {}) {
      const outcome = readOutcome(text);
      if (outcome === null) throw new RangeError(`'${text}' is no outcome of a run`);
      orders.push({ outcome, kind });
    },
    decide(kind, call) {
      const outcome = asked(call) ?? ordered(kind);
      const reviewed = outcome.status === 'NEEDS_REVIEW' || outcome.status === 'REJECTED';
      if (!reviewed || kind === 'workflow') return outcome;
      throw new Refused(400, 'Only runs of workflows are reviewed');
    },
  };

  function ordered(kind: KindName): Outcome {
    const index = orders.findIndex((each) => (each.kind ?? kind) === kind);
    const [order] = index === -1 ? [] : orders.splice(index, 1);
    return order?.outcome ?? { status: 'PROCESSED', failureReason: null };
  }
}

function asked(call: Call): Outcome | null {
  const text = header(call, 'x-sandbox-outcome');
  if (text === undefined) return null;
  const outcome = readOutcome(text);
  if (outcome === null) throw new Refused(400, 'x-sandbox-outcome names no outcome of a run');
  return outcome;
}

function readOutcome(text: string): Outcome | null {
  if (text === 'PROCESSED' || text === 'NEEDS_REVIEW' || text === 'REJECTED') {
    return { status: text, failureReason: null };
  }
  const failed = /^FAILED(?:=([A-Z_]{1,60}))?$/.exec(text);
  return failed && { status: 'FAILED', failureReason: failed[1] ?? 'INTERNAL_ERROR' };
}
