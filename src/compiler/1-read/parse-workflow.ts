/**
 * unknown → Workflow.
 *
 * In: whatever the caller handed over. Out: the workflow and all findings about its shape; the
 * workflow is null when one of them is an error. Invariants: see Workflow. Guarantees: the input is
 * not changed and not kept; no getter of it runs; nothing is thrown.
 */

import { diagnose } from '../../diagnostics/diagnose.js';
import { child, type EdgeIndex, type NodeIndex } from '../ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../ir/json.js';
import { withLazy } from '../ir/lazy.js';
import type { Diagnostic } from '../ir/result.js';
import type { Workflow, WorkflowEdge, WorkflowNode } from '../ir/workflow.js';
import { findNearest } from '../names/nearest.js';
import { checkIds, type NodesById } from './check-ids.js';
import { detectDialect } from './dialect.js';
import {
  has,
  nameType,
  noteUnknownFields,
  readObjects,
  readString,
  requireString,
  type Source,
  type UnknownField,
} from './fields.js';
import { nameForeign } from './foreign-documents.js';
import { checkJson, type JsonValueFault } from './json-value.js';
import { readNode } from './read-node.js';
import { readSettings, settingFields } from './read-settings.js';
import { readCondition, readText } from './texts.js';
import { readPlatformDocument } from './vapi/read-document.js';

export interface ParsedWorkflow {
  readonly workflow: Workflow | null;
  readonly diagnostics: readonly Diagnostic[];
}

const workflowFields = new Set(['name', 'nodes', 'edges', 'globalPrompt', ...settingFields]);
const edgeFields = new Set(['from', 'to', 'condition']);

export function parseWorkflow(input: unknown): ParsedWorkflow {
  const invalid = checkJson(input);
  if (invalid.length > 0) return { workflow: null, diagnostics: invalid.map(diagnoseValue) };
  const document = input as Json;
  if (!isJsonObject(document)) {
    const found = nameType(document);
    return { workflow: null, diagnostics: [diagnose('shape/not-an-object', '', { found })] };
  }
  const found = nameForeign(document);
  if (found !== null) {
    const fault = diagnose('shape/not-a-workflow', '', { found });
    return { workflow: null, diagnostics: [fault] };
  }
  const faults: Diagnostic[] = [];
  const workflow = readInDialect(document, faults);
  return { workflow: faults.some(isError) ? null : workflow, diagnostics: faults };
}

function readInDialect(document: JsonObject, faults: Diagnostic[]): Workflow {
  const { dialect, sign } = detectDialect(document);
  if (sign === null) return readDocument({ value: document, at: '', faults });
  faults.push(diagnose('shape/dialect', sign.at, { dialect, sign: sign.text }));
  return readPlatformDocument(document, faults);
}

function readDocument(source: Source): Workflow {
  const { faults } = source;
  const unknown: UnknownField[] = [];
  noteUnknownFields(source, workflowFields, unknown);
  const name = readString(source, 'name');
  if (!has(source, 'name')) faults.push(diagnose('shape/no-name', '', {}));
  const sources = readObjects(source, 'nodes');
  const byId = indexById(sources, faults);
  const nodes = readNodes(sources, unknown);
  const edges = readEdges(source, byId, unknown);
  const settings = readSettings(source, unknown);
  if (unknown.length > 0) reportUnknown(unknown, faults);
  return {
    dialect: 'spec',
    at: '',
    name,
    nodes,
    edges,
    markedStart: null,
    globalPrompt: readText(source, 'globalPrompt'),
    settings,
    shared: [],
    unknownFields: unknown.map(({ at }) => at),
    absorbed: [],
  };
}

/** A fault says more than that nothing reads the field. */
function reportUnknown(unknown: readonly UnknownField[], faults: Diagnostic[]): void {
  const told = new Set(faults.map((fault) => fault.at));
  for (const { at, field, beside, meant } of unknown) {
    if (told.has(at)) continue;
    // A field that is there is not the one that was meant.
    const free = () => [...meant].filter((name) => !Object.hasOwn(beside, name));
    const args = withLazy({ field }, { near: () => findNearest(field, free()) });
    faults.push(diagnose('shape/unknown-field', at, args));
  }
}

function indexById(sources: readonly Source[], faults: Diagnostic[]): NodesById {
  if (sources.length === 0) faults.push(diagnose('shape/no-nodes', '/nodes', {}));
  return checkIds(sources.map(idOf), (index) => child(sources[index]!.at, 'id'), faults);
}

/** The nodes that can be read, which are all of them where there is no error. */
function readNodes(sources: readonly Source[], unknown: UnknownField[]): WorkflowNode[] {
  const nodes: WorkflowNode[] = [];
  for (let index = 0; index < sources.length; index++) {
    const node = readNode(sources[index]!, index, unknown);
    if (node !== null) nodes.push(node);
  }
  return nodes;
}

function idOf({ value: { id } }: Source): string | null {
  return typeof id === 'string' && id !== '' ? id : null;
}

function readEdges(source: Source, byId: NodesById, unknown: UnknownField[]): WorkflowEdge[] {
  if (!has(source, 'edges')) source.faults.push(diagnose('shape/no-edges', '', {}));
  const sources = readObjects(source, 'edges');
  const edges: WorkflowEdge[] = [];
  for (let index = 0; index < sources.length; index++) {
    const entry = sources[index]!;
    noteUnknownFields(entry, edgeFields, unknown);
    const from = readEnd(entry, 'from', byId);
    const to = readEnd(entry, 'to', byId);
    const condition = readCondition(entry, 'condition');
    if (from === null || to === null) continue;
    edges.push({ index: index as EdgeIndex, at: entry.at, from, to, condition });
  }
  return edges;
}

/** A node that could not be read is no missing node; its own fault has been told. */
function readEnd(source: Source, end: 'from' | 'to', byId: NodesById): NodeIndex | null {
  const id = requireString(source, end, 'an edge');
  if (id === null) return null;
  const node = byId.get(id);
  if (node !== undefined) return node as NodeIndex;
  const args = { id, end, near: findNearest(id, byId.keys()) };
  source.faults.push(diagnose('flow/missing-node', child(source.at, end), args));
  return null;
}

function diagnoseValue(fault: JsonValueFault): Diagnostic {
  switch (fault.fault) {
    case 'not-a-value':
      return diagnose('shape/not-a-value', fault.at, { found: fault.found });
    case 'too-deep':
      return diagnose('shape/too-deep', fault.at, { limit: fault.limit });
    case 'too-many-values':
      return diagnose('shape/too-large', fault.at, { limit: fault.limit });
    case 'reserved-key':
      return diagnose('shape/reserved-name', fault.at, { name: fault.key });
    case 'lone-surrogate':
      return diagnose('shape/lone-surrogate', fault.at, {});
    case 'text-too-long': {
      const { length, limit } = fault;
      return diagnose('shape/text-too-long', fault.at, { length, limit, what: 'text' });
    }
  }
}

export function isError(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === 'error';
}
