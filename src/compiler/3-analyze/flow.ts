/**
 * What each assistant knows of the conversation, and what crosses its handoffs.
 *
 * In: the flow graph, its variables, the regions. Out, for each region: a state before and after
 * each node, by one forward pass, and the crossings of its handoffs.
 *
 * A handoff from u to v carries x if a walk inside the assistant captures x, leaves at u without a
 * response that sets x after that, and x is live on entry to v. A later capture may fail, so it
 * changes nothing. A handoff to a global node can happen anywhere, so it carries whatever the
 * assistant captures anywhere and is live on entry to that node. So crossings are captures in the
 * state on leaving that are live at the target, which one backward pass finds.
 *
 * An alias that crosses reads variables at the handoff: they are properties of the same plan if the
 * assistant captures them, and they are live on leaving the node. So the crossings are computed
 * again, which ends because a handoff adds each read once.
 */
import { type Bits, bit, membersOf, propagate, withJumps } from '../../graph/flows.js';
import { append, groupBy } from '../../graph/lists.js';
import { reverse } from '../../graph/walks.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { EdgeIndex, NodeIndex, RegionIndex } from '../ir/ids.js';
import type { Region, RegionMap } from '../ir/region-map.js';
import {
  aliasAmong,
  type Crossing,
  type Definitions,
  type Flow,
  gaps,
  type Inside,
  isAlias,
  listCapturesAt,
  numberOfGap,
  numberOfTools,
  reachingAt,
  replacingNodes,
  type Variable,
  type Variables,
} from '../ir/variables.js';
import { withGlobals } from './flow-graph.js';
import { collectByNode } from './variables.js';

/** For each region. */
export function traceFlow(graph: FlowGraph, variables: Variables, map: RegionMap): Flow[] {
  const definitions = listDefinitions(variables, map);
  const inside = map.regions.map((region, at) => traceInside(region, definitions[at]!));
  const handoffs = map.regions.flatMap((region) => listHandoffs(graph, region));
  const crossings = computeCrossings(graph, variables, map, inside, handoffs);
  const leaving = groupBy(handoffs, ({ region }) => region);
  return map.regions.map(({ index }): Flow => {
    const [along, toGlobal] = [new Map<EdgeIndex, Crossing[]>(), new Map<NodeIndex, Crossing[]>()];
    for (const handoff of leaving.get(index) ?? []) {
      const carried = crossings.get(handoff)!;
      if (handoff.edge === null) toGlobal.set(handoff.to, carried);
      else along.set(handoff.edge, carried);
    }
    return { ...inside[index]!, along, toGlobal };
  });
}

/** For each region what it defines, by name. */
function listDefinitions(variables: Variables, { regions }: RegionMap) {
  const pairs = regions.flatMap(({ nodes, index }) => nodes.map((node) => [node, index] as const));
  const holders = groupBy(pairs, ([node]) => node);
  const byRegion = <Site>(sites: readonly Site[], nodeOf: (site: Site) => NodeIndex) => {
    const lists = new Map<RegionIndex, Site[]>();
    for (const site of sites) {
      for (const [, region] of holders.get(nodeOf(site)) ?? []) append(lists, region, site);
    }
    return lists;
  };
  const nodesByRegion = (nodes: readonly NodeIndex[]) => byRegion(nodes, (node) => node);
  const definitions = regions.map(() => new Map<string, Definitions>());
  const sizes = regions.map(() => 0);
  for (const variable of variables.values()) {
    const captures = byRegion(variable.captures, ({ node }) => node);
    const responses = nodesByRegion(variable.responses);
    const offers = nodesByRegion(variable.offers);
    const given = nodesByRegion(variable.given);
    const all = [captures, responses, offers, given].flatMap((it) => [...it.keys()]);
    for (const region of new Set(all)) {
      const own: Definitions = {
        variable,
        captures: captures.get(region) ?? [],
        responses: responses.get(region) ?? [],
        offers: offers.get(region) ?? [],
        given: given.get(region) ?? [],
        first: sizes[region]!,
      };
      definitions[region]!.set(variable.name, own);
      sizes[region]! += own.captures.length + 1 + gaps.length;
    }
  }
  return definitions;
}

/** The states of an assistant. Walks lead along its inner steps and to its other global nodes. */
function traceInside(
  { nodes, entries, globals, steps }: Region,
  definitions: Flow['definitions'],
): Inside {
  const numbers = new Map(nodes.map((node, at) => [node, at]));
  const numberOf = (node: NodeIndex) => numbers.get(node)!;
  const inner: number[][] = nodes.map(() => []);
  for (const { kind, from, to } of steps) {
    if (kind === 'inner') inner[numberOf(from)]!.push(numberOf(to));
  }
  // A single node is not entered from itself.
  const entered = nodes.length > 1 ? globals : [];
  const arcs = withJumps(inner, entered.map(numberOf));
  const ends = arcs.map(() => 0n);
  const sets = arcs.map(() => 0n);
  let open = 0n;
  for (const own of definitions.values()) {
    const { captures, responses, offers, given, first } = own;
    const values = (bit(captures.length + 1) - 1n) << BigInt(first);
    const tools = bit(numberOfTools(own));
    const [unasked, uncaptured, unset] = gaps.map((gap) => bit(numberOfGap(own, gap)));
    open |= unasked! | uncaptured! | unset!;
    const put = (at: number, value: Bits, ended: Bits) => {
      sets[at] = (sets[at]! & ~values) | value;
      ends[at]! |= ended;
    };
    for (const [at, site] of captures.entries()) {
      // What the caller is asked for may stay unknown, so that earlier values stay.
      const ended = isAlias(site) ? values : unasked!;
      put(numberOf(site.node), bit(first + at), ended | uncaptured! | unset!);
    }
    for (const node of offers) sets[numberOf(node)]! |= tools;
    for (const node of responses) put(numberOf(node), tools, values | unset!);
    for (const [at, node] of entered.entries()) {
      if (given.includes(node)) put(nodes.length + at, tools, values);
    }
  }
  const isEntry = new Set(entries.map(numberOf));
  const pass = (at: number, before: Bits) => (before & ~ends[at]!) | sets[at]!;
  const before = propagate(
    arcs,
    Array.from(arcs, (_, at) => (isEntry.has(at) ? open : 0n)),
    pass,
  );
  const after = before.map((state, at) => pass(at, state));
  return {
    definitions,
    entering: new Map(nodes.map((node, at) => [node, before[at]!])),
    leaving: new Map(nodes.map((node, at) => [node, after[at]!])),
    anywhere: [...before, ...after].reduce((one, other) => one | other, 0n),
  };
}

