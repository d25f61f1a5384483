/**
 * Detects the dialect of a document by what only that dialect has, and lists the names of the
 * fields that squadc reads.
 *
 * The spec's shape has nodes with `id` and `systemPrompt`, and edges with `from`, `to` and a text
 * as condition. Everything else found in exports and older documents is the platform's dialect.
 */
import { isObject, type JsonObject } from '../../text/json.js';
import { elements } from '../../text/parts.js';
import {
  type Dialect,
  type NodeType,
  roleOf,
  specSettings,
  type VariableType,
} from '../ir/workflow.js';

/** The kind of a node; one that is already an assistant is read like a conversation. */
export type NodeKind = NodeType | 'assistant';

export interface Vocabulary {
  /** Node types; the platform's are compared without case and separators. */
  readonly types: ReadonlyMap<string, NodeKind>;
  /** The fields that can hold a node's id. */
  readonly id: readonly string[];
  readonly variableTypes: ReadonlyMap<string, VariableType>;
  /**
   * The fields that an object can have, by the field it stands in ('' for the document). Null if
   * any reader's field may stand anywhere; then also types have several spellings.
   */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>> | null;
}

/** A table of kinds and their spellings, to look up a spelling in. */
export function bySpelling<Kind extends string>(
  spellings: Readonly<Partial<Record<Kind, readonly string[]>>>,
): ReadonlyMap<string, Kind> {
  const rows = Object.entries<readonly string[] | undefined>(spellings);
  return new Map(rows.flatMap(([kind, all = []]) => all.map((it) => [it, kind as Kind])));
}

const same = <Kind extends string>(kinds: readonly Kind[]) =>
  new Map(kinds.map((kind) => [kind as string, kind]));

const specFields: Readonly<Record<string, readonly string[]>> = {
  '': ['name', 'nodes', 'edges', 'globalPrompt', ...specSettings],
  nodes: [
    ...['id', 'type', 'name', 'firstMessage', 'systemPrompt', 'isGlobal', 'condition'],
    ...['extractVariables', 'destination', 'transferPlan', 'url', 'method', 'headers', 'body'],
    ...['timeoutSeconds', 'responseVariables', ...specSettings],
  ],
  edges: ['from', 'to', 'condition'],
  extractVariables: ['name', 'type', 'description', 'enum'],
  responseVariables: ['name', 'path', 'type', 'description'],
  transferPlan: ['message'],
  model: ['provider', 'model', 'messages', 'systemMessage', 'systemPrompt'],
  messages: ['role', 'content'],
};

export const vocabularies: Readonly<Record<Dialect, Vocabulary>> = {
  spec: {
    types: same((Object.keys(roleOf) as NodeType[]).filter((type) => type !== 'tool')),
    id: ['id'],
    variableTypes: same(['string', 'number', 'boolean']),
    fields: new Map(Object.entries(specFields).map(([place, it]) => [place, new Set(it)])),
  },
  vapi: {
    types: bySpelling<NodeKind>({
      conversation: ['conversation', 'say', 'start'],
      gather: ['gather'],
      tool: ['tool'],
      assistant: ['assistant'],
      apiRequest: ['apirequest'],
      transferCall: ['transfer', 'transfercall'],
      endCall: ['endcall', 'end'],
      hangup: ['hangup'],
    }),
    id: ['id', 'name'],
    // With the words of other languages; all unknown types are read as texts.
    variableTypes: bySpelling<VariableType>({
      string: ['string'],
      integer: ['integer', 'int', 'long'],
      number: ['number', 'float', 'double', 'decimal'],
      boolean: ['boolean', 'bool'],
      array: ['array', 'list'],
      object: ['object'],
    }),
    fields: null,
  },
};

/** What the dialects call each field; if several are given, the first counts. */
export const names = {
  /** Spoken on entry; at the end of a call also under `lastLine`. */
  line: ['firstMessage', 'exact', 'text', 'message'],
  lastLine: ['endMessage'],
  /** All that are given count. */
  instructions: ['prompt', 'systemPrompt', 'instructions', 'systemMessage'],
  captures: ['extractVariables', 'extract_variables', 'extractedVariables', 'output'],
  variable: {
    name: ['name', 'title', 'key', 'variableName'],
    type: ['type', 'dataType'],
    description: ['description', 'extractionPrompt'],
    choices: ['enum', 'enums'],
  },
  responses: {
    responseVariables: { name: ['name'], path: ['path'] },
    output: { name: ['target', 'name', 'key'], path: ['path', 'key', 'name'] },
  },
  address: ['destination', 'number', 'sipUri', 'phoneNumber'],
  from: ['from', 'source'],
  to: ['to', 'target'],
} as const;

