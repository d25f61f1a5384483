/**
 * The reference semantics of variables, in the source and in the squad, for one variable at a time.
 *
 * A value is an event: who set the variable at which step of the walk. In the source a read finds
 * the latest event. In the squad there is one bag for the call; inside a visit of an assistant a
 * read finds what was captured last in this visit, unless a tool's response came after it, and the
 * bag otherwise. A response writes the bag at once; a handoff writes what its plan or its arguments
 * name and this visit has captured. The squad is right where both reads find the same event on
 * every walk.
 *
 * Not looked at: whether what extracts values at a handoff succeeds, and whether a value that the
 * platform itself needs (the guard of a handoff) is in the bag already.
 */
import { captures, isGiven, readsAt, responds } from './reads.js';
import { nodeOf, type Source } from './source.js';
import { follow, ownersOf, type Step, type Tracks } from './squad-tracks.js';
import { beginning, describeWalk, goOn, stepsFrom, stepsOf, type Walk } from './walks.js';

/** Where a call is, and what it knows of the variable; null is a value that was never set. */
export interface CallState {
  readonly node: number;
  readonly member: number;
  /** The value of the source. */
  readonly latest: string | null;
  readonly bag: string | null;
  /** What this visit of the assistant captured last. */
  readonly captured: string | null;
  /** Whether a tool's response came after that. */
  readonly answered: boolean;
}

/** A read that finds one event in the source and another in the squad. */
export interface Difference {
  readonly walk: Walk;
  readonly variable: string;
  readonly place: string;
  readonly inSource: string | null;
  readonly inSquad: string | null;
}

/** The state before the start node's work. */
function begin(tracks: Tracks): CallState {
  const { start } = tracks.source;
  if (!ownersOf(tracks, start).includes(0)) throw new Error('the first member is not the start');
  return { node: start, member: 0, latest: null, bag: null, captured: null, answered: false };
}

/** The node's reads, captures and responses; `missed` is a capture that did not happen. */
function visit(
  source: Source,
  state: CallState,
  variable: string,
  event: string,
  missed: boolean,
): { readonly state: CallState; readonly differs: string | null } {
  const [atEntry, atExit] = readsAt(source, state.node, variable);
  if (atEntry && inSquad(state) !== state.latest) return { state, differs: 'on entry' };
  const after = define(source, state, variable, event, missed);
  return { state: after, differs: atExit && inSquad(after) !== after.latest ? 'on leaving' : null };
}

/** The state after the step, before the work of the node that it leads to. */
function move(tracks: Tracks, before: CallState, variable: string, step: Step): CallState {
  const given = step.edge === undefined && isGiven(tracks.source, step.to, variable);
  const state = given ? respond(before, `${variable}⇒${step.to}`) : before;
  const landing = follow(tracks, state.member, step);
  // The texts of an exit are read in the assistant that has folded it.
  if (landing.kind !== 'handoff') return { ...state, node: step.to };
  const carried = landing.carried.includes(variable) ? (state.captured ?? state.bag) : state.bag;
  const { latest } = state;
  return {
    node: step.to,
    member: landing.member,
    latest,
    bag: carried,
    captured: null,
    answered: false,
  };
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
    const seen = visit(tracks.source, state, variable, `${variable}@${step}`, missed(step));
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
  const start = { state: begin(tracks), walk: beginning(tracks.source) };
  const queue: { state: CallState; walk: Walk }[] = [start];
  const seen = new Set<string>();
  for (const { state, walk } of queue) {
    for (const missed of state.latest === null ? [false, true] : [false]) {
      const event = `${variable}@${walk.length - 1}`;
      const after = visit(tracks.source, state, variable, event, missed);
      if (after.differs !== null) {
        return difference(tracks, walk, variable, after.state, after.differs);
      }
      for (const step of stepsFrom(tracks.source, state.node)) {
        const next = move(tracks, after.state, variable, step);
        if (seen.has(pattern(next))) continue;
        seen.add(pattern(next));
        queue.push({ state: next, walk: goOn(tracks.source, walk, step) });
      }
    }
  }
  return null;
}

/** The difference as a sentence. */
export function describeDifference(found: Difference): string {
  const { walk, variable, place, inSource, inSquad: other } = found;
  return `${describeWalk(walk)}: ${place}, ${variable} is ${inSource} in the source and ${other} in the squad`;
}

function inSquad({ captured, answered, bag }: CallState): string | null {
  return captured !== null && !answered ? captured : bag;
}

function define(
  source: Source,
  state: CallState,
  variable: string,
  event: string,
  missed: boolean,
): CallState {
  if (responds(source, state.node, variable)) return respond(state, event);
  if (missed || !captures(source, state.node, variable)) return state;
  return { ...state, latest: event, captured: event, answered: false };
}

/** A tool has set the variable. */
function respond(state: CallState, event: string): CallState {
  return { ...state, latest: event, bag: event, answered: true };
}

function difference(
  tracks: Tracks,
  walk: Walk,
  variable: string,
  state: CallState,
  when: string,
): Difference {
  const place = `${when} of ${nodeOf(tracks.source, state.node).id}`;
  return { walk, variable, place, inSource: state.latest, inSquad: inSquad(state) };
}

/** Which of the values that a call knows are equal; no more decides what later reads find. */
function pattern({ node, member, latest, bag, captured, answered }: CallState): string {
  const values = [null, latest, bag, captured];
  return [node, member, answered, ...values.map((value) => values.indexOf(value))].join(' ');
}
