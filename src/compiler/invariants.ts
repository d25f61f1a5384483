/**
 * What each phase promises the next, asserted after it. A promise that does not hold is a bug of
 * squadc's own, whatever the input; all checks are linear.
 */
import { edgesAt } from './graph/adjacency.js';
import { assertInvariant } from './ir/compiler-bug.js';
import type { FlowGraph } from './ir/flow-graph.js';
import type { NodeIndex } from './ir/ids.js';
import type { Region, RegionMap } from './ir/region-map.js';
import type { SquadIr } from './ir/squad-ir.js';

/** Reachable nodes have ranks and stay among themselves; no edge leaves an exit. */
export function assertFlowGraph(graph: FlowGraph): FlowGraph {
  const { workflow, order, rank, successors } = graph;
  assertInvariant(order[0] === graph.start, () => 'the walk order begins with the start');
  order.forEach((node, at) => {
    assertInvariant(rank[node] === at, () => `node ${node} has the rank of its place in the order`);
    const { role, id } = workflow.nodes[node]!;
    const edges = edgesAt(successors, node);
    assertInvariant(role !== 'exit' || edges.length === 0, () => `no edge leaves the exit ${id}`);
    for (const edge of edges) {
      const { from, to } = workflow.edges[edge]!;
      assertInvariant(from === node && rank[to] !== -1, () => `edge ${edge} leaves ${id}`);
    }
  });
  return graph;
}

/** Talk nodes have one region each, tool nodes at least one, exits none; the start is first. */
export function assertRegionMap(graph: FlowGraph, map: RegionMap): RegionMap {
  const holders = new Map<NodeIndex, number>();
  for (const region of map.regions) {
    for (const node of region.nodes) holders.set(node, (holders.get(node) ?? 0) + 1);
    assertRegion(region, map);
  }
  for (const node of graph.order) {
    const { role, id } = graph.workflow.nodes[node]!;
    const count = holders.get(map.representative[node]! as NodeIndex) ?? 0;
    const isPlaced = role === 'exit' ? count === 0 : role === 'talk' ? count === 1 : count > 0;
    assertInvariant(isPlaced, () => `the ${role} node ${id} is in ${count} regions`);
  }
  const entry = map.regions[0]?.nodes.includes(graph.start) === true;
  assertInvariant(entry, () => 'the first region holds the start');
  return map;
}

function assertRegion(region: Region, map: RegionMap): void {
  const own = new Set(region.nodes);
  const name = () => `region ${region.index}`;
  assertInvariant(own.size === region.nodes.length, () => `${name()} holds each node once`);
  assertInvariant(region.nodes[0] === region.first, () => `${name()} begins with its first node`);
  for (const node of region.entries) {
    assertInvariant(own.has(node), () => `${name()} holds its entry ${node}`);
  }
  for (const step of region.steps) {
    const isInside = own.has(step.from) && (step.kind !== 'inner' || own.has(step.to));
    assertInvariant(isInside, () => `${name()} holds the ends of its steps`);
    if (step.kind !== 'handoff') continue;
    const target = map.regions[step.region];
    const leadsOut = step.region !== region.index && target?.entries.includes(step.to) === true;
    assertInvariant(leadsOut, () => `${name()} hands off to an entry of another region`);
  }
}

/** Names are unique and short, the ids of saved ones aside; destinations are other assistants. */
export function assertSquadIr(squad: SquadIr): SquadIr {
  const names = new Set(squad.assistants.map(({ name }) => name.value));
  assertInvariant(names.size === squad.assistants.length, () => 'names are unique');
  squad.assistants.forEach(({ name, savedAs, tools }, index) => {
    const isShort = savedAs !== null || [...name.value].length <= 40;
    assertInvariant(isShort, () => `the name ${name.value} is short`);
    for (const tool of tools) {
      for (const { region, description } of tool.kind === 'handoff' ? tool.destinations : []) {
        const isOther = region !== index && squad.assistants[region] !== undefined;
        assertInvariant(isOther, () => `${name.value} hands off to another assistant`);
        const says = description.some(({ text }) => text !== '');
        assertInvariant(says, () => `${name.value} says when it hands off`);
      }
    }
  });
  return squad;
}
