/** Requests of the workflow, by what a human calls them when an answer asks for a tool. */
import type { NodeIndex } from '../ir/ids.js';
import type { Json, JsonObject } from '../ir/json.js';
import type { Workflow, WorkflowNode } from '../ir/workflow.js';

/** The request node with this id, else the first with this name. */
export function findRequest(workflow: Workflow, tool: string): WorkflowNode | undefined {
  const requests = workflow.nodes.filter((node) => node.request !== null);
  return requests.find((node) => node.id === tool) ?? requests.find((node) => node.name === tool);
}

/** The one reachable request whose response sets all the variables, by the id of its node. */
export function findSetter(
  workflow: Workflow,
  reachable: readonly NodeIndex[],
  variables: readonly string[],
): string | null {
  const setters = reachable.filter((node) => sets(workflow.nodes[node]!, variables));
  return setters.length === 1 ? workflow.nodes[setters[0]!]!.id : null;
}

/**
 * What speaks against the tool that an answer names; null where nothing does. A name that no
 * request bears is that of a tool to be provided.
 */
export function objectToTool(
  workflow: Workflow,
  reachable: readonly NodeIndex[],
  variables: readonly string[],
  value: Json,
): string | null {
  const node = findRequest(workflow, String((value as JsonObject)['tool']));
  if (node === undefined) return null;
  const id = JSON.stringify(node.id);
  if (!reachable.includes(node.index)) return `no call can reach the request ${id}`;
  if (sets(node, variables)) return null;
  return `the response of the request ${id} does not set ${variables.join(', ')}`;
}

function sets({ request }: WorkflowNode, variables: readonly string[]): boolean {
  return variables.every((name) => request?.responses.some((it) => it.name === name) === true);
}