/** A handoff along an edge, or to a global node from any node of the assistant. */
interface Handoff {
  readonly region: RegionIndex;
  readonly from: NodeIndex | null;
  readonly to: NodeIndex;
  readonly edge: EdgeIndex | null;
}

function listHandoffs({ globals, workflow }: FlowGraph, { index: region, nodes, steps }: Region) {
  const own = new Set(nodes);
  const others = globals.filter((it) => !own.has(it) && workflow.nodes[it]!.role !== 'exit');
  return [
    ...steps.flatMap(({ kind, from, to, edge }): Handoff[] =>
      kind === 'handoff' ? [{ region, from, to, edge }] : [],
    ),
    ...others.map((to): Handoff => ({ region, from: null, to, edge: null })),
  ];
}

/** What crosses each handoff. Captured variables are numbered in their order. */
function computeCrossings(
  graph: FlowGraph,
  variables: Variables,
  { representative }: RegionMap,
  inside: readonly Inside[],
  handoffs: readonly Handoff[],
): ReadonlyMap<Handoff, Crossing[]> {
  const captured = [...variables.values()].filter(({ captures }) => captures.length > 0);
  const numbers = new Map(captured.map(({ name }, at) => [name, at]));
  const numbersOf = (names: Iterable<string>) =>
    [...names].reduce((set, name) => (numbers.has(name) ? set | bit(numbers.get(name)!) : set), 0n);
  const capturedIn = inside.map(({ definitions }) => numbersOf(definitions.keys()));
  const equals = groupBy(graph.order, (node) => representative[node]!);
  const uses = listUses(graph, captured);
  /** What aliases that cross the handoff read. */
  const derivedFrom = new Map<Handoff, Bits>();
  for (;;) {
    const live = computeLive(uses);
    const crossings = new Map<Handoff, Crossing[]>();
    let isComplete = true;
    for (const handoff of handoffs) {
      const { region, from, to } = handoff;
      const known = derivedFrom.get(handoff) ?? 0n;
      const carried = membersOf(capturedIn[region]! & (live[to]! | known)).flatMap((number) =>
        cross(inside[region]!, from, captured[number]!),
      );
      crossings.set(handoff, carried);
      const aliases = carried.flatMap(({ captures }) => aliasAmong(captures) ?? []);
      const read = aliases.flatMap(({ capture }) => capture.alias!.uses.map(({ name }) => name));
      const fresh = numbersOf(read) & ~known;
      if (fresh === 0n) continue;
      isComplete = false;
      derivedFrom.set(handoff, known | fresh);
      // Equal nodes are left by the same handoffs.
      for (const node of from === null ? inside[region]!.leaving.keys() : [from]) {
        for (const equal of equals.get(node)!) uses.readAfter[equal]! |= fresh;
      }
    }
    if (isComplete) return crossings;
  }
}

/** Where captured variables are read and replaced, for each node of the graph with its jumps. */
function listUses(graph: FlowGraph, captured: readonly Variable[]) {
  const { order, workflow } = graph;
  const { arcs, entryOf } = withGlobals(graph);
  const everywhere = order.filter((node) => workflow.nodes[node]!.role !== 'exit');
  const collect = (nodesOf: (variable: Variable) => number[]) =>
    collectByNode(arcs.length, captured, nodesOf);
  return {
    backwards: reverse(arcs),
    reads: collect(({ reads, globalReads, readEverywhere }) => [
      ...[...reads, ...globalReads.map(entryOf)],
      ...(readEverywhere ? everywhere : []),
    ]),
    replaced: collect((it) => [...replacingNodes(it), ...it.given.map(entryOf)]),
    readAfter: collect((it) => [...it.conditionReads]),
  };
}

/** For each node the variables that are live on entry: some walk reads them before they are replaced. */
function computeLive({ backwards, reads, replaced, readAfter }: ReturnType<typeof listUses>) {
  const pass = (node: number, after: Bits) => reads[node]! | (after & ~replaced[node]!);
  return propagate(backwards, readAfter, pass).map((after, node) => pass(node, after));
}

function cross(inside: Inside, from: NodeIndex | null, variable: Variable): Crossing[] {
  const { name } = variable;
  const place = from === null ? null : { node: from, isLeft: true };
  const captures = listCapturesAt(inside, name, place);
  if (captures.length === 0) return [];
  // A tool that the assistant may call at any time can set it too.
  const isOffered = inside.definitions.get(name)!.offers.length > 0;
  return [{ variable, captures, mixed: isOffered || reachingAt(inside, name, place).responded }];
}
