/** 5. Property names contain only letters, numbers, underscores and hyphens. */
import { child } from '../finding.js';
import type { Rule } from './rule.js';

export function isPropertyName(name: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(name);
}

export const namesArePlain: Rule = ({ names, at }, find) => {
  for (const name of names) {
    if (!isPropertyName(name)) {
      find('extraction/property-name', child(child(at, 'properties'), name), name);
    }
  }
};
