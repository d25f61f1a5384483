/** The library with a compiler that answers what a test wants. */
import type { Api } from '../../src/cli/invocation.js';
import { locateAll } from '../../src/compiler/1-parse/positions.js';
import type { CompileOptions } from '../../src/compiler/ir/options.js';
import type { CompileResult } from '../../src/compiler/ir/result.js';
import { codes, explain } from '../../src/diagnostics/explain.js';
import { renderDiagnostic, renderQuestion } from '../../src/diagnostics/render.js';
import { exampleDiagnostic, exampleResult } from './example-results.js';

export interface StubApi {
  readonly load: () => Promise<Api>;
  /** What the compiler was called with, call by call. */
  readonly calls: { readonly workflow: unknown; readonly options: CompileOptions }[];
}

export function stubApi(
  compile: (options: CompileOptions) => CompileResult = () => exampleResult(),
): StubApi {
  const calls: StubApi['calls'] = [];
  const recorded = (workflow: unknown, options: CompileOptions = {}) => {
    calls.push({ workflow, options });
    return compile(options);
  };
  const api: Api = {
    codes,
    compile: recorded,
    emit: (_, options, what) => ({ document: { what }, result: compile(options) }),
    explain,
    locateAll,
    readWorkflow,
    renderDiagnostic,
    renderQuestion,
  };
  return { load: async () => api, calls };
}

function readWorkflow(text: string): ReturnType<Api['readWorkflow']> {
  try {
    return { workflow: JSON.parse(text), dialect: 'spec', diagnostics: [] };
  } catch {
    const message = 'The text is not JSON.';
    const fault = exampleDiagnostic({ code: 'shape/not-json', severity: 'error', message });
    return { workflow: undefined, dialect: 'spec', diagnostics: [fault] };
  }
}
