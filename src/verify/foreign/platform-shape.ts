/**
 * Part of item 8: what squadc's own schema of the target `vapi` refuses and the platform accepts.
 *
 * The schema describes what squadc writes, so it is closed where the platform is not. A row says
 * which item judges such a part instead; without one, squadc does not know what it does to a call.
 */
import type { JsonPointer } from '../../text/pointer.js';

const destination = '/(?:destinations|assistantDestinations)/\\d+';

/** Place, and what the schema says about it. */
type Row = readonly [at: RegExp, problem: RegExp];

/** Other items judge these. */
const judged: readonly Row[] = [
  // Without a plan the whole conversation is passed on; without a description item 3 fails.
  [
    new RegExp(`${destination}$`),
    /must have “(?:contextEngineeringPlan|description|assistantName)”/,
  ],
  [new RegExp(`${destination}/type$`), /must be “assistant”/],
  [
    new RegExp(
      `${destination}/(?:server|squad|squadId|entryAssistantName|squadOverrides|assistant)$`,
    ),
    /must not have/,
  ],
  [new RegExp(`${destination}/(?:message|transferMode)$`), /must not have/],
  [
    new RegExp(`${destination}/variableExtractionPlan(?:/|$)`),
    /must (?:not )?have|must not be empty/,
  ],
  [/\/tools(?::append)?\/\d+$/, /must have “destinations”/],
  [/\/tools(?::append)?\/\d+\/destinations\/\d+\/type$/, /must be “number” or “sip”/],
  [/\/tools(?::append)?\/\d+\/server$/, /must have “url”/],
  // Texts, settings and names are compared anyway.
  [/^\/members\/\d+\/assistant\/model$/, /must have “messages”/],
  [/^\/members\/\d+\/assistant$/, /must have “(?:model|name)”/],
  [/^\/members\/\d+$/, /must have “assistant”/],
];

/** Nobody judges these. */
const unknown: readonly Row[] = [
  [/\/tools(?::append)?\/\d+\/defaultResult$/, /must not have/],
  [/\/function\/strict$/, /must not have/],
  [/^\/members\/\d+\/assistant$/, /is not allowed here/],
  [new RegExp(`${destination}/assistantName$`), /is not allowed here/],
];

const has = (rows: readonly Row[], at: JsonPointer, problem: string): boolean =>
  rows.some(([place, words]) => place.test(at) && words.test(problem));

/** Whether a fault of the schema is one of the squad, of another item, or something unknown. */
export function judgeFault(at: JsonPointer, problem: string): 'refused' | 'elsewhere' | 'unknown' {
  if (has(judged, at, problem)) return 'elsewhere';
  return has(unknown, at, problem) ? 'unknown' : 'refused';
}
