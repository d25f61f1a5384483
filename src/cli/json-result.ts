/** The result of `squadc compile` as one JSON object, with places as lines and columns. */
import type { CompileInput } from './compile-input.js';
import type { Compiled } from './compile-run.js';
import type { Api } from './invocation.js';
import { placesOf } from './place.js';

/** Field by field: parts of a result may be built only when they are read. */
export function jsonResult(compiled: Compiled, input: CompileInput, api: Api): object {
  const { result, diagnostics } = compiled;
  const places = placesOf(diagnostics, input, api);
  return {
    status: result.status,
    dialect: input.dialect,
    output: result.output,
    draft: result.draft,
    questions: result.questions,
    diagnostics: diagnostics.map((diagnostic) => {
      const place = places.get(diagnostic);
      return place === undefined
        ? { ...diagnostic }
        : { ...diagnostic, line: place.line, column: place.column };
    }),
    checklist: result.checklist,
    sourceMap: result.sourceMap,
    ledger: result.ledger,
    stats: result.stats,
  };
}
