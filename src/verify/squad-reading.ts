/**
 * The squad document as the checks see it, in the shape of either target; read-squad.ts reads it.
 *
 * An assistant is seen as a call meets it: what the member's overrides say stands in the place of
 * its own. The squad's overrides are settings and no more; where they say anything else, that is a
 * fault of the settings. Pointers are written when they are read: only faults and evidence need them.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../compiler/ir/json.js';

export interface SquadReading {
  /** Whether the document has the shape of target `squad`: a `squad` around the members. */
  readonly wrapped: boolean;
  readonly members: readonly Member[];
  /** By name, the first member that bears it. */
  readonly byName: ReadonlyMap<string, number>;
  /** Destinations of handoffs, in the order of the document. */
  readonly destinations: readonly Destination[];
  /** What the squad says about all its members; null where it says nothing. */
  readonly overrides: Layer | null;
}

export interface Member {
  readonly index: number;
  readonly at: JsonPointer;
  readonly name: string | null;
  readonly nameAt: JsonPointer;
  /** Id of a saved assistant. */
  readonly assistantId: string | null;
  /** Whether the assistant stands somewhere else, on the platform. */
  readonly saved: boolean;
  /** Whether what it says and does may be what a node wants, where that is not to be seen. */
  readonly unseen: boolean;
  readonly firstMessage: string | null;
  /** Every system message, with its place. */
  readonly prompts: readonly Prompt[];
  /** All of them as one text, and the place of the first. */
  readonly prompt: string;
  readonly promptAt: JsonPointer;
  /** Whether the prompt opens as those that squadc writes. */
  readonly compiled: boolean;
  readonly tools: readonly Tool[];
  /** Tools that the platform keeps. */
  readonly toolIds: readonly ToolId[];
  /** What says something about the assistant: itself, and the member's overrides of it. */
  readonly layers: readonly Layer[];
  /** The latter; null where the member has none. */
  readonly overrides: Layer | null;
}

export interface Prompt {
  readonly text: string;
  readonly at: JsonPointer;
}

/** An assistant, or what overrides parts of it. */
export interface Layer {
  readonly value: JsonObject;
  readonly at: JsonPointer;
}

export interface Tool {
  readonly at: JsonPointer;
  readonly type: string;
  readonly value: JsonObject;
}

export interface ToolId {
  readonly at: JsonPointer;
  readonly id: string;
}

export interface Destination {
  /** Its number among the destinations of the squad. */
  readonly index: number;
  readonly at: JsonPointer;
  /** The member that hands off. */
  readonly member: number;
  /** Where it leads, as written; null where neither a name nor an id is there. */
  readonly target: { readonly by: 'name' | 'id'; readonly value: string } | null;
  /** The member that the target names; null where none does. */
  readonly leadsTo: number | null;
  readonly description: string;
  readonly value: JsonObject;
  /** The tool that it is a destination of; an empty one where the member lists it without. */
  readonly tool: JsonObject;
  readonly toolAt: JsonPointer | null;
}

/** The layer that has the last word on a setting. */
export function lastWith(layers: readonly Layer[], key: string): Layer | undefined {
  for (let at = layers.length - 1; at >= 0; at -= 1) {
    if (Object.hasOwn(layers[at]!.value, key)) return layers[at];
  }
  return undefined;
}

/** The value as an object; an empty one where it is none. */
export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : noObject;
}

/** The elements of a list; none where it is no list. */
export function elements(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : noElements;
}

/** The value as a text; null where it is none. */
export function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

const noObject: JsonObject = {};
const noElements: readonly Json[] = [];
