/** The edges of the platform's dialect: each as many as it has ways. */
import { diagnose } from '../../../diagnostics/diagnose.js';
import type { EdgeIndex, NodeIndex } from '../../ir/ids.js';
import type { WorkflowEdge } from '../../ir/workflow.js';
import { has, requireString } from '../fields.js';
import { takeWays } from './conditions.js';
import { createFindNode, type NodeId, reportMissing } from './node-ids.js';
import { absorb, type Reading, take, takeInsides } from './reading.js';
import { editorLayout, layoutFields } from './records.js';

const editorFields = [...layoutFields, 'id'];

export function takeEdges(workflow: Reading, ids: readonly (NodeId | null)[]): WorkflowEdge[] {
  if (!has(workflow, 'edges')) workflow.faults.push(diagnose('shape/no-edges', workflow.at, {}));
  const find = createFindNode(ids);
  const edges: WorkflowEdge[] = [];
  for (const edge of takeInsides(workflow, 'edges')) {
    absorb(edge, editorFields, editorLayout);
    const from = takeEnd(edge, ['from', 'source'], find, ids);
    const to = takeEnd(edge, ['to', 'target'], find, ids);
    const ways = takeWays(edge);
    if (from === null || to === null) continue;
    ways.forEach((condition, way) => {
      // The first way stands for the edge; each of the others stands where its text does.
      const at = way === 0 || condition === null ? edge.at : condition.at;
      edges.push({ index: edges.length as EdgeIndex, at, from, to, condition });
    });
  }
  return edges;
}

function takeEnd(
  edge: Reading,
  fields: readonly [string, string],
  find: ReturnType<typeof createFindNode>,
  ids: readonly (NodeId | null)[],
): NodeIndex | null {
  const field = take(edge, ...fields) ?? fields[0];
  const id = requireString(edge, field, 'an edge');
  if (id === null) return null;
  const node = find(id);
  if (node === undefined) reportMissing(edge, field, id, ids);
  return node === undefined ? null : (node as NodeIndex);
}
