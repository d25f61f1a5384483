/** The words of a node as they stand in a step of squadc's prompts. */
import type { JsonPointer } from '../../compiler/ir/ids.js';
import type { Capture, WorkflowNode } from '../../compiler/ir/workflow.js';

export interface StepText {
  readonly what: 'line' | 'instruction' | 'variable';
  readonly text: string;
  readonly at: JsonPointer;
}

/** In their order: the line, the instruction, and what is to be found out. */
export function listStepTexts({
  firstMessage,
  systemPrompt,
  captures,
}: WorkflowNode): readonly StepText[] {
  const texts: StepText[] = [];
  if (firstMessage !== null && firstMessage.value !== '') {
    texts.push({ what: 'line', text: `Say: "${firstMessage.value}"\n`, at: firstMessage.at });
  }
  if (systemPrompt !== null) {
    texts.push({ what: 'instruction', text: `${systemPrompt.value}\n`, at: systemPrompt.at });
  }
  for (const capture of captures) {
    texts.push({ what: 'variable', text: captureLine(capture), at: capture.at });
  }
  return texts;
}

/** The line that asks for a variable, or says what it is made of. */
export function captureLine({ name, type, description, enum: values, alias }: Capture): string {
  if (alias !== undefined) return derivedLine(name, alias.value);
  const described = description === null ? '' : `: ${description.value}`;
  const listed = values === null ? '' : `; one of ${values.join(', ')}`;
  return `- find out ${name} (${type})${described}${listed}\n`;
}

/** A template is not to be filled in there; one that ends such a passage itself stands as it is. */
function derivedLine(name: string, template: string): string {
  const isPlain = /\{%-?\s*endraw\b/.test(template);
  const shown = isPlain ? template : `{% raw %}${template}{% endraw %}`;
  return `- derive ${name} as ${shown}\n`;
}
