/** Results of a compiler, as small as the type allows, for tests of what is made of them. */
import type { CompileResult, Diagnostic, Question, Verification } from '../../src/index.js';

export function exampleResult(parts: Partial<CompileResult> = {}): CompileResult {
  return {
    status: 'complete',
    output: null,
    draft: null,
    questions: [],
    diagnostics: [],
    checklist: [],
    reads: [],
    sourceMap: [],
    ledger: [],
    stats: {
      nodes: 5,
      edges: 5,
      assistants: 3,
      handoffs: 2,
      extractions: 1,
      tools: 0,
      questions: 0,
    },
    ...parts,
  };
}

export function exampleVerification(parts: Partial<Verification> = {}): Verification {
  return { holds: true, checklist: [], counterexamples: [], diagnostics: [], ...parts };
}

export function exampleDiagnostic(parts: Partial<Diagnostic> = {}): Diagnostic {
  return {
    code: 'shape/no-name',
    severity: 'warning',
    message: 'The workflow has no name.',
    at: '',
    related: [],
    help: 'Add a name.',
    ...parts,
  };
}

export function exampleQuestion(parts: Partial<Question> = {}): Question {
  return {
    id: 'missing-destination:transfer',
    kind: 'missing-destination',
    at: ['/nodes/0'],
    text: 'Where does the transfer lead?',
    choices: [
      { key: 'number', label: 'A number', effect: '…', value: { type: 'string' } },
      { key: 'sip', label: 'A SIP address', effect: '…', value: { type: 'string' } },
    ],
    proposal: null,
    ...parts,
  };
}

export const cyclicQuestion = exampleQuestion({
  id: 'cyclic-stages:a,b',
  kind: 'cyclic-stages',
  choices: [
    { key: 'consolidate', label: 'One assistant', effect: '…' },
    { key: 'keep-split', label: 'Two assistants', effect: '…' },
  ],
  proposal: 'consolidate',
});
