/**
 * The shortest call that shows what a handoff loses: from the start to a capture of the variable, on
 * inside the assistant with that capture the latest word, through the handoff, and to the first read
 * before anything sets the variable again.
 *
 * Breadth first over places: what led there, the member that the call is in, and how far the call has
 * come. Of every member only the first place of a phase goes on to the global nodes, since the others
 * are no nearer, so that it is linear in the edges of the source and their owners.
 */
import type { EdgeIndex, NodeIndex } from '../compiler/ir/ids.js';
import { findWalk } from '../graph/walks.js';
import type { Owners, Passage, SourceGraph, Variable } from './expected.js';

export interface Witness {
  /** From the start on. */
  readonly steps: readonly WitnessStep[];
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
}

/** Null where no call captures the variable and then takes one of the passages to a read. */
export function witnessOf(
  graph: SourceGraph,
  owners: Pick<Owners, 'of'>,
  variable: Variable,
  passages: readonly Passage[],
): Witness | null {
  const captured = new Set(variable.captures.map(({ node }) => node));
  const responding = new Set(variable.responses);
  const entryReads = new Set(variable.entryReads);
  const exitReads = new Set(variable.exitReads);
  const leaving = new Set(passages.map(({ member }) => member));
  const taken = new Set(passages.map(({ member, edge, to }) => keyOf(member, edge?.index, to)));
  const left = new Set<string>();
  const places = new Map<string, Place>();
  const goesOn = (node: NodeIndex) => graph.nodeAt(node).role !== 'exit';

  const isRead = ({ node, phase }: Place): boolean => {
    if (phase !== 'carried') return false;
    if (variable.inGlobalPrompt || entryReads.has(node)) return true;
    if (!goesOn(node) || captured.has(node) || responding.has(node)) return false;
    return variable.globalReads.length > 0 || exitReads.has(node);
  };

  /** Where a step leads to; after the handoff it does not matter to which member. */
  const land = (member: number, phase: Phase, node: NodeIndex, edge: EdgeIndex | null): Place[] => {
    if (phase === 'carried') return [{ node, edge, member: -1, phase }];
    if (!goesOn(node)) return [];
    const homes = owners.of(node);
    if (homes.has(member)) return [{ node, edge, member, phase }];
    if (phase === 'captured') {
      const isTaken = taken.has(keyOf(member, edge, node));
      return isTaken ? [{ node, edge, member: -1, phase: 'carried' }] : [];
    }
    return [...(homes.size === 0 ? [-1] : homes)].map((home) => {
      return { node, edge, member: home, phase };
    });
  };

  const stepsFrom = ({ node, member, phase: reached }: Place): Place[] => {
    const isSet = captured.has(node) || responding.has(node);
    if (!goesOn(node) || (isSet && reached !== 'before')) return [];
    const isLatest = captured.has(node) && !responding.has(node) && leaving.has(member);
    const phases: Phase[] = reached === 'before' && isLatest ? ['before', 'captured'] : [reached];
    return phases.flatMap((phase) => {
      const along = graph.leaving(node).flatMap(({ to, index }) => land(member, phase, to, index));
      const key = `${phase} ${member}`;
      if (left.has(key)) return along;
      left.add(key);
      // A tool on the way has the later word.
      const isOpen = (to: NodeIndex) => phase === 'before' || !variable.givenTo.includes(to);
      const globals = graph.globals.map(({ index }) => index).filter(isOpen);
      return [...along, ...globals.flatMap((to) => land(member, phase, to, null))];
    });
  };

  /** One and the same object for one place, however it is come to. */
  const only = (place: Place): Place => {
    const key = `${place.phase} ${place.node} ${place.member}`;
    const known = places.get(key) ?? place;
    places.set(key, known);
    return known;
  };

  const homes = owners.of(graph.start);
  const [first = -1] = homes.has(0) ? [0] : homes;
  const begin: Place = { node: graph.start, edge: null, member: first, phase: 'before' };
  const steps = findWalk([only(begin)], (place) => stepsFrom(place).map(only), isRead);
  return steps && { steps };
}

function keyOf(member: number, edge: EdgeIndex | null | undefined, to: NodeIndex): string {
  return `${member} ${edge ?? 'global'} ${to}`;
}
