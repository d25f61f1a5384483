/** The words of a node as they stand in a step of squadc's prompts. */
import type { JsonPointer } from '../../compiler/ir/ids.js';
import type { Capture, WorkflowNode } from '../../compiler/ir/workflow.js';

export interface StepText {
  readonly what: 'line' | 'instruction' | 'variable';
  /** The text in parts that stand side by side: most are only held against what is there. */
  readonly parts: readonly string[];
  readonly at: JsonPointer;
}

/** In their order: the line, the instruction, and what is to be found out. */
export function listStepTexts({
  firstMessage,
  systemPrompt,
  captures,
}: WorkflowNode): readonly StepText[] {
  const found = captures.map(textOfCapture);
  if (systemPrompt !== null) {
    found.unshift({ what: 'instruction', parts: [systemPrompt.value, '\n'], at: systemPrompt.at });
  }
  if (firstMessage !== null && firstMessage.value !== '') {
    const parts = ['Say: "', firstMessage.value, '"\n'];
    found.unshift({ what: 'line', parts, at: firstMessage.at });
  }
  return found;
}

function textOfCapture(capture: Capture): StepText {
  return { what: 'variable', parts: captureLine(capture), at: capture.at };
}

/** The line that asks for a variable, or says what it is made of. */
export function captureLine({
  name,
  type,
  description,
  enum: values,
  alias,
}: Capture): readonly string[] {
  if (alias !== undefined) return ['- derive ', name, ' as ', shownTemplate(alias.value), '\n'];
  if (values !== null) {
    const described = description === null ? '' : `: ${description.value}`;
    return ['- find out ', name, ' (', type, ')', described, '; one of ', values.join(', '), '\n'];
  }
  if (description === null) return ['- find out ', name, ' (', type, ')\n'];
  return ['- find out ', name, ' (', type, '): ', description.value, '\n'];
}

/** A template is not to be filled in there; one that ends such a passage itself stands as it is. */
function shownTemplate(template: string): string {
  const isPlain = /\{%-?\s*endraw\b/.test(template);
  return isPlain ? template : `{% raw %}${template}{% endraw %}`;
}
