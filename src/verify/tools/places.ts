/**
 * Places in a document whose key or value is looked for.
 *
 * In: a value, where it stands, what is looked for. Out: the pointers, in the order of the
 * document. Guarantees: linear, and no stack however deep the value is; a pointer is only written
 * for what is found.
 */
import { child, type JsonPointer } from '../../compiler/ir/ids.js';
import { isJsonObject, type Json } from '../../compiler/ir/json.js';

/** An object or a list on the way down, and how far it has been looked at. */
interface Frame {
  readonly value: { readonly [key: string]: Json };
  readonly keys: readonly string[] | null;
  readonly size: number;
  readonly key: string | number;
  next: number;
  /** The pointer, once something was found in it. */
  at: JsonPointer | null;
}

export interface Found {
  readonly at: JsonPointer;
  readonly value: Json;
}

type IsWanted = (key: string | number, value: Json) => boolean;

export function findPlaces(root: Json, at: JsonPointer, isWanted: IsWanted): Found[] {
  if (!mayHold(root, isWanted, 0)) return [];
  const found: Found[] = [];
  const path: Frame[] = [];
  const rootFrame = frameOf(root, '');
  if (rootFrame !== null) path.push({ ...rootFrame, at });
  while (path.length > 0) {
    const frame = path[path.length - 1]!;
    if (frame.next === frame.size) {
      path.pop();
      continue;
    }
    const key = frame.keys === null ? frame.next : frame.keys[frame.next]!;
    frame.next += 1;
    const value = frame.value[key]!;
    if (isWanted(key, value)) found.push({ at: child(pointerTo(path), key), value });
    const inner = frameOf(value, key);
    if (inner !== null) path.push(inner);
  }
  return found;
}

/** Values are seldom deeper. */
const shallow = 60;

/** Whether there may be such places; in most documents there is none, and nothing to be noted. */
function mayHold(value: Json, isWanted: IsWanted, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === shallow) return true;
  if (!isJsonObject(value)) {
    for (let at = 0; at < value.length; at += 1) {
      const element = value[at]!;
      if (isWanted(at, element) || mayHold(element, isWanted, depth + 1)) return true;
    }
    return false;
  }
  for (const key in value) {
    const part = value[key]!;
    if (isWanted(key, part)) return true;
    // Most parts are texts, in which there is nothing to be looked for.
    if (typeof part === 'object' && mayHold(part, isWanted, depth + 1)) return true;
  }
  return false;
}

function frameOf(value: Json, key: string | number): Frame | null {
  if (Array.isArray(value)) {
    return { value: value as never, keys: null, size: value.length, key, next: 0, at: null };
  }
  if (!isJsonObject(value)) return null;
  const keys = Object.keys(value);
  return { value, keys, size: keys.length, key, next: 0, at: null };
}

/** Where the innermost of these stands; what encloses it keeps its pointer for the next time. */
function pointerTo(path: readonly Frame[]): JsonPointer {
  let depth = path.length - 1;
  while (path[depth]!.at === null) depth -= 1;
  let pointer = path[depth]!.at!;
  for (depth += 1; depth < path.length; depth += 1) {
    pointer = child(pointer, path[depth]!.key);
    path[depth]!.at = pointer;
  }
  return pointer;
}
