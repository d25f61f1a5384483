/** Status, questions and diagnostics of a result, without their sentences. */
import type { CompileResult, Diagnostic, Question, ReadWorkflow } from '../../src/index.js';

/** What a compilation found; checklist items appear where an answer waives them. */
export function findingsOf({ status, questions, diagnostics, checklist }: CompileResult): object {
  const waived = checklist.filter(({ waivedBy }) => waivedBy !== undefined);
  return {
    status,
    questions: questions.map(showQuestion),
    diagnostics: diagnostics.map(showDiagnostic),
    ...(waived.length === 0
      ? {}
      : { waived: waived.map(({ item, waivedBy }) => ({ item, waivedBy })) }),
  };
}

/** What reading a text found, with line and column. */
export function findingsOfReading({ dialect, diagnostics }: ReadWorkflow): object {
  return {
    status: 'unreadable',
    dialect,
    diagnostics: diagnostics.map((each) => {
      const { line, column } = each;
      return { ...showDiagnostic(each), line, column };
    }),
  };
}

function showQuestion({ id, kind, at, choices, proposal, proposalValue }: Question): object {
  return {
    id,
    kind,
    at,
    choices: choices.map(({ key }) => key),
    proposal,
    ...(proposalValue === undefined ? {} : { proposalValue }),
  };
}

function showDiagnostic({ code, severity, at, related, ...rest }: Diagnostic): object {
  return {
    code,
    severity,
    at,
    ...(rest.in === undefined ? {} : { in: rest.in }),
    ...(related.length === 0 ? {} : { related }),
  };
}
