/**
 * What becomes of a variable on the way through assistants: where it is live, which captures of the
 * running conversation are known at a spot, and which of them cross a handoff (section 4).
 *
 * In: spots, which are nodes in assistants (of a squad, or of the expected grouping) with the steps
 * between them. A capture is known to its assistant only, until a handoff carries it. It may fail, so
 * it ends nothing: only a tool's response or a derived value does.
 */
import { type Effect, type Facts, factsOf, readOnLeaving, selfDerived } from '../../call/facts.js';
import { givenBefore, stepsFrom } from '../../call/machine.js';
import type { FlowGraph } from '../../compiler/ir/flow-graph.js';
import type { NodeIndex } from '../../compiler/ir/ids.js';
import { type CaptureSite, winningAlias } from '../../compiler/ir/variables.js';
import { append, groupBy } from '../../graph/lists.js';
import { computeComponents } from '../../graph/partitions.js';
import { flood } from '../../graph/walks.js';
import { memo, type Owners, type SourceGraph } from '../expected/source.js';
import type { Move, Pair } from './find.js';

/** A node in an assistant. */
export interface Spot {
  readonly index: number;
  readonly member: number;
  readonly facts: Facts;
  readonly steps: readonly SpotStep[];
}

export interface SpotStep {
  readonly to: number;
  readonly isHandoff: boolean;
  /** Along no edge: to a global node. */
  readonly isGlobal: boolean;
  /** Variables that a tool sets before the step, because its condition needs it. */
  readonly given: readonly string[];
}

/** The beginning of a handoff. */
interface End {
  readonly from: number;
  readonly member: number;
  readonly step: SpotStep;
}

/** A variable that crosses, with the captures that reach the handoff. */
export interface Crossing {
  readonly name: string;
  readonly captures: readonly CaptureSite[];
}

export interface Known {
  readonly captures: ReadonlySet<CaptureSite>;
  /** The nodes whose tools set it. */
  readonly responses: ReadonlySet<NodeIndex>;
}

export interface Flows {
  /** What of the conversation is known on entry to a spot, and on leaving it. */
  readonly onEntry: (name: string, spot: number) => Known;
  readonly onLeaving: (name: string, spot: number) => Known;
  readonly crossings: (step: SpotStep) => readonly Crossing[];
  /** By variable, the spots that set it. */
  readonly setters: ReadonlyMap<string, readonly number[]>;
  /** The spots on entry to which some walk reads the variable before its value is replaced. */
  readonly liveAt: (name: string) => ReadonlySet<number>;
  /** The spots of the same assistant that lead to a spot. */
  readonly before: (spot: number) => readonly number[];
}

/** The spots that read a variable on entry, on leaving, and whether or not its value matters. */
type Readers = Readonly<Record<'entry' | 'leave' | 'all', number[]>>;

const none: ReadonlySet<never> = new Set();
const nothing: Known = { captures: none, responses: none };

/**
 * `everywhere` are the variables that all assistants read; `given` those with a value from the start.
 */
