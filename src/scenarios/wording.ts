/** The sentences of scripts. */
import type { WorkflowNode } from '../compiler/ir/workflow.js';
import type { Covered, End, Said, Turn } from './script.js';

/** How a text of the workflow is shown: in quotes, or as code. */
export type Show = (text: string) => string;

/** What the tester does for the call to get here. */
export function whatToDo(
  { arrival, node, condition, afterTool, others }: Turn,
  show: Show,
): string {
  if (arrival === 'start') return 'Call, and let the assistant speak first.';
  if (condition !== null) {
    if (afterTool) {
      return `Because of the tool’s response, or of what you said, this becomes true: ${show(condition.value)}.`;
    }
    const what = `Make this true: ${show(condition.value)}`;
    return arrival === 'global' ? `At any time: ${lower(what)}.` : `${what}.`;
  }
  if (arrival === 'global') {
    return `At any time: ask for ${show(node.name ?? node.id)}.`;
  }
  if (others.length === 0) return 'Let the assistant continue.';
  const avoided = others.map(({ value }) => show(value)).join(', ');
  return `Let the assistant continue, and make none of this true: ${avoided}.`;
}

/** What the tester says when the assistant asks for a value. */
export function whatToSay({ capture, value }: Said, show: Show): string {
  const description = capture.description?.value;
  const what = description === undefined ? '' : ` (${show(description)})`;
  return `For ${show(capture.name)}${what}, say ${show(String(value))}.`;
}

/** How the call ends, as the tester sees it. */
export function howItEnds(end: End, { transfer }: WorkflowNode, show: Show): string {
  switch (end) {
    case 'transferCall':
      return `The assistant transfers the call${destinationOf(transfer, show)}.`;
    case 'endCall':
    case 'hangup':
      return 'The assistant ends the call.';
    case 'stops':
      return 'This is the last step. Hang up when the assistant has done this.';
    case 'endless':
      return 'From here the call only repeats. Hang up when the assistant has done this.';
  }
}

function destinationOf(transfer: WorkflowNode['transfer'], show: Show): string {
  const destination = transfer?.destination?.value;
  if (destination === undefined) return '';
  return ` to ${show(destination.type === 'sip' ? destination.sipUri : destination.number)}`;
}

/** An edge, or the step into a global node: `from → to: condition`. */
export function edgeText({ from, to, condition }: Covered, show: Show): string {
  const ends = `${from === null ? 'anywhere' : show(from)} → ${show(to)}`;
  return condition === null ? ends : `${ends}: ${show(condition)}`;
}

function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
