/** Calls of tools that a prompt asks for, and whether the name is that of the right tool. */
import type { GivenTool, ToolCall, WorkflowNode } from '../../compiler/ir/workflow.js';
import { wantName } from '../tools/names.js';
import type { Ground } from './ground.js';

/** Whether the assistant has a tool of this name that is the one of the call. */
export function calleeOf(ground: Ground, member: number, call: ToolCall, name: string): boolean {
  if (call.node !== null) return isToolOf(ground, member, ground.graph.nodeAt(call.node), name);
  const tool = ground.toolsOf(member).get(name);
  return tool?.type === 'function' && isNamed(name, call.tool);
}

/** Whether the assistant has a tool of this name that makes the node's request. */
export function isToolOf(
  ground: Ground,
  member: number,
  { request, name: ofNode, id }: WorkflowNode,
  name: string,
): boolean {
  const wanted = request?.toolName?.value ?? ofNode;
  const tool = ground.toolsOf(member).get(name);
  if (tool === undefined || request === null) return false;
  // What a server answers has no address; its tool is known by the name that the node gives it.
  if (request.operation?.direct === false)
    return tool.type === 'function' && isNamed(name, wanted ?? id);
  if (tool.url !== request.url?.value || tool.method !== request.method?.value) return false;
  // Requests can differ in what they send alone; then the node's own name tells them apart.
  const isOwn = (it: string) => isNamed(it, wanted ?? id);
  return tool.alike.length < 2 || isOwn(name) || !tool.alike.some(isOwn);
}

/** Whether the name is that of the tool which a tool node calls. */
export function isGivenTool({ name, value }: GivenTool, called: string): boolean {
  if (value !== null) return called === name;
  // Nobody sees what the platform calls it, so it goes by the name of the node.
  const { form } = wantName(name, false);
  return form === null ? isNamed(called, name) : called === form;
}

/** Names may have had to be made legal and unique, and long ones to be cut. */
function isNamed(name: string, wanted: string): boolean {
  const letters = lettersOf(wanted);
  return lettersOf(name).startsWith(letters === '' ? 'tool' : letters);
}

function lettersOf(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]+/g, '').slice(0, 24);
}
