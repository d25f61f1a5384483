/** apiRequest nodes → tools (DESIGN section 5, "apiRequest"). */
import type { Traced } from '../ir/provenance.js';
import type { RequestToolIr, ToolIr } from '../ir/squad-ir.js';
import type { WorkflowNode } from '../ir/workflow.js';
import { aliasesOf } from './aliases.js';
import { lowerOperation } from './custom-tools.js';

export function lowerRequest(node: WorkflowNode, name: Traced<string>): ToolIr {
  return lowerOperation(node, name) ?? lowerPlainRequest(node, name);
}

function lowerPlainRequest(node: WorkflowNode, name: Traced<string>): RequestToolIr {
  const request = node.request!;
  return {
    kind: 'request',
    node: node.index,
    name,
    url: request.url!,
    method: request.method!,
    headers: request.headers,
    body: request.body,
    timeoutSeconds: request.timeoutSeconds,
    credentialId: request.credentialId,
    aliases: aliasesOf(node),
  };
}
