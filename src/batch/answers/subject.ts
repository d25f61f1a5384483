/**
 * What a question is about, as a hash: an answer that carries it counts only as long as the question
 * asks the same about the same part of the workflow.
 */
import type { Json, Question } from '../../index.js';
import { valueAt } from '../../report/graph/value-at.js';
import { hashOf } from '../canonical.js';

/**
 * The subject of a question about this workflow, 16 hexadecimal digits. The places themselves are
 * no part of it: a node that only moved is the same subject.
 */
export function subjectOf(question: Question, workflow: unknown): string {
  const { id, kind, text, choices, at } = question;
  return hashOf({
    id,
    kind,
    text,
    choices: choices.map(({ key }) => key),
    // In a list each, so that null differs from nothing at all.
    values: at.map((pointer) => listOf(valueAt(workflow as Json, pointer))),
  });
}

function listOf(value: Json | undefined): readonly Json[] {
  return value === undefined ? [] : [value];
}
