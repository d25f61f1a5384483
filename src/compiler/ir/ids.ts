/**
 * Identifiers of the intermediate representations.
 *
 * Indices are branded, so that a node's number cannot be used as an assistant's. They are positions
 * in the arrays of their IR, never positions in a document; a position in a document is a {@link
 * JsonPointer}.
 */
declare const brand: unique symbol;
type Branded<Name extends string> = number & { readonly [brand]: Name };

/** Position of a node in `Workflow.nodes`. */
export type NodeIndex = Branded<'NodeIndex'>;
/** Position of an edge in `Workflow.edges`. */
export type EdgeIndex = Branded<'EdgeIndex'>;
/** Position of a region in `RegionMap.regions`, and of its assistant in `SquadIr.assistants`. */
export type RegionIndex = Branded<'RegionIndex'>;

/** A JSON Pointer (RFC 6901); the empty string is the whole document. */
export type JsonPointer = string;

/** The pointer to a member or an element of the value at `base`. */
export function child(base: JsonPointer, segment: string | number): JsonPointer {
  const text = String(segment);
  if (!/[~/]/.test(text)) return `${base}/${text}`;
  return `${base}/${text.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The pointer to the value that these keys lead to from the root. */
export function pointer(...segments: readonly (string | number)[]): JsonPointer {
  return segments.reduce<JsonPointer>(child, '');
}
