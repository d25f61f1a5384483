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

const exportFields = [
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
const otherTypes = new Set(['tool', 'start', 'say', 'transfer', 'assistant']);

export function detectDialect(document: JsonObject): DialectFinding {
  const sign = signOfWrapper(document) ?? signOfNodes(document) ?? signOfEdges(document);
  return sign === null ? { dialect: 'spec', sign } : { dialect: 'vapi', sign };
}

function signOfWrapper(document: JsonObject): DialectFinding['sign'] {
  if (document['nodes'] !== undefined || !isJsonObject(document['workflow'])) return null;
  return { text: 'the workflow is wrapped in `workflow`', at: '/workflow' };
}

function signOfNodes(document: JsonObject): DialectFinding['sign'] {
  for (const { value: node, at } of objectsOf(document, 'nodes')) {
    const field = exportFields.find((it) => Object.hasOwn(node, it));
    if (field !== undefined) return { text: `a node has \`${field}\``, at: child(at, field) };
    const type = node['type'];
    if (typeof type === 'string' && isForeignType(type)) {
      return { text: `a node has the type \`${type}\``, at: child(at, 'type') };
    }
    if (isJsonObject(node['destination'])) {
      return { text: 'a destination is an object', at: child(at, 'destination') };
    }
    if (isNamed(node['extractVariables'])) {
      return { text: 'extracted variables are an object', at: child(at, 'extractVariables') };
    }
    if (node['id'] === undefined && typeof node['name'] === 'string') {
      return { text: 'a node has a `name` and no `id`', at };
    }
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
  return otherTypes.has(type.toLowerCase()) || /^(?:Say|Gather|Hangup|ApiRequest)$/.test(type);
}

function signOfEdges(document: JsonObject): DialectFinding['sign'] {
  for (const { value: edge, at } of objectsOf(document, 'edges')) {
    if (isJsonObject(edge['condition']) && typeof edge['condition']['type'] === 'string') {
      return { text: 'a condition is an object', at: child(at, 'condition') };
    }
    if (edge['from'] === undefined && typeof edge['source'] === 'string') {
      return { text: 'an edge has `source` and `target`', at };
    }
  }
  return null;
}

function objectsOf(document: JsonObject, field: string): { value: JsonObject; at: JsonPointer }[] {
  const list: Json | undefined = document[field];
  if (!Array.isArray(list)) return [];
  return list.flatMap((value: Json, index) =>
    isJsonObject(value) ? [{ value, at: child(`/${field}`, index) }] : [],
  );
}
