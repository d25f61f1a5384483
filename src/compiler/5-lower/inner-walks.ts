/**
 * Walks inside one assistant, and what they leave in a variable.
 *
 * The steps of a walk inside are the inner edges and the steps back to the assistant's own global
 * nodes, which every node can take. A node sets a variable by its captures first and by its tools'
 * responses after, so a response at the same node is the later word.
 */
import { withItem } from '../../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Region } from '../ir/region-map.js';
import type { CaptureSite, Variable } from '../ir/variable-flow.js';
import type { Definitions, DefinitionsWithin } from './definitions.js';
import { createNodeSet, type NodeSet } from './node-set.js';

export interface InnerWalks {
  readonly reach: (variable: Variable) => Reach;
}

/** What can be the latest word on a variable on leaving a node. */
export interface Reach {
  /** Captures of this visit, in walk order. */
  at(node: NodeIndex): readonly CaptureSite[];
  /** Captures of this visit, wherever it is left. */
  anywhere(): readonly CaptureSite[];
  /** Whether it can be a tool's response of this visit. */
  responds(node: NodeIndex): boolean;
  respondsAnywhere(): boolean;
  /** Whether it can be nothing of this visit. */
  misses(node: NodeIndex): boolean;
}

export function createInnerWalks(
  graph: FlowGraph,
  region: Region,
  definitions: DefinitionsWithin,
): InnerWalks {
  const own = createNodeSet(region.nodes);
  const isExit = (node: NodeIndex) => graph.workflow.nodes[node]!.role === 'exit';
  const globals =
    region.globals.length === 0 ? none : region.globals.filter((node) => !isExit(node));
  return {
    reach: (variable) => {
      if (globals.length === 0) {
        return computeReach(definitions(variable, own), { region, own, globals, set: globals });
      }
      const sets = (global: NodeIndex) => isSetOnTheWay(graph, global, variable);
      const open = globals.filter((global) => !sets(global));
      const inside = { region, own, globals: open, set: globals.filter(sets) };
      return computeReach(definitions(variable, own), inside);
    },
  };
}

const none: readonly NodeIndex[] = [];

interface Inside {
  readonly region: Region;
  /** Its nodes. */
  readonly own: NodeSet;
  /** Global nodes that a walk can step back to with the variable as it was. */
  readonly globals: readonly NodeIndex[];
  /** Global nodes whose condition needs a tool that sets the variable before they are entered. */
  readonly set: readonly NodeIndex[];
}

function isSetOnTheWay({ workflow }: FlowGraph, global: NodeIndex, variable: Variable): boolean {
  const call = workflow.nodes[global]!.global?.condition?.call ?? null;
  return call?.variables.includes(variable.name) === true;
}

function computeReach({ captures, responses }: Definitions, inside: Inside): Reach {
  const { region, set } = inside;
  const responding = createNodeSet(responses);
  const setting = createNodeSet(listSetting(captures, responses));
  let leaving: readonly Leaving[] = [];
  for (const site of lastCaptures(captures)) {
    if (responding.has(site.node)) continue;
    leaving = withItem(leaving, { site, nodes: walkOn([site.node], setting, inside) });
  }
  const responded = walkOn(concat(responses, listPassed(set, setting)), setting, inside);
  const missed = walkOn(listPassed(region.entries, setting), setting, inside);
  return new InnerReach(leaving, responded, missed);
}

/** Where the variable is set. */
function listSetting(
  captures: readonly CaptureSite[],
  responses: readonly NodeIndex[],
): readonly NodeIndex[] {
  let setting = none;
  for (const { node } of captures) setting = withItem(setting, node);
  return concat(responses, setting);
}

/** The nodes where the variable stays as it is. */
function listPassed(nodes: readonly NodeIndex[], setting: NodeSet): readonly NodeIndex[] {
  const isPassed = (node: NodeIndex) => !setting.has(node);
  return nodes.every(isPassed) ? nodes : nodes.filter(isPassed);
}

/** Mostly one of the two is empty, and the other is all. */
function concat(one: readonly NodeIndex[], other: readonly NodeIndex[]): readonly NodeIndex[] {
  if (one.length === 0) return other;
  return other.length === 0 ? one : [...one, ...other];
}

/** Nodes that a walk comes to. */
type Met = Pick<NodeSet, 'has' | 'size'>;

/** A capture, and the nodes that can be left with it. */
interface Leaving {
  readonly site: CaptureSite;
  readonly nodes: Met;
}

/** One for each variable and assistant, so that it has no closures of its own. */
class InnerReach implements Reach {
  constructor(
    private readonly leaving: readonly Leaving[],
    private readonly responded: Met,
    private readonly missed: Met,
  ) {}

  at(node: NodeIndex): readonly CaptureSite[] {
    let sites: readonly CaptureSite[] = [];
    for (const { site, nodes } of this.leaving) if (nodes.has(node)) sites = withItem(sites, site);
    return sites;
  }

  anywhere(): readonly CaptureSite[] {
    return this.leaving.map(({ site }) => site);
  }

  responds(node: NodeIndex): boolean {
    return this.responded.has(node);
  }

  respondsAnywhere(): boolean {
    return this.responded.size > 0;
  }

  misses(node: NodeIndex): boolean {
    return this.missed.has(node);
  }
}

/** Where a node captures a variable twice, the later one counts. */
function lastCaptures(sites: readonly CaptureSite[]): readonly CaptureSite[] {
  if (sites.length < 2) return sites;
  return [...new Map(sites.map((site) => [site.node, site])).values()];
}

/** The nodes on whose leaving the word of one of `from` can be the latest. */
function walkOn(
  from: readonly NodeIndex[],
  setting: NodeSet,
  { region, own, globals }: Inside,
): Met {
  if (from.length === 0) return nowhere;
  // Who is somewhere in a region of one node is at that node.
  if (own.size === 1) return own;
  const found = new Set(from);
  for (const node of globals) if (!setting.has(node)) found.add(node);
  // The iteration comes to what is added on the way.
  for (const node of found) {
    for (const { kind, to } of region.stepsFrom.get(node) ?? []) {
      if (kind === 'inner' && !setting.has(to)) found.add(to);
    }
  }
  return found;
}

const nowhere = createNodeSet(none);
