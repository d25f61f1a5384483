/**
 * 7. Enumerations include null and contain only string values.
 *
 * The items of an array need no null there when their type has none.
 */
import { child, type Find } from '../finding.js';
import type { Place } from '../place.js';
import { own } from '../reading.js';
import type { Rule } from './rule.js';

export const choicesAreTexts: Rule = (place, find) => {
  const choices = own(place.schema, 'enum');
  if (choices === undefined) return;
  const at = child(place.at, 'enum');
  if (!Array.isArray(choices)) return find('extraction/malformed', at, 'enum');
  checkValues(choices, at, find);
  const needsNull = place.role !== 'items' || place.type.nullable;
  if (needsNull && !choices.includes(null)) find('extraction/enum-null', at);
  checkType(place, choices, at, find);
};

/** The first wrong value stands for all: they are mended together. */
function checkValues(choices: readonly unknown[], at: string, find: Find): void {
  const wrong = choices.findIndex((each) => typeof each !== 'string' && each !== null);
  if (wrong >= 0) find('extraction/enum-value', child(at, wrong));
  const seen = new Set<unknown>();
  choices.forEach((each, index) => {
    const isChoice = typeof each === 'string' || each === null;
    if (isChoice && seen.has(each)) find('extraction/duplicate', child(at, index), `${each}`);
    seen.add(each);
  });
}

/** Wrong values have been reported already; a type that fits them would not make them right. */
function checkType({ type }: Place, choices: readonly unknown[], at: string, find: Find): void {
  const areTexts = choices.every((each) => typeof each === 'string' || each === null);
  if (areTexts && type.kind !== null && type.kind !== 'string') find('extraction/enum-type', at);
}
