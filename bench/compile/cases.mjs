/**
 * What is measured together: one workflow of a shape, the real workflows of a folder, or many small
 * ones. Each text comes with the options with which it becomes a squad, and with the squad.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile, readWorkflow } from '../../dist/index.js';
import { answers, shapes, textOf } from '../shapes.mjs';

/**
 * @typedef {{ text: string, workflow: any, options: import('../../src/index.js').CompileOptions, output: object }} Item
 * @typedef {import('./run-case.mjs').Extent} Extent
 */

/** Workflows of so many nodes make up a batch. */
const batched = 10;

/** @param {string} shape @param {number} size @returns {Promise<Item[]>} */
export async function itemsOf(shape, size) {
  if (shape === 'batch') return batch(size);
  if (shape === 'corpus') return corpus(process.env.SQUADC_CORPUS ?? '');
  return [itemOf(textOf(shape, size))];
}

/** Small ones of all shapes. @param {number} size */
function batch(size) {
  const names = Object.keys(shapes);
  return Array.from({ length: size }, (_, at) => {
    const workflow = shapes[names[at % names.length] ?? '']?.(batched);
    return itemOf(JSON.stringify({ ...workflow, name: `workflow ${at}` }));
  });
}

/** @param {string} text @returns {Item} */
function itemOf(text) {
  const workflow = JSON.parse(text);
  const options = { answers };
  const { output, status, questions } = compile(workflow, options);
  if (output === null) throw new Error(`${status}: ${questions.map(({ id }) => id).join(', ')}`);
  return { text, workflow, options, output };
}

/** Those that become squads with the answers that squadc proposes. @param {string} folder @returns {Promise<Item[]>} */
async function corpus(folder) {
  const { settle } = await import('../../dist/testing.js');
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const { workflow } = readWorkflow(text);
    if (compile(workflow).status === 'invalid') return [];
    const { result, options } = settle(workflow);
    return result.output === null ? [] : [{ text, workflow, options, output: result.output }];
  });
}

/** @param {readonly Item[]} items @returns {Extent} */
export function extentOf(items) {
  const extent = { nodes: 0, edges: 0, input: 0, output: 0 };
  for (const { text, workflow, output } of items) {
    const { nodes = [], edges = [] } = workflow.workflow ?? workflow;
    extent.nodes += nodes.length;
    extent.edges += edges.length;
    extent.input += Buffer.byteLength(text);
    extent.output += Buffer.byteLength(JSON.stringify(output));
  }
  return extent;
}
