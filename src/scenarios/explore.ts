/**
 * Follows a workflow and its squad through every call, one variable at a time.
 *
 * A value is an event: the step of the walk that set the variable. In the workflow a read finds the
 * latest. In the squad a capture is known only to its assistant until a handoff carries it into the
 * bag of the call; a tool's response is in the bag at once. A capture may fail. Not covered: whether
 * extraction at a handoff succeeds, and whether a value that the platform itself needs is in the bag.
 */

import { factsOf } from '../call/facts.js';
import {
  type Machine,
  type Move,
  machineOfWorkflow,
  nodeOf,
  type Place,
  type Step,
  stepsFrom,
} from '../call/machine.js';
import { machineOfSquad } from '../call/places.js';
import { carriedBy, type Destination, readSquad } from '../call/squad.js';
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import type { WalkStep } from '../compiler/ir/result.js';
import type { Text } from '../compiler/ir/workflow.js';
import type { JsonObject } from '../text/json.js';

/** A workflow and its squad, to be followed side by side. */
export interface Tracks {
  readonly graph: FlowGraph;
  readonly workflow: Machine;
  readonly squad: Machine;
}

export function layTracks(graph: FlowGraph, document: JsonObject): Tracks {
  const named = graph.workflow.nodes.flatMap((it) => it.assistant?.savedAs?.value ?? []);
  const squad = machineOfSquad(graph, readSquad(document, new Set(named)));
  return { graph, workflow: machineOfWorkflow(graph), squad };
}

/** A call: the nodes it reaches, the start first. Counterexamples of `verify` have this form. */
export type Walk = readonly WalkStep[];

/** The walk with one more step. */
export function extendWalk(graph: FlowGraph, { to, edge }: Step, walk: Walk = []): Walk {
  const { id, at } = nodeOf(graph, to);
  return [...walk, { node: id, at, via: edge?.at ?? null }];
}

/** The walk as a text: `a → b` along an edge, `a ⇒ b` to a global node. */
export function describeWalk(walk: Walk): string {
  const steps = walk.slice(1).map(({ node, via }) => `${via === null ? '⇒' : '→'} ${node}`);
  return [walk[0]?.node ?? '', ...steps].join(' ');
}

/** Throws if the squad has nothing for the step. */
export function findMove(machine: Machine, graph: FlowGraph, place: Place, by: Step): Move {
  const move = place.moves.find(
    ({ step: { to, edge } }) => to === by.to && edge?.at === by.edge?.at,
  );
  if (move !== undefined) return move;
  const [from, end] = [place.node, by.to].map((it) => nodeOf(graph, it).id);
  const { called } = machine.assistants[place.member]!.member;
  throw new Error(`${called} has no transition from ${from} to ${end} as the workflow has it`);
}

/** A read that finds different events in the source and in the squad. */
export interface Difference {
  readonly walk: Walk;
  readonly variable: string;
  readonly place: string;
  readonly inSource: string | null;
  readonly inSquad: string | null;
}

/** Where a machine is, and the events that set what a variable is there; null is no value. */
interface Side {
  readonly at: number;
  /** What a read finds. */
  readonly seen: string | null;
  readonly bag: string | null;
  /** What the assistant has captured last since it became active. */
  readonly captured: string | null;
}

type Carries = (by: Destination) => boolean;

/**
 * The first read that finds different values in the two, the shortest calls first. Calls in which
 * the same values are equal have the same future, so the search is finite and complete.
 */
export function explore(
  { graph, workflow, squad }: Tracks,
  variable: string,
  carries: Carries = (by) => carriedBy(by).includes(variable),
): Difference | null {
  const begin: Side = { at: 0, seen: null, bag: null, captured: null };
  const first = { walk: extendWalk(graph, { to: graph.start }), source: begin, other: begin };
  const calls = new Map([['', first]]);
  const isRead = ({ uses }: Text) => uses.some(({ name }) => name === variable);
  for (const { walk, source, other } of calls.values()) {
    const { node: index } = squad.places[other.at]!;
    const { node, onEntry, captures, conditions } = factsOf(graph, nodeOf(graph, index));
    const judge = (when: string, { seen: inSource }: Side, { seen: inSquad }: Side) => {
      const place = `${when} of ${node.id}`;
      return inSource === inSquad ? null : { walk, variable, place, inSource, inSquad };
    };
    const texts = [graph.workflow.globalPrompt ?? [], onEntry.map(({ text }) => text)].flat();
    const early = texts.some(isRead) ? judge('on entry', source, other) : null;
    const isLate = conditions.some((it) => it.routing !== 'tool' && isRead(it));
    for (const missed of captures.length > 0 ? [false, true] : [false]) {
      const event = `${variable}@${walk.length - 1}`;
      const done = work(workflow, source, variable, missed, event);
      const doneThere = work(squad, other, variable, missed, event);
      const difference = early ?? (isLate ? judge('on leaving', done, doneThere) : null);
      if (difference !== null) return difference;
      for (const step of stepsFrom(graph, index)) {
        const go = (machine: Machine, side: Side) =>
          follow(side, findMove(machine, graph, machine.places[side.at]!, step), variable, carries);
        const [next, there] = [go(workflow, done), go(squad, doneThere)];
        // Which of the values are equal: nothing else affects what later reads find.
        const values = [null, next.seen, there.seen, there.bag, there.captured];
        const key = [there.at, ...values.map((value) => values.indexOf(value))].join();
        const call = { walk: extendWalk(graph, step, walk), source: next, other: there };
        if (!calls.has(key)) calls.set(key, call);
      }
    }
  }
  return null;
}

/** After what happens at a place. */
function work({ places }: Machine, side: Side, variable: string, missed: boolean, event: string) {
  const { acts } = places[side.at]!;
  const isFound = acts.some((it) => it.kind === 'found' && it.capture.name === variable);
  const isGiven = acts.some((it) => it.kind === 'response' && it.variables.includes(variable));
  const after = isFound && !missed ? { ...side, seen: event, captured: event } : side;
  return isGiven ? { ...after, seen: event, bag: event } : after;
}

/** After a move. */
function follow(side: Side, move: Move, variable: string, carries: Carries): Side {
  const { to: at, handoff } = move;
  const event = `${variable}⇒${move.step.to}`;
  const given = move.responds.includes(variable) ? { ...side, seen: event, bag: event } : side;
  if (handoff === null) return { ...given, at };
  const bag = (carries(handoff) ? given.captured : null) ?? given.bag;
  return { at, seen: bag, bag, captured: null };
}

/** The difference as a sentence. */
export function describeDifference({ walk, variable, place, inSource, inSquad }: Difference) {
  const values = `${variable} is ${inSource} in the source and ${inSquad} in the squad`;
  return `${describeWalk(walk)}: ${place}, ${values}`;
}
