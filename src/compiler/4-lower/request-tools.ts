/** apiRequest nodes → tools (DESIGN section 5, "apiRequest"). */
import type { FlowGraph } from '../ir/flow-graph.js';
import type { Traced } from '../ir/provenance.js';
import type { RequestToolIr, Segment, ToolIr } from '../ir/squad-ir.js';
import type { Text, WorkflowNode } from '../ir/workflow.js';
import { toLegalName } from '../names/legal-names.js';
import { responsesOf } from './aliases.js';
import { whenCalledFor } from './conditions.js';
import { lowerOperation } from './custom-tools.js';
import { rejectionsOf } from './guards.js';
import { join, quoted } from './segments.js';
import type { ToolWays } from './tool-ways.js';

/** The tool of a request; one that can be called at any time says when. */
export function lowerRequest(
  graph: FlowGraph,
  node: WorkflowNode,
  name: Traced<string>,
  ways: ToolWays,
): ToolIr {
  const when =
    node.global === null
      ? null
      : whenCalledFor(graph, node.index, toLegalName(node.name ?? node.id));
  const description = describe(node.request!.description, when);
  return {
    ...(lowerOperation(node, name, description) ?? lowerPlainRequest(node, name, description)),
    rejections: rejectionsOf(ways.to(node.index)),
  };
}

function lowerPlainRequest(
  node: WorkflowNode,
  name: Traced<string>,
  description: readonly Segment[] | null,
): Omit<RequestToolIr, 'rejections'> {
  const request = node.request!;
  return {
    kind: 'request',
    node: node.index,
    name,
    description,
    url: request.url!,
    method: request.method!,
    headers: request.headers,
    body: request.body,
    timeoutSeconds: request.timeoutSeconds,
    credentialId: request.credentialId,
    statics: request.statics,
    passed: request.passed,
    responses: responsesOf(node),
  };
}

/** What the source says that it is for, and when it is to be called. */
function describe(
  purpose: Text | null,
  when: readonly Segment[] | null,
): readonly Segment[] | null {
  if (purpose === null) return when;
  return when === null ? [quoted(purpose)] : join([[quoted(purpose)], when], '; or ');
}
