/** Which node sets a variable and which texts read it: definitions and uses of the source. */
import { nodeOf, type Source } from './source.js';
import { isExit, type SpecNode } from './spec-workflow.js';

/** The names of all variables that something in the workflow sets. */
export function definedVariables(source: Source): string[] {
  const names = source.workflow.nodes.flatMap((node) => [
    ...capturesOf(node),
    ...responsesOf(node),
  ]);
  return [...new Set(names)].sort();
}

/** Whether the node captures the variable from the conversation. */
export function captures(node: SpecNode, variable: string): boolean {
  return capturesOf(node).includes(variable);
}

/** Whether the node's tool sets the variable by its response. */
export function responds(node: SpecNode, variable: string): boolean {
  return responsesOf(node).includes(variable);
}

/** Whether a text reads the variable on entry to the node, and when the node is left. */
export function readsAt(source: Source, node: number, variable: string): [boolean, boolean] {
  const reads = (text: string): boolean => readsOf(text).has(variable);
  return [entryTexts(nodeOf(source, node)).some(reads), exitTexts(source, node).some(reads)];
}

function capturesOf({ extractVariables = [] }: SpecNode): string[] {
  return extractVariables.map(({ name }) => name);
}

function responsesOf({ responseVariables = [] }: SpecNode): string[] {
  return responseVariables.map(({ name }) => name);
}

function entryTexts(node: SpecNode): string[] {
  const { firstMessage, systemPrompt, transferPlan, url, headers, body } = node;
  return [
    firstMessage,
    systemPrompt,
    transferPlan?.message,
    url,
    JSON.stringify([headers, body]),
  ].filter((text) => text !== undefined);
}

/** The conditions of the node's edges, and of the global nodes that can be entered from it. */
function exitTexts(source: Source, node: number): string[] {
  if (isExit(nodeOf(source, node))) return [];
  const ofEdges = source.edges
    .filter(({ from }) => from === node)
    .map(({ condition }) => condition);
  const ofGlobals = source.globals.map((each) => nodeOf(source, each).condition);
  return [...ofEdges, ...ofGlobals].filter((text) => text !== undefined);
}

/** Names in `{{ name }}`, and before `==` in an expression: all that the generators write. */
function readsOf(text: string): Set<string> {
  const found = [...text.matchAll(/\{\{-?\s*([A-Za-z_]\w*)|^([A-Za-z_]\w*) == /g)];
  return new Set(found.map(([, read, compared]) => read ?? compared ?? ''));
}
