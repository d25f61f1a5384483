/**
 * The answers of a run: texts → policies, and answers by workflow and question.
 *
 * In: the texts of the files in the order in which they were given, and the policies of the command
 * line. Out: what counts, and every fault of every file. Of two files the later one counts, which
 * is said where they differ; a policy of the command line counts more than one of a file. Keys and
 * ids come from anybody and are never property names of ours.
 */
import { pointer } from '../../compiler/ir/ids.js';
import { quote } from '../../diagnostics/quote.js';
import { type Diagnostic, readWorkflow, type Target } from '../../index.js';
import type { RunAnswer } from '../../report/model.js';
import { canonicalJson } from '../canonical.js';
import { faultOfPolicy, faultsOfForm } from './answers-faults.js';
import {
  type AnswersFinding,
  type AnswersText,
  answersDiffer,
  inAnswers,
  placeFindings,
  unknownWorkflow,
} from './answers-findings.js';

/** The answers of one workflow, by question id. */
export type WorkflowAnswers = ReadonlyMap<string, RunAnswer>;

export interface RunAnswers {
  readonly policies: Readonly<Record<string, string>>;
  readonly workflows: ReadonlyMap<string, WorkflowAnswers>;
}

export interface ReadRunAnswers extends RunAnswers {
  /** With an error among them, nothing of the run may be begun. */
  readonly diagnostics: readonly AnswersFinding[];
}

/** The form of an answers file, once it was checked. */
interface AnswersFile {
  readonly policies?: Readonly<Record<string, string>>;
  readonly workflows?: Readonly<
    Record<string, { readonly answers?: Readonly<Record<string, RunAnswer>> }>
  >;
}

/** Something that was given, and the file that it stands in. */
interface Given<Value> {
  readonly value: Value;
  readonly file: string;
}

export function readRunAnswers(
  texts: readonly AnswersText[],
  policies: readonly (readonly [kind: string, choice: string])[] = [],
  // A run may have workflows of both targets; vapi has the choices of squad as well.
  target: Target = 'vapi',
): ReadRunAnswers {
  const merged = new Merged();
  const findings = texts.flatMap((text) => readText(text, target, merged));
  for (const [kind, choice] of policies) merged.policies.set(kind, { value: choice, file: '' });
  const flagged = policies.flatMap(([kind, choice]) => faultOfPolicy(kind, choice, target) ?? []);
  return {
    policies: Object.fromEntries([...merged.policies].map(([kind, { value }]) => [kind, value])),
    workflows: merged.values(),
    diagnostics: [...findings, ...flagged.map((diagnostic) => ({ diagnostic, place: null }))],
  };
}

/** Warnings about keys that no workflow of the run has; only a whole run can tell. */
export function findUnknownWorkflows(
  texts: readonly AnswersText[],
  { workflows }: RunAnswers,
  has: (key: string) => boolean,
): AnswersFinding[] {
  const unknown = [...workflows.keys()].filter((key) => !has(key));
  if (unknown.length === 0) return [];
  return texts.flatMap((text) => {
    const file = readWorkflow(text.text).workflow as AnswersFile;
    const here = unknown.filter((key) => Object.hasOwn(file.workflows ?? {}, key));
    const diagnostics = here.map((key) =>
      inAnswers(unknownWorkflow(key), pointer('workflows', key)),
    );
    return placeFindings(diagnostics, text);
  });
}

class Merged {
  readonly policies = new Map<string, Given<string>>();
  readonly workflows = new Map<string, Map<string, Given<RunAnswer>>>();

  of(key: string): Map<string, Given<RunAnswer>> {
    const known = this.workflows.get(key);
    if (known !== undefined) return known;
    const answers = new Map<string, Given<RunAnswer>>();
    this.workflows.set(key, answers);
    return answers;
  }

  values(): Map<string, WorkflowAnswers> {
    return new Map(
      [...this.workflows].map(([key, answers]) => [
        key,
        new Map([...answers].map(([id, { value }]) => [id, value])),
      ]),
    );
  }
}

/** What was read is merged; nothing of a file that has not the right form. */
function readText(text: AnswersText, target: Target, merged: Merged): AnswersFinding[] {
  const { workflow: value, diagnostics } = readWorkflow(text.text);
  if (diagnostics.length > 0) {
    return diagnostics.map(({ line, column, ...each }) => ({
      diagnostic: { ...each, in: 'answers' },
      place: { file: text.name, text: text.text, line, column, length: 1 },
    }));
  }
  const faults = faultsOfForm(value);
  if (faults.length > 0) return placeFindings(faults, text);
  const file = value as AnswersFile;
  const wrong = Object.entries(file.policies ?? {}).flatMap(
    ([kind, choice]) => faultOfPolicy(kind, choice, target) ?? [],
  );
  return placeFindings([...wrong, ...mergeFile(file, text.name, merged)], text);
}

/** Puts a file's answers over those before; what is not the same there is said. */
function mergeFile(file: AnswersFile, name: string, merged: Merged): Diagnostic[] {
  const found: Diagnostic[] = [];
  const put = <Value>(
    all: Map<string, Given<Value>>,
    id: string,
    value: Value,
    place: string,
    what: string,
  ): void => {
    const before = all.get(id);
    if (before !== undefined && canonicalJson(before.value) !== canonicalJson(value)) {
      found.push(inAnswers(answersDiffer(what, before.file), place));
    }
    all.set(id, { value, file: name });
  };
  for (const [kind, choice] of Object.entries(file.policies ?? {})) {
    put(merged.policies, kind, choice, pointer('policies', kind), `The kind ${quote(kind)}`);
  }
  for (const [key, { answers = {} }] of Object.entries(file.workflows ?? {})) {
    const all = merged.of(key);
    for (const [id, answer] of Object.entries(answers)) {
      const place = pointer('workflows', key, 'answers', id);
      put(all, id, answer, place, `The question ${quote(id)} of ${quote(key)}`);
    }
  }
  return found;
}
