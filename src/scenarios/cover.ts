/**
 * The smallest set of walks that take every required arc of a call graph.
 *
 * Defined: a walk begins at the start. It ends at an exit or at a node without an edge that leads
 * on (steps into global nodes do not count as leading on, but a call may take one there); a call
 * that can come to no such place any more never ends by itself, and its walk ends where it has
 * taken what it was sent for. A global node has no way back but its own edges; without any, the
 * walk that entered it ends there, unless it enters another. What must be taken: every edge, and
 * for each global node one step into it by its condition. So every exit is come to as well, and
 * every node.
 *
 * Smallest: inside of a strongly connected component one walk can take everything, so only arcs
 * between components ask for more walks; on these, which form no cycle, the smallest flow with
 * lower bounds is the answer, with its own proof (smallest-flow.ts).
 *
 * Short: what is to be taken inside of a component is shared out evenly among the walks that come
 * through. Guaranteed is no more than that every leg, from one arc that was not yet taken to the
 * next and from the last to the way out, is a shortest one inside of its component; the length of
 * the whole is not the least there is, which would be a rural postman's problem.
 */
import { computeComponents } from '../graph/partitions.js';
import type { CallGraph, Components } from './call-graph.js';
import { createExcursions } from './excursions.js';
import { computeSmallestFlow, type Descent, type SmallestFlow } from './smallest-flow.js';

export interface Cover {
  /** Each walk as the arcs that it takes, from the start on. */
  readonly walks: readonly (readonly number[])[];
  /** As many arcs as there are walks, no two of which one walk can take; none for one walk. */
  readonly apart: readonly number[];
}

/** Steps from component to component that all walks together may take. */
const maxCrossings = 2_000_000;

/** The cover; null where its walks are too long to be kept. */
export function coverWithWalks(graph: CallGraph): Cover | null {
  const { of, members } = computeComponents(
    graph.leaving.map((arcs) => arcs.map((arc) => graph.targets[arc]!)),
  );
  const count = members.length;
  const components = { count, of: of.map((component) => count - 1 - component) };
  const mayEnd = listEnds(graph, components);
  const passages = listPassages(graph, components);
  const flow = computeSmallestFlow(
    descentOf(graph, components, passages, (component) => mayEnd[component] !== noEnd),
  );
  if (flow.arcs.reduce((all, walks) => all + walks, 0) > maxCrossings) return null;
  const routes = takeApart(graph, components, passages, flow);
  const walks = walkRoutes(graph, components, routes, mayEnd);
  return walks && { walks, apart: flow.apart.map((at) => arcOf(passages, at)) };
}

/** What the flow is about: arcs between components, and the components themselves. */
interface Passages {
  readonly between: readonly number[];
  /** For each component an arc inside of it that must be taken; -1 where there is none. */
  readonly inside: Int32Array;
}

function listPassages(
  { sources, targets, required }: CallGraph,
  { of, count }: Components,
): Passages {
  const between: number[] = [];
  const inside = new Int32Array(count).fill(-1);
  for (const [arc, source] of sources.entries()) {
    const component = of[source]!;
    if (component !== of[targets[arc]!]) between.push(arc);
    else if (required[arc] === 1 && inside[component] === -1) inside[component] = arc;
  }
  return { between, inside };
}

/** An arc that must be taken, for a number of the flow's. */
function arcOf({ between, inside }: Passages, at: number): number {
  return between[at] ?? inside[at - between.length]!;
}

/**
 * Every component as two nodes, its entry and its way out: what is inside of it must be taken even
 * where no arc into it must (a global node's is reached by steps that anybody may take).
 */
