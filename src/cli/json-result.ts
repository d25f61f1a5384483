/** The result of `squadc compile` as one JSON object, with places as lines and columns. */
import type { Diagnostic } from '../index.js';
import type { CompileInput } from './compile-input.js';
import type { Compiled } from './compile-run.js';
import type { Api } from './invocation.js';
import { placesOf, type Texts } from './place.js';

/** Field by field: parts of a result may be built only when they are read. */
export function jsonResult(compiled: Compiled, input: CompileInput, api: Api): object {
  const { result, diagnostics } = compiled;
  return {
    status: result.status,
    dialect: input.dialect,
    output: result.output,
    draft: result.draft,
    questions: result.questions,
    diagnostics: placedDiagnostics(diagnostics, input, api),
    checklist: result.checklist,
    reads: result.reads,
    sourceMap: result.sourceMap,
    ledger: result.ledger,
    stats: result.stats,
    ...(result.toolBindings && { toolBindings: result.toolBindings }),
  };
}

/** The diagnostics, those about a text that was read with line and column. */
export function placedDiagnostics(
  diagnostics: readonly Diagnostic[],
  texts: Texts,
  api: Api,
): object[] {
  const places = placesOf(diagnostics, texts, api);
  return diagnostics.map((diagnostic) => {
    const place = places.get(diagnostic);
    return place === undefined
      ? { ...diagnostic }
      : { ...diagnostic, line: place.line, column: place.column };
  });
}
