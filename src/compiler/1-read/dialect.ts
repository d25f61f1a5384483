/**
 * Detects the dialect of a document by what only that dialect has, and lists the names of the
 * fields that squadc reads.
 *
 * The spec's shape has nodes with `id` and `systemPrompt`, and edges with `from`, `to` and a text
 * as condition. Everything else found in exports and older documents is the platform's dialect.
 */
import { isObject, type Json, type JsonObject } from '../../text/json.js';
import { type JsonPointer, pointer } from '../../text/pointer.js';
import { type Dialect, type NodeType, roleOf, settingNames } from '../ir/workflow.js';

/** The kind of a node; one that is already an assistant is read like a conversation. */
export type NodeKind = NodeType | 'assistant';

export interface Vocabulary {
  /** The spec's shape: types have one spelling, and misplaced fields are reported. */
  readonly isStrict: boolean;
  /** Node types; the platform's are compared without case and separators. */
  readonly types: ReadonlyMap<string, NodeKind>;
  /** The fields that can hold a node's id. */
  readonly id: readonly string[];
  readonly variableTypes: readonly string[];
  /** The fields that an object can have, by the field it stands in ('' for the document). */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>> | null;
}

/** A table of kinds and their spellings, to look up a spelling in. */
export function bySpelling<Kind extends string>(
  spellings: Readonly<Partial<Record<Kind, readonly string[]>>>,
): ReadonlyMap<string, Kind> {
  const rows = Object.entries<readonly string[] | undefined>(spellings);
  return new Map(rows.flatMap(([kind, all = []]) => all.map((it) => [it, kind as Kind])));
}

const specTypes = (Object.keys(roleOf) as NodeType[]).filter((type) => type !== 'tool');
const specFields: Readonly<Record<string, readonly string[]>> = {
  '': ['name', 'nodes', 'edges', 'globalPrompt', ...settingNames],
  nodes: [
    ...['id', 'type', 'name', 'firstMessage', 'systemPrompt', 'isGlobal', 'condition'],
    ...['extractVariables', 'destination', 'transferPlan', 'url', 'method', 'headers', 'body'],
    ...['timeoutSeconds', 'responseVariables', ...settingNames],
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
    isStrict: true,
    types: new Map(specTypes.map((type) => [type, type])),
    id: ['id'],
    variableTypes: ['string', 'number', 'boolean'],
    fields: new Map(Object.entries(specFields).map(([place, it]) => [place, new Set(it)])),
  },
  vapi: {
    isStrict: false,
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
    variableTypes: ['string', 'number', 'integer', 'boolean', 'array', 'object'],
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
  address: ['destination', 'number', 'sipUri', 'phoneNumber'],
  from: ['from', 'source'],
  to: ['to', 'target'],
} as const;

/** Settings of the workflow that become settings of all assistants: the platform's overrides. */
export const shared: readonly string[] = [
  ...['analysisPlan', 'artifactPlan', 'backgroundSound', 'backgroundSpeechDenoisingPlan'],
  ...['clientMessages', 'compliancePlan', 'credentialIds', 'credentials', 'endCallMessage'],
  ...['endCallPhrases', 'hooks', 'keypadInputPlan', 'maxDurationSeconds', 'metadata'],
  ...['modelOutputInMessagesEnabled', 'monitorPlan', 'observabilityPlan', 'server'],
  ...['serverMessages', 'startSpeakingPlan', 'stopSpeakingPlan', 'transportConfigurations'],
  ...['variableValues', 'voicemailDetection', 'voicemailMessage'],
];

/** Keys that lead to a workflow inside a field, or inside the model of an assistant. */
export function findWrapped(document: JsonObject): readonly string[] | null {
  const { nodes, workflow, model } = document;
  if (nodes !== undefined) return null;
  if (isObject(workflow)) return ['workflow'];
  return isObject(model) && isObject(model['workflow']) ? ['model', 'workflow'] : null;
}

export interface DialectFinding {
  readonly dialect: Dialect;
  /** What shows the dialect, and where; null for the spec's shape. */
  readonly sign: { readonly text: string; readonly at: JsonPointer } | null;
}

export function detectDialect(document: JsonObject): DialectFinding {
  const found = (text: string, at: JsonPointer): DialectFinding => {
    return { dialect: 'vapi', sign: { text, at } };
  };
  const wrapped = findWrapped(document);
  if (wrapped !== null) {
    return found('the workflow is wrapped in `workflow`', pointer(...wrapped));
  }
  if (isObject(document['nodes'])) return found('the nodes are an object', '/nodes');
  for (const [field, signOf] of Object.entries({ nodes: signOfNode, edges: signOfEdge })) {
    const list = document[field];
    const each: readonly Json[] = Array.isArray(list) ? list : [];
    for (const [index, value] of each.entries()) {
      const sign = isObject(value) ? signOf(value) : null;
      if (sign !== null) return found(sign[0], pointer(field, index, ...sign.slice(1)));
    }
  }
  return { dialect: 'spec', sign: null };
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

/** What shows the dialect of an element, and in which field. */
type Sign = readonly [text: string, ...field: string[]];

function signOfNode(node: JsonObject): Sign | null {
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

/**
 * Other documents of the platform's API, so that a user who passed the wrong file learns which it
 * is. The first kind counts for which the document has one of the fields, of that type.
 */
const foreign: Readonly<Record<string, Readonly<Record<string, 'any' | 'list' | 'object'>>>> = {
  'a squad': { members: 'list', squad: 'object' },
  'a call, or a phone number': { assistantId: 'any', squadId: 'any', workflowId: 'any' },
  'an assistant': { model: 'object', assistant: 'object' },
  'a tool': { function: 'object', destinations: 'list' },
  'a schema': { $schema: 'any', openapi: 'any' },
};

/** What a document without nodes is, if it is no workflow; null if it may be one. */
export function foreignKind(document: JsonObject): string | null {
  if (document['nodes'] !== undefined || findWrapped(document) !== null) return null;
  const fits = (value: Json | undefined, type: string) => {
    if (type === 'any') return value !== undefined;
    return type === 'list' ? Array.isArray(value) : isObject(value);
  };
  const found = Object.entries(foreign).find(([, fields]) =>
    Object.entries(fields).some(([field, type]) => fits(document[field], type)),
  );
  return found?.[0] ?? null;
}
