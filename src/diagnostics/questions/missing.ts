/** Questions about what the workflow leaves out: numbers, addresses, authentication. */
import { quote } from '../quote.js';
import type { QuestionEntries } from './entry.js';

type Missing = Pick<QuestionEntries, 'missing-destination' | 'missing-endpoint' | 'missing-auth'>;

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
