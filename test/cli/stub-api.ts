/** The library with a compiler that answers what a test wants. */
import type { Api } from '../../src/cli/invocation.js';
import type { CompileOptions, CompileResult } from '../../src/index.js';
import * as library from '../../src/index.js';
import { exampleResult } from './example-results.js';

export interface StubApi {
  readonly load: () => Promise<Api>;
  /** What the compiler was called with, call by call. */
  readonly calls: { readonly workflow: unknown; readonly options: CompileOptions }[];
}

export function stubApi(
  compile: (options: CompileOptions) => CompileResult = () => exampleResult(),
): StubApi {
  const calls: StubApi['calls'] = [];
  const api: Api = {
    ...library,
    compile: (workflow, options = {}) => {
      calls.push({ workflow, options });
      return compile(options);
    },
    emit: (_, options, what) => ({ document: { what }, result: compile(options) }),
  };
  return { load: async () => api, calls };
}
