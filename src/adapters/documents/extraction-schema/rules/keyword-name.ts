/** `service:name`: the display name; the keys of the output stay what they are. */
import { child } from '../finding.js';
import { own } from '../reading.js';
import type { Rule } from './rule.js';

export const displayNamesAreTexts: Rule = (place, find, prefix) => {
  const keyword = `${prefix}:name`;
  const name = own(place.schema, keyword);
  if (name !== undefined && (typeof name !== 'string' || name.trim() === '')) {
    find('extraction/malformed', child(place.at, keyword), keyword);
  }
};
