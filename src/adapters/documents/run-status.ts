/**
 * Where a run stands, and why it failed.
 *
 * Both lists are open: a service may add to them. A status that is not known counts as running, a
 * reason that is not known as lasting.
 */

/** Any text, with proposals for those that are known. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

/** Where a run stands. A status that is not in the list counts as running. */
export type RunStatus = Open<
  'PENDING' | 'PROCESSING' | 'CANCELLING' | 'PROCESSED' | 'FAILED' | 'CANCELLED'
>;

/** Where a run of a workflow stands; it may wait for a person, or be turned down by one. */
export type WorkflowRunStatus = RunStatus | 'NEEDS_REVIEW' | 'REJECTED';

/** Why a run failed; the first two may pass when it is started once more. */
export type FailureReason = Open<
  'INTERNAL_ERROR' | 'DOCUMENT_PROCESSOR_ERROR' | 'INVALID_WORKFLOW' | 'FAILED_TO_PROCESS_FILE'
>;

/** Whether nothing more happens to a run by itself; of a workflow's, a person may have the word. */
export function isOver(status: string, ofWorkflow: boolean): boolean {
  const over = /^(?:PROCESSED|FAILED|CANCELLED)$/.test(status);
  return over || (ofWorkflow && /^(?:NEEDS_REVIEW|REJECTED)$/.test(status));
}

/** Whether a failed run may succeed when it is started once more. */
export function isRetryable(run: {
  readonly status: string;
  readonly failureReason?: string | null;
}): boolean {
  const passing = /^(?:INTERNAL|DOCUMENT_PROCESSOR)_ERROR$/.test(run.failureReason ?? '');
  return passing && run.status === 'FAILED';
}
