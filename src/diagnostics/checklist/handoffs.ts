/** What the evidence of items 3 and 4 says: handoffs, and what crosses with them. */
import { quote, quoteAll } from '../quote.js';
import type { Name } from './words.js';

/** Item 3. */
export const ofHandoffs = {
  none: () => 'No edge leads from one assistant to another, and no handoff is there.',
  licensed: (from: Name, to: Name, condition: string | null) =>
    condition === null
      ? `The edge without a condition from ${quote(from)} is a handoff to ${quote(to)}.`
      : `The condition ${quote(condition)} describes the handoff from ${quote(from)} to ${quote(to)}.`,
  missing: (from: Name, condition: string | null) =>
    `${quote(from)} has no handoff for ${edgeInWords(condition)}.`,
  misled: (from: Name, to: Name, condition: string | null) =>
    `The handoff from ${quote(from)} for ${edgeInWords(condition)} does not lead to ${quote(to)}.`,
  undescribed: (from: Name, to: Name, condition: string | null) =>
    condition === null
      ? `The handoff from ${quote(from)} to ${quote(to)} does not say when.`
      : `The handoff from ${quote(from)} to ${quote(to)} lacks the condition ${quote(condition)}.`,
  leftOver: (from: Name, to: Name) =>
    `No edge and no global node allows the handoff from ${quote(from)} to ${quote(to)}.`,
  saysMore: (from: Name, to: Name, words: string) =>
    `The handoff from ${quote(from)} to ${quote(to)} is also described by ${quote(words)}.`,
  otherContext: (from: Name, to: Name) =>
    `The handoff from ${quote(from)} to ${quote(to)} takes another part of the conversation along.`,
  toItself: (from: Name) => `${quote(from)} hands off to itself.`,
};

function edgeInWords(condition: string | null): string {
  return condition === null ? 'an edge without a condition' : `the condition ${quote(condition)}`;
}

/** Item 4. */
export const ofVariables = {
  none: () => 'No variable crosses from one assistant to another, and no handoff has a plan.',
  carries: (from: Name, to: Name, variables: readonly Name[]) =>
    `The handoff from ${quote(from)} to ${quote(to)} carries ${quoteAll(variables)}, which ` +
    `${variables.length === 1 ? 'is' : 'are'} captured before it and read after it.`,
  lacks: (from: Name, to: Name, variables: readonly Name[]) =>
    `The handoff from ${quote(from)} to ${quote(to)} does not carry ${quoteAll(variables)}.`,
  carriesInVain: (from: Name, to: Name, variables: readonly Name[]) =>
    `The handoff from ${quote(from)} to ${quote(to)} carries ${quoteAll(variables)} and need not.`,
  wrongSchema: (from: Name, to: Name, variable: Name, what: string) =>
    `The handoff from ${quote(from)} to ${quote(to)} carries ${quote(variable)} with another ` +
    `${what} than its captures have.`,
  notRequired: (from: Name, to: Name) =>
    `The plan of the handoff from ${quote(from)} to ${quote(to)} does not require exactly its variables.`,
  otherSchema: (from: Name, to: Name) =>
    `The plan of the handoff from ${quote(from)} to ${quote(to)} says something else than what its variables are.`,
  derives: (from: Name, to: Name) =>
    `The plan of the handoff from ${quote(from)} to ${quote(to)} derives variables that the source does not have.`,
  derivesOtherwise: (from: Name, to: Name, variable: Name) =>
    `The handoff from ${quote(from)} to ${quote(to)} does not derive ${quote(variable)} as its ` +
    'alias says.',
  idle: (from: Name, to: Name) =>
    `The handoff from ${quote(from)} to ${quote(to)} has a plan, and nothing to carry by it.`,
  /** The same where variables are arguments of the tool. */
  asArguments: {
    lacks: (from: Name, to: Name, variables: readonly Name[]) =>
      `The handoff from ${quote(from)} to ${quote(to)} does not demand ${quoteAll(variables)} as ` +
      `an answer or the options want it.`,
    carriesInVain: (from: Name, to: Name, variables: readonly Name[]) =>
      `The handoff from ${quote(from)} to ${quote(to)} demands ${quoteAll(variables)}, and ` +
      `neither an answer nor the options want it.`,
    notRequired: (from: Name, to: Name) =>
      `The handoff from ${quote(from)} to ${quote(to)} does not require exactly its arguments.`,
    otherSchema: (from: Name, to: Name) =>
      `The arguments of the handoff from ${quote(from)} to ${quote(to)} are not its destination ` +
      `and its variables.`,
  },
};
