/** apiRequest nodes → tools (spec/3, "Conversion procedure"). */
import type { FlowGraph } from '../ir/flow-graph.js';
import type { Traced } from '../ir/provenance.js';
import type { Rejections, RequestToolIr, Segment, ToolIr } from '../ir/squad-ir.js';
import type { WorkflowNode } from '../ir/workflow.js';
import { toLegalName } from '../names/legal-names.js';
import { responsesOf } from './aliases.js';
import { whenCalledFor } from './conditions.js';
import { rejectionsOf } from './guards.js';
import { lowerOperation, purposeOf } from './operation-tools.js';
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
  const { description } = node.request!;
  const purpose = description === null ? purposeOf(node) : quoted(description);
  const said = describe(purpose, when === null ? null : quoted(when));
  const rejections = rejectionsOf(ways.to(node.index));
  return (
    lowerOperation(node, name, said, rejections) ?? lowerPlainRequest(node, name, said, rejections)
  );
}

function lowerPlainRequest(
  node: WorkflowNode,
  name: Traced<string>,
  description: readonly Segment[] | null,
  rejections: Rejections,
): RequestToolIr {
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
    rejections,
  };
}

/** What it is for, and when it is to be called. */
function describe(purpose: Segment | null, when: Segment | null): readonly Segment[] | null {
  if (purpose === null) return when === null ? null : [when];
  return when === null ? [purpose] : join([purpose, when], '; or ');
}
