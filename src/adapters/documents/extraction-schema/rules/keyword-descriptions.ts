/** `service:descriptions`: an array beside an enumeration, one description per non-null value. */
import { child } from '../finding.js';
import { own } from '../reading.js';
import type { Rule } from './rule.js';

export const choicesAreDescribed: Rule = (place, find, prefix) => {
  const keyword = `${prefix}:descriptions`;
  const given = own(place.schema, keyword);
  const choices = own(place.schema, 'enum');
  const at = child(place.at, keyword);
  if (given === undefined) return;
  if (!Array.isArray(given) || given.some((each) => typeof each !== 'string')) {
    find('extraction/malformed', at, keyword);
  } else if (!Array.isArray(choices)) {
    find('extraction/descriptions-alone', at, keyword);
  } else if (given.length !== choices.filter((each) => each !== null).length) {
    find('extraction/descriptions-count', at, keyword);
  }
};