/** Settings of the workflow that become settings of all assistants: the platform's overrides. */
export const shared: readonly string[] = [
  ...['analysisPlan', 'artifactPlan', 'clientMessages', 'credentialIds', 'credentials'],
  ...['metadata', 'modelOutputInMessagesEnabled', 'monitorPlan', 'observabilityPlan'],
  ...['serverMessages', 'transportConfigurations', 'variableValues'],
];

/** Fields that do not affect calls, by the reason. */
export const withoutEffect = {
  'internal to the platform': ['id', 'orgId', 'createdAt', 'updatedAt', 'isServerUrlSecretSet'],
  'layout of the editor': [
    ...['metadata', 'position', 'positionAbsolute', 'measured', 'width', 'height', 'selected'],
    ...['dragging', 'style', 'className', 'sourcePosition', 'targetPosition', 'sourceHandle'],
    ...['targetHandle', 'animated', 'markerEnd', 'viewport'],
  ],
} as const;

/** Keys that lead to a workflow inside a field, or inside the model of an assistant. */
export function findWrapped(document: JsonObject): readonly string[] | null {
  const { nodes, workflow, model } = document;
  if (nodes !== undefined) return null;
  if (isObject(workflow)) return ['workflow'];
  return isObject(model) && isObject(model['workflow']) ? ['model', 'workflow'] : null;
}

/** What shows the platform's dialect, and where. */
type Sign = readonly [text: string, ...path: (string | number)[]];

/** Null for the spec's shape. */
export function findSign(document: JsonObject): Sign | null {
  const wrapped = findWrapped(document);
  if (wrapped !== null) return ['the workflow is wrapped in `workflow`', ...wrapped];
  if (isObject(document['nodes'])) return ['the nodes are an object', 'nodes'];
  for (const [field, signOf] of Object.entries({ nodes: signOfNode, edges: signOfEdge })) {
    for (const [index, value] of elements(document[field]).entries()) {
      const [text, ...path] = (isObject(value) && signOf(value)) || [];
      if (text !== undefined) return [text, field, index, ...path];
    }
  }
  return null;
}

/** Fields that only an export has; the first that a node has is named. */
const exportFields: readonly string[] = [
  ...['prompt', 'messagePlan', 'variableExtractionPlan', 'globalNodePlan', 'tool', 'toolId'],
  ...['toolIds', 'isStart', 'tools', 'output', 'exact', 'options', 'mode', 'endMessage'],
  ...['assistantId', 'extract_variables', 'extractedVariables', 'instructions', 'systemMessage'],
  ...['text', 'message', 'variable'],
];
const exportTypes = /^(?:tool|start|say|transfer|assistant|end)$/i;
const exportSpellings = /^(?:Say|Gather|Hangup|ApiRequest)$/;

function signOfNode(node: JsonObject): Sign | null {
  if (isObject(node['data'])) return ['a node has `data`', 'data'];
  const field = exportFields.find((it) => Object.hasOwn(node, it));
  if (field !== undefined) return [`a node has \`${field}\``, field];
  const { id, name, type, destination, extractVariables } = node;
  if (typeof type === 'string' && (exportTypes.test(type) || exportSpellings.test(type))) {
    return [`a node has the type \`${type}\``, 'type'];
  }
  if (isObject(destination)) return ['a destination is an object', 'destination'];
  const variables = isObject(extractVariables) ? Object.values(extractVariables) : [];
  if (variables.length > 0 && variables.every(isObject)) {
    return ['extracted variables are an object', 'extractVariables'];
  }
  const isNamed = id === undefined && typeof name === 'string';
  return isNamed ? ['a node has a `name` and no `id`'] : null;
}

function signOfEdge({ condition, from, source }: JsonObject): Sign | null {
  if (isObject(condition) && typeof condition['type'] === 'string') {
    return ['a condition is an object', 'condition'];
  }
  const isSourced = from === undefined && typeof source === 'string';
  return isSourced ? ['an edge has `source` and `target`'] : null;
}
