/** 3. Objects and arrays cannot be nullable. Arrays hold objects or scalars. */
import { child } from '../finding.js';
import { has, isObject, own, readType } from '../reading.js';
import type { Rule } from './rule.js';

export const containersAreThere: Rule = ({ schema, type, at }, find) => {
  const { kind, nullable } = type;
  if (nullable && (kind === 'object' || kind === 'array')) {
    find('extraction/nullable-container', child(at, 'type'));
  }
  if (kind !== 'array') return;
  const items = own(schema, 'items');
  if (!isObject(items) || readType(items).kind === 'array') {
    find('extraction/items', has(schema, 'items') ? child(at, 'items') : at);
  }
};
