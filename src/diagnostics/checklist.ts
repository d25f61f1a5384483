/** The sentences of the validation checklist: the items’ titles and what their evidence says. */
import type { Name } from './checklist/words.js';
import { quote } from './quote.js';

export { ofCallers, ofNames, ofSettings, ofShape } from './checklist/document.js';
export { ofGrouping } from './checklist/grouping.js';
export { ofHandoffs, ofVariables } from './checklist/handoffs.js';
export { ofEndings, ofTools } from './checklist/tools.js';

/** The nine items of spec/3, in its words. */
export const itemTitles: readonly string[] = [
  'The first members entry is the workflow’s start',
  'The assistant count is minimized, linear chains are merged, no cyclical handoff pair is left split',
  'Every retained edge is a handoff destination whose description captures the condition',
  'Every variable referenced across an assistant boundary has a variableExtractionPlan on the crossing handoff; locally used variables have none',
  'apiRequest, transferCall and tool nodes are attached to the correct assistant',
  'endCall and hangup behavior is folded into terminal prompts',
  'All assistantName and assistantId values resolve to a member',
  'The JSON is valid and matches the shapes',
  'An API caller uses squadId instead of workflowId',
];

/** What the items have in common. */
export const ofQuestions = {
  open: (question: string) => `Nobody has answered the question ${quote(question)}.`,
};

/** Item 1. */
export const ofEntry = {
  owns: (start: Name, assistant: Name) =>
    `The call starts at ${quote(start)}, which the first member, ${quote(assistant)}, owns.`,
  ownsNot: (start: Name) => `The first member does not own the start, ${quote(start)}.`,
};
