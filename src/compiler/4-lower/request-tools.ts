/** apiRequest nodes → tools (DESIGN section 5, "apiRequest"). */
import type { FlowGraph } from '../ir/flow-graph.js';
import type { Traced } from '../ir/provenance.js';
import type { RequestToolIr, Segment, ToolIr } from '../ir/squad-ir.js';
import type { WorkflowNode } from '../ir/workflow.js';
import { toLegalName } from '../names/legal-names.js';
import { aliasesOf } from './aliases.js';
import { whenCalledFor } from './conditions.js';
import { lowerOperation } from './custom-tools.js';

/** The tool of a request; one that can be called at any time says when. */
export function lowerRequest(graph: FlowGraph, node: WorkflowNode, name: Traced<string>): ToolIr {
  const when =
    node.global === null
      ? null
      : whenCalledFor(graph, node.index, toLegalName(node.name ?? node.id));
  return lowerOperation(node, name, when) ?? lowerPlainRequest(node, name, when);
}

function lowerPlainRequest(
  node: WorkflowNode,
  name: Traced<string>,
  when: readonly Segment[] | null,
): RequestToolIr {
  const request = node.request!;
  return {
    kind: 'request',
    node: node.index,
    name,
    description: when,
    url: request.url!,
    method: request.method!,
    headers: request.headers,
    body: request.body,
    timeoutSeconds: request.timeoutSeconds,
    credentialId: request.credentialId,
    aliases: aliasesOf(node),
  };
}
