/** A run: what is known of it, and how it is shown. */
import type { JsonObject } from '../call.js';
import { timestamp } from '../clock.js';
import type { Resource } from './collection.js';
import type { RunKind } from './kinds.js';
import type { Outcome } from './outcome.js';

export type RunStatus =
  | 'PENDING'
  | 'PROCESSING'
  | 'PROCESSED'
  | 'FAILED'
  | 'CANCELLING'
  | 'CANCELLED'
  | 'NEEDS_REVIEW'
  | 'REJECTED';

export interface Run extends Resource {
  readonly status: RunStatus;
  readonly output: unknown;
  readonly failureReason: string | null;
  readonly failureMessage: string | null;
  readonly metadata: JsonObject | null;
  /** What the kind has beside this, as it is shown. */
  readonly details: JsonObject;
  /** What lists filter by. */
  readonly facts: ReadonlyMap<string, string>;
}

/** What a request starts. */
export interface RunRequest extends Pick<Run, 'metadata' | 'details' | 'facts'> {
  readonly outcome: Outcome;
  /** Makes the output, at the end of a run that succeeds. */
  readonly makeOutput: () => unknown;
}

export function newRun(born: Resource, { metadata, details, facts }: RunRequest): Run {
  return {
    ...born,
    status: 'PENDING',
    output: null,
    failureReason: null,
    failureMessage: null,
    metadata,
    details,
    facts,
  };
}

/** What changes in a run that ends as it was asked to. */
export function endOf({ outcome, makeOutput }: RunRequest): Partial<Run> {
  const { status, failureReason } = outcome;
  const failed = status === 'FAILED';
  return {
    status,
    failureReason,
    failureMessage: failed ? 'The sandbox was told to fail' : null,
    output: failed ? null : makeOutput(),
  };
}

export function renderRun(kind: RunKind, run: Run): object {
  const { id, status, output, failureReason, failureMessage, metadata, details } = run;
  // What a run of a workflow makes are the runs of its steps.
  const shown = kind.name === 'workflow' ? { stepRuns: output ?? [] } : { output };
  return {
    object: kind.object,
    id,
    status,
    ...shown,
    failureReason,
    failureMessage,
    metadata,
    ...details,
    createdAt: timestamp(run.createdAt),
    updatedAt: timestamp(run.updatedAt),
  };
}
