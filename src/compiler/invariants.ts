/**
 * What each phase promises the next, asserted after it. A promise that does not hold is a bug of
 * squadc's own, whatever the input; all checks are linear.
 */
import { assertInvariant, breakInvariant } from './ir/compiler-bug.js';
import { type FlowGraph, Kind } from './ir/flow-graph.js';
import type { Region, RegionMap } from './ir/region-map.js';
import type { HandoffToolIr, SquadIr } from './ir/squad-ir.js';

/** Reachable nodes have ranks and stay among themselves; no edge leaves an exit. */
export function assertFlowGraph(graph: FlowGraph): FlowGraph {
  const { kinds, order, rank, successors } = graph;
  const { offsets, targets } = successors;
  assertInvariant(order[0] === graph.start, () => 'the walk order begins with the start');
  for (let at = 0; at < order.length; at += 1) {
    const node = order[at]!;
    if (rank[node] !== at) breakInvariant(`node ${node} has the rank of its place in the order`);
    const end = offsets[node + 1]!;
    const isLast = (kinds[node]! & Kind.exit) !== 0;
    if (isLast && offsets[node] !== end) breakInvariant(`no edge leaves the exit ${node}`);
    for (let slot = offsets[node]!; slot < end; slot += 1) {
      if (rank[targets[slot]!] === -1) breakInvariant(`${node} leads to what has a rank`);
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
    if (!mayHaveHolders(kinds[node]!, count)) {
      breakInvariant(`the node ${node} is in ${count} regions`);
    }
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
  const fault = faultOfNodes(region, held, entered) ?? faultOfSteps(region, held, entered);
  if (fault !== null) breakInvariant(`region ${region.index} ${fault}`);
}

function faultOfNodes(
  { index, nodes, first, entries }: Region,
  held: Int32Array,
  entered: Int32Array,
): string | null {
  for (const node of nodes) {
    if (held[node] === index) return 'holds each node once';
    held[node] = index;
  }
  if (nodes[0] !== first) return 'begins with its first node';
  for (const node of entries) {
    if (held[node] !== index) return `holds its entry ${node}`;
    if (entered[node] !== index) return `is the only one with the entry ${node}`;
  }
  return null;
}

function faultOfSteps(
  { index, steps }: Region,
  held: Int32Array,
  entered: Int32Array,
): string | null {
  for (const step of steps) {
    if (held[step.from] !== index) return 'holds where its steps begin';
    if (step.kind === 'inner' && held[step.to] !== index) return 'holds where its inner steps end';
    if (step.kind !== 'handoff') continue;
    const leadsOut = step.region !== index && entered[step.to] === step.region;
    if (!leadsOut) return 'hands off to an entry of another region';
  }
  return null;
}

/** Names are unique and short, the ids of saved ones aside; destinations are other assistants. */
export function assertSquadIr(squad: SquadIr): SquadIr {
  const { assistants } = squad;
  const names = new Set<string>();
  for (let index = 0; index < assistants.length; index += 1) {
    const { name, savedAs, tools } = assistants[index]!;
    names.add(name.value);
    if (savedAs === null && !isShort(name.value)) breakInvariant(`the name ${name.value} is short`);
    for (const tool of tools) {
      const fault = tool.kind === 'handoff' ? faultOfHandoff(tool, index, assistants.length) : null;
      if (fault !== null) breakInvariant(`${name.value} ${fault}`);
    }
  }
  assertInvariant(names.size === assistants.length, () => 'names are unique');
  return squad;
}

function faultOfHandoff(
  { destinations }: HandoffToolIr,
  from: number,
  assistants: number,
): string | null {
  for (const { region, description } of destinations) {
    if (region === from || region >= assistants) return 'hands off to another assistant';
    if (description.text === '') return 'says when it hands off';
  }
  return null;
}

/** At most 40 characters; few texts have to be counted for that. */
function isShort(text: string): boolean {
  return text.length <= 40 || [...text].length <= 40;
}
