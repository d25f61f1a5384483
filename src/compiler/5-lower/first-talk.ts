/** The node that an assistant has its name and its settings from, unless somebody says otherwise. */
import type { Region } from '../ir/region-map.js';
import type { WorkflowNode } from '../ir/workflow.js';

/** The first talk node; null for a start that is only a tool. */
export function firstTalk(nodes: readonly WorkflowNode[], region: Region): WorkflowNode | null {
  for (const index of region.nodes) {
    const node = nodes[index]!;
    if (node.role === 'talk') return node;
  }
  return null;
}
