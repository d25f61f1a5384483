/** The first stages: components of the graph of equal nodes, or the groups that an answer makes. */
import { link, newStage, type Phases, type Stage } from './naive-stages.js';
import { nodeOf, nodesAt, reach } from './source.js';
import { isExit, isTalk, nth } from './spec-workflow.js';

/** Edges between the nodes that stand for their equals; exits are not in the graph. */
function quotient({ source, representatives }: Phases): { from: number; to: number }[] {
  const stand = (node: number): number => representatives.get(node) ?? node;
  return source.edges
    .filter(({ to }) => !isExit(nodeOf(source, to)))
    .map(({ from, to }) => ({ from: stand(from), to: stand(to) }));
}

/** Makes the first stages; false where an answer puts equal nodes into different groups. */
export function components(phases: Phases): boolean {
  const { source, representatives } = phases;
  const edges = quotient(phases);
  const nodes = [...new Set(representatives.values())].filter((n) => !isExit(nodeOf(source, n)));
  const there = new Map(nodes.map((node) => [node, reach([node], edges)]));
  const together = (a: number, b: number): boolean =>
    (there.get(a)?.has(b) ?? false) && (there.get(b)?.has(a) ?? false);
  const placed = new Map<number, Stage>();
  for (const node of nodes) {
    if (placed.has(node)) continue;
    const members = nodes.filter((other) => together(node, other));
    const stages = stagesOf(phases, members);
    if (stages === null) return false;
    for (const stage of stages) {
      phases.stages.add(stage);
      for (const member of stage.nodes) placed.set(member, stage);
    }
  }
  for (const { from, to } of edges) link(placed.get(from), placed.get(to));
  return true;
}

function stagesOf(phases: Phases, members: readonly number[]): Stage[] | null {
  const talking = members.filter((node) => isTalk(nodeOf(phases.source, node)));
  const answered = talking.length < 2 ? null : groupsByAnswer(phases, members);
  if (answered === null) return [newStage(members)];
  if (new Set(answered.flat()).size < answered.flat().length) return null;
  // Without a talk node a group is no assistant: its tools count as unnamed.
  const groups = answered.filter((group) => group.some((node) => talking.includes(node)));
  const named = groups.flat();
  const alone = talking.filter((node) => !named.includes(node)).map((node) => [node]);
  const tools = members.filter((node) => !named.includes(node) && !talking.includes(node));
  const component = nth(members, 0);
  return [
    ...[...groups, ...alone].map((group, number) => newStage(group, [[component, number]])),
    ...tools.map((tool) => newStage([tool], [], component)),
  ];
}

/** The groups that an answer keeps apart; null where the component stays together. */
function groupsByAnswer(phases: Phases, members: readonly number[]): number[][] | null {
  const { asked, answers } = phases.answered;
  const stand = (node: number): number => phases.representatives.get(node) ?? node;
  const question = asked.find(
    ({ kind, at }) =>
      kind === 'cyclic-stages' && nodesAt(at).some((node) => members.includes(stand(node))),
  );
  const answer = question && answers[question.id];
  if (answer?.choice === 'keep-split') return [];
  if (answer?.choice !== 'group') return null;
  const { nodes } = phases.source.workflow;
  const position = (id: string): number => stand(nodes.findIndex((node) => node.id === id));
  return (answer.value as string[][]).map((ids) => [...new Set(ids.map(position))]);
}
