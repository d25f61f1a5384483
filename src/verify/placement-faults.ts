/**
 * Where the assistants are not those that the source and the answers want: nodes left apart that
 * are for one, nodes in one that are for several, nodes in several places or none, tools that are
 * not where the nodes are that lead to them.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import { ofGrouping } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding } from './item.js';
import type { Placement } from './placement.js';

export function findPlacementFaults(comparison: Comparison, placement: Placement): Finding[] {
  return [
    ...findMisplaced(comparison, placement),
    ...findLeftApart(comparison, placement),
    ...findMerged(comparison, placement),
    ...findIdle(comparison, placement),
    ...findToolFaults(comparison, placement),
  ];
}

/** Nodes that several assistants have, or none. What a saved assistant has is not to be seen. */
function findMisplaced(comparison: Comparison, { nodes }: Placement): Finding[] {
  const { graph, owners, squad, nameOf } = comparison;
  const isUnseen = squad.members.some(({ saved }) => saved);
  const equal = listOnce(() => listEqual(comparison));
  return nodes.flatMap((node): Finding[] => {
    const members = [...owners.of(node)];
    const { id, at } = graph.nodeAt(node);
    if (members.length === 0) {
      return isUnseen ? [] : [finding(false, ofGrouping.nobodys(id), [at], [])];
    }
    if (members.length === 1) return [];
    const alike = (equal().get(node) ?? [node]).map((it) => graph.nodeAt(it));
    const names = members.map(nameOf);
    const text = () =>
      alike.length === 1
        ? ofGrouping.repeated(id, names)
        : ofGrouping.equalLeftApart(
            alike.map((it) => it.id),
            names,
          );
    const output = members.flatMap((member) => squad.members[member]?.at ?? []);
    return [
      finding(
        false,
        text,
        alike.map((it) => it.at),
        output,
      ),
    ];
  });
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
function findLeftApart(comparison: Comparison, { nodes, membersOf }: Placement): Finding[] {
  const { graph, grouping, owners, squad, nameOf } = comparison;
  const latest = { cycle: new Map<number, NodeIndex>(), chain: new Map<number, NodeIndex>() };
  const findings: Finding[] = [];
  for (const node of nodes) {
    const [stage] = grouping.stagesOf(node);
    const member = owners.soleOwner(node);
    if (stage === undefined || member === null || membersOf[stage]!.size === 1) continue;
    const [cycle, chain] = [grouping.partOf(node, 'cycle'), grouping.partOf(node, 'chain')];
    const [first] = membersOf[stage]!.values();
    if (node !== first && membersOf[stage]!.get(member) === node) {
      const near = latest.cycle.get(cycle) ?? latest.chain.get(chain);
      const bond = latest.cycle.has(cycle) ? 'cycle' : near === undefined ? 'tools' : 'chain';
      const other = near ?? first!;
      const home = owners.soleOwner(other)!;
      const ids = [graph.nodeAt(other).id, graph.nodeAt(node).id] as const;
      findings.push(
        finding(
          false,
          () => ofGrouping.leftApart(nameOf(home), nameOf(member), ids, bond),
          [graph.nodeAt(other).at, graph.nodeAt(node).at],
          [home, member].flatMap((it) => squad.members[it]?.at ?? []),
        ),
      );
    }
    latest.cycle.set(cycle, node);
    latest.chain.set(chain, node);
  }
  return findings;
}

/** One fact for each stage but one of which a member has a part. */
function findMerged(comparison: Comparison, { stagesOf }: Placement): Finding[] {
  const { graph, grouping, squad, nameOf } = comparison;
  return squad.members.flatMap(({ index, at }) => {
    const [first, ...others] = stagesOf[index]!;
    if (first === undefined) return [];
    const [stage, node] = first;
    return others.map(([otherStage, other]) => {
      const [one, two] = [graph.nodeAt(node), graph.nodeAt(other)];
      const isAnswered = grouping.keptApart(stage, otherStage);
      const text = () => ofGrouping.merged(nameOf(index), [one.id, two.id], isAnswered);
      return finding(false, text, [one.at, two.at], [at]);
    });
  });
}

/** Members without a node that makes an assistant. */
function findIdle({ squad, owners, nameOf }: Comparison, { nodes }: Placement): Finding[] {
  const busy = new Set(nodes.flatMap((node) => [...owners.of(node)]));
  const idle = squad.members.filter(({ index, saved }) => !saved && !busy.has(index));
  return idle.length === 0
    ? [finding(true, ofGrouping.talks(squad.members.length), [], [])]
    : idle.map(({ index, at }) =>
        finding(false, () => ofGrouping.talksNot(nameOf(index)), [], [at]),
      );
}

/** Tools of members that are one stage each: elsewhere the other facts have said enough. */
function findToolFaults(
  comparison: Comparison,
  { nodes, membersOf, stageOf }: Placement,
): Finding[] {
  const { graph, grouping, owners, squad, nameOf } = comparison;
  const standing = new Set(nodes);
  const tools = graph.order.filter(
    (node) =>
      graph.nodeAt(node).role === 'act' &&
      grouping.representative[node] === node &&
      !standing.has(node),
  );
  return tools.flatMap((node) => {
    const { id, at } = graph.nodeAt(node);
    const wanted = new Set(grouping.stagesOf(node));
    const has = owners.of(node);
    const say = (member: number, text: (assistant: string, tool: string) => string) => {
      const place = squad.members[member]!.at;
      return finding(false, () => text(nameOf(member), id), [at], [place]);
    };
    const lacking = [...wanted]
      .flatMap((stage) => [...membersOf[stage]!.keys()])
      .filter((member) => stageOf(member) !== null && !has.has(member));
    const additional = [...has].filter((member) => {
      const stage = stageOf(member);
      return stage !== null && !wanted.has(stage);
    });
    return [
      ...lacking.map((member) => say(member, ofGrouping.lacksTool)),
      ...additional.map((member) => say(member, ofGrouping.hasTool)),
    ];
  });
}

/** Puts something together when it is first needed. */
function listOnce<T>(list: () => T): () => T {
  let known: { readonly value: T } | null = null;
  return () => {
    known ??= { value: list() };
    return known.value;
  };
}
