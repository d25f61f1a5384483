/**
 * What a run over many workflows meets: sources and files that cannot be read or written, and faults
 * of the answers of the run. A fault of the machine comes with words of its own, which say what
 * happened to which file.
 */
import { quote } from '../quote.js';
import { type Entry, entry, type NoArgs } from './entry.js';
import { phrase, withoutStop } from './words.js';

/** What happened, as a phrase that ends a sentence. */
export interface Problem {
  readonly problem: string;
}

interface Told extends Pick<Entry<NoArgs>, 'title' | 'why'>, Problem {
  readonly help: () => string;
}

/** A fault of the machine, or a bug: `problem` is an example of what happened. */
function fault({ title, why, help, problem }: Told): Entry<Problem> {
  return entry<Problem>({
    severity: 'error',
    title,
    message: (met) => `${title}: ${withoutStop(met.problem)}.`,
    why,
    help,
    example: { problem },
  });
}

export const batch = {
  'batch/missing': fault({
    title: 'A source does not exist',
    why:
      'Every file, folder and pattern on the command line is expected to be there, because a ' +
      'misspelt one would otherwise leave workflows behind without a word. The other sources ' +
      'are migrated all the same.',
    help: () => 'Correct the path, or the pattern, so that it names at least one file.',
    problem: 'no file matches it',
  }),
  'batch/empty': fault({
    title: 'A source holds no workflow',
    why:
      'A folder without a JSON file, a file without a line and an empty standard input were ' +
      'hardly meant to be migrated. Most often the path is wrong, or what should have written ' +
      'the file has failed.',
    help: () => 'Name a file or folder that holds a workflow.',
    problem: 'no line with a workflow is in it',
  }),
  'batch/unreadable': fault({
    title: 'A source could not be read',
    why:
      'The file is there, but the system does not let squadc read it, or it is no file at all, ' +
      'such as a pipe. All other workflows of the run are migrated.',
    help: () => 'Make the file readable, and run the same command again.',
    problem: 'permission denied',
  }),
  'batch/vanished': fault({
    title: 'A source was there, and is gone',
    why:
      'A run first lists its sources and then reads them. What is removed or cut off in between ' +
      'cannot be migrated; its earlier results stay as they are.',
    help: () => 'Run the same command again when nobody changes the sources.',
    problem: 'the file has become shorter since the run began',
  }),
  'batch/too-large': fault({
    title: 'A workflow is larger than the limit',
    why:
      'A workflow is read as a whole, so a limit keeps one file that is no workflow from taking ' +
      'all memory. The limit is 64 MB unless another one is given.',
    help: () => 'Raise the limit with --max-bytes, or leave the file out.',
    problem: 'it is larger than 67108864 bytes (--max-bytes)',
  }),
  'batch/not-utf8': entry({
    severity: 'error',
    title: 'A workflow is not valid UTF-8',
    message: () => 'The text is not valid UTF-8.',
    why:
      'JSON is UTF-8. Bytes that are not would have to be guessed, and a wrong guess ends up in ' +
      'what callers hear.',
    help: () => 'Save it as UTF-8.',
    example: {},
  }),
  'batch/same-key': fault({
    title: 'Two workflows have the same source and the same id or name',
    why:
      'The key of a workflow names its folder, and answers are filed under it. It is made of the ' +
      'source and the id, or the name where there is no id, so that it stays the same from run to ' +
      'run. Of two workflows with one key only the first in the input is migrated.',
    help: () => 'Give one of them an id of its own.',
    problem: 'exports.jsonl has a workflow with the same id or name before it',
  }),
  'batch/foreign-file': fault({
    title: 'A file is in the way that squadc did not write',
    why:
      'A run overwrites only what an earlier run wrote and nobody has changed since. Work that ' +
      'somebody did by hand in the output folder is not lost by running the command again.',
    help: () =>
      'Move the file away, choose another output folder, or overwrite the file with --force.',
    problem: 'reception-1b2c3d4e/squad.json is there already, and squadc did not write it as it is',
  }),
  'batch/write-failed': fault({
    title: 'A result could not be written',
    why:
      'The disk is full, or the output folder cannot be written to. The files of a workflow are ' +
      'put in place as a whole, so what was there before is still complete.',
    help: () => 'Make room, or make the folder writable, and run the same command again.',
    problem: 'cannot write reception-1b2c3d4e/squad.json: no space left on device',
  }),
  'batch/refuted': fault({
    title: 'The check of a squad refuted it',
    why:
      'Every squad is checked against its workflow by a second program before it is written. ' +
      'Where the two disagree squadc has a bug: the squad is withheld, and all other workflows ' +
      'are migrated.',
    help: () => 'Report it together with the workflow; it is no fault of yours.',
    problem: 'the squad is no faithful migration: No assistant holds what “collect” says and does',
  }),
  'batch/internal-error': fault({
    title: 'A bug of squadc stopped one workflow',
    why:
      'No workflow, however broken, should make squadc fail. Where one does, only that workflow ' +
      'is lost: the run goes on with all others, and its exit code says that there was a bug.',
    help: () => 'Report it together with the workflow; it is no fault of yours.',
    problem: 'the thread that worked on it ended: out of memory',
  }),
  'batch/orphan': entry<{ folder: string }>({
    severity: 'info',
    title: 'The sources no longer hold a workflow',
    message: ({ folder }) =>
      `The workflow of ${quote(folder)} is gone from the sources; its files stay.`,
    why:
      'An earlier run wrote a folder for a workflow that this run did not meet: it was removed, ' +
      'was given another id or name, or its source was not named this time. The summary does not ' +
      'speak of it any more.',
    help: () => 'Remove such folders with --prune, once nobody needs them.',
    example: { folder: 'reception-1b2c3d4e' },
  }),
  'batch/answers-shape': entry<Problem>({
    severity: 'error',
    title: 'The answers of the run have the wrong form',
    message: ({ problem }) => `The answers do not have the expected form: ${phrase(problem)}.`,
    why:
      'Answers of a run are an object with `policies` (a choice for each kind of question) and ' +
      '`workflows` (the answers of each workflow, by its key), both optional. Nothing is migrated ' +
      'by answers that can only be read in part.',
    help: () => 'Correct the answers; their form is published as run-answers.schema.json.',
    example: { problem: 'policies/missing-auth must be a text' },
  }),
  'batch/plain-answers': entry({
    severity: 'error',
    title: 'The answers are for one workflow alone',
    message: () => 'These answers are for one workflow, but do not say for which one of the run.',
    why:
      'What `squadc compile` takes answers the questions of the one workflow it is given. Two ' +
      'workflows of a run may ask questions of the same id, so that answers have to stand under ' +
      'the key of the workflow they are for.',
    help: () =>
      'Put `answers` under `workflows` and the key of the workflow, as in ' +
      '{"workflows": {"<key>": {"answers": {"<id>": {"choice": "<choice>"}}}}}; ' +
      'keys are in summary.json.',
    example: {},
  }),
  'batch/answers-differ': entry<{ what: string; file: string }>({
    severity: 'warning',
    title: 'Two answers to one question differ',
    message: ({ what, file }) =>
      `${what} is given another answer in ${quote(file)} before; this one counts.`,
    why:
      'Several files of answers may be given, and a later one takes precedence over those before ' +
      'it. Where they contradict each other, one of the two people who wrote them does not get ' +
      'what was asked for.',
    help: () => 'Remove one of the two.',
    example: { what: 'The kind “missing-auth”', file: 'team.json' },
  }),
  'batch/unknown-workflow': entry<{ key: string }>({
    severity: 'warning',
    title: 'There are answers for a workflow that is not in the run',
    message: ({ key }) =>
      `There are answers for ${quote(key)}, but no workflow of the run has this key.`,
    why:
      'A key is made of the source, the id and the name of a workflow. When the file is moved, or ' +
      'the workflow is given another id, its key is another one too, and answers under the old ' +
      'key have no effect.',
    help: () => 'Correct the key, or remove the answers; a key changes with the file, id and name.',
    example: { key: 'reception-1b2c3d4e' },
  }),
  'batch/subject-changed': entry<{ question: string }>({
    severity: 'warning',
    title: 'An answer is about something that has changed since',
    message: ({ question }) =>
      `The answer to ${quote(question)} was given before its subject changed, ` +
      'so that it was not applied.',
    why:
      'An answer keeps a mark of what the question was about: its text, its choices and the parts ' +
      'of the workflow it points at. When these change, the same id may ask something else, and ' +
      'an answer that nobody gave to that question is not taken for one.',
    help: () => 'Answer the question again, or remove `subject` from the answer if it still holds.',
    example: { question: 'missing-auth:lookup' },
  }),
};
