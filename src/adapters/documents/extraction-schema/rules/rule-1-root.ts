/** 1. The root must have type object. */
import type { Rule } from './rule.js';

export const rootIsObject: Rule = ({ role, type, at }, find) => {
  if (role === 'root' && type.kind !== 'object') find('extraction/root', at);
};
