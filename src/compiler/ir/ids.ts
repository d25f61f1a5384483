/**
 * Identifiers of the intermediate representations.
 *
 * Indices are branded, so that a node's number cannot be used as an assistant's. They are positions
 * in the arrays of their IR, never positions in a document; those are JSON Pointers.
 */
declare const brand: unique symbol;
type Branded<Name extends string> = number & { readonly [brand]: Name };

/** Position of a node in `Workflow.nodes`. */
export type NodeIndex = Branded<'NodeIndex'>;
/** Position of an edge in `Workflow.edges`. */
export type EdgeIndex = Branded<'EdgeIndex'>;
/** Position of a region in `RegionMap.regions`, and of its assistant in `SquadIr.assistants`. */
export type RegionIndex = Branded<'RegionIndex'>;
