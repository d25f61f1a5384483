/** The one line that says how a compilation ended. */
import type { CompileResult, Diagnostic, Severity } from '../index.js';

/** `complete: 6 nodes (dialect vapi) → …`, `2 questions open` or `invalid: 3 errors, 1 warning`. */
export function summaryOf(
  { status, stats, questions }: CompileResult,
  diagnostics: readonly Diagnostic[],
): string {
  if (status === 'complete') {
    const assistants = count(stats.assistants, 'assistant');
    const handoffs = count(stats.handoffs, 'handoff');
    const extractions = count(stats.extractions, 'extraction');
    const nodes = count(stats.nodes, 'node');
    const read = diagnostics.some(({ code }) => code === 'shape/dialect') ? ' (dialect vapi)' : '';
    return `complete: ${nodes}${read} → ${assistants}, ${handoffs}, ${extractions}`;
  }
  if (status === 'needs-answers') return `${count(questions.length, 'question')} open`;
  const warnings = number(diagnostics, 'warning');
  const errors = count(number(diagnostics, 'error'), 'error');
  return `invalid: ${errors}${warnings > 0 ? `, ${count(warnings, 'warning')}` : ''}`;
}

/** The number and the word, with an s unless it is one. */
export function count(amount: number, word: string): string {
  return `${amount} ${word}${amount === 1 ? '' : 's'}`;
}

function number(diagnostics: readonly Diagnostic[], severity: Severity): number {
  return diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
}
