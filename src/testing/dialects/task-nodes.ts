/**
 * Nodes as older documents hold them: tasks, each of which does one thing.
 *
 * In: a node that fits the dialect (as-read.ts). Out: what only speaks or only instructs is a `say`,
 * what extracts a `gather`, and what does both speak and instruct a conversation as the
 * documentation writes it. Types are capitalised or not.
 */
import { isTalk, type SpecNode } from '../spec-workflow.js';
import { captureSchema } from './captures.js';
import { type Draw, present, type Written } from './dialect.js';
import { commonFields } from './export-nodes.js';
import { destinationOf, requestFields } from './tools.js';

export function taskNode(node: SpecNode, index: number, draw: Draw): Written {
  const { id, name, isGlobal, condition, firstMessage, systemPrompt } = node;
  const { type, ...work } = workOf(node, draw);
  const spoken = type === 'say' ? {} : { firstMessage, systemPrompt };
  return present({
    id,
    name,
    type: capitalised(String(type), index, draw),
    ...spoken,
    ...work,
    isGlobal,
    condition,
    ...commonFields(node),
  });
}

/** The task that does the work of the node, and what it needs. */
function workOf(node: SpecNode, draw: Draw): Written {
  if (isTalk(node)) return talkOf(node, draw);
  if (node.type === 'apiRequest') {
    return { type: 'apiRequest', mode: 'blocking', ...requestFields(node) };
  }
  if (node.type !== 'transferCall') return { type: node.type };
  const { transferPlan } = node;
  const destination = destinationOf(node);
  return destination === null
    ? { type: 'transfer', transferPlan }
    : { type: 'transfer', destination };
}

function talkOf(node: SpecNode, draw: Draw): Written {
  const { extractVariables, firstMessage, systemPrompt } = node;
  if (extractVariables !== undefined) {
    return { type: 'gather', output: captureSchema(extractVariables, draw) };
  }
  if ((firstMessage === undefined) === (systemPrompt === undefined)) {
    return { type: 'conversation' };
  }
  return { type: 'say', exact: firstMessage, prompt: systemPrompt };
}

/** Types that the first documents began with a capital. */
function capitalised(type: string, index: number, draw: Draw): string {
  if (!['say', 'gather', 'transfer', 'apiRequest', 'hangup'].includes(type)) return type;
  return draw([type, `${type.slice(0, 1).toUpperCase()}${type.slice(1)}`], index);
}
