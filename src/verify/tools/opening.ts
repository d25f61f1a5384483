/**
 * How an assistant opens on the voice platform: one that has a line
 * says it, one that has none finds one. Otherwise the call falls silent after a handoff, or the
 * line is lost.
 */
import type { JsonPointer } from '../../compiler/ir/ids.js';
import type { WorkflowNode } from '../../compiler/ir/workflow.js';
import { ofSettings } from '../../diagnostics/checklist.js';
import { wantCarried } from '../carried-settings.js';
import type { Comparison } from '../comparison.js';
import { type Finding, finding } from '../item.js';
import { lastWith, type Member } from '../squad-reading.js';

const speaks = 'assistant-speaks-first';
const asked: readonly string[] = ['firstMessage', 'firstMessageMode'];
const finds = 'assistant-speaks-first-with-model-generated-message';

export function checkOpening(
  { nameOf, options, graph }: Comparison,
  member: Member,
  node: WorkflowNode | null,
  faults: Finding[],
): void {
  // Who asks for another opening gets it.
  if (asked.some((key) => Object.hasOwn(options.memberOverrides, key))) return;
  // So does an assistant that the source brings, or a workflow that says it for all.
  if (wantCarried(graph, node, 'firstMessageMode') !== null) return;
  const layer = lastWith(member.layers, 'firstMessageMode');
  const mode = layer?.value['firstMessageMode'] ?? speaks;
  const hasLine = member.firstMessage !== null && member.firstMessage !== '';
  if (mode === (hasLine ? speaks : finds)) return;
  // What a saved assistant says is not to be seen.
  if (member.saved && (layer === undefined || member.firstMessage === null)) return;
  const at: JsonPointer = layer === undefined ? member.at : `${layer.at}/firstMessageMode`;
  const name = nameOf(member.index);
  const text = () => (hasLine ? ofSettings.losesLine(name) : ofSettings.fallsSilent(name));
  faults.push(finding(false, text, [], [at]));
}
