/** Variables that the caller supplies because an answer says so. */
import type { Decision } from '../ir/inquiry.js';
import type { JsonObject } from '../ir/json.js';

/** Secrets that headers name, and variables that were left to the caller. */
export function listSupplied(decisions: readonly Decision[]): string[] {
  return decisions.flatMap(({ inquiry, choice, value }) => {
    const { question, subject } = inquiry;
    if (question.kind === 'missing-auth' && choice === 'header') {
      return [String((value as JsonObject)['secret'])];
    }
    const isLeft = question.kind === 'undefined-variable' && choice === 'caller';
    return isLeft && subject.of === 'variable' ? [subject.name] : [];
  });
}
