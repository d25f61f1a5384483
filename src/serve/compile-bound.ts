/** Binds the operations of a workflow and compiles it; places in the result are those of the source. */
import type { CompileOptions, CompileResult, Diagnostic } from '../index.js';
import { child, keysOf } from '../text/pointer.js';
import { type BoundWorkflow, bindOperations } from './bind-operations.js';
import { type BindOptions, toolOptionNames } from './bindings.js';

/** Options of `compile`, and those of `bindOperations`. */
export type BoundOptions = CompileOptions & Omit<BindOptions, 'answers'>;

/** The result, with what the server of the tools has to know. */
export type BoundResult = CompileResult & Partial<Pick<BoundWorkflow, 'toolBindings'>>;

/** What is left to compile or verify once the operations are bound. */
export function bindFor(workflow: unknown, options: BoundOptions) {
  const bound = bindOperations(workflow, options);
  const left: Partial<BoundOptions> = { ...options };
  for (const name of ['answers', ...toolOptionNames] as const) delete left[name];
  if (bound.answers !== undefined) left.answers = bound.answers;
  const diagnostics = bound.diagnostics.map((it) => inSource(workflow, it));
  return { ...bound, options: left as CompileOptions, diagnostics };
}

export function compileBound(
  compile: (workflow: unknown, options: CompileOptions) => CompileResult,
  workflow: unknown,
  options: BoundOptions,
): BoundResult {
  const bound = bindFor(workflow, options);
  const result = compile(bound.workflow, bound.options);
  if (bound.workflow === workflow && bound.diagnostics.length === 0) return result;
  const place = (at: string) => placeIn(workflow, at);
  // Only the tools of operations look like another dialect.
  const own = result.diagnostics.filter(
    ({ code, at }) => code !== 'shape/dialect' || place(at) === at,
  );
  const diagnostics = [...bound.diagnostics, ...own.map((it) => inSource(workflow, it))];
  const questions = result.questions.map((it) => ({ ...it, at: it.at.map(place) }));
  if (bound.diagnostics.some(({ severity }) => severity === 'error')) {
    const nothing = { output: null, draft: null, checklist: [], sourceMap: [], ledger: [] };
    return { ...result, ...nothing, status: 'invalid', questions, diagnostics };
  }
  const ledger = result.ledger.map((it) => ({ ...it, at: place(it.at) }));
  const sourceMap = result.sourceMap.map((it) => {
    const { origin } = it;
    if (origin.kind === 'answer') return it;
    if (origin.kind === 'source') return { ...it, origin: { ...origin, at: place(origin.at) } };
    return { ...it, origin: { ...origin, from: origin.from.map(place) } };
  });
  const { toolBindings } = bound;
  const isServed = result.status === 'complete' && Object.keys(toolBindings).length > 0;
  const placed = { ...result, questions, diagnostics, ledger, sourceMap };
  return isServed ? { ...placed, toolBindings } : placed;
}

function inSource(workflow: unknown, diagnostic: Diagnostic): Diagnostic {
  const { at, in: part, related } = diagnostic;
  if (part !== undefined) return diagnostic;
  const place = (it: string) => placeIn(workflow, it);
  return { ...diagnostic, at: place(at), related: related.map(place) };
}

/** The place, or the nearest one around it that the source has. */
function placeIn(workflow: unknown, at: string): string {
  let found = '';
  let value = workflow;
  for (const key of keysOf(at)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) break;
    value = (value as Record<string, unknown>)[key];
    found = child(found, key);
  }
  return found;
}