export function traceFlows(
  { rank }: Pick<FlowGraph, 'rank'>,
  spots: readonly Spot[],
  everywhere: ReadonlySet<string>,
  given: ReadonlySet<string> = none,
): Flows {
  /** No walk comes from a spot to one of a lower rank. */
  const { of: ranks } = computeComponents(spots.map(({ steps }) => steps.map(({ to }) => to)));
  const lowest = (some: readonly number[]) =>
    some.reduce((rank, it) => Math.min(rank, ranks[it]!), spots.length);
  const highest = (some: readonly number[]) =>
    some.reduce((rank, it) => Math.max(rank, ranks[it]!), -1);
  const leading = spots.map((): (readonly [number, SpotStep])[] => []);
  for (const { index, steps } of spots) for (const it of steps) leading[it.to]!.push([index, it]);
  const inner = spots.map(({ steps }) => steps.filter(({ isHandoff }) => !isHandoff));
  const setters = new Map<string, number[]>();
  const ofTools = new Set<string>();
  const readers = new Map<string, Readers>();
  const readersOf = (name: string) => {
    const known = readers.get(name) ?? { entry: [], leave: [], all: [] };
    readers.set(name, known);
    return known;
  };
  for (const { index, facts, steps } of spots) {
    const given = steps.flatMap((step) => step.given);
    for (const name of new Set([...facts.effects.keys(), ...given])) append(setters, name, index);
    for (const name of [...facts.responds, ...facts.offers, ...given]) ofTools.add(name);
    const shown = facts.onEntry.flatMap(({ text }) => text.uses.map((use) => use.name));
    const read = [...shown, ...selfDerived(facts.node)];
    const asked = facts.conditions.flatMap(({ uses }) => uses.map((use) => use.name));
    const left = readOnLeaving(facts);
    for (const name of new Set([...read, ...everywhere])) readersOf(name).entry.push(index);
    for (const name of new Set(left)) readersOf(name).leave.push(index);
    for (const name of new Set([...read, ...everywhere, ...left, ...asked])) {
      readersOf(name).all.push(index);
    }
  }
  const ends = spots.flatMap(({ index: from, member, steps }) =>
    steps.flatMap((step): End[] => (step.isHandoff ? [{ from, member, step }] : [])),
  );
  // Steps of an assistant to the same global node are one handoff, which can leave any spot.
  const together = groupBy(ends, ({ from, member, step: { isGlobal, to } }) =>
    isGlobal ? `${member} to ${to}` : `${from} along an edge to ${to}`,
  );
  const captured = spots.flatMap(({ facts }) => facts.captures);
  const derived = new Set(captured.flatMap((it) => (it.alias ? it.name : [])));
  /** By variable, the handoffs at which an alias that crosses reads it. */
  const readAt = new Map<string, Set<End>>();
  const traces = new Map<string, ReturnType<typeof traceOne>>();
  const open = new Set(setters.keys());
  for (const name of open) {
    open.delete(name);
    const trace = traceOne(name);
    traces.set(name, trace);
    for (const handoff of derived.has(name) ? together.values() : []) {
      const captures = handoff.flatMap(({ step }) => trace.crossing.get(step) ?? []);
      const alias = winningAlias(inWalkOrder(captures))?.capture.alias;
      for (const use of alias?.uses ?? []) {
        const known = readAt.get(use.name) ?? new Set();
        if (known.has(handoff[0]!)) continue;
        readAt.set(use.name, new Set([...known, ...handoff]));
        if (setters.has(use.name)) open.add(use.name);
      }
    }
  }
  const crossings = new Map<SpotStep, Crossing[]>();
  for (const name of setters.keys()) {
    for (const [step, captures] of traces.get(name)!.crossing)
      append(crossings, step, { name, captures });
  }
  return {
    onEntry: (name, spot) => traces.get(name)?.entry.get(spot) ?? nothing,
    onLeaving: (name, spot) => traces.get(name)?.leave.get(spot) ?? nothing,
    crossings: (step) => crossings.get(step) ?? [],
    setters,
    liveAt: (name) => traces.get(name)?.live ?? none,
    before: (spot) => leading[spot]!.flatMap(([from, it]) => (it.isHandoff ? [] : from)),
  };

  function inWalkOrder(captures: readonly CaptureSite[]) {
    return captures.toSorted((one, other) => rank[one.node]! - rank[other.node]!);
  }

  function traceOne(name: string) {
    const own = setters.get(name)!;
    const { entry: onEntry = [], leave: onLeaving = [], all = [] } = readers.get(name) ?? {};
    const handing = [...(readAt.get(name) ?? [])];
    const handingFrom = handing.map(({ from }) => from);
    const effectAt = (spot: number) => spots[spot]!.facts.effects.get(name);
    const first = given.has(name) ? 0 : lowest(own);
    // Of what a tool sets, it matters also where nothing reads it.
    const last = ofTools.has(name) ? spots.length : highest([...all, ...handingFrom]);
    const entry = new Map<number, Known>();
    const leave = new Map<number, Known>();
    const pending = new Set(own);
    for (const index of pending) {
      pending.delete(index);
      const node = spots[index]!.facts.node.index;
      const after = setAt(node, effectAt(index), entry.get(index) ?? nothing);
      leave.set(index, after);
      for (const { to, given } of inner[index]!) {
        const from = given.includes(name) ? respondedBy(node) : after;
        if (ranks[to]! <= last && grow(entry, to, from)) pending.add(to);
      }
    }
    const goesOn = (spot: number) => effectAt(spot)?.replaces !== true;
    const judged = [...onLeaving, ...handingFrom].filter(goesOn);
    const live = flood([...onEntry, ...judged], (spot) =>
      leading[spot]!.flatMap(([from, { given }]) =>
        ranks[from]! < first || given.includes(name) || !goesOn(from) ? [] : [from],
      ),
    );
    const crossing = new Map<SpotStep, readonly CaptureSite[]>();
    const note = (step: SpotStep, from: number) => {
      const { captures } = leave.get(from) ?? nothing;
      if (captures.size === 0 || !step.isHandoff || step.given.includes(name)) return;
      crossing.set(step, inWalkOrder([...captures]));
    };
    for (const to of live) for (const [from, step] of leading[to]!) note(step, from);
    for (const { step, from } of handing) note(step, from);
    return { entry, leave, live, crossing };
  }
}

