/**
 * The kinds of question, in order: what was found, why squadc asks, and the choices. The effect of
 * an answer is in `compiler/2-ask/apply-answers.ts`, the shape of its value in
 * `schemas/answer-value.schema.json`.
 */
import type { NamedNode } from '../../compiler/ir/names.js';
import type { QuestionKind, Target } from '../../compiler/ir/options.js';
import { enumerate, quote, quoteAll } from '../quote.js';
import { addressOf, type Difference, nameOf, namesOf, saysHow } from './facts.js';

/** The arguments of a question's text, by kind. */
export interface QuestionArgs {
  /** For the condition of a global node, `from` is that node and `to` is null. */
  'logical-condition': {
    condition: string;
    variables: readonly string[];
    from: NamedNode;
    to: NamedNode | null;
  };
  /** `requests`: the nodes whose requests change something with the variable. */
  'critical-variable': { variable: string; declared: boolean; requests: readonly NamedNode[] };
  'cyclic-stages': { stages: readonly NamedNode[] };
  /** `node` is null if the text can be read at any time. */
  'read-too-early': { node: NamedNode | null; variables: readonly string[] };
  'global-returns': { node: NamedNode; stages: readonly NamedNode[] };
  'missing-destination': { node: NamedNode };
  /** `url` and `method` are those of the workflow; an address that cannot be called is missing. */
  'missing-endpoint': Endpoint & { missing: readonly ('url' | 'method')[] };
  'missing-condition': { node: NamedNode };
  'missing-auth': Endpoint;
  /** `conditional`: those with a condition for entering them. */
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

/** One kind of question: why squadc asks, how to find the answer, what there is to decide. */
export interface QuestionEntry<Args> {
  readonly title: string;
  readonly why: string;
  readonly help: string;
  readonly text: (args: Args) => string;
  /** By key, in the order in which they are offered; some only for one target. */
  readonly choices: Readonly<Record<string, readonly [label: string, effect: string, Target?]>>;
  readonly example: Args;
}

export const questions: {
  readonly [K in QuestionKind]: QuestionEntry<QuestionArgs[K]>;
} = {
  'logical-condition': {
    title: 'A condition is an exact expression',
    why: 'An assistant reads conditions as plain language and judges them. A formula such as plan == "gold" needs exact routing, so its values must be known for certain before the call moves on. A human has to decide whether to extract the value first or to get it from a tool.',
    help: 'Find out where the value comes from. If the caller says it, extract it. If a system knows it, let a tool fetch it. If a mistake does no harm, plain language is enough.',
    text: ({ condition, variables, from, to }) =>
      (to === null
        ? `The call moves to ${nameOf(from)} from anywhere when ${quote(condition)} holds. `
        : `The call goes from ${nameOf(from)} to ${nameOf(to)} when ${quote(condition)} holds. `) +
      'This is a formula, which an assistant cannot evaluate exactly by itself. ' +
      `How should ${known(variables)} before the decision?`,
    choices: {
      extract: [
        'Ask the caller for the value first',
        'The assistant is told to get the values from the conversation before it hands off. The expression stays as the description of the handoff.',
      ],
      tool: [
        'Get the value from a tool',
        'The assistant calls the tool you name before it decides, and the value comes from the tool’s response. If the tool does not exist yet, it is declared under that name.',
      ],
      guard: [
        'Let the platform enforce the condition',
        'The platform refuses the tool call or handoff unless the expression is true. The values must be set by then: by a tool, by an earlier handoff, or when the call starts.',
        'vapi',
      ],
      prose: [
        'Let the assistant judge it',
        'The expression stays as the description of the handoff, and the language model decides whether it holds.',
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
    why: 'At a handoff the platform extracts variables from the conversation with a language model. This is best effort: if it fails, the handoff continues with an empty value. Business-critical values should come from a tool instead.',
    help: 'Imagine a call in which the value is empty. If that costs money or trust, choose an option that cannot lose it.',
    text: ({ variable, declared, requests }) =>
      `${quote(variable)} is passed from one assistant to another${reason(declared, requests)}. ` +
      'Extracting it from the conversation can fail without notice. How should it be passed?',
    choices: {
      tool: [
        'Store it through a tool',
        'The assistant calls the tool you name before it hands off, and the value comes from the tool’s response. No extraction plan is needed.',
      ],
      argument: [
        'Make it a required argument of the handoff',
        'The handoff tool requires the value as an argument, so the call cannot be handed over without it.',
        'vapi',
      ],
      'best-effort': [
        'Accept that it can be missing',
        'The value is passed by an extraction plan and may be empty after the handoff.',
      ],
    },
    example: { variable: 'customer_id', declared: false, requests: [{ id: 'cancel-order' }] },
  },
  'cyclic-stages': {
    title: 'Stages lead back to each other',
    why: 'Assistants that hand a call back and forth lose time and context, so such stages stay in one assistant unless a human wants them split. Only somebody who knows the business can say whether they are one job or several.',
    help: 'Consolidate if one person could do all of it in one conversation. Keep the stages apart if they need different voices, tools or owners.',
    text: ({ stages }) =>
      `The stages ${namesOf(stages)} lead back to each other. As separate assistants they would ` +
      'hand the call back and forth. Should they become one assistant, or stay separate?',
    choices: {
      consolidate: [
        'Make them one assistant',
        'One assistant covers all of these stages, so there is no handoff between them.',
      ],
      'keep-split': [
        'Keep each stage apart',
        'Each stage becomes a separate assistant, and they hand off to each other. This squad will have more assistants than necessary (checklist item 2 is waived).',
      ],
      group: [
        'Choose which stages belong together',
        'Each group you name becomes one assistant, and so does each stage you leave out. This squad will have more assistants than necessary (checklist item 2 is waived).',
      ],
    },
    example: { stages: [{ id: 'collect' }, { id: 'confirm' }] },
  },
  'read-too-early': {
    title: 'A text is evaluated before its value is known',
    why: 'The platform renders prompts when an assistant becomes active, and requests when they are sent. A filter, a tag or a fixed request field cannot wait for what the same assistant still has to find out, so the value is missing there.',
    help: 'Use the variable by itself, without a filter or tag, or let a separate assistant read it, so that a handoff carries the value.',
    text: ({ node, variables }) =>
      `${node === null ? 'A text that applies at any time' : nameOf(node)} reads ` +
      `${quoteAll(variables)} through a filter, a tag or a field that the platform evaluates ` +
      'before the assistant has found out the value. Is a gap in this text acceptable?',
    choices: {
      accept: [
        'Leave it as it is',
        'The text is rendered without the value: what depends on it is left out or empty.',
      ],
      'keep-split': [
        'Let a separate assistant read it',
        'The call is handed over before the text is read, and the handoff carries the value. This squad will have more assistants than necessary (checklist item 2 is waived).',
      ],
    },
    example: { node: { id: 'quote' }, variables: ['size'] },
  },
  'global-returns': {
    title: 'A call can come back from a global node',
    why: 'A global node can be entered from anywhere. If its edges lead to other assistants, the call can go back and forth between them. Such stages stay in one assistant unless a human wants them split.',
    help: 'Keep them apart if the global node does a job of its own. Consolidate if one person could do all of it in one conversation.',
    text: ({ node, stages }) =>
      `The node ${nameOf(node)} can be entered from anywhere, and edges lead on from it to ` +
      `${namesOf(stages)}, so the call can go back and forth. Should they stay separate?`,
    choices: {
      'keep-split': [
        'Keep them apart',
        'The global node keeps its own assistant, which hands off to the others (checklist item 2 is waived).',
      ],
      consolidate: [
        'Make them one assistant',
        'One assistant covers the global node and everything its edges lead to.',
      ],
    },
    example: { node: { id: 'help' }, stages: [{ id: 'booking' }] },
  },
  'missing-destination': {
    title: 'A transfer has no destination',
    why: 'A transfer tool needs a phone number or a SIP address. Without one the caller is dropped in the middle of the call, and squadc must not invent one.',
    help: 'Ask whoever runs the phone line which number takes these calls.',
    text: ({ node }) =>
      `The node ${nameOf(node)} transfers the call, but the workflow does not say where to. ` +
      'Which number or SIP address should the caller be connected to?',
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
    why: 'A request tool needs an address and a method. They decide which system is called and whether something changes there, so squadc must not guess them.',
    help: 'Ask whoever owns the system for its address and method, or choose an operation of the bills or documents API that does the same.',
    text: ({ node, missing, url, method }) =>
      `The node ${nameOf(node)} sends a request, but the workflow does not give it ` +
      `${missing.map((part) => parts[part]).join(' and ')}${given(url, method, missing)}. ` +
      'What should it call?',
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
    why: 'A global node can be entered from anywhere in the call, and its condition says when. Without one the assistants would have only a name to go by, and would go there too often or never.',
    help: 'Describe in one sentence what the caller says or does when the call should move there.',
    text: ({ node }) =>
      `The node ${nameOf(node)} can be entered from anywhere, but the workflow does not say when. ` +
      'When should the call move there?',
    choices: {
      when: [
        'Say when it is entered',
        'Every assistant is told to go there when your condition holds.',
      ],
    },
    example: { node: { id: 'operator' } },
  },
  'missing-auth': {
    title: 'A request has no authentication',
    why: 'Most systems reject a request that does not say who sends it. The workflow has neither an auth header nor a credential for this one, and the address does not tell whether it needs one.',
    help: 'Ask whoever owns the system. Enter only the name under which the secret is stored, never the secret itself.',
    text: ({ node, url, method }) =>
      `The node ${nameOf(node)} sends a request without any authentication: ` +
      `${addressOf(url, method)}. ` +
      'Is the endpoint public? If not, how should the request authenticate?',
    choices: {
      none: ['None is needed', 'The request is sent as it is, without authentication.'],
      header: [
        'Send a secret in a header',
        'The request gets this header, filled from the variable you name. Whoever starts the call supplies the value.',
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
    why: 'Edges say what comes next. A list of nodes without edges may be a call that goes through them in order, or a workflow whose edges were lost.',
    help: 'Read the nodes in the order they are listed. If that is how a call should go, choose that order.',
    text: ({ nodes, conditional }) =>
      `The workflow has the nodes ${namesOf(nodes)}, and no edge leads from one to another. ` +
      (conditional.length === 0
        ? ''
        : `An edge may once have led to ${namesOf(conditional)}, as conditions there suggest. `) +
      'Does each lead to the next?',
    choices: {
      'in-order': [
        'Each leads to the next listed',
        'The call goes through the nodes in the order of the list. Global nodes stay apart, and nothing follows an exit.',
      ],
      none: [
        'There are no edges',
        'No node leads to another, so everything but the start is left out.',
      ],
    },
    example: { nodes: [{ id: 'greeting' }, { id: 'collect' }, { id: 'goodbye' }], conditional: [] },
  },
  'ambiguous-start': {
    title: 'It is unclear where a call starts',
    why: 'The first member of a squad is the workflow’s start. The workflow marks no node as the start, and the edges do not single one out, so squadc would have to guess whom the caller hears first.',
    help: 'Choose the node whose words a caller should hear first.',
    text: ({ candidates }) =>
      'The workflow does not say where a call starts. ' +
      `It could be ${namesOf(candidates, 'or')}. Which node comes first?`,
    choices: {
      node: [
        'Start at this node',
        'The assistant with this node becomes the first member and answers the call. Nodes that cannot be reached from there are left out.',
      ],
    },
    example: { candidates: [{ id: 'greeting' }, { id: 'survey' }] },
  },
  'undefined-variable': {
    title: 'A variable is read but nothing sets it',
    why: 'A text that reads a variable that is never set is spoken or sent with a gap. Either the value comes from outside the call, or the name is misspelt, or a node should extract it. The workflow does not say which.',
    help: 'Find out where the value should come from, and compare the name with those of other variables.',
    text: ({ variable, nodes, near }) =>
      `${quote(variable)} is read in ${namesOf(nodes)}, but nothing sets it before. ` +
      (near === null ? '' : `There is a variable called ${quote(near)}. `) +
      'Where does the value come from?',
    choices: {
      caller: [
        'It is supplied when the call starts',
        'Texts stay as they are. Whoever starts a call must pass the value.',
      ],
      rename: [
        'It is another variable, misspelt',
        'The texts read the variable you name instead. Nothing else in them changes.',
      ],
      'captured-at': [
        'A node should extract it',
        'The node you name extracts it from the conversation, as a text.',
      ],
    },
    example: { variable: 'custmer_name', nodes: [{ id: 'booking' }], near: 'customer_name' },
  },
  'conflicting-settings': {
    title: 'Merged nodes have different settings',
    why: 'An assistant has one model, one voice and one transcriber. These nodes become one assistant but have different settings, and only you can say which ones should apply.',
    help: 'If a caller should notice the difference, keep the nodes apart.',
    text: ({ differences, nodes }) =>
      `${namesOf(nodes)} become one assistant, but differ in ` +
      `${enumerate(differences.map(saysHow))}. ` +
      'One assistant can have only one of each. Which one applies?',
    choices: {
      first: [
        'Use the settings of the first node',
        'The assistant gets the settings of its first node.',
      ],
      use: [
        'Use the settings of another node',
        'The assistant gets the settings of the node you name.',
      ],
      'keep-split': [
        'Keep nodes with different settings apart',
        'Nodes with different settings become separate assistants that hand off to each other. This squad will have more assistants than necessary (checklist item 2 is waived).',
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
