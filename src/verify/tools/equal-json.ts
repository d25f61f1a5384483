/**
 * Whether two JSON values are equal, the order of keys aside.
 *
 * Guarantees: linear, and the stack that is used does not grow with the depth of the values.
 */
import { isJsonObject, type Json, type JsonObject } from '../../compiler/ir/json.js';
import { canonicalText } from './canonical-text.js';

/** Values are seldom deeper; what is below is compared as text. */
const shallow = 60;

/** In a `schema` the names that are required are a set, whatever their order. */
export function isEqualJson(one: Json, other: Json, schema = false, depth = 0): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  if (one === null || other === null) return false;
  if (depth === shallow) return canonicalText(one, schema) === canonicalText(other, schema);
  if (isJsonObject(one)) {
    return isJsonObject(other) && areEqualObjects(one, other, schema, depth);
  }
  if (isJsonObject(other) || one.length !== other.length) return false;
  return one.every((element, at) => isEqualJson(element, other[at]!, schema, depth + 1));
}

function areEqualObjects(
  one: JsonObject,
  other: JsonObject,
  schema: boolean,
  depth: number,
): boolean {
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => {
    if (!Object.hasOwn(other, key)) return false;
    const [part, otherPart] = [one[key]!, other[key]!];
    if (schema && key === 'required') {
      return canonicalText({ [key]: part }, true) === canonicalText({ [key]: otherPart }, true);
    }
    return isEqualJson(part, otherPart, schema, depth + 1);
  });
}
