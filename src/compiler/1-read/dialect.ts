/**
 * In which shape a document was written, told by what only that shape has, and what each shape calls
 * the fields that squadc reads.
 *
 * The spec's shape has nodes with `id` and `systemPrompt`, and edges with `from`, `to` and a text
 * as condition. Whatever else is seen in exports and older documents is the platform's dialect.
 */
import { child, type JsonPointer } from '../ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../ir/json.js';
import { type Dialect, type NodeType, roleOf } from '../ir/workflow.js';

/** A node is one of these; one that is an assistant already is read like a conversation. */
export type NodeKind = NodeType | 'assistant';

/** The dialect's names for our fields; where there are several, the first that is given counts. */
export interface Vocabulary {
  readonly dialect: Dialect;
  /** The spec's shape: types are written one way, and what stands in a wrong place is told. */
  readonly isStrict: boolean;
  readonly types: ReadonlyMap<string, NodeKind>;
  readonly id: readonly string[];
  /** What is said on entry; at the end of a call also under `lastLine`. */
  readonly line: readonly string[];
  readonly lastLine: readonly string[];
  readonly instructions: readonly string[];
  readonly captures: readonly string[];
  readonly variableTypes: readonly string[];
  readonly address: readonly string[];
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** What the platform and its editor write down for themselves, and no call depends on. */
  readonly record: readonly string[];
  readonly layout: readonly string[];
  /** Settings of the workflow that become settings of all assistants. */
  readonly shared: readonly string[];
}

/** Why the ledger keeps those last two and nothing else does. */
export const platformRecord = 'the platform keeps this for itself';
export const editorLayout = 'the layout of the editor';

const specTypes = (Object.keys(roleOf) as NodeType[]).filter((type) => type !== 'tool');
const spec: Vocabulary = {
  dialect: 'spec',
  isStrict: true,
  types: new Map(specTypes.map((type) => [type, type])),
  id: ['id'],
  line: ['firstMessage'],
  lastLine: [],
  instructions: ['systemPrompt'],
  captures: ['extractVariables'],
  variableTypes: ['string', 'number', 'boolean'],
  address: ['destination'],
  from: ['from'],
  to: ['to'],
  record: [],
  layout: [],
  shared: [],
};

const vapi: Vocabulary = {
  dialect: 'vapi',
  isStrict: false,
  // Case and separators aside.
  types: new Map<string, NodeKind>([
    ...(['conversation', 'gather', 'tool', 'hangup', 'assistant'] as const).map(
      (type) => [type, type] as const,
    ),
    ['say', 'conversation'],
    ['start', 'conversation'],
    ['apirequest', 'apiRequest'],
    ['transfer', 'transferCall'],
    ['transfercall', 'transferCall'],
    ['endcall', 'endCall'],
  ]),
  id: ['id', 'name'],
  line: ['firstMessage', 'exact', 'text', 'message'],
  lastLine: ['endMessage'],
  instructions: ['prompt', 'systemPrompt', 'instructions'],
  captures: ['extractVariables', 'extract_variables', 'extractedVariables', 'output'],
  variableTypes: ['string', 'number', 'integer', 'boolean', 'array', 'object'],
  address: ['destination', 'number', 'sipUri', 'phoneNumber'],
  from: ['from', 'source'],
  to: ['to', 'target'],
  record: ['id', 'orgId', 'createdAt', 'updatedAt', 'isServerUrlSecretSet'],
  layout: ['metadata', 'position'],
  // Fields of the platform's overrides, those aside that the grouping looks at.
  shared: [
    ...['analysisPlan', 'artifactPlan', 'backgroundSound', 'backgroundSpeechDenoisingPlan'],
    ...['clientMessages', 'compliancePlan', 'credentialIds', 'credentials', 'endCallMessage'],
    ...['endCallPhrases', 'hooks', 'keypadInputPlan', 'maxDurationSeconds', 'metadata'],
    ...['modelOutputInMessagesEnabled', 'monitorPlan', 'observabilityPlan', 'server'],
    ...['serverMessages', 'startSpeakingPlan', 'stopSpeakingPlan', 'transportConfigurations'],
    ...['variableValues', 'voicemailDetection', 'voicemailMessage'],
  ],
};
export const vocabularies: Readonly<Record<Dialect, Vocabulary>> = { spec, vapi };

export interface DialectFinding {
  readonly dialect: Dialect;
  /** What gave it away, and where; null for the spec's shape. */
  readonly sign: { readonly text: string; readonly at: JsonPointer } | null;
}

/** What only an export has; the first of them that a node has is named. */
const exportFields: readonly string[] = [
  ...['prompt', 'messagePlan', 'variableExtractionPlan', 'globalNodePlan', 'tool', 'toolId'],
  ...['toolIds', 'isStart', 'tools', 'output', 'exact', 'options', 'mode', 'endMessage'],
  ...['assistantId', 'extract_variables', 'extractedVariables'],
];
const exportTypes = /^(?:tool|start|say|transfer|assistant)$/i;
const exportSpellings = /^(?:Say|Gather|Hangup|ApiRequest)$/;

export function detectDialect(document: JsonObject): DialectFinding {
  if (document['nodes'] === undefined && isJsonObject(document['workflow'])) {
    const sign = { text: 'the workflow is wrapped in `workflow`', at: '/workflow' };
    return { dialect: 'vapi', sign };
  }
  for (const [field, signOf] of [
    ['nodes', signOfNode],
    ['edges', signOfEdge],
  ] as const) {
    const list: Json = document[field] ?? null;
    for (const [index, value] of Array.isArray(list) ? list.entries() : []) {
      const found = isJsonObject(value) ? signOf(value) : null;
      if (found === null) continue;
      const at = child(`/${field}`, index);
      const [text, inside] = found;
      const sign = { text, at: inside === undefined ? at : child(at, inside) };
      return { dialect: 'vapi', sign };
    }
  }
  return { dialect: 'spec', sign: null };
}

/** What gives an element away, and the field of it that does. */
type Sign = readonly [text: string, field?: string];

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

const isAny = (value: Json | undefined) => value !== undefined;
const isList = (value: Json | undefined) => Array.isArray(value);

/**
 * Other things that the platform's API returns or takes, told by a field, so that whoever gave the
 * wrong file knows. The first that fits counts.
 */
const foreign: readonly (readonly [string, (value: Json | undefined) => boolean, string])[] = [
  ['members', isList, 'a squad'],
  ['squad', isJsonObject, 'a squad'],
  ['assistantId', isAny, 'a call, or a phone number'],
  ['squadId', isAny, 'a call, or a phone number'],
  ['workflowId', isAny, 'a call, or a phone number'],
  ['model', isJsonObject, 'an assistant'],
  ['assistant', isJsonObject, 'an assistant'],
  ['function', isJsonObject, 'a tool'],
  ['destinations', isList, 'a tool'],
  ['$schema', isAny, 'a schema'],
  ['openapi', isAny, 'a schema'],
];

/** What a document is that has no nodes and is no workflow; null where it may be one. */
export function nameForeign(document: JsonObject): string | null {
  if (document['nodes'] !== undefined || isJsonObject(document['workflow'])) return null;
  return foreign.find(([field, fits]) => fits(document[field]))?.[2] ?? null;
}
