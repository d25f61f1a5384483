/**
 * A machine and the marks that a call leaves in a record as it moves: in a workflow each node that it
 * comes to, in a squad each assistant that becomes active and each function that is called.
 *
 * What need not be recorded is silent: a tool, a line that is said in passing, the end of a call; in a
 * squad every step that stays with its assistant.
 */
import { factsOf } from '../call/facts.js';
import { type Machine, type Move, nodeOf } from '../call/machine.js';
import type { Destination, Member } from '../call/squad.js';
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import type { JsonPointer } from '../text/pointer.js';
import type { Item } from './record.js';

/** A move between two places; null where the call begins. */
export interface Arc {
  readonly from: number;
  readonly to: number;
  readonly move: Move | null;
  /** The place in the workflow of the edge, or of the global node that is entered. */
  readonly at: JsonPointer | null;
  /** The variables that it and the place may set, as bits. */
  readonly sets: bigint;
}

/** How an item of a record moves a call. */
export interface Reader {
  /** The arc ends at what is recorded, or may be on the way there. */
  readonly lands: (arc: Arc) => boolean;
  readonly passes: (arc: Arc) => boolean;
  /** The call may be at the place before and after. */
  readonly stays: (place: number) => boolean;
}

export interface Trail {
  readonly machine: Machine;
  readonly graph: FlowGraph;
  /** By place. The last, which no arc leads to, is where a call is before it begins. */
  readonly arcs: readonly (readonly Arc[])[];
  readonly bits: ReadonlyMap<string, bigint>;
  readonly read: (item: Item, last: Item | undefined) => Reader;
}

type Laid = Omit<Trail, 'read'>;

/** `ignored`: what a record calls the beginning of a call, which is no place. */
export function layTrail(
  graph: FlowGraph,
  machine: Machine,
  of: 'nodes' | 'assistants',
  ignored: readonly unknown[],
): Trail {
  const { places } = machine;
  const bits = new Map<string, bigint>();
  const bitOf = (name: string) => {
    if (!bits.has(name)) bits.set(name, 1n << BigInt(bits.size));
    return bits.get(name)!;
  };
  const bitsOf = (names: Iterable<string>) => [...names].reduce((all, it) => all | bitOf(it), 0n);
  const set = places.map(({ node }) => bitsOf(factsOf(graph, nodeOf(graph, node)).effects.keys()));
  const arcs = places.map(({ moves }, from) =>
    moves.map((move): Arc => {
      const { step, to, responds } = move;
      const at = step.edge?.at ?? nodeOf(graph, step.to).at;
      return { from, to, move, at, sets: set[to]! | bitsOf(responds) };
    }),
  );
  arcs.push([{ from: places.length, to: 0, move: null, at: null, sets: set[0]! }]);
  const laid = { machine, graph, arcs, bits };
  return { ...laid, read: of === 'nodes' ? readNodes(laid, ignored) : readAssistants(laid) };
}

function readNodes({ machine, graph }: Laid, ignored: readonly unknown[]): Trail['read'] {
  const nodes = machine.places.map(({ node }) => nodeOf(graph, node));
  return ({ name }, last) => ({
    lands: ({ to }) => nodes[to]!.id === name || nodes[to]!.name === name,
    passes: ({ to }) => nodes[to]!.role !== 'talk',
    stays: (place) => (place === nodes.length ? ignored.includes(name) : last?.name === name),
  });
}

function readAssistants({ machine: { places, assistants }, graph, arcs }: Laid): Trail['read'] {
  const members = places.map(({ member }) => assistants[member]!.member);
  const nodes = places.map(({ node }) => nodeOf(graph, node));
  const calls = places.map(({ acts }, place) => {
    const { role, type } = nodes[place]!;
    if (role === 'exit') return [type === 'transferCall' ? type : 'endCall'];
    const sent = acts.flatMap((it) => (it.kind === 'sent' ? it.tool : []));
    return members[place]!.tools.flatMap(({ name, value }) => (sent.includes(value) ? name : []));
  });
  const placed = new Set(calls.flat());
  /** Tools that belong to no step may be called anywhere in their assistant. */
  const isCalled = (place: number, name: string) => {
    const { tools, toolIds } = members[place]!;
    const isOwn = tools.some((it) => it.name === name && it.type !== 'handoff');
    return calls[place]!.includes(name) || (!placed.has(name) && (isOwn || toolIds.length > 0));
  };
  const passes = ({ move }: Arc) => move !== null && move.handoff === null;
  return ({ kind, name, by }, last) => {
    // A handoff or an end that was refused leaves the call where it is.
    const isRefused = ({ to, move }: Arc) =>
      move!.handoff
        ? isBy(move!.handoff, name)
        : nodes[to]!.role === 'exit' && calls[to]!.includes(name);
    const isAt = (place: number) => isCalled(place, name) || arcs[place]!.some(isRefused);
    const isSame = by === null && last?.kind === kind && last.name === name;
    const isEntry = (arc: Arc) =>
      !passes(arc) && namesOf(members[arc.to]!).includes(name) && isBy(arc.move?.handoff, by);
    return {
      lands: (arc) => (kind === 'assistant' ? isEntry(arc) : passes(arc) && isAt(arc.to)),
      passes,
      stays: (place) => place < places.length && (kind === 'assistant' ? isSame : isAt(place)),
    };
  };
}

/** What a record can call an assistant. */
export function namesOf({ name, assistantId }: Member): string[] {
  return [name ?? [], assistantId ?? []].flat();
}

/** Whether a function makes the handoff; one without a name has a name of the platform's. */
export function isBy(handoff: Destination | null | undefined, by: string | null): boolean {
  if (by === null || !handoff) return true;
  return handoff.tool?.name ? handoff.tool.name === by : by.startsWith('handoff_to_');
}
