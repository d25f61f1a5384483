/** Variables that the caller supplies because an answer says so. */
import { diagnose } from '../../diagnostics/diagnose.js';
import type { Decision } from '../ir/inquiry.js';
import type { JsonObject } from '../ir/json.js';
import type { Diagnostic } from '../ir/result.js';

/** Secrets that headers name, and variables that were left to the caller. */
export function listSupplied(decisions: readonly Decision[]): string[] {
  return decisions.flatMap((decision) => suppliedBy(decision) ?? []);
}

/** Says which variables a human left to the caller; an assumption says nothing. */
export function reportSupplied(decisions: readonly Decision[]): Diagnostic[] {
  return decisions.flatMap((decision) => {
    const variable = suppliedBy(decision);
    if (variable === null || decision.by !== 'answer') return [];
    const [at = '', ...related] = decision.inquiry.question.at;
    return [diagnose('lower/supplied-by-caller', at, { variable }, { related })];
  });
}

function suppliedBy({ inquiry, choice, value }: Decision): string | null {
  const { question, subject } = inquiry;
  if (question.kind === 'missing-auth' && choice === 'header') {
    return String((value as JsonObject)['secret']);
  }
  const isLeft = question.kind === 'undefined-variable' && choice === 'caller';
  return isLeft && subject.of === 'variable' ? subject.name : null;
}
