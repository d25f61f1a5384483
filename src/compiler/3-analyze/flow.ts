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
import { type Bits, bit, has, membersOf, propagate, withJumps } from '../../graph/flows.js';
import { groupBy } from '../../graph/lists.js';
import { reverse } from '../../graph/walks.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Region, RegionMap } from '../ir/region-map.js';
import {
  type Crossing,
  type Definitions,
  type Flow,
  gaps,
  handoffKey,
  type Inside,
  isAlias,
  reachingAt,
  replacingNodes,
  type Variable,
  type Variables,
  winningAlias,
} from '../ir/variables.js';
import { withGlobals } from './flow-graph.js';
import { collectByNode } from './variables.js';

/** For each region. */
export function traceFlow(
  graph: FlowGraph,
  variables: Variables,
  { regions, representative }: RegionMap,
): Flow[] {
  const all = [...variables.values()];
  const variablesIn = (set: Bits) => membersOf(set).map((it) => all[it]!);
  const sets = collectByNode(graph.workflow.nodes.length, all, (it) => [
    ...it.captures.map(({ node }) => node),
    ...[...it.responses, ...it.offers, ...it.given],
  ]);
  const setIn = regions.map(({ nodes }) => nodes.reduce((set, node) => set | sets[node]!, 0n));
  const inside = regions.map((region, at) => traceInside(variablesIn(setIn[at]!), region));
  const setOf = (names: Iterable<string>) =>
    [...names].reduce((set, name) => set | bit(variables.get(name)!.number), 0n);
  const equals = groupBy(graph.order, (node) => representative[node]!);
  const isExit = (node: NodeIndex) => graph.workflow.nodes[node]!.role === 'exit';
  // Those to global nodes can leave any node.
  const handoffs = regions.flatMap(({ index: region, nodes, steps }) => [
    ...steps.flatMap(({ kind, from, to }) => (kind === 'handoff' ? { region, from, to } : [])),
    ...graph.globals.flatMap((to) =>
      nodes.includes(to) || isExit(to) ? [] : { region, from: null, to },
    ),
  ]);
  const crossings = regions.map(() => new Map<string, readonly Crossing[]>());
  const { arcs, entryOf } = withGlobals(graph);
  const everywhere = graph.order.filter((node) => !isExit(node));
  const captured = all.filter(({ captures }) => captures.length > 0);
  const collect = (nodesOf: (variable: Variable) => readonly number[]) =>
    collectByNode(arcs.length, captured, nodesOf);
  const reads = collect(({ reads, globalReads, readEverywhere }) => [
    ...[...reads, ...globalReads.map(entryOf)],
    ...(readEverywhere ? everywhere : []),
  ]);
  const replaced = collect((it) => [...replacingNodes(it), ...it.given.map(entryOf)]);
  const backwards = reverse(arcs);
  const pass = (node: number, after: Bits) => reads[node]! | (after & ~replaced[node]!);
  for (let [live, isOpen] = [collect((it) => it.conditionReads), true]; isOpen; ) {
    live = propagate(backwards, live, pass);
    isOpen = false;
    for (const { region, from, to } of handoffs) {
      const key = handoffKey(from, to);
      // What aliases read there crosses as well.
      const read = crossings[region]!.get(key)?.flatMap(readsOfAlias) ?? [];
      const crossing = setIn[region]! & (pass(to, live[to]!) | setOf(read));
      const carried = variablesIn(crossing).flatMap((it) => cross(inside[region]!, from, it));
      crossings[region]!.set(key, carried);
      const derived = setOf(carried.flatMap(readsOfAlias));
      if ((derived & setIn[region]! & ~crossing) !== 0n) isOpen = true;
      // Equal nodes are left by the same handoffs.
      const left = from === null ? [...inside[region]!.leaving.keys()] : [from];
      for (const node of derived === 0n ? [] : left.flatMap((it) => equals.get(it)!)) {
        if ((derived & ~live[node]!) !== 0n) isOpen = true;
        live[node]! |= derived;
      }
    }
  }
  return inside.map((it, at) => ({ ...it, crossings: crossings[at]! }));
}

