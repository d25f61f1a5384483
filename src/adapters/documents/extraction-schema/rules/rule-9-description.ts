/** 9. `description` guides extraction. */
import { child } from '../finding.js';
import { own } from '../reading.js';
import type { Rule } from './rule.js';

export const fieldsAreDescribed: Rule = ({ schema, role, at }, find) => {
  const description = own(schema, 'description');
  if (description !== undefined && typeof description !== 'string') {
    find('extraction/malformed', child(at, 'description'), 'description');
  } else if (role === 'field' && !description?.trim()) {
    find('extraction/no-description', at);
  }
};
