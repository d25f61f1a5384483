/** Questions about the way a call takes: conditions, cycles, the start. */
import { quote, quoteAll } from '../quote.js';
import type { QuestionEntries } from './entry.js';

type Routing = Pick<QuestionEntries, 'logical-condition' | 'cyclic-stages' | 'ambiguous-start'>;

export const routing: Routing = {
  'logical-condition': {
    title: 'A condition is an exact expression',
    why:
      'An assistant reads conditions as plain language and judges them. A formula such as ' +
      'plan == "gold" needs exact routing, and for that its values must be known for certain ' +
      'before the call moves on. The specification asks for a human’s word here: whether to ' +
      'extract the value first or to get it from a tool.',
    help:
      'Ask where the value comes from. If the caller says it, extract it; if a system knows it, ' +
      'let a tool fetch it; if a mistake would do no harm, plain language is enough.',
    text: ({ condition, variables, from, to }) =>
      (to === null
        ? `The call moves to ${quote(from)} from anywhere when ${quote(condition)} holds. `
        : `The call goes from ${quote(from)} to ${quote(to)} when ${quote(condition)} holds. `) +
      'This is a formula, which an assistant cannot evaluate exactly by itself. ' +
      `How shall ${known(variables)} before the decision?`,
    choices: [
      {
        key: 'extract',
        label: 'Ask the caller for the value first',
        effect:
          'The assistant is told to obtain the values from the conversation before it hands ' +
          'off; the expression stays as the description of the handoff.',
      },
      {
        key: 'tool',
        label: 'Get the value from a tool',
        effect:
          'The assistant calls the tool that you name before it decides, and the value comes ' +
          'from the tool’s response. A tool that does not exist yet is declared under that name.',
      },
      {
        key: 'guard',
        label: 'Let the platform enforce the condition',
        effect:
          'The tool that is called on this way (a handoff gets one of its own) is refused by the ' +
          'platform unless the expression is true. The values have to be set by then: by a tool, ' +
          'by an earlier handoff, or with the call.',
        only: 'vapi',
      },
      {
        key: 'prose',
        label: 'Let the assistant judge it',
        effect:
          'The expression stays as the description of the handoff and nothing is added; the ' +
          'language model decides whether it holds.',
      },
    ],
    example: { condition: 'plan == "gold"', variables: ['plan'], from: 'intake', to: 'vip' },
  },
  'cyclic-stages': {
    title: 'Stages lead back to each other',
    why:
      'Assistants that hand a call to and fro lose time and context, so the specification keeps ' +
      'such stages in one assistant unless a human wants them split. Only somebody who knows ' +
      'the business can say whether they are one job or several.',
    help:
      'Consolidate if one person could do all of it in one conversation. Keep the stages apart if ' +
      'they need different voices, tools or owners.',
    text: ({ stages }) =>
      `The stages ${quoteAll(stages)} lead back to each other. As separate assistants they would ` +
      'hand the call to and fro. Shall they become one assistant, or stay apart?',
    choices: [
      {
        key: 'consolidate',
        label: 'Make them one assistant',
        effect: 'One assistant covers all of these stages, and the ways back stay inside it.',
      },
      {
        key: 'keep-split',
        label: 'Keep each stage apart',
        effect:
          'Each stage is an assistant of its own, and they hand off to each other. Checklist ' +
          'item 2 is waived by this answer.',
      },
      {
        key: 'group',
        label: 'Choose which stages belong together',
        effect:
          'Each group that you name is one assistant; a stage that you do not name is one of ' +
          'its own. Checklist item 2 is waived by this answer.',
      },
    ],
    example: { stages: ['collect', 'confirm'] },
  },
  'ambiguous-start': {
    title: 'It is open where a call starts',
    why:
      'The first member of a squad is the workflow’s start. The workflow marks no node as start, ' +
      'and the edges do not single one out, so any choice of squadc’s would be a guess at whom ' +
      'the caller hears first.',
    help: 'Name the node whose words a caller should hear first.',
    text: ({ candidates }) =>
      'The workflow does not say where a call starts. ' +
      `It could be ${quoteAll(candidates, 'or')}. Which node comes first?`,
    choices: [
      {
        key: 'node',
        label: 'Start at this node',
        effect:
          'The assistant that holds the node becomes the first member and answers the call. ' +
          'What cannot be reached from there is left out.',
      },
    ],
    example: { candidates: ['greeting', 'survey'] },
  },
};

function known(variables: readonly string[]): string {
  if (variables.length === 0) return 'its values become known';
  return variables.length === 1
    ? `the value of ${quoteAll(variables)} become known`
    : `the values of ${quoteAll(variables)} become known`;
}