/** The states of an assistant that sets these variables. Walks lead along its inner steps and to its other global nodes. */
function traceInside(variables: readonly Variable[], region: Region): Inside {
  const { nodes, entries, globals, steps } = region;
  const numbers = new Map(nodes.map((node, at) => [node, at]));
  const numberOf = (node: NodeIndex) => numbers.get(node)!;
  const isOwn = (node: NodeIndex) => numbers.has(node);
  const definitions = new Map<string, Definitions>();
  let first = 0;
  for (const variable of variables) {
    const captures = variable.captures.filter(({ node }) => isOwn(node));
    const [responses, offers] = [variable.responses.filter(isOwn), variable.offers.filter(isOwn)];
    definitions.set(variable.name, { variable, captures, responses, offers, first });
    first += gaps.length + 1 + captures.length;
  }
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
    const { variable, captures, responses, offers, first } = own;
    const [unasked, uncaptured, unset] = gaps.map((_, at) => bit(first + at));
    const tools = first + gaps.length;
    const values = (bit(captures.length + 1) - 1n) << BigInt(tools);
    open |= unasked! | uncaptured! | unset!;
    const put = (at: number, value: Bits, ended: Bits) => {
      sets[at] = (sets[at]! & ~values) | value;
      ends[at]! |= ended;
    };
    for (const [at, site] of captures.entries()) {
      // What the caller is asked for may stay unknown, so that earlier values stay.
      const ended = isAlias(site) ? values : unasked!;
      put(numberOf(site.node), bit(tools + 1 + at), ended | uncaptured! | unset!);
    }
    for (const node of offers) sets[numberOf(node)]! |= bit(tools);
    for (const node of responses) put(numberOf(node), bit(tools), values | unset!);
    for (const [at, node] of entered.entries()) {
      if (variable.given.includes(node)) put(nodes.length + at, bit(tools), values);
    }
  }
  const isEntry = new Set(entries.map(numberOf));
  const pass = (at: number, before: Bits) => (before & ~ends[at]!) | sets[at]!;
  const entering = arcs.map((_, at) => (isEntry.has(at) ? open : 0n));
  const before = propagate(arcs, entering, pass);
  const after = before.map((state, at) => pass(at, state));
  return {
    definitions,
    entering: new Map(nodes.map((node, at) => [node, before[at]!])),
    leaving: new Map(nodes.map((node, at) => [node, after[at]!])),
    anywhere: [...before, ...after].reduce((one, other) => one | other, 0n),
  };
}

function readsOfAlias({ captures }: Crossing): string[] {
  return winningAlias(captures)?.capture.alias?.uses.map(({ name }) => name) ?? [];
}

/**
 * The variables whose captured value can be unknown when the call is over: on some walk the
 * assistant that captured it is left without carrying it, or ends the call, and no tool sets another.
 */
export function listLost(
  graph: FlowGraph,
  variables: Variables,
  { regions }: RegionMap,
  flows: readonly Flow[],
): ReadonlySet<string> {
  const { globals, successors, rank } = graph;
  const { arcs, entryOf } = withGlobals(graph);
  const replacing = (it: Variable) => [...replacingNodes(it), ...it.given.map(entryOf)];
  const replaced = collectByNode(arcs.length, variables.values(), replacing);
  const all = bit(variables.size) - 1n;
  const isEnd = (node: number) => rank[node]! >= 0 && successors[node]!.length === 0;
  const ends = arcs.map((_, node) => (isEnd(node) ? all : 0n));
  const pass = (node: number, after: Bits) => after & ~replaced[node]!;
  /** The variables that on some walk from a node to the end nothing replaces. */
  const lasting = propagate(reverse(arcs), ends, pass).map((after, node) => pass(node, after));
  const lost = new Set<string>();
  for (const { index, nodes, steps } of regions) {
    const flow = flows[index]!;
    const leave = (from: NodeIndex | null, to: NodeIndex, left: Bits): void => {
      const known = flow.crossings.get(handoffKey(from, to)) ?? [];
      const carried = new Set(known.map(({ variable }) => variable));
      for (const [name, { variable }] of flow.definitions) {
        if (lost.has(name) || carried.has(variable) || !has(left, variable.number)) continue;
        if (cross(flow, from, variable).length > 0) lost.add(name);
      }
    };
    for (const node of nodes) if (isEnd(node)) leave(node, node, all);
    for (const { kind, from, to } of steps) if (kind !== 'inner') leave(from, to, lasting[to]!);
    for (const to of globals) if (!nodes.includes(to)) leave(null, to, lasting[entryOf(to)]!);
  }
  return lost;
}

function cross(inside: Inside, from: NodeIndex | null, variable: Variable): Crossing[] {
  const place = from === null ? null : { node: from, isLeft: true };
  const { captures, isResponse } = reachingAt(inside, variable.name, place);
  if (captures.length === 0) return [];
  // A tool that the assistant may call at any time can set it too.
  const isOffered = inside.definitions.get(variable.name)!.offers.length > 0;
  return [{ variable, captures, mixed: isResponse || isOffered }];
}
