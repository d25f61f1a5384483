/**
 * The answers of a run: texts → policies, and answers by workflow and question.
 *
 * In: the texts of the files in the given order, and the policies of the command line. Out: the
 * merged answers, and all faults of all files. A later file overrides an earlier one, and the command
 * line overrides files. Keys and ids are untrusted, so they never become property names.
 */
import { type ArgsOf, type Code, diagnose } from '../diagnostics/diagnose.js';
import type { SourcePlace } from '../diagnostics/render.js';
import { faultInWords } from '../diagnostics/schema-fault.js';
import {
  type Answers,
  compile,
  type Diagnostic,
  locateAll,
  readWorkflow,
  type Target,
} from '../index.js';
import type { RunAnswer, WorkflowRow } from '../report/model.js';
import { runAnswersSchema } from '../schemas/run-answers-document.generated.js';
import { validateRunAnswers } from '../schemas/run-answers-validator.generated.js';
import { pointer } from '../text/pointer.js';

/** The text of an answers file, and the name that messages show. */
export interface AnswersText {
  readonly name: string;
  readonly text: string;
}

/** A finding with its place in a file; `--policy` has none. */
export interface AnswersFinding {
  readonly diagnostic: Diagnostic;
  readonly place: SourcePlace | null;
}

/** The answers of one workflow, by question id. */
export type WorkflowAnswers = ReadonlyMap<string, RunAnswer>;

export interface RunAnswers {
  readonly policies: NonNullable<Answers['policies']>;
  readonly workflows: ReadonlyMap<string, WorkflowAnswers>;
}

export interface ReadRunAnswers extends RunAnswers {
  /** If one of them is an error, the run must not start. */
  readonly diagnostics: readonly AnswersFinding[];
}

/** An answers file whose form has been checked. */
export interface AnswersDocument {
  readonly policies?: RunAnswers['policies'];
  readonly workflows?: Readonly<
    Record<string, { readonly answers?: Readonly<Record<string, RunAnswer>> }>
  >;
}

export function readRunAnswers(
  texts: readonly AnswersText[],
  policies: readonly (readonly [kind: string, choice: string])[] = [],
  // A run may have workflows of both targets; vapi has all choices that squad has.
  target: Target = 'vapi',
): ReadRunAnswers {
  const diagnostics: AnswersFinding[] = [];
  const merged = new Map<string, RunAnswers['policies'][string]>();
  const workflows = new Map<string, WorkflowAnswers>();
  for (const text of texts) {
    const { document, findings } = readText(text, target);
    diagnostics.push(...findings);
    for (const [kind, it] of Object.entries(document.policies ?? {})) merged.set(kind, it);
    for (const [key, { answers = {} }] of Object.entries(document.workflows ?? {})) {
      workflows.set(key, new Map([...(workflows.get(key) ?? []), ...Object.entries(answers)]));
    }
  }
  for (const [kind, choice] of policies) merged.set(kind, choice);
  const wrong = faultsOfPolicies(Object.fromEntries(policies), target);
  diagnostics.push(...wrong.map((diagnostic) => ({ diagnostic, place: null })));
  return { policies: Object.fromEntries(merged), workflows, diagnostics };
}

/** Warns about keys that no workflow of the run has; only a complete run can tell. */
export function findUnknownWorkflows(
  texts: readonly AnswersText[],
  rows: readonly Pick<WorkflowRow, 'key'>[],
): AnswersFinding[] {
  const keys = new Set(rows.map(({ key }) => key));
  return texts.flatMap((text) => {
    const { workflows = {} } = readWorkflow(text.text).workflow as AnswersDocument;
    const unknown = Object.keys(workflows).filter((key) => !keys.has(key));
    const warnings = unknown.map((key) =>
      inAnswers('batch/unknown-workflow', { key }, pointer('workflows', key)),
    );
    return placeFindings(warnings, text);
  });
}

/** A diagnostic about a place in the answers. */
export function inAnswers<C extends Code>(code: C, args: ArgsOf<C>, at: string): Diagnostic {
  return diagnose(code, at, args, { in: 'answers' });
}

/** Adds answers to the document, or removes them; everything else is unchanged. */
export function withAnswers(
  document: AnswersDocument,
  given: readonly {
    readonly key: string;
    readonly id: string;
    readonly answer: RunAnswer | null;
  }[],
): AnswersDocument {
  const workflows = new Map(Object.entries(document.workflows ?? {}));
  for (const { key, id, answer } of given) {
    const before = workflows.get(key);
    if (before === undefined && answer === null) return document;
    const others = Object.entries(before?.answers ?? {}).filter(([each]) => each !== id);
    const answers = answer === null ? others : [...others, [id, answer] as const];
    workflows.set(key, { ...before, answers: Object.fromEntries(answers) });
  }
  return { ...document, workflows: Object.fromEntries(workflows) };
}

/** Policies come first, as in the documentation. */
export function withPolicy(
  { policies, ...others }: AnswersDocument,
  kind: string,
  choice: string,
): AnswersDocument {
  return { policies: { ...policies, [kind]: choice }, ...others };
}

/** A file of another form has no answers. */
function readText(text: AnswersText, target: Target) {
  const { workflow: value, diagnostics } = readWorkflow(text.text);
  if (diagnostics.length > 0) {
    const findings = diagnostics.map(({ line, column, ...each }): AnswersFinding => {
      const place = { file: text.name, text: text.text, line, column, length: 1 };
      return { diagnostic: { ...each, in: 'answers' }, place };
    });
    return { document: {}, findings };
  }
  const faults = faultsOfForm(value);
  const document = faults.length > 0 ? {} : (value as AnswersDocument);
  const wrong = faultsOfPolicies(document.policies ?? {}, target);
  return { document, findings: placeFindings([...faults, ...wrong], text) };
}

/** Faults of the form. The answers of a run differ from those that `squadc compile` takes. */
function faultsOfForm(value: unknown): Diagnostic[] {
  if (validateRunAnswers(value)) return [];
  return (validateRunAnswers.errors ?? []).map((fault) => {
    const { keyword, instancePath, params } = fault;
    const extra = keyword === 'additionalProperties' ? String(params['additionalProperty']) : null;
    if (extra === 'answers' && instancePath === '') {
      return inAnswers('batch/plain-answers', {}, '/answers');
    }
    const document = runAnswersSchema;
    const problem = faultInWords([{ ...fault, instancePath: '' }], document);
    // A key that is not allowed is the place itself.
    const place = extra === null ? instancePath : instancePath + pointer(extra);
    return inAnswers('batch/answers-shape', { problem }, place);
  });
}

/** Reported once here instead of for each workflow. */
function faultsOfPolicies(policies: object, target: Target): Diagnostic[] {
  const { diagnostics } = compile(null, { target, answers: { policies } as Answers });
  return diagnostics.filter((each) => each.in === 'answers');
}

/** The findings about one file, with their places. */
function placeFindings(
  diagnostics: readonly Diagnostic[],
  { name: file, text }: AnswersText,
): AnswersFinding[] {
  const at = diagnostics.map((each) => each.at);
  const places: ReturnType<typeof locateAll> = at.length === 0 ? new Map() : locateAll(text, at);
  return diagnostics.map((diagnostic) => {
    const found = places.get(diagnostic.at);
    if (found === undefined) return { diagnostic, place: null };
    const { line, column, length } = found;
    return { diagnostic, place: { file, text, line, column, length } };
  });
}
