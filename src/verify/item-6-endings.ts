/**
 * Item 6. "endCall and hangup behavior is folded into terminal prompts."
 *
 * Where an edge of one of its nodes leads to an endCall or hangup node, or such a node is global,
 * an assistant can end the call: its prompt says "end the call", when, and what to say before.
 * Target `vapi` needs the tool for it as well.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { ChecklistItem } from '../compiler/ir/result.js';
import type { Text, WorkflowNode } from '../compiler/ir/workflow.js';
import { ofEndings } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding, toItem } from './item.js';
import type { Member } from './squad-reading.js';

export function checkEndings(comparison: Comparison): ChecklistItem {
  const endings = listEndings(comparison);
  const findings = [...endings.values()].flatMap((ending) => checkEnding(comparison, ending));
  const none = finding(true, ofEndings.none(), [], []);
  return toItem(6, findings.length > 0 ? findings : [none], comparison);
}

/** How a call can end in one assistant. */
interface Ending {
  readonly member: Member;
  readonly source: Set<JsonPointer>;
  /** What the prompt must hold, by its words. */
  readonly texts: Map<string, Text>;
}

function listEndings({ graph, owners, squad }: Comparison): ReadonlyMap<number, Ending> {
  const endings = new Map<number, Ending>();
  const add = (member: number, node: WorkflowNode, at: JsonPointer, condition: Text | null) => {
    const place = squad.members[member];
    if (place === undefined) return;
    const ending = endings.get(member) ?? { member: place, source: new Set(), texts: new Map() };
    endings.set(member, ending);
    ending.source.add(at);
    for (const text of [condition, node.firstMessage, node.systemPrompt]) {
      if (text !== null) ending.texts.set(text.value, text);
    }
  };
  for (const { at, from, to, condition } of graph.edges) {
    const node = graph.nodeAt(to);
    if (isEnd(node)) for (const member of owners.of(from)) add(member, node, at, condition);
  }
  for (const node of graph.globals.filter(isEnd)) {
    for (const { index } of squad.members)
      add(index, node, node.at, node.global?.condition ?? null);
  }
  return endings;
}

function isEnd({ type }: WorkflowNode): boolean {
  return type === 'endCall' || type === 'hangup';
}

function checkEnding({ squad, nameOf }: Comparison, { member, source, texts }: Ending): Finding[] {
  const { prompt, promptAt, tools } = member;
  const name = nameOf(member.index);
  const says = prompt.includes('end the call');
  const hasTool = squad.wrapped || tools.some(({ type }) => type === 'endCall');
  const missing = [...texts.values()].filter(({ value }) => !prompt.includes(value));
  if (says && hasTool && missing.length === 0) {
    return [finding(true, ofEndings.ends(name), [...source], [promptAt])];
  }
  return [
    ...(says ? [] : [finding(false, ofEndings.endsNot(name), [...source], [promptAt])]),
    ...(hasTool ? [] : [finding(false, ofEndings.lacksTool(name), [...source], [member.at])]),
    ...missing.map(({ value, at }) =>
      finding(false, ofEndings.lacksText(name, value), [at], [promptAt]),
    ),
  ];
}
