/**
 * Why a handoff carries a variable: a walk that captures it inside the assistant, leaves by that
 * handoff, and reads it before anything sets it again.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import { isJsonObject, type Json } from '../compiler/ir/json.js';
import { captures, isGiven, readsAt, responds } from './reads.js';
import type { Source } from './source.js';
import { follow, type Step, schemasAt, type Tracks, valueAt } from './squad-tracks.js';
import { beginning, goOn, stepsFrom, type Walk } from './walks.js';

/** Before the capture; after it, in the same visit of the assistant; after the handoff. */
type Phase = 'before' | 'captured' | 'carried';

interface Place {
  readonly node: number;
  readonly member: number;
  readonly phase: Phase;
  readonly walk: Walk;
}

/** The shortest such walk; null where there is none, and the plan carries the variable in vain. */
export function witnessOf(tracks: Tracks, at: JsonPointer, variable: string): Walk | null {
  const { source } = tracks;
  const start: Place = { node: source.start, member: 0, phase: 'before', walk: beginning(source) };
  const queue = [start];
  const seen = new Set<string>();
  for (const place of queue) {
    if (place.phase === 'carried' && readsFirst(tracks, place.node, variable)) return place.walk;
    for (const phase of phasesAfter(tracks, place, variable)) {
      for (const step of stepsFrom(tracks.source, place.node)) {
        const next = advance(tracks, { ...place, phase }, step, at, variable);
        const key = next && `${next.node} ${next.member} ${next.phase}`;
        if (next === null || key === null || seen.has(key)) continue;
        seen.add(key);
        queue.push(next);
      }
    }
  }
  return null;
}

/** The document with one variable taken out of what one destination carries. */
export function withoutVariable(document: Json, destination: JsonPointer, variable: string): Json {
  const copy = structuredClone(document) as Json;
  for (const { at, aside } of schemasAt(destination)) {
    const properties = valueAt(copy, at);
    if (!isJsonObject(properties) || variable === aside) continue;
    delete (properties as Record<string, Json>)[variable];
  }
  return copy;
}

/** Whether the node reads what it is entered with. */
function readsFirst(tracks: Tracks, node: number, variable: string): boolean {
  const [onEntry, onLeaving] = readsAt(tracks.source, node, variable);
  return onEntry || (onLeaving && !defines(tracks.source, node, variable));
}

/** What the node's work makes of the phase: a capture begins the search, a later event ends it. */
function phasesAfter({ source }: Tracks, { node, phase }: Place, variable: string): Phase[] {
  const isLast = captures(source, node, variable) && !responds(source, node, variable);
  if (phase === 'before') return isLast ? ['before', 'captured'] : ['before'];
  if (phase === 'captured') return responds(source, node, variable) ? [] : ['captured'];
  return defines(source, node, variable) ? [] : ['carried'];
}

function defines(source: Source, node: number, variable: string): boolean {
  return captures(source, node, variable) || responds(source, node, variable);
}

function advance(
  tracks: Tracks,
  place: Place,
  step: Step,
  at: JsonPointer,
  variable: string,
): Place | null {
  const { source } = tracks;
  const isOver = step.edge === undefined && isGiven(source, step.to, variable);
  if (isOver && place.phase !== 'before') return null;
  const landing = follow(tracks, place.member, step);
  if (landing.kind === 'end' && place.phase !== 'carried') return null;
  const member = landing.kind === 'handoff' ? landing.member : place.member;
  const next = { node: step.to, member, walk: goOn(source, place.walk, step) };
  if (place.phase !== 'captured' || landing.kind !== 'handoff') {
    return { ...next, phase: place.phase };
  }
  return landing.at === at ? { ...next, phase: 'carried' } : null;
}
