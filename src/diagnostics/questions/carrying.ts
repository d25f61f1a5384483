/** Questions about what crosses or belongs to an assistant: variables and settings. */
import { quote, quoteAll } from '../quote.js';
import type { QuestionEntries } from './entry.js';

type Carrying = Pick<
  QuestionEntries,
  'critical-variable' | 'undefined-variable' | 'conflicting-settings'
>;

export const carrying: Carrying = {
  'critical-variable': {
    title: 'A variable that must not be missing crosses a handoff',
    why:
      'At a handoff the platform reads variables out of the conversation with a language model. ' +
      'This is best effort: it can fail, and the handoff then goes on with an empty value. The ' +
      'specification asks to get business-critical values through a tool instead.',
    help:
      'Think of the call in which the value is empty. If that costs money or trust, choose a way ' +
      'that cannot lose it.',
    text: ({ variable, declared, requests }) =>
      `${quote(variable)} is passed from one assistant to another${reason(declared, requests)}. ` +
      'Extracting it from the conversation can fail without notice. How shall it cross?',
    choices: [
      {
        key: 'tool',
        label: 'Store it through a tool',
        effect:
          'The assistant calls the tool that you name before it hands off, and the value comes ' +
          'from the tool’s response; no extraction plan carries it.',
      },
      {
        key: 'argument',
        label: 'Make it a required argument of the handoff',
        effect:
          'The handoff tool demands the value as an argument, so the call cannot be handed over ' +
          'without it.',
        only: 'vapi',
      },
      {
        key: 'best-effort',
        label: 'Accept that it can be missing',
        effect: 'The value crosses by an extraction plan and may be empty after the handoff.',
      },
    ],
    example: { variable: 'customer_id', declared: false, requests: ['cancel-order'] },
  },
  'undefined-variable': {
    title: 'A variable is read but nothing sets it',
    why:
      'A text that reads a variable nobody sets is spoken or sent with a gap. Either the value ' +
      'comes from outside the call, or the name is misspelt, or a node should extract it; the ' +
      'workflow does not tell which.',
    help: 'Ask where the value should come from, and compare the name with those of other variables.',
    text: ({ variable, nodes, near }) =>
      `${quote(variable)} is read in ${quoteAll(nodes)}, but nothing that comes before sets it. ` +
      (near === null ? '' : `There is a variable called ${quote(near)}. `) +
      'Where does the value come from?',
    choices: [
      {
        key: 'caller',
        label: 'It is supplied when the call starts',
        effect: 'Texts stay as they are; whoever starts a call has to pass the value.',
      },
      {
        key: 'rename',
        label: 'It is another variable, misspelt',
        effect: 'The texts read the variable that you name instead; nothing else in them changes.',
      },
      {
        key: 'captured-at',
        label: 'A node should extract it',
        effect: 'The node that you name extracts it from the conversation, as a text.',
      },
    ],
    example: { variable: 'custmer_name', nodes: ['booking'], near: 'customer_name' },
  },
  'conflicting-settings': {
    title: 'Merged nodes have different settings',
    why:
      'An assistant has one model, one voice and one transcriber. Nodes that become one assistant ' +
      'differ here, and nobody but you can say which setting the caller should meet.',
    help: 'Listen for the difference: if a caller should notice it, keep the nodes apart.',
    text: ({ settings, nodes }) =>
      `${quoteAll(nodes)} become one assistant, but differ in ${settingWords(settings)}. ` +
      'One assistant can have only one of each. Which one applies?',
    choices: [
      {
        key: 'first',
        label: 'Use the settings of the first node',
        effect: 'The assistant has the settings of the node that it begins with.',
      },
      {
        key: 'use',
        label: 'Use the settings of another node',
        effect: 'The assistant has the settings of the node that you name.',
      },
      {
        key: 'keep-split',
        label: 'Keep nodes with different settings apart',
        effect:
          'Nodes whose settings differ become separate assistants that hand off to each other. ' +
          'Checklist item 2 is waived by this answer.',
      },
    ],
    example: { settings: ['voice'], nodes: ['greeting', 'collect'] },
  },
};

function reason(declared: boolean, requests: readonly string[]): string {
  const change = requests.length === 1 ? 'changes' : 'change';
  const used = requests.length === 0 ? '' : `${quoteAll(requests)} ${change} something with it`;
  if (declared && used !== '') return `; it must never be missing, and ${used}`;
  if (declared) return '; it must never be missing';
  return used === '' ? '' : `, and ${used}`;
}

function settingWords(settings: readonly string[]): string {
  return settings.length === 0 ? 'their settings' : settings.join(' and ');
}
