/**
 * Where tools are not with the nodes that lead to them: every assistant calls the tools of its
 * nodes and those that every assistant is given, and no others.
 */
import { ofGrouping } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding } from './item.js';
import type { Placement } from './placement.js';

/** Tools of members that are one stage each: elsewhere the other facts have said enough. */
export function findToolFaults(
  comparison: Comparison,
  { nodes, ofStage, stageOf }: Placement,
): Finding[] {
  const { graph, grouping, owners, squad, nameOf } = comparison;
  const acting = graph.order.filter(
    (node) => graph.nodeAt(node).role === 'act' && grouping.representative[node] === node,
  );
  if (acting.length === 0) return [];
  const standing = new Set(nodes);
  const tools = acting.filter((node) => !standing.has(node));
  return tools.flatMap((node) => {
    const { id, at } = graph.nodeAt(node);
    const wanted = new Set(grouping.stagesOf(node));
    const has = owners.of(node);
    const say = (member: number, text: (assistant: string, tool: string) => string) => {
      const place = squad.members[member]!.at;
      return finding(false, () => text(nameOf(member), id), [at], [place]);
    };
    const lacking = [...wanted]
      .flatMap((stage) => ofStage[stage]!.map(({ member }) => member))
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
