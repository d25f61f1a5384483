/** What replay says of one call, and of all. Nothing in it was said in a call. */
import type { Diagnostic, WalkStep } from '../compiler/ir/result.js';
import type { JsonPointer } from '../text/pointer.js';

/** One call. */
export interface Fit {
  readonly id: string | null;
  /** What it is a call of; null if its record shows neither, or something else than was given. */
  readonly of: Followed | null;
  /** The first thing in the record that no call does; null if it fits, and if it was not followed. */
  readonly misfit: Misfit | null;
  /** The way of the call, to its end or to the misfit; of several ways the shortest. */
  readonly steps: readonly FitStep[];
}

/** A step of a call, along an edge or into a global node. */
export interface FitStep extends WalkStep {
  /** The assistant of the squad that leads the call then; null without a squad. */
  readonly assistant: string | null;
  /** The place in the squad of the handoff by which it was made, and what is known then of its plan. */
  readonly handoff: JsonPointer | null;
  readonly carries: readonly string[];
}

/** A finding about a call; its place is the node or the assistant where the call was before. */
export interface Misfit extends Diagnostic {
  /** What has no such call. A call of the workflow can be none of the squad. */
  readonly of: Followed;
  /** Position in the list that the call records: of nodes, or of assistants and functions. */
  readonly record: number;
  readonly name: string;
  /** The nodes or assistants where the call can be before it; none at its beginning. */
  readonly before: readonly string[];
}

type Followed = 'workflow' | 'squad';
type Counted<What extends string = 'calls'> = { readonly [Each in What]: number };

/** All calls so far. Besides misfits, what is counted are calls that fit. */
export interface Replay {
  /** `unrecorded`: without nodes and assistants; `others`: not of what was given. */
  readonly calls: Counted<'all' | Followed | 'misfits' | 'squadMisfits' | 'unrecorded' | 'others'>;
  /** Every edge, and every global node (`from` is null), with the calls that surely took it. */
  readonly edges: readonly (Counted & EdgeEnds)[];
  /** Edges that the records do not tell apart, with the calls that took one of them. */
  readonly groups: readonly (Counted & { readonly at: readonly JsonPointer[] })[];
  /** Every handoff of the squad; its place is the destination. */
  readonly handoffs: readonly HandoffCount[];
  /** How many calls have no handoff, one, two, and so on. */
  readonly handoffsPerCall: readonly number[];
  /** Captures: the calls that came to them, and those that ended without a value. */
  readonly variables: readonly (Counted<'calls' | 'missing'> & { readonly name: string })[];
  /** By kind and place, with the ids of the first calls; the most frequent first. */
  readonly misfits: readonly (Counted & Omit<Misfit, 'record'> & { ids: readonly string[] })[];
  /** Distinct ways, the most travelled first. */
  readonly paths: readonly (Counted & { readonly walk: readonly WalkStep[] })[];
  /** Why the workflow or the squad cannot be followed. */
  readonly diagnostics: readonly Diagnostic[];
}

interface EdgeEnds {
  readonly at: JsonPointer;
  readonly from: string | null;
  readonly to: string;
}

/** How often it is known what was carried (`seen`), nothing was, and each variable of its plan was. */
export interface HandoffCount extends EdgeEnds, Counted<'calls' | 'seen' | 'empty'> {
  readonly carried: Readonly<Record<string, number>>;
}
