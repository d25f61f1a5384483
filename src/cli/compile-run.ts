/** From the input of `squadc compile` to its result and the document that was asked for. */

import {
  type BoundOptions,
  type BoundResult,
  bindFor,
  compileBound,
} from '../adapters/tools/compile-bound.js';
import { emptyResult } from '../compiler/ir/result.js';
import type { Diagnostic, Question } from '../index.js';
import { acceptProposals } from './accept-proposals.js';
import type { CompileFlags } from './compile-flags.js';
import type { CompileInput } from './compile-input.js';
import type { Api } from './invocation.js';

export interface Compiled {
  readonly result: BoundResult;
  /** The reader's findings and the compiler's; the reader's are about the text and come first. */
  readonly diagnostics: readonly Diagnostic[];
  /** What goes to the output: the squad, or what `--emit` names; null where there is none. */
  readonly document: object | null;
  /** The options that it was compiled with, accepted answers among them. */
  readonly options: BoundOptions;
  /** The questions that `--accept-proposals` answered. */
  readonly accepted: readonly Question[];
}

/** Compiles what was read; an input that could not be read whole is not compiled at all. */
export function compileInput(input: CompileInput, flags: CompileFlags, api: Api): Compiled {
  if (input.diagnostics.some(({ severity }) => severity === 'error')) {
    const { diagnostics, options } = input;
    return { result: emptyResult, diagnostics, document: null, options, accepted: [] };
  }
  const compile = (options: BoundOptions) => compileBound(api.compile, input.workflow, options);
  const { result, options, questions } = flags.acceptProposals
    ? acceptProposals(compile, input.options)
    : { result: compile(input.options), options: input.options, questions: [] };
  return {
    result,
    diagnostics: [...input.diagnostics, ...result.diagnostics],
    document: documentOf(result, input.workflow, options, flags, api),
    options,
    accepted: questions,
  };
}

/** Nothing of an invalid workflow is put out: its parts would be those of another workflow. */
function documentOf(
  result: BoundResult,
  workflow: unknown,
  options: BoundOptions,
  { emit }: CompileFlags,
  api: Api,
): object | null {
  if (result.status === 'invalid') return null;
  if (emit === undefined) return result.output;
  if (emit === 'source-map') return result.sourceMap;
  if (emit === 'ledger') return result.ledger;
  if (emit === 'tool-bindings') return result.toolBindings ?? {};
  const bound = bindFor(workflow, options);
  return api.emit(bound.workflow, bound.options, emit).document;
}
