/** `result.json`: all that is known of one workflow, without its secrets. */
import type { BoundResult } from '../../adapters/tools/compile-bound.js';
import { isJsonObject } from '../../compiler/ir/json.js';
import { hideTexts, maskSecrets } from '../../compiler/ir/secrets.js';
import {
  type Diagnostic,
  type Dialect,
  type Json,
  locateAll,
  type PlacedDiagnostic,
} from '../../index.js';
import { assess } from '../../report/assess.js';
import type { ResultFile, RunAnswer, WorkflowStatus } from '../../report/model.js';
import { subjectOf } from '../answers/subject.js';
import type { RunRequest, Verdict } from '../setup.js';

/** What became of a workflow. */
export interface Outcome {
  readonly key: string;
  readonly source: string;
  readonly name: string | null;
  readonly text: string;
  readonly dialect: Dialect | null;
  readonly workflow: unknown;
  readonly result: BoundResult;
  readonly applied: Readonly<Record<string, RunAnswer>>;
  /** Of the reader, the answers and the compiler. */
  readonly diagnostics: readonly (Diagnostic | PlacedDiagnostic)[];
  /** Why it is `failed`, in the place of the compiler's status. */
  readonly failure?: Verdict;
}

export function resultFileOf(
  outcome: Outcome,
  { squadc, options, answers: { policies } }: RunRequest,
): ResultFile {
  const { key, source, name, workflow, result, failure, applied } = outcome;
  const { questions, checklist, ledger, reads, sourceMap, stats, toolBindings } = result;
  const status: WorkflowStatus = failure ? 'failed' : result.status;
  const diagnostics = placed(outcome);
  const named = new Set<unknown>([applied, policies, ...secretNames(applied)]);
  const { masked, texts } = maskSecrets(
    { options, answers: applied, draft: result.draft as Json, workflow: workflow as Json },
    named,
  );
  const file: ResultFile = {
    squadc,
    key,
    source,
    name,
    status,
    ...(failure && { failure }),
    dialect: outcome.dialect,
    options: masked.options,
    answers: masked.answers,
    policies,
    questions: questions.map((each) => ({ ...each, subject: subjectOf(each, workflow) })),
    diagnostics,
    checklist,
    ledger,
    reads,
    sourceMap,
    stats,
    ...(toolBindings && { toolBindings }),
    draft: masked.draft,
    assessment: assess({ status, stats, questions, diagnostics, ledger }),
    workflow: masked.workflow,
  };
  const words = texts.length === 0 ? [] : wordsOf(file);
  const isWord = (secret: string) => words.some((word) => word.includes(secret));
  return hideTexts(
    file,
    texts.filter((secret) => !isWord(secret)),
  );
}

/** What an answer has to name, and what is looked up by its name: no part of it can be hidden. */
function wordsOf({ key, source, status, policies, questions }: ResultFile): string[] {
  const ofQuestions = questions.flatMap(({ id, kind, choices }) => {
    return [id, kind, ...choices.map((choice) => choice.key)];
  });
  return [key, source, status, ...Object.values(policies), ...ofQuestions];
}

/** The pieces of its text: each member on a line of its own, so that a difference shows where it is. */
export function resultPieces(file: ResultFile): string[] {
  const pieces: string[] = [];
  let before = '{\n';
  for (const [name, value] of Object.entries(file)) {
    pieces.push(`${before}${JSON.stringify(name)}: `, JSON.stringify(value));
    before = ',\n';
  }
  pieces.push('\n}\n');
  return pieces;
}

/** Field by field: parts of a diagnostic may be built only when they are read. */
function placed({ text, diagnostics }: Outcome): (Diagnostic | PlacedDiagnostic)[] {
  const open = diagnostics.filter((each) => each.in === undefined && !('line' in each));
  const places = open.length === 0 ? null : locateAll(text, new Set(open.map(({ at }) => at)));
  return diagnostics.map((diagnostic) => {
    const { code, severity, message, at, in: part, related, help } = diagnostic;
    const plain = { code, severity, message, at, ...(part && { in: part }), related, help };
    if ('line' in diagnostic) {
      return { ...plain, line: diagnostic.line, column: diagnostic.column };
    }
    const place = part === undefined ? places?.get(at) : undefined;
    return place === undefined ? plain : { ...plain, line: place.line, column: place.column };
  });
}

/** Values such as `{ header, secret }`, which name where a secret lives and hold none. */
function secretNames(applied: Readonly<Record<string, RunAnswer>>): unknown[] {
  const values = Object.values(applied).map(({ value }) => value);
  return values.filter((each) => isJsonObject(each) && typeof each['header'] === 'string');
}
