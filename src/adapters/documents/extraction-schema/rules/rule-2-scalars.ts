/**
 * 2. Every primitive field must be nullable: type is an array such as [string, null].
 *
 * An array has no gaps, so its items may leave null out. A type that is missing is not reported
 * where a construct that is not supported stands for it: that is one fault, with one finding.
 */
import { child } from '../finding.js';
import { has } from '../reading.js';
import type { Rule } from './rule.js';

const standIns = ['anyOf', 'oneOf', 'allOf', 'not', 'if', 'const', '$ref', '$dynamicRef'];

export const scalarsAreNullable: Rule = ({ schema, role, type, at }, find) => {
  if (role === 'root') return;
  const given = has(schema, 'type');
  const isScalar = type.kind !== null && type.kind !== 'object' && type.kind !== 'array';
  if (type.kind === null && (given || !standIns.some((each) => has(schema, each)))) {
    find('extraction/type', given ? child(at, 'type') : at);
  }
  if (isScalar && !type.nullable && role !== 'items') {
    find('extraction/not-nullable', child(at, 'type'));
  }
};
