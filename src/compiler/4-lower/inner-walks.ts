/**
 * Walks inside one assistant, and what they leave in a variable.
 *
 * The steps of a walk inside are the inner edges and the steps back to the assistant's own global
 * nodes, which every node can take. A node sets a variable by its captures first and by its tools'
 * responses after, so a response at the same node is the later word.
 */
import { append, extend } from '../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Region } from '../ir/region-map.js';
import type { CaptureSite, Variable } from '../ir/variable-flow.js';

export interface InnerWalks {
  readonly reach: (variable: Variable) => Reach;
}

/** What can be the latest word on a variable on leaving a node. */
export interface Reach {
  /** Captures of this visit, in walk order. */
  readonly at: (node: NodeIndex) => readonly CaptureSite[];
  /** Captures of this visit, wherever it is left. */
  readonly anywhere: () => readonly CaptureSite[];
  /** Whether it can be a tool's response of this visit. */
  readonly responds: (node: NodeIndex) => boolean;
  readonly respondsAnywhere: () => boolean;
  /** Whether it can be nothing of this visit. */
  readonly misses: (node: NodeIndex) => boolean;
}

export function createInnerWalks(graph: FlowGraph, region: Region): InnerWalks {
  const own = new Set(region.nodes);
  const next = innerSuccessors(region);
  const isExit = (node: NodeIndex) => graph.workflow.nodes[node]!.role === 'exit';
  const globals = region.globals.filter((node) => !isExit(node));
  return {
    reach: (variable) => {
      const sets = (global: NodeIndex) => isSetOnTheWay(graph, global, variable);
      const open = globals.filter((global) => !sets(global));
      return computeReach(region, variable, {
        own,
        next,
        globals: open,
        set: globals.filter(sets),
      });
    },
  };
}

interface Inside {
  readonly own: ReadonlySet<NodeIndex>;
  readonly next: ReadonlyMap<NodeIndex, readonly NodeIndex[]>;
  /** Global nodes that a walk can step back to with the variable as it was. */
  readonly globals: readonly NodeIndex[];
  /** Global nodes whose condition needs a tool that sets the variable before they are entered. */
  readonly set: readonly NodeIndex[];
}

function isSetOnTheWay({ workflow }: FlowGraph, global: NodeIndex, variable: Variable): boolean {
  const call = workflow.nodes[global]!.global?.condition?.call ?? null;
  return call?.variables.includes(variable.name) === true;
}

function computeReach(region: Region, variable: Variable, inside: Inside): Reach {
  const responding = new Set(variable.responses);
  const sites = variable.captures.filter(({ node }) => inside.own.has(node));
  const setting = new Set([...sites.map(({ node }) => node), ...responding]);
  const passes = (node: NodeIndex) => !setting.has(node);
  const leaving = lastCaptures(sites)
    .filter(({ node }) => !responding.has(node))
    .map((site) => ({ site, nodes: walkOn([site.node], passes, inside) }));
  const responded = walkOn(
    [...region.nodes.filter((node) => responding.has(node)), ...inside.set.filter(passes)],
    passes,
    inside,
  );
  const missed = walkOn(region.entries.filter(passes), passes, inside);
  return {
    at: (node) => leaving.filter(({ nodes }) => nodes.has(node)).map(({ site }) => site),
    anywhere: () => leaving.map(({ site }) => site),
    responds: (node) => responded.has(node),
    respondsAnywhere: () => responded.size > 0,
    misses: (node) => missed.has(node),
  };
}

/** Where a node captures a variable twice, the later one counts. */
function lastCaptures(sites: readonly CaptureSite[]): CaptureSite[] {
  return [...new Map(sites.map((site) => [site.node, site])).values()];
}

/** The nodes on whose leaving the word of one of `from` can be the latest. */
function walkOn(
  from: readonly NodeIndex[],
  passes: (node: NodeIndex) => boolean,
  { next, globals }: Inside,
): ReadonlySet<NodeIndex> {
  const found = new Set(from);
  const pending = [...from];
  if (pending.length > 0) extend(pending, enter(globals));
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    extend(pending, enter(next.get(node) ?? []));
  }
  return found;

  function enter(nodes: readonly NodeIndex[]): NodeIndex[] {
    const fresh = nodes.filter((node) => !found.has(node) && passes(node));
    for (const node of fresh) found.add(node);
    return fresh;
  }
}

function innerSuccessors(region: Region): Map<NodeIndex, NodeIndex[]> {
  const next = new Map<NodeIndex, NodeIndex[]>();
  for (const step of region.steps) {
    if (step.kind !== 'inner') continue;
    append(next, step.from, step.to);
  }
  return next;
}
