/** 4. Maximum nesting depth is 5 levels: the root is the first, and arrays add none. */
import type { Rule } from './rule.js';

const deepest = 5;

/** Reported once on each way down; what lies deeper goes along. */
export const depthIsBounded: Rule = ({ level, isObject, at }, find) => {
  if (isObject && level === deepest + 1) find('extraction/too-deep', at);
};
