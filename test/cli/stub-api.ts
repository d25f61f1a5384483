/** The library with a compiler and a verifier that answer what a test wants. */

import type { Api } from '../../src/cli/command.js';
import { emptyResult } from '../../src/compiler/ir/result.js';
import type {
  CompileOptions,
  CompileResult,
  Diagnostic,
  Question,
  Verification,
  VerifyOptions,
} from '../../src/index.js';
import * as library from '../../src/index.js';

export interface StubApi {
  readonly load: () => Promise<Api>;
  /** What the compiler was called with, call by call. */
  readonly calls: { readonly workflow: unknown; readonly options: CompileOptions }[];
  /** What the verifier was called with, call by call. */
  readonly checks: {
    readonly workflow: unknown;
    readonly squad: unknown;
    readonly options: VerifyOptions;
  }[];
}

export function stubApi(
  compile: (options: CompileOptions) => CompileResult = () => exampleResult(),
  verify: () => Verification = () => exampleVerification(),
): StubApi {
  const calls: StubApi['calls'] = [];
  const checks: StubApi['checks'] = [];
  const api: Api = {
    ...library,
    compile: (workflow, options = {}) => {
      calls.push({ workflow, options });
      return compile(options);
    },
    verify: (workflow, squad, options = {}) => {
      checks.push({ workflow, squad, options });
      return verify();
    },
    emit: (_, options, what) => ({ document: { what }, result: compile(options) }),
  };
  return { load: async () => api, calls, checks };
}

export function exampleResult(parts: Partial<CompileResult> = {}): CompileResult {
  const stats = { ...emptyResult.stats, nodes: 5, edges: 5, assistants: 3, handoffs: 2 };
  return { ...emptyResult, status: 'complete', stats: { ...stats, extractions: 1 }, ...parts };
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
