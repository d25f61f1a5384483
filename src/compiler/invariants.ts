/**
 * What each phase promises the next, asserted after it. A promise that does not hold is a bug of
 * squadc's own, whatever the input; all checks are linear.
 */
import { assertInvariant, breakInvariant } from './ir/compiler-bug.js';
import type { FlowGraph } from './ir/flow-graph.js';
import type { NodeIndex } from './ir/ids.js';
import type { RegionMap } from './ir/region-map.js';
import type { SquadIr } from './ir/squad-ir.js';

/** Reachable nodes have ranks and stay among themselves; no edge leaves an exit. */
export function assertFlowGraph(graph: FlowGraph): FlowGraph {
  const { workflow, order, rank, successors } = graph;
  assertInvariant(order[0] === graph.start, () => 'the walk order begins with the start');
  for (const [at, node] of order.entries()) {
    if (rank[node] !== at) breakInvariant(`node ${node} has the rank of its place in the order`);
    const isExit = workflow.nodes[node]!.role === 'exit';
    if (isExit && successors[node]!.length > 0) breakInvariant(`no edge leaves the exit ${node}`);
    const isLost = successors[node]!.some((next) => rank[next] === -1);
    if (isLost) breakInvariant(`${node} leads to what has a rank`);
  }
  return graph;
}

/** Talk nodes have one region each, tool nodes at least one, exits none; the start is first. */
export function assertRegionMap(graph: FlowGraph, map: RegionMap): RegionMap {
  const { regions, representative } = map;
  const entered = regions.flatMap(({ index, entries }) =>
    entries.map((node) => [node, index] as const),
  );
  const homes = new Map(entered);
  assertInvariant(homes.size === entered.length, () => 'an entry has one region');
  const holders = new Map<NodeIndex, number>();
  for (const { index, nodes, first, entries, steps } of regions) {
    const fail = (promise: string) => breakInvariant(`region ${index} ${promise}`);
    const own = new Set(nodes);
    if (own.size < nodes.length) fail('holds each node once');
    if (nodes[0] !== first) fail('begins with its first node');
    if (!entries.every((node) => own.has(node))) fail('holds its entries');
    for (const node of nodes) holders.set(node, (holders.get(node) ?? 0) + 1);
    for (const step of steps) {
      if (!own.has(step.from)) fail('holds where its steps begin');
      if (step.kind === 'inner' && !own.has(step.to)) fail('holds where its inner steps end');
      if (step.kind !== 'handoff') continue;
      const leadsOut = step.region !== index && homes.get(step.to) === step.region;
      if (!leadsOut) fail('hands off to an entry of another region');
    }
  }
  for (const node of graph.order) {
    const count = holders.get(representative[node]!) ?? 0;
    const { role } = graph.workflow.nodes[node]!;
    const fits = role === 'exit' ? count === 0 : role === 'talk' ? count === 1 : count > 0;
    if (!fits) breakInvariant(`the node ${node} is in ${count} regions`);
  }
  const isFirst = regions[0]?.nodes.includes(graph.start) === true;
  assertInvariant(isFirst, () => 'the first region holds the start');
  return map;
}

/** Names are unique and short, the ids of saved ones aside; destinations are other assistants. */
export function assertSquadIr(squad: SquadIr): SquadIr {
  const { assistants } = squad;
  for (const [index, { name, savedAs, tools }] of assistants.entries()) {
    const fail = (promise: string) => breakInvariant(`${name.value} ${promise}`);
    if (savedAs === null && [...name.value].length > 40) fail('has at most 40 characters');
    for (const tool of tools) {
      for (const { region, edges, globals } of tool.kind === 'handoff' ? tool.destinations : []) {
        if (region === index || region >= assistants.length) fail('hands off to another assistant');
        if (edges.length + globals.length === 0) fail('says when it hands off');
      }
    }
  }
  const names = new Set(assistants.map(({ name }) => name.value));
  assertInvariant(names.size === assistants.length, () => 'names are unique');
  return squad;
}
