/** What the independent check of a squad against its workflow finds. */
import { escapeControls, quote, quoteWalk } from '../quote.js';
import { entry } from './entry.js';
import { phrase, withoutStop } from './words.js';

export const check = {
  'check/item-fails': entry<{ item: number; title: string; text: string }>({
    severity: 'error',
    title: 'An item of the validation checklist does not hold',
    message: ({ item, title, text }) =>
      `Item ${item} of the checklist (${withoutStop(title)}) does not hold: ${withoutStop(text)}.`,
    why:
      'A squad replaces its workflow only when all nine items of the checklist hold (spec/3, ' +
      '“Validation checklist”). Each item is decided by itself from the workflow, the answers ' +
      'and the squad; the first fact that speaks against it is shown.',
    help: ({ item }) =>
      `Correct the squad at the places shown; all facts that item ${item} rests on are in its evidence.`,
    example: {
      item: 3,
      title:
        'Every retained edge is a handoff destination whose description captures the condition',
      text: '“Intake” has no handoff for the condition “wants to book”.',
    },
  }),
  'check/open-question': entry<{ question: string; item: number }>({
    severity: 'error',
    title: 'A question is open that an item depends on',
    message: ({ question, item }) =>
      `Nobody has answered the question ${quote(question)}, so item ${item} of the checklist is not known to hold.`,
    why:
      'Where the workflow leaves something open, only a human can say what the squad should do. ' +
      'The check does not take the choice that the squad seems to have made for an answer, ' +
      'because a guess looks the same.',
    help: ({ question }) =>
      `Answer ${quote(question)} and give the answers to the check as they were given to the compiler.`,
    example: { question: 'cyclic-stages:offer,confirm', item: 2 },
  }),
  'check/walk': entry<{ walk: readonly string[]; text: string }>({
    severity: 'error',
    title: 'The squad answers a call otherwise than the workflow',
    message: ({ walk, text }) =>
      `The squad answers ${walk.length === 0 ? 'a call' : `the call ${quoteWalk(walk)}`} otherwise: ` +
      `${withoutStop(text)}.`,
    why:
      'Every call that the workflow allows must hear the same lines in the squad, follow the same ' +
      'instructions, use the same tools and read the same variables, and the squad must allow no ' +
      'handoff that the workflow does not have. The call shown is one on which they differ.',
    help: () => 'Follow the call step by step in both documents, and correct the squad there.',
    example: {
      walk: ['greeting', 'collect', 'booking'],
      text: 'the first message of “booking” is not spoken',
    },
  }),
  'check/not-placed': entry<{ node: string }>({
    severity: 'error',
    title: 'No assistant seems to own a node',
    message: ({ node }) => `No assistant holds what ${quote(node)} says and does.`,
    why:
      'Nodes are found in a squad by their texts: instructions, spoken lines, captured variables ' +
      'and tools stand in the assistant that owns the node, word for word. A node of which ' +
      'nothing is found was lost, or was reworded until it could no longer be told from others.',
    help: ({ node }) =>
      `Put the texts and tools of ${quote(node)} into the assistant that is meant to do its work.`,
    example: { node: 'collect' },
  }),
  'check/placed-by-likeness': entry<{ node: string; assistant: string; because: string }>({
    severity: 'info',
    title: 'A node was placed by its likeness',
    message: ({ node, assistant, because }) =>
      `None of the texts of ${quote(node)} stands in the squad word for word; it was placed in ` +
      `${quote(assistant)} because ${withoutStop(because)}.`,
    why:
      'A squad that was written by hand or by a language model may keep the work of a node and ' +
      'not its words. The rest of the check then rests on the assistant that is most like the ' +
      'node, and what it says about this node is only as good as that likeness.',
    help: ({ assistant }) =>
      `See whether ${quote(assistant)} is meant to do the work of this node; its texts should be carried over as they are.`,
    example: {
      node: 'collect',
      assistant: 'Intake',
      because: 'it asks for the same variables',
    },
  }),
  'check/not-seen': entry<{ assistantId: string }>({
    severity: 'warning',
    title: 'The texts of a saved assistant were not seen',
    message: ({ assistantId }) =>
      `The assistant ${quote(assistantId)} is saved elsewhere; what it says and does was not seen.`,
    why:
      'A member may name an assistant that is saved on the platform, and its prompt and tools are ' +
      'then not part of the document. Nothing that it owns can be compared with the workflow.',
    help: () =>
      'Compare the saved assistant with the workflow by hand, or check a squad with the assistant inline.',
    example: { assistantId: '5f3c0d9e-7a51-4c8e-9d3b-2a1f6b7c8d90' },
  }),
  'check/setting-differs': entry<{ text: string }>({
    severity: 'error',
    title: 'A setting of an assistant differs from the workflow',
    message: ({ text }) => escapeControls(text),
    why:
      'Callers hear the voice, and are understood by the model and the transcriber, that the ' +
      'workflow asks for. A setting comes from the options, else from the node, else from the ' +
      'workflow, else it is the default; the assistant has another one.',
    help: () =>
      'Correct the setting in the squad, or give the option that asked for it to the check.',
    example: { text: 'The model of “Intake” is not the one that the workflow asks for.' },
  }),
  'check/not-a-squad': entry<{ looksLike: string }>({
    severity: 'error',
    title: 'The document is not a squad',
    message: ({ looksLike }) => `A squad was expected, but this looks like ${phrase(looksLike)}.`,
    why:
      'A squad is an object with a list of `members`, either at its root (the body of the ' +
      'platform’s create-squad call) or under `squad`. Anything else has no assistants that ' +
      'could be compared with the workflow.',
    help: () =>
      'Give the workflow first and the squad second, each as it was exported or compiled.',
    example: { looksLike: 'a workflow' },
  }),
};
