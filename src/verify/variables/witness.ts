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
  const scene = layScene(graph, owners, variable, passages);
  const homes = owners.of(graph.start);
  const [first = -1] = homes.has(0) ? [0] : homes;
  const queue: Place[] = [];
  const seen = new Set<string>();
  const arrive = (place: Place): void => {
    const key = `${place.phase} ${place.node} ${place.member}`;
    if (!seen.has(key)) queue.push(place);
    seen.add(key);
  };
  arrive({ node: graph.start, edge: null, member: first, phase: 'before', parent: null });
  for (const place of queue) {
    if (isRead(scene, place)) return toWitness(place);
    for (const phase of phasesAfter(scene, place)) leave(scene, place, phase, arrive);
  }
  return null;
}

interface Scene {
  readonly graph: SourceGraph;
  readonly owners: Pick<Owners, 'of'>;
  readonly variable: Variable;
  readonly captures: (node: NodeIndex) => boolean;
  readonly responds: (node: NodeIndex) => boolean;
  readonly readsOnEntry: (node: NodeIndex) => boolean;
  readonly readsOnLeaving: (node: NodeIndex) => boolean;
  readonly goesOn: (node: NodeIndex) => boolean;
  /** Members that the passages leave, and the passages, each by a key. */
  readonly leaving: ReadonlySet<number>;
  readonly taken: ReadonlySet<string>;
  /** Members that have been left for the global nodes, by phase. */
  readonly left: Set<string>;
}

function layScene(
  graph: SourceGraph,
  owners: Pick<Owners, 'of'>,
  variable: Variable,
  passages: readonly Passage[],
): Scene {
  return {
    graph,
    owners,
    variable,
    captures: testOf(variable.captures.map(({ node }) => node)),
    responds: testOf(variable.responses),
    readsOnEntry: testOf(variable.entryReads),
    readsOnLeaving: testOf(variable.exitReads),
    goesOn: (node) => graph.nodeAt(node).role !== 'exit',
    leaving: new Set(passages.map(({ member }) => member)),
    taken: new Set(passages.map(({ member, edge, to }) => keyOf(member, edge?.index ?? null, to))),
    left: new Set(),
  };
}

/** Whether the value that was to be carried is read here, on entry or on leaving. */
function isRead(scene: Scene, { node, phase }: Place): boolean {
  const { inGlobalPrompt, globalReads } = scene.variable;
  if (phase !== 'carried') return false;
  if (inGlobalPrompt || scene.readsOnEntry(node)) return true;
  if (!scene.goesOn(node) || scene.captures(node) || scene.responds(node)) return false;
  return globalReads.length > 0 || scene.readsOnLeaving(node);
}

/** In which phases the call can leave the place, after the work of its node. */
function phasesAfter(scene: Scene, { node, member, phase }: Place): readonly Phase[] {
  const { captures, responds, goesOn, leaving } = scene;
  if (!goesOn(node)) return [];
  if (phase !== 'before') return captures(node) || responds(node) ? [] : [phase];
  const isLatest = captures(node) && !responds(node) && leaving.has(member);
  return isLatest ? ['before', 'captured'] : ['before'];
}

/** Only the first of the places of a member goes on to the global nodes: the others are no nearer. */
function leave(scene: Scene, place: Place, phase: Phase, arrive: (next: Place) => void): void {
  const { graph, variable, left } = scene;
  const step = (node: NodeIndex, edge: EdgeIndex | null): void => {
    for (const member of landings(scene, place.member, phase, node, edge)) {
      const isOver = phase === 'captured' && member !== place.member;
      arrive({ node, edge, member, phase: isOver ? 'carried' : phase, parent: place });
    }
  };
  for (const { to, index } of graph.leaving(place.node)) step(to, index);
  const key = `${phase} ${place.member}`;
  if (left.has(key)) return;
  left.add(key);
  for (const { index } of graph.globals) {
    // A tool on the way has the later word.
    if (phase === 'before' || !variable.givenTo.includes(index)) step(index, null);
  }
}

/** The members that a step leads to; after the handoff it does not matter which. */
function landings(
  { owners, goesOn, taken }: Scene,
  member: number,
  phase: Phase,
  to: NodeIndex,
  edge: EdgeIndex | null,
): Iterable<number> {
  if (phase === 'carried') return nowhere;
  if (!goesOn(to)) return [];
  const homes = owners.of(to);
  if (homes.has(member)) return [member];
  if (phase === 'captured') return taken.has(keyOf(member, edge, to)) ? nowhere : [];
  return homes.size === 0 ? nowhere : homes;
}

const nowhere: readonly number[] = [-1];

function keyOf(member: number, edge: EdgeIndex | null, to: NodeIndex): string {
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
