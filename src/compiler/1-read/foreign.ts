/** Documents that are no workflow, or hold one in an envelope. */
import { asObject, isObject, type Json, type JsonObject, textOf } from '../../text/json.js';
import { pointer } from '../../text/pointer.js';
import { findWrapped } from './dialect.js';

/** Keys, or types of nodes, by which other tools are recognized: one of them, or several together. */
const otherTools: Readonly<Record<string, readonly string[]>> = {
  'a Retell flow': ['conversation_flow_id', 'start_speaker', 'start_node_id instruction'],
  'a Bland pathway': ['pathway_id', 'modelOptions data', 'Default data', 'globalConfig data'],
  'an ElevenLabs workflow': ['conversation_config', 'edge_order', 'forward_condition'],
  'a Voiceflow project': ['diagrams version', 'diagrams project'],
  'an n8n workflow': ['connections typeVersion'],
};

/** Other documents of the platform's API; none of them has nodes. */
const otherDocuments: readonly (readonly [string, (document: JsonObject) => boolean])[] = [
  ['a squad', ({ members, squad }) => Array.isArray(members) || isObject(squad)],
  [
    'a call, or a phone number',
    (it) => (it['assistantId'] ?? it['squadId'] ?? it['workflowId']) !== undefined,
  ],
  ['an assistant', ({ model, assistant }) => isObject(model) || isObject(assistant)],
  ['a tool', (it) => isObject(it['function']) || Array.isArray(it['destinations'])],
  ['a schema', ({ $schema, openapi }) => $schema !== undefined || openapi !== undefined],
];

/** The document of another tool that this is; null if it is none. */
export function otherToolOf(document: JsonObject): string | null {
  const flows = [document, document['workflow'], document['conversationFlow']];
  const lists = flows.flatMap((it) => [asObject(it)['nodes'], asObject(it)['edges']]);
  const parts = lists.flatMap(listOf);
  const inside = parts.map((it) => asObject(asObject(it)['data']));
  const all = [...flows, ...parts, ...inside].map((it) => asObject(it));
  const keys = new Set(all.flatMap((it) => [...Object.keys(it), textOf(it['type'] ?? '')]));
  const isThere = (sign: string) => sign.split(' ').every((key) => keys.has(key));
  return Object.entries(otherTools).find(([, signs]) => signs.some(isThere))?.[0] ?? null;
}

const listOf = (all?: Json): Json[] => (Array.isArray(all) ? all : Object.values(asObject(all)));

/** What a document without nodes is, if it is no workflow; null if it may be one. */
export function foreignKind(document: JsonObject): string | null {
  if (document['nodes'] !== undefined || findWrapped(document) !== null) return null;
  const { results, data } = document;
  const list = Array.isArray(results) ? results : Array.isArray(data) ? data : null;
  if (list !== null) return `a list of ${list.length} documents`;
  return otherDocuments.find(([, fits]) => fits(document))?.[0] ?? null;
}

/** The workflow in an answer of an API (`results` or `data` with one workflow), and its place. */
export function openEnvelope(document: JsonObject) {
  const isOne = document['nodes'] !== undefined || findWrapped(document) !== null;
  for (const key of isOne ? [] : ['results', 'data']) {
    const value = document[key];
    const isList = Array.isArray(value) && value.length === 1;
    const inside: Json | undefined = isList ? value[0] : value;
    if (isObject(inside)) return { document: inside, at: pointer(key, ...(isList ? [0] : [])) };
  }
  return { document, at: pointer() };
}
