/**
 * Which captures can be the latest word on a variable on leaving nodes of one assistant.
 *
 * A walk inside follows edges between the assistant's own nodes and steps back to its own global
 * nodes, which any of its nodes can take: as soon as a capture has happened, it is the latest word
 * at all of those too, unless they set the variable, or a tool does on the way to them. A capture
 * flows on until another capture or a tool's response sets the variable.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { Capture } from '../../compiler/ir/workflow.js';
import type { Owners } from '../owners.js';
import type { SourceGraph } from '../source-graph.js';
import type { CallOrder } from './call-order.js';
import { type Flow, makeFlow } from './flow.js';
import { type Block, type Fact, propagate } from './propagation.js';
import type { CaptureSite, Variable } from './sites.js';

/** A question: which of the captures are the latest word on leaving which of the nodes? */
export interface Wanted {
  readonly variable: Variable;
  /** What is the latest word at the nodes that set the variable. */
  readonly latest: ReadonlyMap<NodeIndex, unknown>;
  /** Captures inside the assistant that no tool's response follows at their node. */
  readonly sites: readonly CaptureSite[];
  readonly from: readonly NodeIndex[];
  /** Told once per node, where there are some; in the order of the sites. */
  readonly found: (from: NodeIndex, captures: readonly Capture[]) => void;
}

interface Ground {
  readonly graph: SourceGraph;
  readonly order: CallOrder;
  readonly owners: Pick<Owners, 'of'>;
}

/** Answers the questions about each member. */
export function reachInside(ground: Ground, wanted: ReadonlyMap<number, readonly Wanted[]>): void {
  if (wanted.size === 0) return;
  const places = new Int32Array(ground.order.nodes.length).fill(-1);
  for (const [member, nodes] of listInside(ground, wanted)) {
    nodes.forEach((at, place) => {
      places[at] = place;
    });
    answer(ground, { nodes, places }, wanted.get(member)!);
    for (const at of nodes) places[at] = -1;
  }
}

/** For each member its nodes that can be left, as positions in the order of the calls. */
function listInside(
  { graph, order, owners }: Ground,
  wanted: ReadonlyMap<number, unknown>,
): ReadonlyMap<number, readonly number[]> {
  const inside = new Map<number, number[]>(Array.from(wanted.keys(), (member) => [member, []]));
  order.nodes.forEach((node, at) => {
    if (graph.nodeAt(node as NodeIndex).role === 'exit') return;
    for (const member of owners.of(node as NodeIndex)) inside.get(member)?.push(at);
  });
  return inside;
}

/** The nodes of one member in a line, and the place in it of each position of the order. */
interface Inside {
  readonly nodes: readonly number[];
  readonly places: Int32Array;
}

/** A capture as a fact. */
interface Reaching extends Fact {
  readonly site: CaptureSite;
  readonly of: Answering;
}

interface Answering {
  readonly wanted: Wanted;
  readonly captures: Map<NodeIndex, Capture[]>;
}

function answer(ground: Ground, inside: Inside, wanted: readonly Wanted[]): void {
  const { graph, order } = ground;
  const placeOf = (node: NodeIndex) => inside.places[order.positions[node]!]!;
  const globals = graph.globals.filter(({ index }) => placeOf(index) !== -1);
  const flow = flowInside(order, inside);
  const answering = wanted.map((it): Answering => ({ wanted: it, captures: new Map() }));
  const facts = answering.flatMap((of) => {
    const { variable, latest, sites, from } = of.wanted;
    const isOpen = (node: NodeIndex) => !latest.has(node) && !variable.givenTo.includes(node);
    const returns = globals
      .map(({ index }) => index)
      .filter(isOpen)
      .map(placeOf);
    const ends = listSettingInside(order, inside, latest);
    const last = from.reduce((max, node) => Math.max(max, placeOf(node)), -1);
    return sites.map((site): Reaching => {
      return { begins: [placeOf(site.node), ...returns], ends, last, site, of };
    });
  });
  propagate(flow, facts, (block) => collect(block, placeOf));
  for (const { wanted: it, captures } of answering) {
    for (const [from, list] of captures) it.found(from, list);
  }
}

/** The places of nodes that set the variable: there may be few of these, or few inside. */
function listSettingInside(
  { nodes: all, positions }: CallOrder,
  { nodes, places }: Inside,
  latest: ReadonlyMap<NodeIndex, unknown>,
): number[] {
  if (nodes.length < latest.size) {
    return [...nodes.keys()].filter((place) => latest.has(all[nodes[place]!]! as NodeIndex));
  }
  const found = Array.from(latest.keys(), (node) => places[positions[node]!]!);
  return found.filter((place) => place !== -1);
}

/** Captures of one variable stand together in a block, so that they are looked at together. */
function collect({ facts, holds }: Block<Reaching>, placeOf: (node: NodeIndex) => number): void {
  for (let start = 0; start < facts.length; ) {
    const { of } = facts[start]!;
    let end = start;
    let mask = 0;
    for (; facts[end]?.of === of; end += 1) mask |= 1 << end;
    for (const from of of.wanted.from) {
      const word = holds[placeOf(from)]! & mask;
      if (word === 0) continue;
      const captures = of.captures.get(from) ?? [];
      of.captures.set(from, captures);
      for (let bit = start; bit < end; bit += 1) {
        if ((word & (1 << bit)) !== 0) captures.push(facts[bit]!.site.capture);
      }
    }
    start = end;
  }
}

function flowInside({ before }: CallOrder, { nodes, places }: Inside): Flow {
  const offsets = new Int32Array(nodes.length + 1);
  const sources: number[] = [];
  nodes.forEach((at, place) => {
    for (let slot = before.offsets[at]!; slot < before.offsets[at + 1]!; slot += 1) {
      const source = places[before.targets[slot]!]!;
      if (source !== -1) sources.push(source);
    }
    offsets[place + 1] = sources.length;
  });
  return makeFlow({ offsets, targets: Int32Array.from(sources) });
}
