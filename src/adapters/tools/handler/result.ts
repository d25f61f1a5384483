/** What became of one call, and the line that the assistant gets to say. */

/**
 * - `done`: it is done, or read;
 * - `started`: a run was started and goes on; the line tells its id;
 * - `open`: it was sent and may still be at work;
 * - all others: nothing was done.
 */
export type ResultCode =
  | 'done'
  | 'started'
  | 'open'
  | 'not-found'
  | 'refused'
  | 'unavailable'
  | 'busy'
  | 'bad-arguments'
  | 'unknown-tool'
  | 'not-allowed';

/** What a tool call ended with, as the model hears it. */
export interface CallResult {
  readonly code: ResultCode;
  /** One line of bounded length: a sentence, or JSON with a sentence in `say`. */
  readonly line: string;
}

const answered: ReadonlySet<ResultCode> = new Set(['done', 'started', 'open']);

/** Whether the call was taken on. The others go to the platform as errors. */
export function isAnswered({ code }: CallResult): boolean {
  return answered.has(code);
}
