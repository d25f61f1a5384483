/** From the bytes of one workflow to what stands in them, and its key. */
import { diagnose } from '../../diagnostics/diagnose.js';
import { type PlacedDiagnostic, readWorkflow } from '../../index.js';
import { workflowKey } from './workflow-key.js';

/** A workflow that was read. */
export interface ReadItem {
  readonly source: string;
  readonly key: string;
  readonly name: string | null;
  readonly text: string;
  /** Whether it is a line of JSONL. */
  readonly isLine: boolean;
  readonly read: ReturnType<typeof readWorkflow> | null;
  /** Faults of the bytes themselves. */
  readonly faults: readonly PlacedDiagnostic[];
}

/** Decodes and parses; `isLine` where the bytes are a line of JSONL. */
export function readItem(source: string, bytes: Uint8Array, isLine: boolean): ReadItem {
  const line = isLine ? bytes : null;
  const text = decoded(bytes);
  if (text === null) {
    const key = workflowKey(source, undefined, line);
    return { source, key, name: null, text: '', isLine, read: null, faults: [notUtf8()] };
  }
  const read = readWorkflow(text);
  const isJson = !read.diagnostics.some(({ code }) => code === 'shape/not-json');
  const document = isJson ? read.workflow : undefined;
  const key = workflowKey(source, document, line);
  return { source, key, name: nameOf(document), text, isLine, read, faults: [] };
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function notUtf8(): PlacedDiagnostic {
  return { ...diagnose('batch/not-utf8', '', {}), line: 1, column: 1 };
}

function nameOf(document: unknown): string | null {
  for (const holder of [document, member(document, 'workflow')]) {
    const name = member(holder, 'name');
    if (typeof name === 'string' && name !== '') return name;
  }
  return null;
}

function member(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isObject ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
