/**
 * The document of an answers file, and the same with one thing changed: all else stays as it is and
 * where it is. Keys and ids are never taken for members that objects have by themselves.
 */
import type { RunAnswer } from '../../report/model.js';

export interface AnswersDocument {
  readonly policies?: Readonly<Record<string, string>>;
  readonly workflows?: Readonly<Record<string, AnswersOfWorkflow>>;
}

interface AnswersOfWorkflow {
  readonly answers?: Readonly<Record<string, RunAnswer>>;
}

export interface GivenAnswer {
  readonly key: string;
  readonly id: string;
  readonly answer: RunAnswer;
}

/** As many as there are in one go: a copy for each would be one of all before it, too. */
export function withAnswers(
  document: AnswersDocument,
  given: readonly GivenAnswer[],
): AnswersDocument {
  const workflows = new Map(Object.entries(document.workflows ?? {}));
  for (const { key, id, answer } of given) {
    const before = workflows.get(key);
    workflows.set(key, { ...before, answers: { ...before?.answers, [id]: answer } });
  }
  return { ...document, workflows: Object.fromEntries(workflows) };
}

export function withoutAnswer(document: AnswersDocument, key: string, id: string): AnswersDocument {
  const { workflows = {} } = document;
  const before = own(workflows, key);
  if (before?.answers === undefined || !Object.hasOwn(before.answers, id)) return document;
  const entries = Object.entries(before.answers).filter(([each]) => each !== id);
  const answers = Object.fromEntries(entries);
  return { ...document, workflows: { ...workflows, [key]: { ...before, answers } } };
}

export function withPolicy(
  document: AnswersDocument,
  kind: string,
  choice: string,
): AnswersDocument {
  const { policies, ...others } = document;
  // Policies stand first, as the documentation has it.
  return { policies: { ...policies, [kind]: choice }, ...others };
}

function own<Value>(object: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
