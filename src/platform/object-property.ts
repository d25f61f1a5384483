/**
 * What becomes of a property `workflowId` with a literal value, the same in JSON and in scripts.
 *
 * In: the properties `workflowId` of one object, and whether it has a `squadId`, too. Out: the
 * rewrite, or why there is none. A rewrite never gives an object a second `squadId`.
 */
import { type FoundCallers, newName, type SquadIds } from './caller-place.js';

export interface LiteralText {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

export interface NamedProperty {
  /** The name as it stands in the text: from here, to there, in these quotes or none. */
  readonly key: { readonly start: number; readonly end: number; readonly quote: Quote };
  readonly value: LiteralText & { readonly quote: Quote };
}

export type Quote = '"' | "'" | '';

/** The rewrite of a property, or the reason why there is none. */
export function settleProperty(
  { key, value }: NamedProperty,
  clashes: boolean,
  squadIds: SquadIds,
): FoundCallers {
  const { start: offset } = key;
  const squadId = squadIds.get(value.value);
  if (clashes || squadId === undefined) {
    const why = clashes ? 'clash' : 'not-in-map';
    return { rewrites: [], byHand: [{ offset, why, workflowId: value.value }] };
  }
  const edits = [
    { start: key.start, end: key.end, text: `${key.quote}${newName}${key.quote}` },
    { start: value.start, end: value.end, text: quoted(squadId, value.quote) },
  ];
  return { rewrites: [{ offset, workflowId: value.value, squadId, edits }], byHand: [] };
}

/** The text as a literal; what JSON escapes, JavaScript reads the same. */
function quoted(text: string, quote: Quote): string {
  const inDouble = JSON.stringify(text);
  if (quote !== "'") return inDouble;
  return `'${inDouble.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
