/** Faults of variables that are derived from others by templates. */
import { quote } from '../quote.js';
import { entry } from './entry.js';
import { phrase } from './words.js';

export const dataAliases = {
  'data/alias-read-early': entry<{ variable: string }>({
    severity: 'warning',
    title: 'A derived variable is read before it has its value',
    message: ({ variable }) =>
      `${quote(variable)} is read here in the assistant that derives it, and gets its value only ` +
      'when the call is handed over.',
    why:
      'The platform evaluates aliases at a handoff. The nodes before it have become one assistant, ' +
      'so a text or a condition inside of it finds no value, or an older one. The prompt tells ' +
      'the assistant what the value is made of.',
    help: ({ variable }) =>
      `Put what {{${phrase(variable)}}} is made of into the text itself, or extract the variable ` +
      'from the conversation.',
    example: { variable: 'full_name' },
  }),
  'data/alias-conflict': entry<{ variable: string; found: boolean }>({
    severity: 'warning',
    title: 'A handoff can come to a variable in more than one way',
    message: ({ variable, found }) =>
      found
        ? `When the call is handed over, ${quote(variable)} may have been said or may be derived; ` +
          'it is extracted from the conversation either way.'
        : `When the call is handed over, ${quote(variable)} may be derived in different ways; ` +
          'the first of them is used on every call.',
    why:
      'A handoff has one plan for all walks that lead to it, and in it one word on a variable. An ' +
      'alias would replace what the caller has said, so the extraction counts; of several aliases ' +
      'the first in the order of the walk does.',
    help: () => 'Use a name of its own for each of the values.',
    example: { variable: 'full_name', found: true },
  }),
  'data/alias-made-anyway': entry<{ variable: string }>({
    severity: 'warning',
    title: 'An alias is made on walks that do not come to it',
    message: ({ variable }) =>
      `A handoff derives ${quote(variable)} also on walks that do not come to the node of this ` +
      'alias; an earlier value is lost there.',
    why:
      'The aliases of a handoff are evaluated whenever it is taken. On a walk past the node that ' +
      'has the alias the variable keeps what it was in the workflow, and gets a value in the ' +
      'squad, made of what the call knows by then.',
    help: () =>
      'Move the alias to a node that every walk to the handoff comes to, or use a name of its own ' +
      'for the derived value.',
    example: { variable: 'full_name' },
  }),
  'data/alias-of-itself': entry<{ variable: string }>({
    severity: 'warning',
    title: 'An alias builds upon its own key',
    message: ({ variable }) =>
      `The value of ${quote(variable)} is made from ${quote(variable)}, which this node does not ` +
      'find out.',
    why:
      'An alias is evaluated at the handoff, over what the call knows by then. What an earlier ' +
      'handoff has carried is known; what the same assistant found out in an earlier step is not, ' +
      'because the plan has one word on a variable, and that is the alias.',
    help: () => 'Give the alias a key of its own.',
    example: { variable: 'name' },
  }),
};
