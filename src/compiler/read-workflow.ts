/** JSON text → value, with the faults that only the text shows. */
import { diagnose } from '../diagnostics/diagnose.js';
import { detectDialect } from './1-read/dialect.js';
import { type JsonFault, parseJsonText } from './1-read/json-text.js';
import { lineColumn } from './1-read/positions.js';
import { isJsonObject, type Json } from './ir/json.js';
import type { Diagnostic } from './ir/result.js';
import type { Dialect } from './ir/workflow.js';

export { locate, locateAll, type TextPlace } from './1-read/positions.js';

/** What stands in a text: a value to compile, or the reasons why there is none. */
export interface ReadWorkflow {
  /** The value; null when the text is not JSON. */
  readonly workflow: unknown;
  readonly dialect: Dialect;
  /** Syntax faults, duplicate keys, depth; each with its line and column. */
  readonly diagnostics: readonly PlacedDiagnostic[];
}

/** A diagnostic with its place in the text; line and column count from 1, in UTF-16 units. */
export interface PlacedDiagnostic extends Diagnostic {
  readonly line: number;
  readonly column: number;
}

/**
 * Reads a workflow from JSON text. Duplicate keys, which `JSON.parse` would drop without a word,
 * are errors. Never throws.
 */
export function readWorkflow(text: string): ReadWorkflow {
  const { value, faults } = parseJsonText(text);
  const document = value as Json | undefined;
  return {
    workflow: value ?? null,
    dialect: isJsonObject(document) ? detectDialect(document).dialect : 'spec',
    diagnostics: dropEchoes(faults).map((it) => place(diagnoseFault(it), text, it.offset)),
  };
}

/** One mistake can break several rules of JSON at one place; the first says it. */
function dropEchoes(faults: readonly JsonFault[]): JsonFault[] {
  return faults.filter(
    ({ fault, offset }, at) =>
      fault !== 'syntax' ||
      !faults.slice(0, at).some((it) => it.fault === 'syntax' && it.offset === offset),
  );
}

function place(diagnostic: Diagnostic, text: string, offset: number): PlacedDiagnostic {
  const { line, column } = lineColumn(text, offset);
  const { code, severity, message, at, related, help } = diagnostic;
  return { code, severity, message, at, related, help, line, column };
}

function diagnoseFault(fault: JsonFault): Diagnostic {
  switch (fault.fault) {
    case 'syntax':
      return diagnose('shape/not-json', '', { reason: fault.reason });
    case 'duplicate-key':
      return diagnose('shape/duplicate-key', fault.at, { key: fault.key });
    case 'too-deep':
      return diagnose('shape/too-deep', '', { limit: fault.limit });
  }
}
