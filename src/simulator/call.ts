/**
 * Follows a call through a workflow and its squad, one variable at a time, and says the first read
 * that finds one value in the workflow and another in the squad.
 *
 * A value is an event: which step of the walk set the variable. In the workflow a read finds the
 * latest event; in the squad what `found` says. The squad is right where both are the same event on
 * every walk. Not looked at: whether what extracts values at a handoff succeeds, and whether a value
 * that the platform itself needs (the guard of a handoff) is in the bag already.
 */
import { follow, found, type Memory, moments, ownersOf, type Tracks } from './squad.js';
import {
  definesAt,
  describeWalk,
  goOn,
  isGivenOnEntry,
  nodeOf,
  readsAt,
  type Step,
  stepsFrom,
  stepsOf,
  type Walk,
} from './workflow.js';

/** A read that finds one event in the source and another in the squad. */
export interface Difference {
  readonly walk: Walk;
  readonly variable: string;
  readonly place: string;
  readonly inSource: string | null;
  readonly inSquad: string | null;
}

/** Where a call is, and what it knows of the variable on both sides. */
interface State {
  readonly node: number;
  readonly member: number;
  readonly latest: string | null;
  readonly memory: Memory;
}

function begin(tracks: Tracks): State {
  const { start } = tracks.source;
  if (!ownersOf(tracks, start).includes(0)) throw new Error('the first member is not the start');
  return { node: start, member: 0, latest: null, memory: moments.begin() };
}

/** The node's reads, captures and responses; `missed` is a capture that did not happen. */
function visit({ source }: Tracks, state: State, variable: string, event: string, missed: boolean) {
  const { node, latest, memory } = state;
  const { onEntry, onLeaving } = readsAt(source, node, variable);
  if (onEntry && found(memory) !== latest) return { state, differs: 'on entry' };
  const { capture, response } = definesAt(source, node, variable);
  let after = state;
  if (response) after = { ...state, latest: event, memory: moments.toolRun(memory, event) };
  else if (capture && !missed) {
    after = { ...state, latest: event, memory: moments.capture(memory, event) };
  }
  const differs = onLeaving && found(after.memory) !== after.latest ? 'on leaving' : null;
  return { state: after, differs };
}

/** The state after the step, before the work of the node that it leads to. */
function move(tracks: Tracks, state: State, variable: string, step: Step): State {
  let { member, latest, memory } = state;
  if (step.edge === undefined && isGivenOnEntry(tracks.source, step.to, variable)) {
    latest = `${variable}⇒${step.to}`;
    memory = moments.toolRun(memory, latest);
  }
  const landing = follow(tracks, member, step);
  // The texts of an exit are read in the assistant that has folded it.
  if (landing.kind === 'handoff') {
    member = landing.member;
    memory = moments.handoff(memory, landing.carried.includes(variable));
  }
  return { node: step.to, member, latest, memory };
}

/** Follows one walk; `missed` says at which steps the capture does not happen. */
export function interpret(
  tracks: Tracks,
  walk: Walk,
  variable: string,
  missed: (step: number) => boolean = () => false,
): Difference | null {
  const steps = stepsOf(tracks.source, walk);
  let state = begin(tracks);
  for (let step = 0; ; step += 1) {
    const seen = visit(tracks, state, variable, `${variable}@${step}`, missed(step));
    if (seen.differs !== null) {
      return difference(tracks, walk.slice(0, step + 1), variable, seen.state, seen.differs);
    }
    const next = steps[step];
    if (next === undefined) return null;
    state = move(tracks, seen.state, variable, next);
  }
}

/**
 * Follows every walk, shortest first, and returns the first difference. States in which the same
 * values are equal have the same future, so the search is finite and leaves nothing out. A capture
 * may also be missed as long as the variable has no value.
 */
export function explore(tracks: Tracks, variable: string): Difference | null {
  const queue: { state: State; walk: Walk }[] = [
    { state: begin(tracks), walk: goOn(tracks.source) },
  ];
  const seen = new Set<string>();
  for (const { state, walk } of queue) {
    for (const missed of state.latest === null ? [false, true] : [false]) {
      const event = `${variable}@${walk.length - 1}`;
      const after = visit(tracks, state, variable, event, missed);
      if (after.differs !== null) {
        return difference(tracks, walk, variable, after.state, after.differs);
      }
      for (const step of stepsFrom(tracks.source, state.node)) {
        const next = move(tracks, after.state, variable, step);
        if (seen.has(pattern(next))) continue;
        seen.add(pattern(next));
        queue.push({ state: next, walk: goOn(tracks.source, step, walk) });
      }
    }
  }
  return null;
}

/** The difference as a sentence. */
export function describeDifference({ walk, variable, place, inSource, inSquad }: Difference) {
  const values = `${variable} is ${inSource} in the source and ${inSquad} in the squad`;
  return `${describeWalk(walk)}: ${place}, ${values}`;
}

function difference(
  tracks: Tracks,
  walk: Walk,
  variable: string,
  { node, latest, memory }: State,
  when: string,
): Difference {
  const place = `${when} of ${nodeOf(tracks.source, node).id}`;
  return { walk, variable, place, inSource: latest, inSquad: found(memory) };
}

/** Which of the values that a call knows are equal; no more decides what later reads find. */
function pattern({ node, member, latest, memory }: State): string {
  const values = [null, latest, memory.bag, memory.captured];
  return [node, member, memory.responded, ...values.map((it) => values.indexOf(it))].join(' ');
}
