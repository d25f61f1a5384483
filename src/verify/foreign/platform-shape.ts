/**
 * Squads of the platform: as they would be created, without what the API adds to a fetched one; and
 * part of item 8: what squadc's own schema of the target `vapi` refuses and the platform accepts.
 *
 * The schema describes what squadc writes, so it is closed where the platform is not. A row says
 * which item judges such a part instead; without one, squadc does not know what it does to a call.
 */
import { asObject, isObject, type Json, type JsonObject } from '../../text/json.js';
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

/** Fields that the platform writes itself. */
const readOnly: ReadonlySet<string> = new Set([
  ...['id', 'orgId', 'createdAt', 'updatedAt', 'isServerUrlSecretSet'],
]);

/** Where it does so, with positions in lists as `#`. */
const writtenAt =
  /^(?:\/members\/#(?:\/(?:assistant|assistantOverrides)(?:\/(?:model\/tools|tools:append)\/#)?)?)?$/;

/** `document` is the body of a squad, not wrapped. Only keys are left out, so places stay the same. */
export function asCreated(document: JsonObject): JsonObject {
  return asObject(without(document, ''));
}

function without(value: Json, path: string): Json {
  if (Array.isArray(value)) return value.map((it) => without(it, `${path}/#`));
  if (!isObject(value)) return value;
  const isWritten = (key: string) => readOnly.has(key) && writtenAt.test(path);
  const isOwn = (key: string) => !isWritten(key) && (value[key] !== null || path !== '/members/#');
  const own = Object.entries(value).filter(([key]) => isOwn(key));
  return Object.fromEntries(own.map(([key, it]) => [key, without(it, `${path}/${key}`)]));
}
