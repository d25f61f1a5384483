/** JSON text → value, with the faults that are visible only in the text. */
import { asObject, type Json } from '../text/json.js';
import { findSign } from './1-read/dialect.js';
import { openEnvelope } from './1-read/foreign.js';
import { lineColumnsOf, parseJsonText } from './1-read/json-text.js';
import type { Diagnostic } from './ir/result.js';
import type { Dialect } from './ir/workflow.js';

export { locate, locateAll, type TextPlace } from './1-read/json-text.js';

/** The value of a text, or the reasons why there is none. */
export interface ReadWorkflow {
  /** The value; null if the text is not JSON. */
  readonly workflow: unknown;
  readonly dialect: Dialect;
  /** Syntax faults, duplicate keys and excessive depth, each with its line and column. */
  readonly diagnostics: readonly PlacedDiagnostic[];
}

/** A diagnostic with its position in the text; line and column count from 1, in UTF-16 units. */
export interface PlacedDiagnostic extends Diagnostic {
  readonly line: number;
  readonly column: number;
}

/**
 * Reads a workflow from JSON text. Duplicate keys, which `JSON.parse` drops silently, are errors.
 * Never throws.
 */
export function readWorkflow(text: string): ReadWorkflow {
  const { value, faults } = parseJsonText(text);
  const { document } = openEnvelope(asObject(value as Json | undefined));
  const placeOf = lineColumnsOf(text);
  return {
    workflow: value ?? null,
    dialect: findSign(document) === null ? 'spec' : 'vapi',
    diagnostics: faults.map(({ diagnostic, offset }) => ({ ...diagnostic, ...placeOf(offset) })),
  };
}
