/**
 * What can go wrong around the compiler in a run: reading, writing, and the answers of the run.
 * The catalogue holds what can be wrong with a workflow; these are the codes beside it.
 */

/** A code, what it means, and what to do. */
export interface FailureCode {
  readonly code: string;
  readonly title: string;
  readonly help: string;
}

const failure = (code: string, title: string, help: string): FailureCode => ({ code, title, help });

/** Sorted by code. */
export const failureCodes: readonly FailureCode[] = [
  failure(
    'batch/answers-differ',
    'Two answers to one question differ',
    'Remove one of them; the later one counts.',
  ),
  failure(
    'batch/answers-shape',
    'The answers of the run have the wrong form',
    'Correct them; their form is published as run-answers.schema.json.',
  ),
  failure('batch/empty', 'A source holds no workflow', 'Name a file or folder that holds one.'),
  failure(
    'batch/foreign-file',
    'A file is in the way that squadc did not write',
    'Move the file away, choose another output folder, or overwrite it with --force.',
  ),
  failure(
    'batch/internal-error',
    'A bug of squadc stopped one workflow',
    'Report it with the workflow; all others were done.',
  ),
  failure('batch/missing', 'A source does not exist', 'Correct the path.'),
  failure('batch/not-utf8', 'A workflow is not valid UTF-8', 'Save it as UTF-8.'),
  failure(
    'batch/plain-answers',
    'The answers are for one workflow alone',
    'Put them below the key of the workflow they are for.',
  ),
  failure(
    'batch/refuted',
    'The check of a squad refuted it',
    'Report it with the workflow: it is a bug of squadc, and the squad was not written.',
  ),
  failure(
    'batch/same-key',
    'Two workflows have the same source and the same id or name',
    'Give one of them an id of its own; the first in the input was done.',
  ),
  failure(
    'batch/subject-changed',
    'An answer is about something that has changed since',
    'Answer the question again.',
  ),
  failure(
    'batch/too-large',
    'A workflow is larger than the limit',
    'Raise the limit with --max-bytes, or cut the workflow in parts.',
  ),
  failure(
    'batch/unknown-workflow',
    'There are answers for a workflow that is not in the run',
    'Correct the key, or remove the answers.',
  ),
  failure('batch/unreadable', 'A source could not be read', 'Give squadc the right to read it.'),
  failure('batch/vanished', 'A source was there, and is gone', 'Run the command again.'),
  failure(
    'batch/write-failed',
    'A result could not be written',
    'Make room on the disk, or the folder writable, and run the command again.',
  ),
];
