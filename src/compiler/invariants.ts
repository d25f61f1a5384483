/**
 * What each phase promises the next, asserted after it. A promise that does not hold is a bug of
 * squadc's own, whatever the input; all checks are linear.
 */
import { assertInvariant } from './ir/compiler-bug.js';
import { type FlowGraph, Kind } from './ir/flow-graph.js';
import type { NodeIndex } from './ir/ids.js';
import type { Region, RegionMap } from './ir/region-map.js';
import type { SquadIr } from './ir/squad-ir.js';

/** Reachable nodes have ranks and stay among themselves; no edge leaves an exit. */
export function assertFlowGraph(graph: FlowGraph): FlowGraph {
  const { kinds, order, rank, successors } = graph;
  const { offsets, targets } = successors;
  assertInvariant(order[0] === graph.start, () => 'the walk order begins with the start');
  for (let at = 0; at < order.length; at += 1) {
    const node = order[at]!;
    const isRanked = rank[node] === at;
    assertInvariant(isRanked, () => `node ${node} has the rank of its place in the order`);
    const end = offsets[node + 1]!;
    const isLast = (kinds[node]! & Kind.exit) !== 0;
    assertInvariant(!isLast || offsets[node] === end, () => `no edge leaves the exit ${node}`);
    for (let slot = offsets[node]!; slot < end; slot += 1) {
      assertInvariant(rank[targets[slot]!] !== -1, () => `${node} leads to what has a rank`);
    }
  }
  return graph;
}

/** Talk nodes have one region each, tool nodes at least one, exits none; the start is first. */
export function assertRegionMap(graph: FlowGraph, map: RegionMap): RegionMap {
  const { kinds } = graph;
  const holders = new Int32Array(kinds.length);
  const entered = new Int32Array(kinds.length).fill(-1);
  for (const { index, nodes: own, entries } of map.regions) {
    for (const node of own) holders[node]! += 1;
    for (const node of entries) entered[node] = index;
  }
  const held = new Int32Array(kinds.length).fill(-1);
  for (const region of map.regions) assertRegion(region, held, entered);
  for (const node of graph.order) {
    const count = holders[map.representative[node]!]!;
    const isPlaced = mayHaveHolders(kinds[node]!, count);
    assertInvariant(isPlaced, () => `the node ${node} is in ${count} regions`);
  }
  const entry = map.regions[0]?.nodes.includes(graph.start) === true;
  assertInvariant(entry, () => 'the first region holds the start');
  return map;
}

function mayHaveHolders(kind: number, count: number): boolean {
  if ((kind & Kind.exit) !== 0) return count === 0;
  return (kind & Kind.talk) !== 0 ? count === 1 : count > 0;
}

/** `held` says which region was looked at last with a node in it, `entered` whose entry one is. */
function assertRegion(region: Region, held: Int32Array, entered: Int32Array): void {
  const { index, nodes, first, entries, steps } = region;
  const name = () => `region ${index}`;
  for (const node of nodes) {
    assertInvariant(held[node] !== index, () => `${name()} holds each node once`);
    held[node] = index;
  }
  assertInvariant(nodes[0] === first, () => `${name()} begins with its first node`);
  const isInside = (node: NodeIndex) => held[node] === index;
  for (const node of entries) {
    assertInvariant(isInside(node), () => `${name()} holds its entry ${node}`);
    assertInvariant(entered[node] === index, () => `${node} is the entry of one region`);
  }
  for (const step of steps) {
    const holds = isInside(step.from) && (step.kind !== 'inner' || isInside(step.to));
    assertInvariant(holds, () => `${name()} holds the ends of its steps`);
    if (step.kind !== 'handoff') continue;
    const leadsOut = step.region !== index && entered[step.to] === step.region;
    assertInvariant(leadsOut, () => `${name()} hands off to an entry of another region`);
  }
}

/** Names are unique and short, the ids of saved ones aside; destinations are other assistants. */
export function assertSquadIr(squad: SquadIr): SquadIr {
  const names = new Set(squad.assistants.map(({ name }) => name.value));
  assertInvariant(names.size === squad.assistants.length, () => 'names are unique');
  squad.assistants.forEach(({ name, savedAs, tools }, index) => {
    assertInvariant(
      savedAs !== null || isShort(name.value),
      () => `the name ${name.value} is short`,
    );
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

/** At most 40 characters; few texts have to be counted for that. */
function isShort(text: string): boolean {
  return text.length <= 40 || [...text].length <= 40;
}
