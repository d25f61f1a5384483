/**
 * Where a run stands, and why it failed.
 *
 * Both lists are open: a service may add to them. A status that is not known counts as running, a
 * reason that is not known as lasting.
 */

/** Any text, with proposals for those that are known. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

export type RunStatus = Open<
  'PENDING' | 'PROCESSING' | 'CANCELLING' | 'PROCESSED' | 'FAILED' | 'CANCELLED'
>;

export type WorkflowRunStatus = RunStatus | 'NEEDS_REVIEW' | 'REJECTED';

export type FailureReason = Open<
  'INTERNAL_ERROR' | 'DOCUMENT_PROCESSOR_ERROR' | 'INVALID_WORKFLOW' | 'FAILED_TO_PROCESS_FILE'
>;

const over = ['PROCESSED', 'FAILED', 'CANCELLED'];
/** A person has the word, or has had it. */
const reviewed = ['NEEDS_REVIEW', 'REJECTED'];
const passing = ['INTERNAL_ERROR', 'DOCUMENT_PROCESSOR_ERROR'];

/** Whether nothing more happens to a run by itself. */
export function isOver(status: string, ofWorkflow: boolean): boolean {
  return over.includes(status) || (ofWorkflow && reviewed.includes(status));
}

/** Whether a failed run may succeed when it is started once more. */
export function isRetryable(run: {
  readonly status: string;
  readonly failureReason?: string | null;
}): boolean {
  return run.status === 'FAILED' && passing.includes(run.failureReason ?? '');
}
