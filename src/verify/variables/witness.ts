/**
 * The shortest call that shows what a handoff loses: from the start to a capture of the variable,
 * on inside the assistant with that capture the latest word, through the handoff, and to the first
 * read before anything sets the variable again.
 *
 * Breadth first over places: a node, the member that the call is in, and how far the call has come.
 * Every place is looked at once, and of every member only the first place of a phase that is left
 * goes on to the global nodes, so that it is linear in the ways of the source and its owners.
 */
import type { EdgeIndex, NodeIndex } from '../../compiler/ir/ids.js';
import type { Owners } from '../owners.js';
import type { Passage } from '../passages.js';
import type { SourceGraph } from '../source-graph.js';
import { testOf } from './lists.js';
import type { Variable } from './sites.js';

export interface Witness {
  /** The nodes from the start on. */
  readonly steps: readonly WitnessStep[];
  /** The steps at which the variable is captured, the handoff is taken, and the read is met. */
  readonly captured: number;
  readonly handedOff: number;
  readonly read: number;
}

export interface WitnessStep {
  readonly node: NodeIndex;
  /** The edge that leads to it; null for the start, and for a step to a global node. */
  readonly edge: EdgeIndex | null;
}

/** Before the capture that counts, between it and the handoff, and after that. */
type Phase = 'before' | 'captured' | 'carried';

interface Place extends WitnessStep {
  /** The member that the call is in; -1 where none owns the node, and after the handoff. */
  readonly member: number;
  readonly phase: Phase;
  readonly parent: Place | null;
}

/** Null where no call captures the variable and then takes one of the passages to a read. */
export function witnessOf(
  graph: SourceGraph,
  owners: Pick<Owners, 'of'>,
  variable: Variable,
  passages: readonly Passage[],
): Witness | null {
  const search = createSearch(graph, owners, variable, passages);
  const [first = -1] = owners.of(graph.start);
  const queue: Place[] = [];
  const seen = new Set<string>();
  const arrive = (place: Place): void => {
    const key = `${place.phase} ${place.node} ${place.member}`;
    if (seen.has(key)) return;
    seen.add(key);
    queue.push(place);
  };
  arrive({ node: graph.start, edge: null, member: first, phase: 'before', parent: null });
  for (const place of queue) {
    if (search.isRead(place)) return toWitness(place);
    for (const phase of search.phasesAfter(place)) search.leave(place, phase, arrive);
  }
  return null;
}

interface Search {
  /** Whether the value that was to be carried is read here, on entry or on leaving. */
  readonly isRead: (place: Place) => boolean;
  /** In which phases the call can leave the place, after the work of its node. */
  readonly phasesAfter: (place: Place) => readonly Phase[];
  readonly leave: (place: Place, phase: Phase, arrive: (next: Place) => void) => void;
}

function createSearch(
  graph: SourceGraph,
  owners: Pick<Owners, 'of'>,
  variable: Variable,
  passages: readonly Passage[],
): Search {
  const captures = testOf(variable.captures.map(({ node }) => node));
  const responds = testOf(variable.responses);
  const readsOnEntry = testOf(variable.entryReads);
  const readsByEdges = testOf(variable.exitReads);
  const isGiven = testOf(variable.givenTo);
  const taken = new Set(passages.map(({ member, edge, to }) => keyOf(member, edge?.index, to)));
  const leaving = new Set(passages.map(({ member }) => member));
  const left = new Set<string>();
  const sets = (node: NodeIndex) => captures(node) || responds(node);
  const goesOn = (node: NodeIndex) => graph.nodeAt(node).role !== 'exit';

  return {
    isRead: ({ node, phase }) =>
      phase === 'carried' &&
      (variable.inGlobalPrompt ||
        readsOnEntry(node) ||
        (goesOn(node) && !sets(node) && (readsByEdges(node) || variable.globalReads.length > 0))),
    phasesAfter: ({ node, member, phase }) => {
      if (!goesOn(node)) return [];
      if (phase !== 'before') return sets(node) ? [] : [phase];
      const isCaptured = captures(node) && !responds(node) && leaving.has(member);
      return isCaptured ? ['before', 'captured'] : ['before'];
    },
    leave: (place, phase, arrive) => {
      const step = (to: NodeIndex, edge: EdgeIndex | null): void => {
        for (const [member, next] of landings(place.member, phase, to, edge)) {
          arrive({ node: to, edge, member, phase: next, parent: place });
        }
      };
      for (const { to, index } of graph.leaving(place.node)) step(to, index);
      const key = `${phase} ${place.member}`;
      if (left.has(key)) return;
      left.add(key);
      for (const { index } of graph.globals) {
        if (phase === 'before' || !isGiven(index)) step(index, null);
      }
    },
  };

  /** Where a step leads in the squad: to which members, and how far the call has come then. */
  function landings(
    member: number,
    phase: Phase,
    to: NodeIndex,
    edge: EdgeIndex | null,
  ): readonly (readonly [member: number, phase: Phase])[] {
    if (phase === 'carried') return [[-1, 'carried']];
    if (!goesOn(to)) return [];
    const homes = owners.of(to);
    if (homes.has(member)) return [[member, phase]];
    if (phase === 'captured') {
      return taken.has(keyOf(member, edge ?? undefined, to)) ? [[-1, 'carried']] : [];
    }
    return homes.size === 0 ? [[-1, phase]] : Array.from(homes, (home) => [home, phase] as const);
  }
}

function keyOf(member: number, edge: number | undefined, to: NodeIndex): string {
  return `${member} ${edge ?? 'global'} ${to}`;
}

function toWitness(last: Place): Witness {
  const places: Place[] = [];
  for (let place: Place | null = last; place !== null; place = place.parent) places.push(place);
  places.reverse();
  const handedOff = places.findIndex(({ phase }) => phase === 'carried');
  const captured = places.findLastIndex(({ phase }) => phase === 'before');
  return {
    steps: places.map(({ node, edge }) => ({ node, edge })),
    captured,
    handedOff,
    read: places.length - 1,
  };
}
