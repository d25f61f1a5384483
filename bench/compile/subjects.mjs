/** What is done to each text in a round: the floor, squadc and its parts, and peers. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { DirectedGraph } from 'graphology';
import components from 'graphology-components';
import { Liquid } from 'liquidjs';
import { compile, emit, verify } from '../../dist/index.js';

/** @typedef {import('./cases.mjs').Item} Item */

const schema = new URL('../../schemas/workflow.schema.json', import.meta.url);
const validate = new Ajv2020({ allErrors: true }).compile(JSON.parse(readFileSync(schema, 'utf8')));
const liquid = new Liquid();

/** @type {Readonly<Record<string, (item: Item) => unknown>>} */
export const subjects = {
  /** What any program does that reads the one and writes the other. */
  floor: ({ text, output }) => [JSON.parse(text), JSON.stringify(output)],
  /** From text to text, as a user of the library would: phases and check. */
  whole: ({ text, options }) => JSON.stringify(compile(JSON.parse(text), options).output),
  /** All phases, without the check of what they made. */
  phases: ({ workflow, options }) => emit(workflow, options, 'squad-ir'),
  verify: ({ workflow, output, options }) => verify(workflow, output, options),
  graphology: ({ workflow }) => componentsOf(workflow),
  liquidjs: ({ workflow }) => textsOf(workflow).map((text) => liquid.parse(text)),
  ajv: ({ workflow }) => validate(workflow),
};

/** The subjects that are squadc. */
export const ours = new Set(['whole', 'phases', 'verify']);

/** @param {any} workflow */
function componentsOf({ nodes = [], edges = [] }) {
  const graph = new DirectedGraph();
  for (const node of nodes) graph.mergeNode(node.id ?? node.name, node);
  for (const edge of edges) graph.mergeEdge(edge.from, edge.to, edge);
  return components.stronglyConnectedComponents(graph);
}

/** @param {any} workflow @returns {string[]} */
function textsOf({ nodes = [], edges = [] }) {
  return [
    ...nodes.flatMap((/** @type {any} */ node) => [
      node.systemPrompt ?? node.prompt,
      node.firstMessage,
    ]),
    ...edges.map((/** @type {any} */ edge) => edge.condition),
  ].filter((text) => typeof text === 'string');
}