const respondedBy = (node: NodeIndex): Known => ({ captures: none, responses: new Set([node]) });

/** What is known of the variable after a node's work. */
function setAt(node: NodeIndex, effect: Effect | undefined, before: Known): Known {
  if (effect === undefined) return before;
  const { site, responds, offers } = effect;
  if (responds) return respondedBy(node);
  const own: ReadonlySet<CaptureSite> = site === null ? none : new Set([site]);
  if (site?.capture.alias !== undefined) return { captures: own, responses: none };
  return {
    captures: unite(before.captures, own),
    responses: offers ? unite(before.responses, new Set([node])) : before.responses,
  };
}

/** Adds to what is known on entry to a spot; true if that is more than before. */
function grow(entry: Map<number, Known>, to: number, more: Known): boolean {
  const known = entry.get(to) ?? nothing;
  const captures = unite(known.captures, more.captures);
  const responses = unite(known.responses, more.responses);
  if (captures === known.captures && responses === known.responses) return false;
  entry.set(to, { captures, responses });
  return true;
}

/** The first set itself if it has all. */
function unite<Value>(some: ReadonlySet<Value>, more: ReadonlySet<Value>): ReadonlySet<Value> {
  const lacking = [...more].filter((it) => !some.has(it));
  return lacking.length === 0 ? some : new Set([...some, ...lacking]);
}

/** The spots of stages, by number: each node in each stage that has it. */
export function spotsOfStages(graph: SourceGraph, owners: Owners): Spot[] {
  const own = graph.order.filter((node) => owners.standsFor(node) === node);
  const nodes = own.filter((node) => graph.nodeAt(node).role !== 'exit');
  const places = nodes.flatMap((node) => [...owners.of(node)].map((member) => ({ node, member })));
  const numbers = new Map(places.map(({ node, member }, at) => [`${node} ${member}`, at]));
  const facts = memo((node: NodeIndex) => factsOf(graph, graph.nodeAt(node)));
  return places.map(({ node, member }, index): Spot => {
    const steps = stepsFrom(graph, node).flatMap((step): SpotStep[] => {
      const end = owners.standsFor(step.to as NodeIndex);
      const own = numbers.get(`${end} ${member}`);
      const target = own ?? numbers.get(`${end} ${owners.soleOwner(end)}`);
      if (target === undefined) return [];
      const [isHandoff, isGlobal] = [own === undefined, step.edge === undefined];
      return [{ to: target, isHandoff, isGlobal, given: givenBefore(graph, step) }];
    });
    return { index, member, facts: facts(node), steps };
  });
}

/** A pair, with the moves that are steps. */
export interface PairSpot extends Spot {
  readonly steps: readonly (SpotStep & { readonly move: Move })[];
}

/** The spots of pairs, and the step that each move is. */
export function spotsOfPairs(graph: SourceGraph, pairs: readonly Pair[]) {
  const facts = memo((node: NodeIndex): Facts => factsOf(graph, graph.nodeAt(node)));
  const stepOf = new Map<Move, SpotStep>();
  const spots = pairs.map(({ index, member, node, moves }): PairSpot => {
    const steps = moves.flatMap((move) => {
      const { to, edge, node } = move;
      if (to === null) return [];
      const given = givenBefore(graph, { to: node, edge: edge ?? undefined });
      const isHandoff = to.member !== member;
      const step = { to: to.index, isHandoff, isGlobal: edge === null, given, move };
      stepOf.set(move, step);
      return [step];
    });
    return { index, member, facts: facts(node), steps };
  });
  return { spots, stepOf };
}
