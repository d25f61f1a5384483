/**
 * Item 1. "The first members entry is the workflow's start."
 *
 * The ledger says who owns the start; that the first member holds what the start says and does
 * shows that the ledger is right. A start that says nothing is known by its name.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { ChecklistItem } from '../compiler/ir/result.js';
import type { WorkflowNode } from '../compiler/ir/workflow.js';
import { ofEntry } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding, toItem } from './item.js';
import type { Member } from './squad-reading.js';
import { keyOfRequest, keysOfTool } from './tool-keys.js';

export function checkEntry(comparison: Comparison): ChecklistItem {
  const start = comparison.graph.nodeAt(comparison.graph.start);
  const [first] = comparison.squad.members;
  if (first === undefined || !comparison.owners.of(start.index).has(0)) {
    const place = first === undefined ? [] : [first.at];
    return toItem(1, [finding(false, ofEntry.ownsNot(start.id), [start.at], place)], comparison);
  }
  const name = comparison.nameOf(0);
  const owns = finding(true, ofEntry.owns(start.id, name), [start.at], [first.at]);
  return toItem(1, [owns, ...traces(comparison, start, first)], comparison);
}

/** What of the start is to be seen in the first member. */
function traces(comparison: Comparison, start: WorkflowNode, first: Member): Finding[] {
  const { promptAt, prompt, firstMessage } = first;
  const seen = (what: string, holds: boolean, at: JsonPointer, place: JsonPointer): Finding => {
    const text = holds ? ofEntry.holds(start.id, what) : ofEntry.holdsNot(start.id, what);
    return finding(holds, text, [at], [place]);
  };
  const { systemPrompt, firstMessage: line, request } = start;
  const found: Finding[] = [];
  if (systemPrompt !== null) {
    found.push(
      seen('instructions', prompt.includes(systemPrompt.value), systemPrompt.at, promptAt),
    );
  }
  if (line !== null) {
    const spoken = firstMessage === line.value || prompt.includes(line.value);
    found.push(seen('first message', spoken, line.at, first.at));
  }
  for (const { name, at } of start.captures) {
    found.push(seen('variables', prompt.includes(name), at, promptAt));
  }
  if (request !== null) {
    const { wrapped } = comparison.squad;
    const key = keyOfRequest(start, wrapped);
    const has = first.tools.some((tool) => keysOfTool(tool, wrapped).includes(key));
    found.push(seen('tool', has, start.at, first.at));
  }
  return found.length > 0 ? found : [nameOfStart(comparison, start, first)];
}

/** The first member may have had to take another name, but nobody else has this one. */
function nameOfStart(comparison: Comparison, start: WorkflowNode, first: Member): Finding {
  const { squad, options } = comparison;
  const wanted = options.names.get(start.id) ?? start.name ?? start.id;
  const other = squad.members.find(({ index, name }) => index > 0 && name === wanted);
  return other === undefined || first.name === wanted
    ? finding(true, ofEntry.isNamed(comparison.nameOf(0)), [start.at], [first.at])
    : finding(false, ofEntry.isNotNamed(start.id), [start.at], [other.at]);
}
