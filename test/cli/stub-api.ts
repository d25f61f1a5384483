/** The library with a compiler and a verifier that answer what a test wants. */
import type { Api } from '../../src/cli/command.js';
import type {
  CompileOptions,
  CompileResult,
  Verification,
  VerifyOptions,
} from '../../src/index.js';
import * as library from '../../src/index.js';
import { exampleResult, exampleVerification } from './example-results.js';

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
