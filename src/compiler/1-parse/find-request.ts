/** A request of the workflow, by what a human may call it. */
import type { Workflow, WorkflowNode } from '../ir/workflow.js';

/** The request node with this id, else the first with this name. */
export function findRequest(workflow: Workflow, tool: string): WorkflowNode | undefined {
  const requests = workflow.nodes.filter((node) => node.request !== null);
  return requests.find((node) => node.id === tool) ?? requests.find((node) => node.name === tool);
}
