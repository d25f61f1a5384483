/**
 * The quick half of `parseJsonText`: the value of a text that has no fault, as nearly every text.
 *
 * In: a text of any kind. Out: what `JSON.parse` makes of it, or undefined where the text is no
 * JSON, is nested too deep or has a key twice in one object; the other half says where.
 *
 * `JSON.parse` drops all but the last of equal keys. So the text has a key twice where it has more
 * members than the value: in JSON a colon outside of strings is a member, and nothing else is.
 */
import {
  closeBrace,
  closeBracket,
  colon,
  endOfString,
  openBrace,
  openBracket,
  quote,
} from './json-characters.js';
import { maxDepth } from './json-plain.js';
import { bomLength } from './json-scan.js';

/** Reads a faultless text; see the head of this file. */
export function parseFaultless(text: string): unknown {
  const members = countMembersOfText(text);
  if (members === tooDeep) return undefined;
  try {
    const value: unknown = JSON.parse(text.slice(bomLength(text)));
    return countMembers(value) === members ? value : undefined;
  } catch {
    return undefined;
  }
}

const tooDeep = -1;

/** Of a text that is no JSON the number means nothing. */
function countMembersOfText(text: string): number {
  let members = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) at = endOfString(text, at);
    else if (unit === colon) members++;
    else if (unit === openBrace || unit === openBracket) {
      if (++depth > maxDepth) return tooDeep;
    } else if (unit === closeBrace || unit === closeBracket) depth--;
  }
  return members;
}

/** The text was found not too deep before, so the recursion is bounded. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const parts: unknown[] = Array.isArray(value) ? value : Object.values(value);
  let members = parts === value ? 0 : parts.length;
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at];
    if (typeof part === 'object' && part !== null) members += countMembers(part);
  }
  return members;
}
