/**
 * Follows a call through a workflow and its squad, one variable at a time, and returns the first
 * read that finds different values in the two.
 *
 * A value is an event: the step of the walk that set the variable. In the workflow a read finds the
 * latest event. In the squad a capture is known only to its assistant until a handoff carries it
 * into the bag of the call, which all assistants share; a tool's response (and an alias) is in the
 * bag at once. The squad is correct if both sides find the same event on every walk. Not covered:
 * whether extraction at a handoff succeeds, and whether a value that the platform itself needs (the
 * guard of a handoff) is in the bag already.
 */
import { carriedAt, follow, memberAfter, ownersOf, type Tracks } from './squad.js';
import { describeWalk, goOn, nodeOf, type Step, stepsFrom, type Walk } from './walks.js';
import { usesAt } from './workflow.js';

/** A read that finds different events in the source and in the squad. */
export interface Difference {
  readonly walk: Walk;
  readonly variable: string;
  readonly place: string;
  readonly inSource: string | null;
  readonly inSquad: string | null;
}

/** A call so far, and what a read of the variable finds on each side; null is no value. */
interface Call {
  readonly walk: Walk;
  readonly node: number;
  readonly member: number;
  readonly inSource: string | null;
  readonly inSquad: string | null;
  readonly bag: string | null;
  /** What the assistant has captured last since it became active. */
  readonly captured: string | null;
}

function begin(tracks: Tracks): Call {
  const node = tracks.graph.start;
  if (!ownersOf(tracks, node).includes(0)) throw new Error('the first member is not the start');
  const nothing = { inSource: null, inSquad: null, bag: null, captured: null };
  return { walk: goOn(tracks.graph, { to: node }), node, member: 0, ...nothing };
}

/** The call after something has set the variable. */
function set(call: Call, by: 'bag' | 'captured', event: string): Call {
  return { ...call, inSource: event, inSquad: event, [by]: event };
}

/** The call after its node's work, and the first read there that finds two values, if any. */
function visit(
  { graph }: Tracks,
  call: Call,
  variable: string,
  missed: boolean,
): readonly [Call, Difference | null] {
  const { onEntry, captures, responds, onLeaving } = usesAt(graph, call.node, variable);
  const event = `${variable}@${call.walk.length - 1}`;
  const captured = captures && !missed ? set(call, 'captured', event) : call;
  const after = responds ? set(call, 'bag', event) : captured;
  const judge = (when: string, { walk, node, inSource, inSquad }: Call): Difference | null => {
    const place = `${when} of ${nodeOf(graph, node).id}`;
    return inSource === inSquad ? null : { walk, variable, place, inSource, inSquad };
  };
  const early = onEntry ? judge('on entry', call) : null;
  return [after, early ?? (onLeaving ? judge('on leaving', after) : null)];
}

/** The call after the step, before the work of the node that it leads to. */
function move(tracks: Tracks, before: Call, variable: string, step: Step): Call {
  const { graph, document } = tracks;
  const { call } = (step.edge ? null : nodeOf(graph, step.to).global?.condition) ?? {};
  const isGiven = call?.variables.includes(variable) === true;
  const from = isGiven ? set(before, 'bag', `${variable}⇒${step.to}`) : before;
  const moved = { ...from, walk: goOn(graph, step, from.walk), node: step.to };
  const handoff = follow(tracks, from.member, step);
  // The texts of an exit are read in the assistant that it was folded into.
  if (handoff === null) return moved;
  const isCarried = carriedAt(document, handoff).includes(variable);
  const bag = (isCarried ? from.captured : null) ?? from.bag;
  const member = memberAfter(tracks, handoff);
  return { ...moved, member, inSquad: bag, bag, captured: null };
}

/**
 * Follows every walk, the shortest first, and returns the first difference. Calls in which the same
 * values are equal have the same future, so the search is finite and complete. A capture may fail.
 */
export function explore(tracks: Tracks, variable: string): Difference | null {
  const calls = new Map([['', begin(tracks)]]);
  for (const call of calls.values()) {
    const { captures } = nodeOf(tracks.graph, call.node);
    for (const missed of captures.length > 0 ? [false, true] : [false]) {
      const [after, difference] = visit(tracks, call, variable, missed);
      if (difference !== null) return difference;
      for (const step of stepsFrom(tracks.graph, call.node)) {
        const next = move(tracks, after, variable, step);
        // Which of the values are equal: nothing else affects what later reads find.
        const values = [null, next.inSource, next.inSquad, next.bag, next.captured];
        const key = [next.node, next.member, ...values.map((it) => values.indexOf(it))].join();
        if (!calls.has(key)) calls.set(key, next);
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
