/** Every value of the output has an origin. */
import { child, type JsonPointer } from '../../text/pointer.js';

/**
 * Where a value of the output came from.
 *
 * - `source`: it stands in the workflow, at this place.
 * - `answer`: a human gave it, as the answer to a question or as a compile option. If an answer
 *   changed a text, `at` is the text's place in the workflow.
 * - `synthesized`: a rule of the compiler made it, from these places.
 */
export type Origin =
  | SourceOrigin
  | { readonly kind: 'answer'; readonly question: string; readonly at?: JsonPointer }
  | { readonly kind: 'answer'; readonly option: string }
  | { readonly kind: 'synthesized'; readonly rule: string; readonly from: readonly JsonPointer[] };

interface SourceOrigin {
  readonly kind: 'source';
  readonly at: JsonPointer;
}

/** The members of an object or a list of the source that come from elsewhere, by key. */
function partsOf(origin: SourceOrigin): ReadonlyMap<string, Origin> | undefined {
  return (origin as { parts?: ReadonlyMap<string, Origin> }).parts;
}

/** A value and its origin. */
export interface Traced<T> {
  readonly value: T;
  readonly origin: Origin;
}

/** A piece of a composed text, and its origin. */
export interface Segment {
  readonly text: string;
  readonly origin: Origin;
}

export function traced<T>(value: T, origin: Origin): Traced<T> {
  return { value, origin };
}

export function fromSource(at: JsonPointer): Origin {
  return { kind: 'source', at };
}

/** The origin of a member; a place of the source has places inside it. */
export function within(origin: Origin, key: string | number): Origin {
  if (origin.kind !== 'source') return origin;
  return partsOf(origin)?.get(String(key)) ?? fromSource(child(origin.at, key));
}

/** The same origin, except for one member. */
export function withPart(origin: Origin, key: string, part: Origin): Origin {
  if (origin.kind !== 'source') return origin;
  const parts = new Map(partsOf(origin)).set(key, part);
  return { ...origin, parts } as SourceOrigin;
}

export function fromAnswer(question: string, at?: JsonPointer): Origin {
  return { kind: 'answer', question, ...(at !== undefined && { at }) };
}

export function fromOption(option: string): Origin {
  return { kind: 'answer', option };
}

export function synthesized(rule: string, from: readonly JsonPointer[] = []): Origin {
  return { kind: 'synthesized', rule, from };
}

/** The origin of a value that a rule derived from another. */
export function derived(rule: string, origin: Origin): Origin {
  return origin.kind === 'source' ? synthesized(rule, [origin.at]) : origin;
}
