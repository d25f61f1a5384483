/** What a call shows that the squad answers otherwise than the workflow: the sentences. */
import { quote } from './quote.js';

type Name = string;

export const ofDifferences = {
  textLost: (assistant: Name, node: Name, what: string, text: string) =>
    `${quote(assistant)} lacks the ${what} of ${quote(node)}: ${quote(text)}.`,
  lineElsewhere: (assistant: Name, node: Name, line: string) =>
    `${quote(assistant)} does not say ${quote(line)} where the call comes to ${quote(node)}.`,
  greetsWith: (assistant: Name, node: Name, line: string) =>
    `${quote(assistant)} begins with ${quote(line)}, which is no line of ${quote(node)}.`,
  greetsEverybody: (assistant: Name, line: string) =>
    `${quote(assistant)} can be entered at several steps and says ${quote(line)} at each.`,
  unaccounted: (assistant: Name, text: string) =>
    `The prompt of ${quote(assistant)} says ${quote(text)}, and nothing in the workflow does.`,
  noStep: (assistant: Name, step: number) =>
    `No node of the workflow is step ${step} of ${quote(assistant)}.`,
  wayLost: (assistant: Name, from: Name, to: Name, condition: string | null) =>
    `${quote(assistant)} does not say how to go on from ${quote(from)} to ${quote(to)}${when(condition)}.`,
  wayElsewhere: (assistant: Name, to: Name, condition: string | null) =>
    `The way to ${quote(to)}${when(condition)} leads elsewhere in ${quote(assistant)}.`,
  wayToNobody: (assistant: Name, target: Name) =>
    `${quote(assistant)} hands off to ${quote(target)}, and no member is called that.`,
  endLost: (assistant: Name, exit: Name, condition: string | null) =>
    `${quote(assistant)} does not do what ${quote(exit)} says${when(condition)}.`,
  entryLost: (assistant: Name, to: Name, condition: string | null) =>
    `The prompt of ${quote(assistant)} does not say that a call${when(condition)} begins with ${quote(to)}.`,
  beginningLost: (assistant: Name, lead: string, step: number) =>
    `The prompt of ${quote(assistant)} does not say that a call begins at step ${step} for ${quote(lead)}.`,
  promptLost: (assistant: Name) => `The prompt of ${quote(assistant)} lacks the global prompt.`,
  stepsLost: (assistant: Name) =>
    `The prompt of ${quote(assistant)} is not one message of steps that are numbered from 1.`,
  roleLost: (assistant: Name) =>
    `The prompt of ${quote(assistant)} does not begin with the name of the assistant.`,
};

function when(condition: string | null): string {
  return condition === null ? '' : ` under the condition ${quote(condition)}`;
}
