/** Questions about what the workflow leaves out: numbers, addresses, authentication. */
import { phrase } from '../catalogue/words.js';
import { quote } from '../quote.js';
import type { QuestionEntries } from './entry.js';

type Missing = Pick<
  QuestionEntries,
  'missing-destination' | 'missing-endpoint' | 'missing-parameter' | 'missing-auth'
>;

const parts = { url: 'an address (url)', method: 'a method' } as const;

export const missing: Missing = {
  'missing-destination': {
    title: 'A transfer has no destination',
    why:
      'A transfer tool needs a phone number or a SIP address; without one the caller is dropped ' +
      'in the middle of the call. The specification forbids inventing one.',
    help: 'Ask whoever runs the phone line which number takes these calls.',
    text: ({ node }) =>
      `The node ${quote(node)} transfers the call, but the workflow does not say where to. ` +
      'Which number or SIP address shall the caller be connected to?',
    choices: [
      {
        key: 'number',
        label: 'Transfer to a phone number',
        effect: 'Callers are connected to this number, written like +4930123456.',
      },
      {
        key: 'sip',
        label: 'Transfer to a SIP address',
        effect: 'Callers are connected to this address, written like sip:desk@example.com.',
      },
    ],
    example: { node: 'to-human' },
  },
  'missing-endpoint': {
    title: 'A request has no endpoint',
    why:
      'A request tool needs an address and a method. They decide which system is called and ' +
      'whether something is changed there, so the specification forbids guessing them.',
    help:
      'Ask whoever owns the system for its address and method, or name an operation of the ' +
      'bills or the documents API that does the same.',
    text: ({ node, missing }) =>
      `The node ${quote(node)} sends a request, but the workflow does not give it ` +
      `${missing.map((part) => parts[part]).join(' and ')}. What shall it call?`,
    choices: [
      {
        key: 'request',
        label: 'Give the address and the method',
        effect: 'The assistant gets a request tool that calls this address.',
      },
      {
        key: 'operation',
        label: 'Use an operation of the bills or documents API',
        effect: 'The assistant gets a tool for this operation, with its address and fields.',
      },
    ],
    example: { node: 'lookup', missing: ['url', 'method'] },
  },
  'missing-parameter': {
    title: 'An operation lacks a value that it needs',
    why:
      'An operation of the bills or the documents API cannot be called without its required ' +
      'values. Which account is meant, and who approves, is never for a caller to say: a ' +
      'misled assistant would act for somebody else.',
    help:
      'Name a variable that the call knows by then, or fix the value. A value that stays the ' +
      'same belongs into `bindings`.',
    text: ({ node, operation, parameter, description }) =>
      `The node ${quote(node)} calls ${operation}, and nothing in the workflow gives its ` +
      `${quote(parameter)} (${phrase(description)}). Where does it come from?`,
    choices: [
      {
        key: 'variable',
        label: 'Read it from a variable',
        effect: 'The tool is sent the value that this variable has when the tool is called.',
      },
      {
        key: 'caller',
        label: 'Ask the caller',
        effect: 'The assistant finds it out and gives it to the tool with each call.',
      },
      {
        key: 'fixed',
        label: 'Always use the same value',
        effect: 'The tool is sent this value with every call; the assistant never sees it.',
      },
    ],
    example: {
      node: 'lookup',
      operation: 'bills.get',
      parameter: 'idBill',
      description: 'Number of the bill',
    },
  },
  'missing-auth': {
    title: 'A request has no authentication',
    why:
      'Most systems refuse a request that does not say who sends it. The workflow holds neither ' +
      'an auth header nor a credential for this one, and whether it needs one cannot be seen ' +
      'from the address.',
    help:
      'Ask whoever owns the system. Give only the name under which the secret is stored, never ' +
      'the secret itself.',
    text: ({ node }) =>
      `The node ${quote(node)} sends a request without any authentication. ` +
      'Is the endpoint open to everybody, or how does the request prove who sends it?',
    choices: [
      {
        key: 'none',
        label: 'None is needed',
        effect: 'The request is sent as it is, without authentication.',
      },
      {
        key: 'header',
        label: 'Send a secret in a header',
        effect:
          'The request gets this header, filled from the variable that you name; whoever starts ' +
          'the call supplies its value.',
      },
      {
        key: 'credential',
        label: 'Use a credential stored on the platform',
        effect: 'The request tool refers to this credential, and the platform adds the secret.',
      },
    ],
    example: { node: 'lookup' },
  },
};
