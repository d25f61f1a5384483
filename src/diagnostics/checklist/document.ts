/** What the evidence of items 7 to 9 says, and what there is to say about settings. */
import { quote } from '../quote.js';
import { count, type Name } from './words.js';

/** Item 7. */
export const ofNames = {
  unique: (assistants: number) =>
    `The names of the members are unique: ${count(assistants, 'assistant')}.`,
  shared: (name: Name) => `Several members are called ${quote(name)}.`,
  otherName: (name: Name, node: Name, wanted: Name) =>
    `The assistant that begins with ${quote(node)} is called ${quote(name)}, and not ${quote(wanted)} as an option says.`,
  unnamed: () => 'A member has neither a name nor the id of a saved assistant.',
  resolve: (destinations: number) =>
    destinations === 0
      ? 'No handoff names a member.'
      : `Every handoff names a member: ${count(destinations, 'destination')}.`,
  dangling: (from: Name, target: string | null) =>
    target === null
      ? `A handoff of ${quote(from)} names nobody.`
      : `A handoff of ${quote(from)} names ${quote(target)}, and no member is called that.`,
  danglingOverride: (target: string) =>
    `An override names ${quote(target)}, and no member is called that.`,
};

/** Item 8. */
export const ofShape = {
  valid: (target: string) => `The document has the shape of target ${quote(target)}.`,
  invalid: (fault: string) => `The document breaks its shape: ${fault}.`,
  otherTarget: (stated: string, found: string) =>
    `The document was to have the shape of target ${quote(stated)} and has that of ${quote(found)}.`,
  withoutPrompt: (assistant: Name) =>
    `The first message of ${quote(assistant)} is no system message that says something.`,
  shortNames: () => 'No name of an assistant is longer than 40 characters.',
  longName: (name: Name) => `The name ${quote(name)} is longer than 40 characters.`,
};

/** Item 9. */
export const ofCallers = {
  clean: () =>
    'The squad names no workflowId. Programs that start calls must send squadId: ' +
    '`squadc callers` finds those that still send workflowId.',
  named: () => 'The squad names a workflowId here; runs are started with squadId.',
  carried: () =>
    'The workflow itself names a workflowId here: if it starts runs by that, they must be started ' +
    'with squadId.',
};

/** Settings, which no item of spec/3 names. */
export const ofSettings = {
  other: (assistant: Name, setting: string) =>
    `${quote(assistant)} has another ${setting} than the source or the options give it.`,
  missing: (assistant: Name, setting: string) =>
    `${quote(assistant)} does not have the ${setting} that the source or the options give it.`,
  extra: (assistant: Name, setting: string) =>
    `${quote(assistant)} has a ${setting}, which neither the source nor the options give it.`,
  otherModel: (assistant: Name, key: string) =>
    `The model of ${quote(assistant)} differs in ${quote(key)} from what the source or the options give it.`,
  unasked: (setting: string) =>
    `An override sets ${quote(setting)}, which neither the source nor the options ask for.`,
  fallsSilent: (assistant: Name) =>
    `${quote(assistant)} has no line to open with and does not find one: the call falls silent.`,
  losesLine: (assistant: Name) =>
    `${quote(assistant)} has a line to open with and does not say it.`,
};
