/** What the evidence of items 5 and 6 says: tools, and how calls end. */
import { quote } from '../quote.js';
import { count, type Name } from './words.js';

/** Item 5. */
export const ofTools = {
  none: () => 'The workflow has no tools, and no assistant has any.',
  has: (assistant: Name, tool: Name) => `${quote(assistant)} has the tool of ${quote(tool)}.`,
  lacks: (assistant: Name, tool: Name) =>
    `${quote(assistant)} does not have the tool of ${quote(tool)}.`,
  nowhere: (tool: Name) => `No assistant is known to own what calls the tool of ${quote(tool)}.`,
  unseen: (tool: Name) =>
    `Whether a saved assistant has the tool of ${quote(tool)} is not to be seen.`,
  differs: (assistant: Name, tool: Name, field: string, how: 'other' | 'missing' | 'extra') =>
    `The tool of ${quote(tool)} in ${quote(assistant)} has ${differences[how](quote(field))}.`,
  misnamed: (assistant: Name, tool: Name, name: Name) =>
    `The tool of ${quote(tool)} in ${quote(assistant)} is called ${quote(name)}.`,
  undescribed: (assistant: Name, tool: Name) =>
    `The tool of ${quote(tool)} in ${quote(assistant)} is not described by its conditions.`,
  guardedOtherwise: (assistant: Name, tool: Name) =>
    `The tool of ${quote(tool)} in ${quote(assistant)} is not refused exactly where its ` +
    'conditions do not hold.',
  handoffGuardedOtherwise: (assistant: Name) =>
    `A handoff of ${quote(assistant)} is not refused exactly where its conditions do not hold.`,
  leftOver: (assistant: Name, tool: Name) =>
    `${quote(assistant)} has the tool ${quote(tool)}, which none of its nodes needs.`,
  sharedName: (assistant: Name, tool: Name) =>
    `${quote(assistant)} has two tools of the name ${quote(tool)}.`,
};

const differences = {
  other: (field: string) => `another ${field} than the source or the answers give it`,
  missing: (field: string) => `no ${field}, which the source or the answers give it`,
  extra: (field: string) => `${field}, which neither the source nor the answers give it`,
};

/** Item 6. */
export const ofEndings = {
  none: () => 'No endCall or hangup node can be reached.',
  ends: (assistant: Name) =>
    `The prompt of ${quote(assistant)} says when to end the call and what to say before.`,
  endsNot: (assistant: Name) =>
    `A call can end in ${quote(assistant)}, but its prompt does not say “end the call”.`,
  endsOtherwise: (assistant: Name, ways: number, said: number) =>
    `The prompt of ${quote(assistant)} says ${count(said, 'time')} to “end the call”, but it can ` +
    `end there in ${count(ways, 'way')}.`,
  endsFalsely: (assistant: Name) =>
    `The prompt of ${quote(assistant)} says “end the call”, but no call can end there.`,
  unseen: (assistant: Name) =>
    `Whether the prompt of ${quote(assistant)}, which is saved, says “end the call” is not to be seen.`,
  lacksTool: (assistant: Name) =>
    `A call can end in ${quote(assistant)}, but it has no tool to end it.`,
  lacksText: (assistant: Name, text: string) =>
    `The prompt of ${quote(assistant)} lacks ${quote(text)}, which belongs to the end of the call.`,
};
