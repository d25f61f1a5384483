/** What tools are known by: what they do, as one comparable text, and how the model knows them. */
import type { Json } from '../compiler/ir/json.js';
import type { WorkflowNode } from '../compiler/ir/workflow.js';
import { elements, objectOf, type Tool, textOf } from './squad-reading.js';
import { contentOfRequest, contentOfTool, keyOf } from './tools/content.js';

/** The key of a request node's tool. */
export function keyOfRequest(node: WorkflowNode, wrapped: boolean): string {
  return keyOf(contentOfRequest(node, wrapped));
}

/** The keys under which a tool of the document can be wanted. */
export function keysOfTool(tool: Tool, wrapped: boolean): string[] {
  return [keyOf(contentOfTool(tool, wrapped, false))];
}

/** The name under which the model calls the tool. */
export function nameOfTool(value: Tool['value']): string {
  return textOf(value['name']) ?? textOf(objectOf(value['function'])['name']) ?? '';
}

/** What tells the model when to call the tool; undefined where nothing does. */
export function descriptionOf({ type, value }: Tool): Json | undefined {
  if (type === 'transferCall') return objectOf(elements(value['destinations'])[0])['description'];
  return type === 'function' ? objectOf(value['function'])['description'] : value['description'];
}
