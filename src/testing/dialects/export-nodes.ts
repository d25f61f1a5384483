/**
 * Nodes as exports of the platform and responses of its API hold them.
 *
 * In: a node that fits the dialect (as-read.ts). Out: a `conversation`, a `tool` with its tool
 * inline, or a `hangup`; all of them may be global, and may have instructions.
 */
import { isTalk, type SpecNode } from '../spec-workflow.js';
import { captureList, captureSchema } from './captures.js';
import { type Draw, positionOf, present, type Written } from './dialect.js';
import { toolOf } from './tools.js';

/** How a dialect writes what its nodes have in common. */
export interface ExportStyle {
  readonly captures: 'list' | 'schema';
  /** Names only, or the id beside it. */
  readonly keyedBy: 'name' | 'id';
}

export function exportNode(
  node: SpecNode,
  index: number,
  isStart: boolean,
  style: ExportStyle,
  draw: Draw,
): Written {
  const lineIn = endsByTool(node) ? draw(['tool', 'node'] as const, index) : 'node';
  const tool = toolOf(node, lineIn, draw([undefined, node.id], index));
  return present({
    ...labelsOf(node, style),
    type: tool === null ? node.type : 'tool',
    tool: tool ?? undefined,
    isStart: isStart ? true : undefined,
    prompt: node.systemPrompt,
    messagePlan: lineIn === 'node' ? messagePlan(node) : undefined,
    variableExtractionPlan: isTalk(node) ? extractionPlan(node, style, draw) : undefined,
    globalNodePlan: globalPlan(node, index, draw),
    metadata: positionOf(index),
    ...commonFields(node),
  });
}

/** Whether the line of a node may be a message of its tool. */
function endsByTool({ type }: SpecNode): boolean {
  return type === 'transferCall' || type === 'endCall';
}

function labelsOf({ id, name }: SpecNode, { keyedBy }: ExportStyle): Written {
  return keyedBy === 'id' ? present({ id, name }) : { name: id };
}

function messagePlan({ firstMessage }: SpecNode): Written | undefined {
  return firstMessage === undefined ? undefined : { firstMessage };
}

function extractionPlan(
  { extractVariables }: SpecNode,
  { captures }: ExportStyle,
  draw: Draw,
): Written | undefined {
  if (extractVariables === undefined) return undefined;
  return captures === 'list'
    ? { output: captureList(extractVariables, draw) }
    : { schema: captureSchema(extractVariables, draw) };
}

/** A node that is not global may have a plan that is switched off. */
function globalPlan(
  { isGlobal, condition, type }: SpecNode,
  index: number,
  draw: Draw,
): Written | undefined {
  if (isGlobal) return present({ enabled: true, enterCondition: condition });
  if (type !== 'conversation') return undefined;
  return draw([undefined, { enabled: false, enterCondition: '' }], index);
}

/** Fields that all dialects have alike: settings, and one that none of them knows. */
export function commonFields({ note, model, voice, transcriber }: SpecNode): Written {
  return present({ model, voice, transcriber, note });
}
