/**
 * Item 1. "The first members entry is the workflow's start."
 *
 * The walk through both documents begins with the first member; where that does not hold what the
 * start says and does and another member does, the start is that member's.
 */
import { ofEntry } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import { finding, type Judgement, judge } from './item.js';

export function checkEntry(comparison: Comparison): Judgement {
  const { graph, squad, owners, nameOf } = comparison;
  const { id, at } = graph.nodeAt(graph.start);
  const [first] = squad.members;
  const owns = first !== undefined && owners.of(graph.start).has(0);
  const text = () => (owns ? ofEntry.owns(id, nameOf(0)) : ofEntry.ownsNot(id));
  const place = first === undefined ? [] : [first.at];
  return judge(1, [finding(owns, text, [at], place)], comparison);
}