function descentOf(
  { sources, targets, required }: CallGraph,
  { of, count }: Components,
  { between, inside }: Passages,
  mayEnd: (component: number) => boolean,
): Descent {
  const entryOf = (component: number) => 2 * component + 1;
  const wayOutOf = (component: number) => 2 * component;
  const all = [...inside.keys()];
  return {
    nodeCount: 2 * count,
    source: entryOf(of[0]!),
    tails: Int32Array.from([
      ...between.map((arc) => wayOutOf(of[sources[arc]!]!)),
      ...all.map(entryOf),
    ]),
    heads: Int32Array.from([
      ...between.map((arc) => entryOf(of[targets[arc]!]!)),
      ...all.map(wayOutOf),
    ]),
    required: Uint8Array.from([
      ...between.map((arc) => required[arc]!),
      ...Array.from(inside, (arc) => (arc === -1 ? 0 : 1)),
    ]),
    mayEnd: Uint8Array.from({ length: 2 * count }, (_, node) =>
      node % 2 === 0 && mayEnd(node / 2) ? 1 : 0,
    ),
  };
}

const noEnd = 0;
/** The component holds a place at which a call ends. */
const ownEnd = 1;
/** From here a call can come to no such place: it may end anywhere. */
const endless = 2;

function listEnds(graph: CallGraph, { of, count }: Components): Uint8Array {
  const kinds = new Uint8Array(count).fill(noEnd);
  for (const [node, ends] of graph.ends.entries()) if (ends === 1) kinds[of[node]!] = ownEnd;
  const reaches = Uint8Array.from(kinds, (kind) => (kind === ownEnd ? 1 : 0));
  // Components have higher numbers than those that they lead to.
  const byComponent = [...of.keys()].sort((one, other) => of[one]! - of[other]!);
  for (const node of byComponent) {
    for (const arc of graph.leaving[node]!) {
      if (reaches[of[graph.targets[arc]!]!] === 1) reaches[of[node]!] = 1;
    }
  }
  return kinds.map((kind, component) => (reaches[component] === 1 ? kind : endless));
}

/** The flow as walks from component to component: each as the arcs between them. */
function takeApart(
  graph: CallGraph,
  { of, count }: Components,
  { between }: Passages,
  flow: SmallestFlow,
): number[][] {
  const leaving: number[][] = Array.from({ length: count }, () => []);
  for (const [at, arc] of between.entries()) leaving[of[graph.sources[arc]!]!]!.push(at);
  const cursor = new Int32Array(count);
  const arcs = flow.arcs.slice();
  return Array.from({ length: flow.walks }, () => {
    const route: number[] = [];
    let component = of[0]!;
    for (;;) {
      const ways = leaving[component]!;
      while (cursor[component]! < ways.length && arcs[ways[cursor[component]!]!] === 0) {
        cursor[component]! += 1;
      }
      const way = ways[cursor[component]!];
      if (way === undefined) return route;
      arcs[way]! -= 1;
      route.push(between[way]!);
      component = of[graph.targets[between[way]!]!]!;
    }
  });
}

/** Joins the arcs of each route by ways inside of the components. */
function walkRoutes(
  graph: CallGraph,
  components: Components,
  routes: readonly (readonly number[])[],
  mayEnd: Uint8Array,
): number[][] | null {
  const { of, count } = components;
  const excursions = createExcursions(graph, components);
  const visits = new Int32Array(count);
  for (const route of routes) {
    visits[of[0]!]! += 1;
    for (const arc of route) visits[of[graph.targets[arc]!]!]! += 1;
  }
  const walks: number[][] = [];
  for (const route of routes) {
    const walk: number[] = [];
    let node = 0;
    for (const arc of route) {
      node = excursions.go(walk, node, shareOf(of[node]!), (at) => at === graph.sources[arc]);
      walk.push(arc);
      node = graph.targets[arc]!;
    }
    const goal = mayEnd[of[node]!] === ownEnd ? (at: number) => graph.ends[at] === 1 : null;
    excursions.go(walk, node, shareOf(of[node]!), goal);
    walks.push(walk);
    if (excursions.gaveUp()) return null;
  }
  return walks;

  /** This visit's share of what is left; the last visit takes the rest. */
  function shareOf(component: number): number {
    const share = Math.ceil(excursions.left(component) / visits[component]!);
    visits[component]! -= 1;
    return share;
  }
}
