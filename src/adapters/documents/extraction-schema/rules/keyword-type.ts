/**
 * `service:type`: date on a string field; currency on an object with `amount` and
 * `iso_4217_currency_code`; signature on an object with `printed_name`, `signature_date`,
 * `is_signed`, `title_or_role`.
 */
import { child } from '../finding.js';
import type { Place } from '../place.js';
import { isObject, type Kind, own, readType } from '../reading.js';
import type { Rule } from './rule.js';

type Parts = readonly (readonly [name: string, ...kinds: Kind[]])[];

const currency: Parts = [
  ['amount', 'number', 'integer'],
  ['iso_4217_currency_code', 'string'],
];

const signature: Parts = [
  ['printed_name', 'string'],
  ['signature_date', 'string'],
  ['is_signed', 'boolean'],
  ['title_or_role', 'string'],
];

export const specialTypesFit: Rule = (place, find, prefix) => {
  const { special, type } = place;
  const keyword = `${prefix}:type`;
  const at = child(place.at, keyword);
  if (special === 'currency' || special === 'signature') {
    const parts = special === 'currency' ? currency : signature;
    const wrong = parts.filter(([name, ...kinds]) => !hasPart(place, name, kinds));
    if (wrong.length > 0) find(`extraction/${special}`, at, wrong.map(([name]) => name).join(', '));
    const extra = place.names.filter((name) => !parts.some(([part]) => part === name));
    if (extra.length > 0) find('extraction/extra-part', at, extra.join(', '));
  } else if (special === 'date') {
    if (type.kind !== 'string') find('extraction/date', at);
  } else if (special !== undefined) find('extraction/special-type', at, keyword);
};

/** A property whose type is no type at all has a finding of its own. */
function hasPart({ schema, names }: Place, name: string, kinds: readonly Kind[]): boolean {
  if (!names.includes(name)) return false;
  const part = own(Object(own(schema, 'properties')), name);
  const kind = isObject(part) ? readType(part).kind : null;
  return kind === null || kinds.includes(kind);
}
