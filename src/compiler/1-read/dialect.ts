/**
 * In which shape a document was written, told by what only that shape has, and what each shape calls
 * the fields that squadc reads.
 *
 * The spec's shape has nodes with `id` and `systemPrompt`, and edges with `from`, `to` and a text
 * as condition. Whatever else is seen in exports and older documents is the platform's dialect.
 */
import { type JsonPointer, pointer } from '../ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../ir/json.js';
import { type Dialect, type NodeType, roleOf, settingNames } from '../ir/workflow.js';

/** A node is one of these; one that is an assistant already is read like a conversation. */
export type NodeKind = NodeType | 'assistant';

export interface Vocabulary {
  /** The spec's shape: types are written one way, and what stands in a wrong place is told. */
  readonly isStrict: boolean;
  /** Node types; those of the platform case and separators aside. */
  readonly types: ReadonlyMap<string, NodeKind>;
  /** What holds a node's id. */
  readonly id: readonly string[];
  readonly variableTypes: readonly string[];
  /** By the field that an object stands in ('' for the document), all the fields that it can have. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>> | null;
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
    types: new Map<string, NodeKind>(
      Object.entries({
        conversation: 'conversation',
        gather: 'gather',
        tool: 'tool',
        hangup: 'hangup',
        assistant: 'assistant',
        say: 'conversation',
        start: 'conversation',
        apirequest: 'apiRequest',
        transfer: 'transferCall',
        transfercall: 'transferCall',
        endcall: 'endCall',
        end: 'endCall',
      } as const),
    ),
    id: ['id', 'name'],
    variableTypes: ['string', 'number', 'integer', 'boolean', 'array', 'object'],
    fields: null,
  },
};

/** What the dialects call our fields; of several that a dialect has, the first that is given counts. */
export const names = {
  /** What is said on entry; at the end of a call also under `lastLine`. */
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

/** Keys that lead to the workflow where it stands in a field, or in the model of an assistant. */
export function findWrapped(document: JsonObject): readonly string[] | null {
  const { nodes, workflow, model } = document;
  if (nodes !== undefined) return null;
  if (isJsonObject(workflow)) return ['workflow'];
  return isJsonObject(model) && isJsonObject(model['workflow']) ? ['model', 'workflow'] : null;
}

export interface DialectFinding {
  readonly dialect: Dialect;
  /** What gave it away, and where; null for the spec's shape. */
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
  if (isJsonObject(document['nodes'])) return found('the nodes are an object', '/nodes');
  for (const [field, signOf] of Object.entries({ nodes: signOfNode, edges: signOfEdge })) {
    const list = document[field] ?? null;
    for (const [index, value] of Array.isArray(list) ? list.entries() : []) {
      const sign = isJsonObject(value) ? signOf(value) : null;
      if (sign !== null) return found(sign[0], pointer(field, index, ...sign.slice(1)));
    }
  }
  return { dialect: 'spec', sign: null };
}

/** What only an export has; the first of them that a node has is named. */
const exportFields: readonly string[] = [
  ...['prompt', 'messagePlan', 'variableExtractionPlan', 'globalNodePlan', 'tool', 'toolId'],
  ...['toolIds', 'isStart', 'tools', 'output', 'exact', 'options', 'mode', 'endMessage'],
  ...['assistantId', 'extract_variables', 'extractedVariables', 'instructions', 'systemMessage'],
  ...['text', 'message', 'variable'],
];
const exportTypes = /^(?:tool|start|say|transfer|assistant|end)$/i;
const exportSpellings = /^(?:Say|Gather|Hangup|ApiRequest)$/;

/** What gives an element away, and the field of it that does. */
type Sign = readonly [text: string, ...field: string[]];

function signOfNode(node: JsonObject): Sign | null {
  const field = exportFields.find((it) => Object.hasOwn(node, it));
  if (field !== undefined) return [`a node has \`${field}\``, field];
  const { id, name, type, destination, extractVariables } = node;
  if (typeof type === 'string' && (exportTypes.test(type) || exportSpellings.test(type))) {
    return [`a node has the type \`${type}\``, 'type'];
  }
  if (isJsonObject(destination)) return ['a destination is an object', 'destination'];
  const variables = isJsonObject(extractVariables) ? Object.values(extractVariables) : [];
  if (variables.length > 0 && variables.every(isJsonObject)) {
    return ['extracted variables are an object', 'extractVariables'];
  }
  const isNamed = id === undefined && typeof name === 'string';
  return isNamed ? ['a node has a `name` and no `id`'] : null;
}

function signOfEdge({ condition, from, source }: JsonObject): Sign | null {
  if (isJsonObject(condition) && typeof condition['type'] === 'string') {
    return ['a condition is an object', 'condition'];
  }
  const isSourced = from === undefined && typeof source === 'string';
  return isSourced ? ['an edge has `source` and `target`'] : null;
}

/**
 * Other things that the platform's API returns or takes, so that whoever gave the wrong file knows.
 * The first counts of which one of the fields is there, where it is of that type.
 */
const foreign: Readonly<Record<string, Readonly<Record<string, 'any' | 'list' | 'object'>>>> = {
  'a squad': { members: 'list', squad: 'object' },
  'a call, or a phone number': { assistantId: 'any', squadId: 'any', workflowId: 'any' },
  'an assistant': { model: 'object', assistant: 'object' },
  'a tool': { function: 'object', destinations: 'list' },
  'a schema': { $schema: 'any', openapi: 'any' },
};

/** What a document is that has no nodes and is no workflow; null where it may be one. */
export function nameForeign(document: JsonObject): string | null {
  if (document['nodes'] !== undefined || findWrapped(document) !== null) return null;
  const fits = (value: Json | undefined, type: string) => {
    if (type === 'any') return value !== undefined;
    return type === 'list' ? Array.isArray(value) : isJsonObject(value);
  };
  const found = Object.entries(foreign).find(([, fields]) =>
    Object.entries(fields).some(([field, type]) => fits(document[field], type)),
  );
  return found?.[0] ?? null;
}
