/** Lines that an assistant says at a step, and the tools that it calls there. */
import type { ToolCall, WorkflowNode } from '../ir/workflow.js';
import { toolNameOf } from './custom-tools.js';
import type { Pen } from './pens.js';
import type { Cast, Scene } from './scene.js';

/** `Say: "…"`, word for word. */
export function writeLine(pen: Pen, { firstMessage }: WorkflowNode): void {
  if (firstMessage === null) return;
  pen.words('Say: "');
  pen.quote(firstMessage);
  pen.words('"\n');
}

/** What is done at a step, word for word. */
export function writeInstruction(pen: Pen, { systemPrompt }: WorkflowNode): void {
  if (systemPrompt === null) return;
  pen.quote(systemPrompt);
  pen.words('\n');
}

/** The node's own tool, then those that an answer put behind its captures. */
export function writeToolCalls(pen: Pen, { cast }: Scene, node: WorkflowNode): void {
  const own = cast.tools.get(node.index);
  if (own !== undefined) writeToolCall(pen, own.value);
  for (const call of node.calls) {
    // A call that a condition needs stands where the condition stands.
    if (call.moment === 'captured') writeToolCall(pen, callName(call, cast.tools));
  }
}

function writeToolCall(pen: Pen, name: string): void {
  pen.words(`- call the tool ${name}\n`);
}

export function callName({ node, tool }: ToolCall, tools: Cast['tools']): string {
  const own = node === null ? undefined : tools.get(node);
  return own?.value ?? toolNameOf(tool);
}
