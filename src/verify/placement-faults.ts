/**
 * Where the assistants are not those that the source and the answers want: nodes left apart that
 * are for one, nodes in one that are for several, nodes in several places or none.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import { ofGrouping } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding } from './item.js';
import type { Part, Placement } from './placement.js';

export function findPlacementFaults(comparison: Comparison, placement: Placement): Finding[] {
  return [
    ...findMisplaced(comparison, placement),
    ...findLeftApart(comparison, placement),
    ...findMerged(comparison, placement),
    ...findIdle(comparison, placement),
  ];
}

/** Nodes that several assistants have, or none. What a saved assistant has is not to be seen. */
function findMisplaced(comparison: Comparison, { nodes }: Placement): Finding[] {
  const { graph, owners, squad } = comparison;
  const isUnseen = squad.members.some(({ unseen }) => unseen);
  const equal = listOnce(() => listEqual(comparison));
  const misplaced = nodes.filter((node) => owners.soleOwner(node) === null);
  return misplaced.flatMap((node): Finding[] => {
    const { size } = owners.of(node);
    if (size > 1) return [repeated(comparison, equal().get(node)!, [...owners.of(node)])];
    const { id, at } = graph.nodeAt(node);
    return isUnseen ? [] : [finding(false, ofGrouping.nobodys(id), [at], [])];
  });
}

function repeated(
  { graph, squad, nameOf }: Comparison,
  equal: readonly NodeIndex[],
  members: readonly number[],
): Finding {
  const nodes = equal.map(graph.nodeAt);
  const ids = nodes.map(({ id }) => id);
  const text = () =>
    ids.length === 1
      ? ofGrouping.repeated(ids[0]!, members.map(nameOf))
      : ofGrouping.equalLeftApart(ids, members.map(nameOf));
  return finding(
    false,
    text,
    nodes.map(({ at }) => at),
    members.map((member) => squad.members[member]!.at),
  );
}

/** For each node that stands for others, these and itself. */
function listEqual({ graph, grouping }: Comparison): ReadonlyMap<NodeIndex, NodeIndex[]> {
  const classes = new Map<NodeIndex, NodeIndex[]>();
  for (const node of graph.order) {
    const standing = grouping.representative[node]! as NodeIndex;
    const members = classes.get(standing);
    if (members === undefined) classes.set(standing, [node]);
    else members.push(node);
  }
  return classes;
}

/** One fact for each member but one that has a part of a stage; told with the nearest other part. */
function findLeftApart(comparison: Comparison, { nodes, ofStage }: Placement): Finding[] {
  const { grouping, owners } = comparison;
  const findings: Finding[] = [];
  // In most squads no stage is left apart.
  if (ofStage.every(({ length }) => length < 2)) return findings;
  const latest = { cycle: new Map<number, NodeIndex>(), chain: new Map<number, NodeIndex>() };
  const begun = new Set(ofStage.flatMap((parts) => parts.slice(1).map(({ first }) => first)));
  for (const node of nodes) {
    const stage = grouping.stageOf(node);
    const member = owners.soleOwner(node);
    if (stage === null || member === null || ofStage[stage]!.length === 1) continue;
    const [cycle, chain] = [grouping.partOf(node, 'cycle'), grouping.partOf(node, 'chain')];
    if (begun.has(node)) {
      const [inCycle, inChain] = [latest.cycle.get(cycle), latest.chain.get(chain)];
      if (inCycle !== undefined) findings.push(leftApart(comparison, inCycle, node, 'cycle'));
      else if (inChain !== undefined) findings.push(leftApart(comparison, inChain, node, 'chain'));
      else findings.push(leftApart(comparison, ofStage[stage]![0]!.first, node, 'tools'));
    }
    latest.cycle.set(cycle, node);
    latest.chain.set(chain, node);
  }
  return findings;
}

function leftApart(
  { graph, owners, squad, nameOf }: Comparison,
  one: NodeIndex,
  other: NodeIndex,
  bond: 'cycle' | 'chain' | 'tools',
): Finding {
  const nodes = [graph.nodeAt(one), graph.nodeAt(other)] as const;
  const homes = [owners.soleOwner(one)!, owners.soleOwner(other)!] as const;
  const text = () => {
    const [here, there] = homes.map(nameOf) as [string, string];
    return ofGrouping.leftApart(here, there, [nodes[0].id, nodes[1].id], bond);
  };
  return finding(
    false,
    text,
    nodes.map(({ at }) => at),
    homes.map((home) => squad.members[home]!.at),
  );
}

/** One fact for each stage but one of which a member has a part; told with the one before. */
function findMerged(comparison: Comparison, { ofMember }: Placement): Finding[] {
  const findings: Finding[] = [];
  for (const parts of ofMember) {
    for (let place = 1; place < parts.length; place += 1) {
      findings.push(merged(comparison, parts[place - 1]!, parts[place]!));
    }
  }
  return findings;
}

function merged({ graph, grouping, squad, nameOf }: Comparison, before: Part, part: Part): Finding {
  const [one, two] = [graph.nodeAt(before.first), graph.nodeAt(part.first)];
  const isAnswered = grouping.keptApart(before.stage, part.stage);
  const text = () => ofGrouping.merged(nameOf(part.member), [one.id, two.id], isAnswered);
  return finding(false, text, [one.at, two.at], [squad.members[part.member]!.at]);
}

/** Members without a node that makes an assistant. */
function findIdle({ squad, owners, nameOf }: Comparison, { nodes }: Placement): Finding[] {
  const isBusy = new Uint8Array(squad.members.length);
  for (const node of nodes) {
    const sole = owners.soleOwner(node);
    if (sole !== null) isBusy[sole] = 1;
    else for (const member of owners.of(node)) isBusy[member] = 1;
  }
  const idle = squad.members.filter(({ index, unseen }) => !unseen && isBusy[index] === 0);
  return idle.length === 0
    ? [finding(true, ofGrouping.talks(squad.members.length), [], [])]
    : idle.map(({ index, at }) =>
        finding(false, () => ofGrouping.talksNot(nameOf(index)), [], [at]),
      );
}

/** Puts something together when it is first needed. */
function listOnce<T>(list: () => T): () => T {
  let known: { readonly value: T } | null = null;
  return () => {
    known ??= { value: list() };
    return known.value;
  };
}
