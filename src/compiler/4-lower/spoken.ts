/** Lines that an assistant says at a step, and the tools that it calls there. */
import type { Segment } from '../ir/squad-ir.js';
import type { ToolCall, WorkflowNode } from '../ir/workflow.js';
import { toolNameOf } from './custom-tools.js';
import type { Scene } from './prompt.js';
import { quoted, wording } from './segments.js';

/** `Say: "…"`, word for word. */
export function sayLine(node: WorkflowNode): Segment[] {
  if (node.firstMessage === null) return [];
  return [wording('Say: "'), quoted(node.firstMessage), wording('"\n')];
}

/** The node's own tool, then those that an answer put behind its captures. */
export function toolCalls({ cast }: Scene, node: WorkflowNode): Segment[] {
  const own = cast.tools.get(node.index);
  const names = [
    ...(own === undefined ? [] : [own]),
    ...node.calls.filter(isAfterCaptures).map((it) => callName(it, cast.tools)),
  ];
  return names.map((name) => wording(`- call the tool ${name}\n`));
}

/** A call that a condition needs stands where the condition stands. */
function isAfterCaptures({ moment }: ToolCall): boolean {
  return moment === 'captured';
}

export function callName(call: ToolCall, tools: ReadonlyMap<number, string>): string {
  return (call.node === null ? undefined : tools.get(call.node)) ?? toolNameOf(call.tool);
}
