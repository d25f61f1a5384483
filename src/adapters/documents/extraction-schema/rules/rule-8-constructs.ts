/**
 * 8. Unsupported constructs: anyOf, oneOf, allOf, regex patterns, conditional schemas, const.
 *
 * And what is built like them: references, negation, what depends on other properties, and other
 * ways to say what an object or an array holds. A keyword of another service, or a misspelt one of
 * this one, is a warning; a keyword that the service does not speak of is only mentioned.
 */
import { child } from '../finding.js';
import type { Rule } from './rule.js';

const unsupported = new Set([
  ...['anyOf', 'oneOf', 'allOf', 'not', 'const', 'pattern', 'patternProperties'],
  ...['if', 'then', 'else', 'dependencies', 'dependentSchemas', 'dependentRequired'],
  ...['$ref', '$dynamicRef', '$recursiveRef', '$defs', 'definitions'],
  ...['prefixItems', 'additionalItems', 'contains', 'minContains', 'maxContains'],
  ...['propertyNames', 'unevaluatedProperties', 'unevaluatedItems'],
]);

const known = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'description'],
  ...['$schema', '$id', '$comment', 'title', 'examples'],
]);

const ofService = ['type', 'name', 'descriptions'];

export function isUnsupported(key: string): boolean {
  return unsupported.has(key);
}

export const constructsAreKnown: Rule = ({ keys, at }, find, prefix) => {
  for (const key of keys) {
    if (unsupported.has(key)) find('extraction/unsupported', child(at, key), key);
    else if (known.has(key) || ofService.some((each) => key === `${prefix}:${each}`)) continue;
    else if (key.includes(':')) find('extraction/foreign-keyword', child(at, key), key);
    else find('extraction/unknown-keyword', child(at, key), key);
  }
};

/** Keywords that speak of one type only. */
const subjects = [
  ['properties', 'object'],
  ['required', 'object'],
  ['additionalProperties', 'object'],
  ['items', 'array'],
] as const;

export const keywordsFitTheType: Rule = ({ keys, type, at }, find) => {
  if (type.kind === null) return;
  for (const [key, kind] of subjects) {
    if (type.kind !== kind && keys.includes(key)) {
      find('extraction/misplaced', child(at, key), key);
    }
  }
};
