/**
 * The kinds of question in their order: what was found, why it has to be asked, and what can be
 * answered. Long because it is one table. What an answer does is in `compiler/2-ask/apply-answers.ts`, the form of its value in
 * `schemas/answer-value.schema.json`.
 */

import type { NamedNode } from '../../compiler/ir/names.js';
import type { QuestionKind, Target } from '../../compiler/ir/options.js';
import { enumerate, quote, quoteAll } from '../quote.js';
import { addressOf, type Difference, nameOf, namesOf, saysHow } from './facts.js';

/** What the text of a question names, by kind. */
export interface QuestionArgs {
  /** `to` is null for the condition of a global node, which `from` is then. */
  'logical-condition': {
    condition: string;
    variables: readonly string[];
    from: NamedNode;
    to: NamedNode | null;
  };
  /** `requests`: the nodes whose requests change something with the variable. */
  'critical-variable': { variable: string; declared: boolean; requests: readonly NamedNode[] };
  'cyclic-stages': { stages: readonly NamedNode[] };
  /** `node` is null for a text that is read at any time. */
  'read-too-early': { node: NamedNode | null; variables: readonly string[] };
  'global-returns': { node: NamedNode; stages: readonly NamedNode[] };
  'missing-destination': { node: NamedNode };
  /** `url` and `method` are what the workflow says; an address that nobody can call is missing. */
  'missing-endpoint': Endpoint & { missing: readonly ('url' | 'method')[] };
  'missing-condition': { node: NamedNode };
  'missing-auth': Endpoint;
  /** `conditional`: those that say under which condition they are entered. */
  'missing-edges': { nodes: readonly NamedNode[]; conditional: readonly NamedNode[] };
  'ambiguous-start': { candidates: readonly NamedNode[] };
  'undefined-variable': { variable: string; nodes: readonly NamedNode[]; near: string | null };
  'conflicting-settings': { differences: readonly Difference[]; nodes: readonly NamedNode[] };
}

interface Endpoint {
  readonly node: NamedNode;
  readonly url: string | null;
  readonly method: string | null;
}

/** One kind of question: why it is asked, how to find the answer, what is to be decided. */
export interface QuestionEntry<Args> {
  readonly title: string;
  readonly why: string;
  readonly help: string;
  readonly text: (args: Args) => string;
  /** By key, in the order in which they are offered; a target where it is offered for that alone. */
  readonly choices: Readonly<Record<string, readonly [label: string, effect: string, Target?]>>;
  readonly example: Args;
}

