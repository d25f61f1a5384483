/**
 * Documents that are no workflow, or hold one in an envelope: what they are, so that a user who
 * passed the wrong file learns which it is.
 */
import { asObject, isObject, type Json, type JsonObject } from '../../text/json.js';
import { pointer } from '../../text/pointer.js';
import { findWrapped } from './dialect.js';

type Row = readonly [kind: string, fits: (document: JsonObject, nodes: readonly Json[]) => boolean];

/** The first that fits counts. */
const otherTools: readonly Row[] = [
  [
    'a Retell flow',
    (it, nodes) =>
      'conversation_flow_id' in it ||
      ('start_node_id' in it && 'start_speaker' in it) ||
      nodes.some((node) => isObject(asObject(node)['instruction']) && 'edges' in asObject(node)),
  ],
  [
    'a Bland pathway',
    (it, nodes) =>
      'pathway_id' in it ||
      nodes.some((node) => ['modelOptions', 'globalPrompt'].some((key) => key in dataOf(node))),
  ],
  [
    'an ElevenLabs workflow',
    (it, nodes) =>
      'conversation_config' in it ||
      nodes.some((node) => 'edge_order' in asObject(node)) ||
      Object.values(asObject(it['edges'])).some((edge) => 'forward_condition' in asObject(edge)),
  ],
  ['a Voiceflow project', (it) => 'diagrams' in it && ('version' in it || 'project' in it)],
  [
    'an n8n workflow',
    (it, nodes) =>
      isObject(it['connections']) && nodes.some((node) => 'typeVersion' in asObject(node)),
  ],
];

const dataOf = (node: Json) => asObject(asObject(node)['data']);

/** Other documents of the platform's API; none of them has nodes. */
const otherDocuments: readonly Row[] = [
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
  const { workflow, conversationFlow } = document;
  return [document, workflow, conversationFlow].reduce<string | null>((found, it) => {
    const { nodes = [] } = asObject(it);
    const all = isObject(nodes) ? Object.values(nodes) : Array.isArray(nodes) ? nodes : [];
    return found ?? otherTools.find(([, fits]) => fits(asObject(it), all))?.[0] ?? null;
  }, null);
}

/** What a document without nodes is, if it is no workflow; null if it may be one. */
export function foreignKind(document: JsonObject): string | null {
  if (document['nodes'] !== undefined || findWrapped(document) !== null) return null;
  const { results, data } = document;
  const list = Array.isArray(results) ? results : Array.isArray(data) ? data : null;
  if (list !== null)
    return list.length === 0 ? 'an empty list' : `a list of ${list.length} documents`;
  return otherDocuments.find(([, fits]) => fits(document, []))?.[0] ?? null;
}

/** The workflow in an answer of an API (`results` or `data` with one workflow), and its place. */
export function openEnvelope(document: JsonObject, at = pointer()) {
  if (document['nodes'] !== undefined || findWrapped(document) !== null) return { document, at };
  for (const key of ['results', 'data']) {
    const value = document[key] ?? null;
    const [only = null, ...more] = Array.isArray(value) ? (value as Json[]) : [];
    if (isObject(value)) return { document: value, at: pointer(key) };
    if (isObject(only) && more.length === 0) return { document: only, at: pointer(key, 0) };
  }
  return { document, at };
}
