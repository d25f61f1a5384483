/**
 * Compares a value of a document that was redacted with one that was not.
 *
 * A part that is hidden stands for any text; so what differs in nothing else is taken for the same.
 */
import { hidden } from '../compiler/ir/secrets.js';

/** Whether the redacted value could be made of the other one. */
export function couldBe(redacted: unknown, whole: unknown): boolean {
  if (typeof redacted === 'string' && typeof whole === 'string') {
    return textCouldBe(redacted, whole);
  }
  if (!isObject(redacted) || !isObject(whole)) return redacted === whole;
  if (Array.isArray(redacted) !== Array.isArray(whole)) return false;
  const keys = Object.keys(redacted);
  return (
    keys.length === Object.keys(whole).length &&
    keys.every((key) => Object.hasOwn(whole, key) && couldBe(redacted[key], whole[key]))
  );
}

/** The first place of each part is as good as any later one: more is left for the parts behind it. */
function textCouldBe(redacted: string, whole: string): boolean {
  const [start = '', ...parts] = redacted.split(hidden);
  const end = parts.pop();
  if (end === undefined) return redacted === whole;
  if (!whole.startsWith(start)) return false;
  let at = start.length;
  for (const part of parts) {
    const found = whole.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return whole.endsWith(end) && whole.length - end.length >= at;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
