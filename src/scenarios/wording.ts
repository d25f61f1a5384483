/** The sentences of scripts. */
import type { End, Script, Turn } from './script.js';
import type { Said } from './values.js';

/** How a text of the workflow is shown: in quotes, or as code. */
export type Show = (text: string) => string;

/** What the tester does for the call to get here. */
export function whatToDo(
  { arrival, node, condition, afterTool, others }: Turn,
  show: Show,
): string {
  if (arrival === 'start') return 'Call, and let the assistant speak first.';
  const shown = condition && show(condition.value);
  if (arrival === 'global') {
    return `At any time: ${shown === null ? `ask for ${show(node.name ?? node.id)}` : `make this true: ${shown}`}.`;
  }
  if (shown !== null) {
    const before = 'Because of the tool’s response, or of what you said, this becomes true';
    return `${afterTool ? before : 'Make this true'}: ${shown}.`;
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
export function howItEnds({ end, turns }: Pick<Script, 'end' | 'turns'>, show: Show): string {
  if (end !== 'transferCall') return endings[end];
  const destination = turns.at(-1)!.node.transfer?.destination?.value;
  if (destination === undefined) return 'The assistant transfers the call.';
  const to = destination.type === 'sip' ? destination.sipUri : destination.number;
  return `The assistant transfers the call to ${show(to)}.`;
}

const endings: Readonly<Record<Exclude<End, 'transferCall'>, string>> = {
  endCall: 'The assistant ends the call.',
  hangup: 'The assistant ends the call.',
  stops: 'This is the last step. Hang up when the assistant has done this.',
  endless: 'From here the call only repeats. Hang up when the assistant has done this.',
};
