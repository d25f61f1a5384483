/**
 * In which shape a document was written, told by what only that shape has.
 *
 * The spec's shape has nodes with `id` and `systemPrompt`, and edges with `from`, `to` and a text
 * as condition. Whatever else is seen in exports and older documents is the platform's dialect.
 */
import { child, type JsonPointer } from '../ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../ir/json.js';
import type { Dialect } from '../ir/workflow.js';

export interface DialectFinding {
  readonly dialect: Dialect;
  /** What gave it away, and where; null for the spec's shape. */
  readonly sign: { readonly text: string; readonly at: JsonPointer } | null;
}

/** The first of them that a node has is named. */
const exportFields: readonly string[] = [
  'prompt',
  'messagePlan',
  'variableExtractionPlan',
  'globalNodePlan',
  'tool',
  'toolId',
  'toolIds',
  'isStart',
  'tools',
  'output',
  'exact',
  'options',
  'mode',
  'endMessage',
  'assistantId',
  'extract_variables',
  'extractedVariables',
];
const isExportField: ReadonlySet<string> = new Set(exportFields);
const otherSpellings: ReadonlySet<string> = new Set(['Say', 'Gather', 'Hangup', 'ApiRequest']);
const otherTypes: ReadonlySet<string> = new Set(['tool', 'start', 'say', 'transfer', 'assistant']);

export function detectDialect(document: JsonObject): DialectFinding {
  const sign =
    signOfWrapper(document) ??
    findSign(document, 'nodes', signOfNode) ??
    findSign(document, 'edges', signOfEdge);
  return sign === null ? { dialect: 'spec', sign } : { dialect: 'vapi', sign };
}

function signOfWrapper(document: JsonObject): DialectFinding['sign'] {
  if (document['nodes'] !== undefined || !isJsonObject(document['workflow'])) return null;
  return { text: 'the workflow is wrapped in `workflow`', at: '/workflow' };
}

/** What the first object of a list gives away. */
function findSign(
  document: JsonObject,
  field: 'nodes' | 'edges',
  signOf: (value: JsonObject) => Sign | null,
): DialectFinding['sign'] {
  const list: Json | undefined = document[field];
  if (!Array.isArray(list)) return null;
  for (let index = 0; index < list.length; index++) {
    const value: Json = list[index];
    const sign = isJsonObject(value) ? signOf(value) : null;
    if (sign !== null) return placed(sign, child(`/${field}`, index));
  }
  return null;
}

/** What gives an element away; `field` is null where it is the element as a whole. */
interface Sign {
  readonly text: string;
  readonly field: string | null;
}

function placed({ text, field }: Sign, at: JsonPointer): DialectFinding['sign'] {
  return { text, at: field === null ? at : child(at, field) };
}

function signOfNode(node: JsonObject): Sign | null {
  const field = exportFieldOf(node);
  if (field !== null) return { text: `a node has \`${field}\``, field };
  const type = node['type'];
  if (typeof type === 'string' && isForeignType(type)) {
    return { text: `a node has the type \`${type}\``, field: 'type' };
  }
  if (isJsonObject(node['destination'])) {
    return { text: 'a destination is an object', field: 'destination' };
  }
  if (isNamed(node['extractVariables'])) {
    return { text: 'extracted variables are an object', field: 'extractVariables' };
  }
  if (node['id'] === undefined && typeof node['name'] === 'string') {
    return { text: 'a node has a `name` and no `id`', field: null };
  }
  return null;
}

/** A node has fewer fields than there are of an export. */
function exportFieldOf(node: JsonObject): string | null {
  for (const field in node) {
    if (isExportField.has(field)) return exportFields.find((it) => Object.hasOwn(node, it)) ?? null;
  }
  return null;
}

/** Variables by name, each with what is said of it. */
function isNamed(value: Json | undefined): boolean {
  if (value === undefined || !isJsonObject(value)) return false;
  const entries = Object.values(value);
  return entries.length > 0 && entries.every((entry) => isJsonObject(entry));
}

function isForeignType(type: string): boolean {
  return otherTypes.has(type.toLowerCase()) || otherSpellings.has(type);
}

function signOfEdge(edge: JsonObject): Sign | null {
  const { condition } = edge;
  if (isJsonObject(condition) && typeof condition['type'] === 'string') {
    return { text: 'a condition is an object', field: 'condition' };
  }
  if (edge['from'] === undefined && typeof edge['source'] === 'string') {
    return { text: 'an edge has `source` and `target`', field: null };
  }
  return null;
}
