/**
 * The words of a node as they stand in a step of squadc's prompts.
 *
 * They are said part by part, each to whoever takes it: most are only held against what is there,
 * and need not be put together for that.
 */
import type { JsonPointer } from '../../compiler/ir/ids.js';
import type { Capture, WorkflowNode } from '../../compiler/ir/workflow.js';

/** Takes the next part of a text; false where the text is not to be said any further. */
export type Take<To> = (to: To, part: string) => boolean;

export interface StepText {
  readonly what: 'line' | 'instruction' | 'variable';
  readonly text: string;
  readonly at: JsonPointer;
}

/** In their order: the line, the instruction, and what is to be found out. */
export function sayTexts<To>(
  { firstMessage, systemPrompt, captures }: WorkflowNode,
  isGreeted: boolean,
  take: Take<To>,
  to: To,
): boolean {
  // The line of a greeting is no part of the step.
  const line = isGreeted ? null : firstMessage;
  if (line !== null && line.value !== '' && !sayLine(line.value, take, to)) return false;
  if (systemPrompt !== null && !sayInstruction(systemPrompt.value, take, to)) return false;
  for (const capture of captures) if (!sayCapture(capture, take, to)) return false;
  return true;
}

/** The same one by one, with their places. */
export function listStepTexts(
  { firstMessage, systemPrompt, captures }: WorkflowNode,
  isGreeted: boolean,
): readonly StepText[] {
  const texts: StepText[] = [];
  if (firstMessage !== null && firstMessage.value !== '' && !isGreeted) {
    const text = written((parts) => sayLine(firstMessage.value, write, parts));
    texts.push({ what: 'line', text, at: firstMessage.at });
  }
  if (systemPrompt !== null) {
    const text = written((parts) => sayInstruction(systemPrompt.value, write, parts));
    texts.push({ what: 'instruction', text, at: systemPrompt.at });
  }
  for (const capture of captures) {
    texts.push({ what: 'variable', text: captureLine(capture), at: capture.at });
  }
  return texts;
}

export function captureLine(capture: Capture): string {
  return written((parts) => sayCapture(capture, write, parts));
}

function written(say: (parts: string[]) => boolean): string {
  const parts: string[] = [];
  say(parts);
  return parts.join('');
}

function write(parts: string[], part: string): boolean {
  parts.push(part);
  return true;
}

function sayLine<To>(line: string, take: Take<To>, to: To): boolean {
  return take(to, 'Say: "') && take(to, line) && take(to, '"\n');
}

function sayInstruction<To>(instruction: string, take: Take<To>, to: To): boolean {
  return take(to, instruction) && take(to, '\n');
}

/** The line that asks for a variable, or says what it is made of. */
function sayCapture<To>(capture: Capture, take: Take<To>, to: To): boolean {
  const { name, type, description, enum: values, alias } = capture;
  if (alias !== undefined) {
    const isNamed = take(to, '- derive ') && take(to, name) && take(to, ' as ');
    return isNamed && take(to, shownTemplate(alias.value)) && take(to, '\n');
  }
  const isAsked = take(to, '- find out ') && take(to, name) && take(to, ' (') && take(to, type);
  if (!isAsked || !take(to, ')')) return false;
  if (description !== null && !(take(to, ': ') && take(to, description.value))) return false;
  if (values !== null && !(take(to, '; one of ') && take(to, values.join(', ')))) return false;
  return take(to, '\n');
}

/** A template is not to be filled in there; one that ends such a passage itself stands as it is. */
function shownTemplate(template: string): string {
  const isPlain = /\{%-?\s*endraw\b/.test(template);
  return isPlain ? template : `{% raw %}${template}{% endraw %}`;
}
