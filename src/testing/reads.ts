/** Which node sets a variable and which texts read it: definitions and uses of the source. */
import { nodeOf, type Source } from './source.js';
import { isExit, type SpecNode } from './spec-workflow.js';
import { readsOf } from './template-reads.js';

/** The names of all variables that something in the workflow sets. */
export function definedVariables({ workflow, provided }: Source): string[] {
  const names = [
    ...workflow.nodes.flatMap((node) => [...capturesOf(node), ...responsesOf(node)]),
    ...[...provided.at.values(), ...provided.onTheWayTo.values()].flatMap((given) => [...given]),
  ];
  return [...new Set(names)].sort();
}

/** Whether the node captures the variable from the conversation. */
export function captures(source: Source, node: number, variable: string): boolean {
  return capturesOf(nodeOf(source, node)).includes(variable);
}

/** Whether a tool sets the variable at the node, after its captures. */
export function responds(source: Source, node: number, variable: string): boolean {
  const isProvided = source.provided.at.get(node)?.has(variable) ?? false;
  return isProvided || responsesOf(nodeOf(source, node)).includes(variable);
}

/** Whether a tool sets the variable when the global node is entered from anywhere. */
export function isGiven({ provided }: Source, global: number, variable: string): boolean {
  return provided.onTheWayTo.get(global)?.has(variable) ?? false;
}

/** Whether a text reads the variable on entry to the node, and when the node is left. */
export function readsAt(source: Source, node: number, variable: string): [boolean, boolean] {
  const reads = (text: string): boolean => readsOf(text).has(variable);
  return [entryTexts(source, node).some(reads), exitTexts(source, node).some(reads)];
}

function capturesOf({ extractVariables = [] }: SpecNode): string[] {
  return extractVariables.map(({ name }) => name);
}

function responsesOf({ responseVariables = [] }: SpecNode): string[] {
  return responseVariables.map(({ name }) => name);
}

/** The node's own texts, and the prompt that stands in every assistant. */
function entryTexts(source: Source, index: number): string[] {
  const node = nodeOf(source, index);
  const { firstMessage, systemPrompt, transferPlan, destination, url, headers, body } = node;
  return [
    source.workflow.globalPrompt,
    firstMessage,
    systemPrompt,
    transferPlan?.message,
    destination,
    url,
    JSON.stringify([headers, body]),
    ...(node.extractVariables ?? []).map(({ description }) => description),
  ].filter((text) => text !== undefined);
}

/** The conditions of the node's edges, and of the global nodes that can be entered from it. */
function exitTexts(source: Source, node: number): string[] {
  if (isExit(nodeOf(source, node))) return [];
  const { decided } = source.provided;
  const ofEdges = source.edges
    .filter(({ from, index }) => from === node && !decided.has(`/edges/${index}/condition`))
    .map(({ condition }) => condition);
  const ofGlobals = source.globals
    .filter((each) => !decided.has(`/nodes/${each}/condition`))
    .map((each) => nodeOf(source, each).condition);
  return [...ofEdges, ...ofGlobals].filter((text) => text !== undefined);
}
