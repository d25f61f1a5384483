/**
 * Prompts that squadc did not write: there the texts of a node only have to stand somewhere, word
 * for word.
 */
import type { WorkflowNode } from '../../compiler/ir/workflow.js';
import type { Member } from '../squad-reading.js';
import type { Lost } from './block.js';

/** Whether the assistant holds the line and the instruction of the node, where it has any. */
export function holdsTexts(member: Member, node: WorkflowNode): boolean {
  const { firstMessage, systemPrompt } = node;
  if (firstMessage === null && systemPrompt === null) return false;
  return listMissing(member, node).length === 0;
}

/** The line and the instruction of the node, where the assistant has not got them. */
export function listMissing(
  { firstMessage: greeting, prompt }: Member,
  { firstMessage, systemPrompt }: WorkflowNode,
): Lost[] {
  const missing: Lost[] = [];
  if (
    firstMessage !== null &&
    greeting !== firstMessage.value &&
    !prompt.includes(firstMessage.value)
  ) {
    missing.push({ what: 'line', text: firstMessage.value, at: firstMessage.at });
  }
  if (systemPrompt !== null && !prompt.includes(systemPrompt.value)) {
    missing.push({ what: 'instruction', text: systemPrompt.value, at: systemPrompt.at });
  }
  return missing;
}
