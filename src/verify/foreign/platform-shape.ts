/**
 * Part of item 8: what squadc's own schema of the target `vapi` refuses and the platform accepts.
 *
 * The schema describes what squadc writes, so it is closed where the platform is not. A row says
 * which item judges such a part instead; without one, squadc does not know what it does to a call.
 */
import type { Json } from '../../text/json.js';
import type { JsonPointer } from '../../text/pointer.js';

const destination = '/(?:destinations|assistantDestinations)/\\d+';
const ofDestination = (keys: string) => new RegExp(`${destination}/(?:${keys})$`);

/** Place, what the schema says about it, and the values that the platform accepts if not all. */
type Row = readonly [at: RegExp, problem: RegExp, values?: readonly Json[]];

/** Other items judge these. */
const judged: readonly Row[] = [
  // Without a plan the whole conversation is passed on; without a description item 3 fails.
  [new RegExp(`${destination}$`), /must have “(?:contextEngineering|descript|assistantNam)\w+”/],
  [ofDestination('type'), /must be “assistant”/, ['dynamic', 'squad']],
  [ofDestination('server|squad(?:Id|Overrides)?|entryAssistantName|assistant'), /must not have/],
  [ofDestination('message|transferMode'), /must not have/],
  [ofDestination('variableExtractionPlan(?:/.*)?'), /must (?:not )?have|must not be empty/],
  [/\/tools(?::append)?\/\d+$/, /must have “destinations”/],
  [/\/tools(?::append)?(?:\/\w+){3}\/type$/, /must be “number” or “sip”/, ['assistant']],
  // Texts, settings and names are compared anyway.
  [/^\/members\/\d+\/assistant\/model$/, /must have “messages”/],
  [/^\/members\/\d+\/assistant$/, /must have “(?:model|name)”/],
  [/^\/members\/\d+$/, /must have “assistant”/],
];

/** Nobody judges these. */
const unknown: readonly Row[] = [
  [/\/tools(?::append)?\/\d+\/defaultResult$/, /must not have/],
  [/\/function\/strict$/, /is not allowed here/],
  [/^\/members\/\d+\/assistant$/, /is not allowed here/],
  [ofDestination('assistantName'), /is not allowed here/],
];

/**
 * Whether what the schema says about a value is a fault of the squad, one of another item, or
 * something unknown.
 */
export function judgeFault(at: JsonPointer, problem: string, value: Json | undefined) {
  const isIn = (rows: readonly Row[]) =>
    rows.some(([place, words, values]) => {
      const isAny = values === undefined || values.includes(value ?? null);
      return isAny && place.test(at) && words.test(problem);
    });
  return isIn(judged) ? 'elsewhere' : isIn(unknown) ? 'unknown' : 'refused';
}
