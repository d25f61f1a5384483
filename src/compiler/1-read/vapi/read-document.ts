/**
 * A document in the platform's dialect → Workflow.
 *
 * In: the document, wrapped or not. Out: the workflow, with every finding about its shape in
 * `faults`. Guarantees: texts are word for word those of the source; what no reader took is among
 * the unknown fields, told and kept in the ledger.
 */
import { diagnose } from '../../../diagnostics/diagnose.js';
import { child, type NodeIndex } from '../../ir/ids.js';
import { isJsonObject, type JsonObject } from '../../ir/json.js';
import type { Diagnostic } from '../../ir/result.js';
import type { Workflow, WorkflowEdge, WorkflowNode } from '../../ir/workflow.js';
import { checkIds } from '../check-ids.js';
import { has, readBoolean, readString } from '../fields.js';
import { openModel, takeSettings } from './models.js';
import { type NodeId, takeNodeId } from './node-ids.js';
import { takeEdges } from './read-edges.js';
import { readNode } from './read-node.js';
import {
  absorb,
  type Ledger,
  listUntaken,
  openReading,
  type Reading,
  take,
  takeInsides,
  takeText,
} from './reading.js';
import { platformRecord, recordFields } from './records.js';
import { takeShared } from './shared-settings.js';
import { absorbStartNode, type Marked } from './start-node.js';

export function readPlatformDocument(document: JsonObject, faults: Diagnostic[]): Workflow {
  const ledger: Ledger = { readings: [], absorbed: [] };
  const workflow = openWorkflow(openReading({ value: document, at: '', faults }, ledger));
  absorb(workflow, recordFields, platformRecord);
  const name = take(workflow, 'name') === null ? null : readString(workflow, 'name');
  if (name === null && !has(workflow, 'name'))
    faults.push(diagnose('shape/no-name', workflow.at, {}));
  const globalPrompt = takeText(workflow, 'globalPrompt');
  const settings = takeSettings(workflow);
  // Nobody takes a prompt or tools of all assistants, so they are told.
  openModel(workflow);
  const shared = takeShared(workflow);
  const graph = takeGraph(workflow);
  const unknownFields = listUntaken(ledger);
  for (const at of unknownFields)
    faults.push(diagnose('shape/unknown-field', at, { field: fieldAt(at), near: null }));
  return {
    dialect: 'vapi',
    at: workflow.at,
    name,
    nodes: graph.nodes,
    edges: graph.edges,
    markedStart: graph.markedStart,
    globalPrompt,
    settings,
    shared,
    unknownFields,
    absorbed: [...ledger.absorbed, ...graph.absorbed],
  };
}

/** A document may hold the workflow in a field, beside what else the API returns. */
function openWorkflow(document: Reading): Reading {
  const { value, faults, ledger, at } = document;
  const inside = value['workflow'];
  if (value['nodes'] !== undefined || !isJsonObject(inside)) return document;
  take(document, 'workflow');
  return openReading({ value: inside, at: child(at, 'workflow'), faults }, ledger);
}

function takeGraph(workflow: Reading): Marked {
  const entries = takeInsides(workflow, 'nodes');
  const nodesAt = child(workflow.at, 'nodes');
  if (entries.length === 0) workflow.faults.push(diagnose('shape/no-nodes', nodesAt, {}));
  const ids = entries.map(takeNodeId);
  reportSameIds(entries, ids);
  const nodes = entries.flatMap((entry, index) => readNode(entry, ids[index]!, index) ?? []);
  const edges = takeEdges(workflow, ids);
  // With a fault among them the numbers mean nothing, and the workflow is not used.
  if (nodes.length < entries.length) return { nodes, edges, markedStart: null, absorbed: [] };
  return markStart(entries, nodes, edges);
}

function reportSameIds(entries: readonly Reading[], ids: readonly (NodeId | null)[]): void {
  const placeOf = (index: number) => {
    const entry = entries[index]!;
    return child(entry.at, has(entry, 'id') ? 'id' : 'name');
  };
  const named = ids.map((it) => it?.id ?? null);
  checkIds(named, placeOf, entries[0]?.faults ?? []);
}

/** The node that is marked as the start, or stands behind a node that is nothing but the mark. */
function markStart(
  entries: readonly Reading[],
  nodes: readonly WorkflowNode[],
  edges: readonly WorkflowEdge[],
): Marked {
  const ofType = entries.findIndex(({ value }) => /^start$/i.test(String(value['type'])));
  const absorbed = ofType === -1 ? null : absorbStartNode(nodes, edges, ofType as NodeIndex);
  if (absorbed !== null) return absorbed;
  const marked = entries.flatMap((entry, at) =>
    readBoolean(entry, 'isStart') === true ? [at] : [],
  );
  const [first, second] = marked;
  if (second !== undefined) {
    // Which of them counts nobody says, so none does.
    const { at, faults } = entries[second]!;
    const ids = [nodes[first!]!.id, nodes[second]!.id];
    const related = [child(entries[first!]!.at, 'isStart')];
    faults.push(diagnose('flow/several-starts', child(at, 'isStart'), { ids }, { related }));
  }
  const only = marked.length === 1 ? first! : ofType;
  const markedStart = marked.length > 1 || only === -1 ? null : (only as NodeIndex);
  return { nodes, edges, markedStart, absorbed: [] };
}

function fieldAt(at: string): string {
  return at.slice(at.lastIndexOf('/') + 1);
}
