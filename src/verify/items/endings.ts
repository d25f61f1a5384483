/**
 * Item 6. "endCall and hangup behavior is folded into terminal prompts." A prompt in other prose has
 * to say so in a sentence; one in squadc's wording is compared as a whole.
 */
import type { WorkflowNode } from '../../compiler/ir/workflow.js';
import { ofEndings } from '../../diagnostics/checklist.js';
import { groupBy } from '../../graph/lists.js';
import type { Comparison } from '../comparison.js';
import { type Finding, fact, fault, part } from '../finding.js';
import { showText } from '../foreign/visible.js';

export function checkEndings({ graph, owners, squad, differences }: Comparison): Finding[] {
  const isEnd = ({ type }: WorkflowNode) => type === 'endCall' || type === 'hangup';
  const anywhere = graph.globalNodes.filter(isEnd).map(({ at }) => at);
  const ending = squad.members.map((): string[] => []);
  for (const { at, from } of graph.edges.filter((it) => isEnd(graph.nodeAt(it.to)))) {
    for (const member of owners.of(from)) ending[member]!.push(at);
  }
  const said = groupBy(
    differences.filter(({ item }) => item === 6),
    ({ output }) => output[0],
  );
  return squad.members.flatMap((member): Finding[] => {
    const { index, called, worded, prompt, promptAt, tools, saved, unseen } = member;
    const faults = [...(said.get(saved ? member.at : promptAt) ?? [])];
    const source = [...ending[index]!, ...anywhere];
    if (source.length === 0) return faults;
    const hasTool = squad.wrapped || tools.some(({ type }) => type === 'endCall');
    if (saved && prompt === '' && (unseen || hasTool)) {
      return [part(ofEndings.unseen(called), source, [member])];
    }
    if (!worded && !endsCall(showText(prompt, []).perhaps))
      faults.push(fault(ofEndings.endsNot(called), source, [promptAt]));
    if (!hasTool) faults.push(fault(ofEndings.lacksTool(called), source, [member]));
    return faults.length > 0 ? faults : [fact(ofEndings.ends(called), source, [promptAt])];
  });
}

/** Returns true if a sentence says to end the call, without a negation. */
function endsCall(text: string): boolean {
  const sentences = text.split(/(?<=[.!?;])\s|\n/);
  return sentences.some((it) => ending.test(it) && !negation.test(it));
}

const ending = /\b(?:end (?:the|this) call|hang up)\b/i;

const negation =
  /\b(?:not|never|don[’']t|doesn[’']t|without|no one|nobody|cannot|can[’']t|refuse|avoid)\b/i;