export const questions: {
  readonly [K in QuestionKind]: QuestionEntry<QuestionArgs[K]>;
} = {
  'logical-condition': {
    title: 'A condition is an exact expression',
    why: 'An assistant reads conditions as plain language and judges them. A formula such as plan == "gold" needs exact routing, and for that its values must be known for certain before the call moves on. The specification asks for a human’s word here: whether to extract the value first or to get it from a tool.',
    help: 'Ask where the value comes from. If the caller says it, extract it; if a system knows it, let a tool fetch it; if a mistake would do no harm, plain language is enough.',
    text: ({ condition, variables, from, to }) =>
      (to === null
        ? `The call moves to ${nameOf(from)} from anywhere when ${quote(condition)} holds. `
        : `The call goes from ${nameOf(from)} to ${nameOf(to)} when ${quote(condition)} holds. `) +
      'This is a formula, which an assistant cannot evaluate exactly by itself. ' +
      `How shall ${known(variables)} before the decision?`,
    choices: {
      extract: [
        'Ask the caller for the value first',
        'The assistant is told to obtain the values from the conversation before it hands off; the expression stays as the description of the handoff.',
      ],
      tool: [
        'Get the value from a tool',
        'The assistant calls the tool that you name before it decides, and the value comes from the tool’s response. A tool that does not exist yet is declared under that name.',
      ],
      guard: [
        'Let the platform enforce the condition',
        'The tool that is called on this way (a handoff gets one of its own) is refused by the platform unless the expression is true. The values have to be set by then: by a tool, by an earlier handoff, or with the call.',
        'vapi',
      ],
      prose: [
        'Let the assistant judge it',
        'The expression stays as the description of the handoff and nothing is added; the language model decides whether it holds.',
      ],
    },
    example: {
      condition: 'plan == "gold"',
      variables: ['plan'],
      from: { id: 'intake' },
      to: { id: 'vip' },
    },
  },
  'critical-variable': {
    title: 'A variable that must not be missing crosses a handoff',
    why: 'At a handoff the platform reads variables out of the conversation with a language model. This is best effort: it can fail, and the handoff then goes on with an empty value. The specification asks to get business-critical values through a tool instead.',
    help: 'Think of the call in which the value is empty. If that costs money or trust, choose a way that cannot lose it.',
    text: ({ variable, declared, requests }) =>
      `${quote(variable)} is passed from one assistant to another${reason(declared, requests)}. ` +
      'Extracting it from the conversation can fail without notice. How shall it cross?',
    choices: {
      tool: [
        'Store it through a tool',
        'The assistant calls the tool that you name before it hands off, and the value comes from the tool’s response; no extraction plan carries it.',
      ],
      argument: [
        'Make it a required argument of the handoff',
        'The handoff tool demands the value as an argument, so the call cannot be handed over without it.',
        'vapi',
      ],
      'best-effort': [
        'Accept that it can be missing',
        'The value crosses by an extraction plan and may be empty after the handoff.',
      ],
    },
    example: { variable: 'customer_id', declared: false, requests: [{ id: 'cancel-order' }] },
  },
  'cyclic-stages': {
    title: 'Stages lead back to each other',
    why: 'Assistants that hand a call to and fro lose time and context, so the specification keeps such stages in one assistant unless a human wants them split. Only somebody who knows the business can say whether they are one job or several.',
    help: 'Consolidate if one person could do all of it in one conversation. Keep the stages apart if they need different voices, tools or owners.',
    text: ({ stages }) =>
      `The stages ${namesOf(stages)} lead back to each other. As separate assistants they would ` +
      'hand the call to and fro. Shall they become one assistant, or stay apart?',
    choices: {
      consolidate: [
        'Make them one assistant',
        'One assistant covers all of these stages, and the ways back stay inside it.',
      ],
      'keep-split': [
        'Keep each stage apart',
        'Each stage is an assistant of its own, and they hand off to each other. Checklist item 2 is waived by this answer.',
      ],
      group: [
        'Choose which stages belong together',
        'Each group that you name is one assistant; a stage that you do not name is one of its own. Checklist item 2 is waived by this answer.',
      ],
    },
    example: { stages: [{ id: 'collect' }, { id: 'confirm' }] },
  },
  'read-too-early': {
    title: 'A text is evaluated before its value is known',
    why: 'The platform evaluates prompts when an assistant becomes active, and requests when they are sent. A filter, a tag or the form of a request cannot wait for what the same assistant still finds out, so the value is missing there.',
    help: 'Put the variable into the text by itself, without filter or tag; or let an assistant of its own read it, to which the value is handed over.',
    text: ({ node, variables }) =>
      `${node === null ? 'A text that is read at any time' : nameOf(node)} reads ` +
      `${quoteAll(variables)} through a filter, a tag or a field that the platform evaluates ` +
      'before the assistant has found the value out. Is a gap in this text acceptable?',
    choices: {
      accept: [
        'Leave it as it is',
        'The text is evaluated without the value: what depends on it is left out or empty.',
      ],
      'keep-split': [
        'Let an assistant of its own read it',
        'The call is handed over before the text is read, and the handoff carries the value. Checklist item 2 is waived by this answer.',
      ],
    },
    example: { node: { id: 'quote' }, variables: ['size'] },
  },
  'global-returns': {
    title: 'A call can come back from a global node',
    why: 'A global node can be entered from anywhere. Where edges lead on from it to other assistants, the call can go to and fro between them; the specification keeps such stages in one assistant unless a human wants them split.',
    help: 'Keep them apart if the global node does a job of its own. Consolidate if one person could do all of it in one conversation.',
    text: ({ node, stages }) =>
      `The node ${nameOf(node)} can be entered from anywhere, and edges lead on from it to ` +
      `${namesOf(stages)}, so the call can go to and fro. Shall they stay apart?`,
    choices: {
      'keep-split': [
        'Keep them apart',
        'The global node stays in an assistant of its own, which hands off to the others. Checklist item 2 is waived by this answer.',
      ],
      consolidate: [
        'Make them one assistant',
        'One assistant covers the global node and everything that edges reach from it.',
      ],
    },
    example: { node: { id: 'help' }, stages: [{ id: 'booking' }] },
  },
  'missing-destination': {
    title: 'A transfer has no destination',
    why: 'A transfer tool needs a phone number or a SIP address; without one the caller is dropped in the middle of the call. The specification forbids inventing one.',
    help: 'Ask whoever runs the phone line which number takes these calls.',
    text: ({ node }) =>
      `The node ${nameOf(node)} transfers the call, but the workflow does not say where to. ` +
      'Which number or SIP address shall the caller be connected to?',
    choices: {
      number: [
        'Transfer to a phone number',
        'Callers are connected to this number, written like +4930123456.',
      ],
      sip: [
        'Transfer to a SIP address',
        'Callers are connected to this address, written like sip:desk@example.com.',
      ],
    },
    example: { node: { id: 'to-human' } },
  },
  'missing-endpoint': {
    title: 'A request has no endpoint',
    why: 'A request tool needs an address and a method. They decide which system is called and whether something is changed there, so the specification forbids guessing them.',
    help: 'Ask whoever owns the system for its address and method, or name an operation of the bills or the documents API that does the same.',
    text: ({ node, missing, url, method }) =>
      `The node ${nameOf(node)} sends a request, but the workflow does not give it ` +
      `${missing.map((part) => parts[part]).join(' and ')}${given(url, method, missing)}. ` +
      'What shall it call?',
    choices: {
      request: [
        'Give the address and the method',
        'The assistant gets a request tool that calls this address.',
      ],
      operation: [
        'Use an operation of the bills or documents API',
        'The assistant gets a tool for this operation, with its address and fields.',
      ],
    },
    example: { node: { id: 'lookup' }, url: null, method: 'GET', missing: ['url'] },
  },
  'missing-condition': {
    title: 'A global node has no condition',
    why: 'A global node can be entered from anywhere in the call, and its condition says when. Without one the assistants would have nothing but a name to go by, and would go there too often or never.',
    help: 'Say in one sentence what the caller says or does when the call should move there.',
    text: ({ node }) =>
      `The node ${nameOf(node)} can be entered from anywhere, but the workflow does not say when. ` +
      'When shall the call move there?',
    choices: {
      when: [
        'Say when it is entered',
        'Every assistant is told to go there under the condition that you write.',
      ],
    },
    example: { node: { id: 'operator' } },
  },
  'missing-auth': {
    title: 'A request has no authentication',
    why: 'Most systems refuse a request that does not say who sends it. The workflow holds neither an auth header nor a credential for this one, and whether it needs one cannot be seen from the address.',
    help: 'Ask whoever owns the system. Give only the name under which the secret is stored, never the secret itself.',
    text: ({ node, url, method }) =>
      `The node ${nameOf(node)} sends a request without any authentication: ` +
      `${addressOf(url, method)}. ` +
      'Is the endpoint open to everybody, or how does the request prove who sends it?',
    choices: {
      none: ['None is needed', 'The request is sent as it is, without authentication.'],
      header: [
        'Send a secret in a header',
        'The request gets this header, filled from the variable that you name; whoever starts the call supplies its value.',
      ],
      credential: [
        'Use a credential stored on the platform',
        'The request tool refers to this credential, and the platform adds the secret.',
      ],
    },
    example: { node: { id: 'lookup' }, url: 'https://api.example.com/orders', method: 'GET' },
  },
  'missing-edges': {
    title: 'No edge leads from one node to another',
    why: 'Edges say what follows what. A list of nodes without any may be a call that goes through them one after the other, or a workflow whose edges were lost.',
    help: 'Read the nodes in the order in which they are listed. If that is how a call should go, take the order.',
    text: ({ nodes, conditional }) =>
      `The workflow has the nodes ${namesOf(nodes)}, and no edge leads from one to another. ` +
      (conditional.length === 0
        ? ''
        : `Conditions stand at ${namesOf(conditional)}, as if edges had led there under them. `) +
      'Does each lead to the next?',
    choices: {
      'in-order': [
        'Each leads to the next listed',
        'The call goes through the nodes in the order of the list; global nodes stay aside, and nothing follows an exit.',
      ],
      none: [
        'There are no edges',
        'Nothing leads from one node to another: what the start does not hold is left out.',
      ],
    },
    example: { nodes: [{ id: 'greeting' }, { id: 'collect' }, { id: 'goodbye' }], conditional: [] },
  },
  'ambiguous-start': {
    title: 'It is open where a call starts',
    why: 'The first member of a squad is the workflow’s start. The workflow marks no node as start, and the edges do not single one out, so any choice of squadc’s would be a guess at whom the caller hears first.',
    help: 'Name the node whose words a caller should hear first.',
    text: ({ candidates }) =>
      'The workflow does not say where a call starts. ' +
      `It could be ${namesOf(candidates, 'or')}. Which node comes first?`,
    choices: {
      node: [
        'Start at this node',
        'The assistant that holds the node becomes the first member and answers the call. What cannot be reached from there is left out.',
      ],
    },
    example: { candidates: [{ id: 'greeting' }, { id: 'survey' }] },
  },
  'undefined-variable': {
    title: 'A variable is read but nothing sets it',
    why: 'A text that reads a variable nobody sets is spoken or sent with a gap. Either the value comes from outside the call, or the name is misspelt, or a node should extract it; the workflow does not tell which.',
    help: 'Ask where the value should come from, and compare the name with those of other variables.',
    text: ({ variable, nodes, near }) =>
      `${quote(variable)} is read in ${namesOf(nodes)}, but nothing that comes before sets it. ` +
      (near === null ? '' : `There is a variable called ${quote(near)}. `) +
      'Where does the value come from?',
    choices: {
      caller: [
        'It is supplied when the call starts',
        'Texts stay as they are; whoever starts a call has to pass the value.',
      ],
      rename: [
        'It is another variable, misspelt',
        'The texts read the variable that you name instead; nothing else in them changes.',
      ],
      'captured-at': [
        'A node should extract it',
        'The node that you name extracts it from the conversation, as a text.',
      ],
    },
    example: { variable: 'custmer_name', nodes: [{ id: 'booking' }], near: 'customer_name' },
  },
  'conflicting-settings': {
    title: 'Merged nodes have different settings',
    why: 'An assistant has one model, one voice and one transcriber. Nodes that become one assistant differ here, and nobody but you can say which setting the caller should meet.',
    help: 'Listen for the difference: if a caller should notice it, keep the nodes apart.',
    text: ({ differences, nodes }) =>
      `${namesOf(nodes)} become one assistant, but differ in ` +
      `${enumerate(differences.map(saysHow))}. ` +
      'One assistant can have only one of each. Which one applies?',
    choices: {
      first: [
        'Use the settings of the first node',
        'The assistant has the settings of the node that it begins with.',
      ],
      use: [
        'Use the settings of another node',
        'The assistant has the settings of the node that you name.',
      ],
      'keep-split': [
        'Keep nodes with different settings apart',
        'Nodes whose settings differ become separate assistants that hand off to each other. Checklist item 2 is waived by this answer.',
      ],
    },
    example: {
      differences: [
        {
          setting: 'voice',
          wanted: [
            { value: { voiceId: 'Elliot' }, nodes: ['greeting'] },
            { value: { voiceId: 'Savannah' }, nodes: ['collect'] },
          ],
        },
      ],
      nodes: [{ id: 'greeting' }, { id: 'collect' }],
    },
  },
};

const parts = { url: 'an address (url)', method: 'a method' } as const;

/** What the workflow says of an endpoint that it does not give in full. */
function given(url: string | null, method: string | null, missing: readonly string[]): string {
  const said = addressOf(url, method);
  if (said === null) return '';
  return missing.includes('url') && url !== null ? ` that can be called: ${said}` : `: ${said}`;
}

function known(variables: readonly string[]): string {
  if (variables.length === 0) return 'its values become known';
  const values = variables.length === 1 ? 'the value of' : 'the values of';
  return `${values} ${quoteAll(variables)} become known`;
}

function reason(declared: boolean, requests: readonly NamedNode[]): string {
  const change = requests.length === 1 ? 'changes' : 'change';
  const used = requests.length === 0 ? '' : `${namesOf(requests)} ${change} something with it`;
  if (declared) return `; it must never be missing${used && `, and ${used}`}`;
  return used && `, and ${used}`;
}
