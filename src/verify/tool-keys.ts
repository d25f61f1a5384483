/** How the model knows tools: by their names, and by what tells when to call them. */
import type { Json } from '../compiler/ir/json.js';
import { elements, objectOf, type Tool, textOf } from './squad-reading.js';

/** The name under which the model calls the tool. */
export function nameOfTool(value: Tool['value']): string {
  return textOf(value['name']) ?? textOf(objectOf(value['function'])['name']) ?? '';
}

/** What tells the model when to call the tool; undefined where nothing does. */
export function descriptionOf({ type, value }: Tool): Json | undefined {
  if (type === 'transferCall') return objectOf(elements(value['destinations'])[0])['description'];
  return type === 'function' ? objectOf(value['function'])['description'] : value['description'];
}
