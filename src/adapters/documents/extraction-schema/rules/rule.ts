/** One rule about one place; it reports what is broken there and changes nothing. */
import type { Find } from '../finding.js';
import type { Place } from '../place.js';

export type Rule = (place: Place, find: Find, prefix: string) => void;
