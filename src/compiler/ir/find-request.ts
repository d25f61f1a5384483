/** Requests of the workflow, by what a human calls them when an answer asks for a tool. */
import type { NodeIndex } from './ids.js';
import type { Json, JsonObject } from './json.js';
import type { Workflow, WorkflowNode } from './workflow.js';

/** The request node with this id, else the first with this name. */
export function findRequest({ nodes }: Workflow, tool: string): WorkflowNode | undefined {
  const requests = nodes.filter((node) => node.request !== null);
  return requests.find(({ id }) => id === tool) ?? requests.find(({ name }) => name === tool);
}

/** Finds the one reachable request whose response sets all the variables, by the id of its node. */
export function createFindSetter(
  { nodes }: Workflow,
  reachable: readonly NodeIndex[],
): (variables: readonly string[]) => string | null {
  const setters = new Map<string, Set<WorkflowNode>>();
  for (const index of reachable) {
    const node = nodes[index]!;
    for (const { name } of node.request?.responses ?? []) {
      setters.set(name, (setters.get(name) ?? new Set()).add(node));
    }
  }
  return ([first = '', ...others]) => {
    const all = [...(setters.get(first) ?? [])].filter((node) => sets(node, others));
    return all.length === 1 ? all[0]!.id : null;
  };
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
