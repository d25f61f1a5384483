/** What a workflow has at all: nobody needs to look in every assistant for what is nowhere. */
import type { Workflow, WorkflowEdge, WorkflowNode } from '../ir/workflow.js';
import { isGuarded } from './guards.js';

export interface Features {
  /** Requests, transfers, tools in the platform's words, or calls that an answer asked for. */
  readonly tools: boolean;
  /** Nodes that end the call. */
  readonly ends: boolean;
  /** Conditions that the platform enforces. */
  readonly guards: boolean;
  /** Assistants that the platform keeps. */
  readonly saved: boolean;
}

export function findFeatures(workflow: Workflow): Features {
  const found = { tools: false, ends: false, guards: hasGuards(workflow), saved: false };
  for (const node of workflow.nodes) {
    found.tools ||= hasTools(node);
    found.ends ||= endsCall(node);
    found.saved ||= node.assistant !== null && node.assistant.savedAs !== null;
  }
  return found;
}

export function hasGuards({ nodes, edges }: Workflow): boolean {
  return edges.some(hasGuard) || nodes.some(({ global }) => global !== null && hasGuard(global));
}

function hasTools({ request, transfer, tools, calls, global }: WorkflowNode): boolean {
  if (request !== null || transfer !== null || tools.length + calls.length > 0) return true;
  return global !== null && global.condition !== null && global.condition.call !== null;
}

export function endsCall({ type }: WorkflowNode): boolean {
  return type === 'endCall' || type === 'hangup';
}

function hasGuard({ condition }: Pick<WorkflowEdge, 'condition'>): boolean {
  return isGuarded(condition);
}
