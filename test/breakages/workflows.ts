/** Small workflows by which breakages about the values of variables show. */
import { captures, end, exported, flow, sketch, transfer } from '../compiler/build.js';
import { drawn } from '../laws/graphs.js';

/** One assistant captures the order, which its request reads. */
function sending(fields: object) {
  const schema = { type: 'object', properties: { order: { type: 'string', description: 'it' } } };
  const url = 'https://api.example.com';
  const request = { type: 'apiRequest', name: 'find', url, method: 'POST' };
  const nodes = {
    ask: { prompt: 'Ask for the order.', variableExtractionPlan: { schema } },
    find: { type: 'tool', tool: 'function' in fields ? fields : { ...request, ...fields } },
    tell: { prompt: 'Tell what was found.' },
  };
  return exported(nodes, 'ask > find | find > tell');
}

const parameters = [{ key: 'number', value: '{{order}}' }];
const asking = { systemPrompt: 'Ask for the order.', ...captures('order') };
const line = { systemPrompt: undefined, firstMessage: 'One moment.' };
export const workflows: Readonly<Record<string, object>> = {
  'a request': sending({ url: 'https://api.example.com/{{order}}' }),
  'a request that speaks': sending({
    messages: [{ type: 'request-start', content: 'I look for {{order}}.' }],
  }),
  'a request with a field': sending({ parameters }),
  'a function': sending({ type: 'function', function: { name: 'find' }, parameters }),
  'an output of its own': {
    ...exported({ ask: { prompt: 'Ask.', ...captures('order') }, bye: end }, 'ask > bye'),
    artifactPlan: { structuredOutputs: [{ name: 'own', type: 'ai', schema: { type: 'string' } }] },
  },
  'a response': drawn('t > a | a > b: 1 | a > c: 2', 't responds, b reads'),
  'two captures': drawn('a > b: 1 | a > c: 2 | c > d', 'a sets, c sets reads, d reads'),
  'a way back': drawn('s > c: 1 | s > b: 2 | c > d | d > c', 's sets, d sets, c reads'),
  'a capture': drawn('a > b: 1 | a > c: 2', 'a sets, b reads'),
  'a capture again': drawn('a > b: 1 | a > c: 2 | b > e: 3 | b > d: 4', 'a sets, b sets, d reads'),
  'a message': flow(
    { ask: asking, desk: transfer({ transferPlan: { message: 'I pass on {{order}}.' } }) },
    'ask > desk',
  ),
  // The node after the line has another predecessor, too.
  'a line in passing': sketch('a > s: 1 | a > b: 2 | s > b | a > c: 3 | b > c', { s: line }),
  // An assistant that a call returns to decides by an earlier capture.
  'a return': sketch('a > b: has said it | b > c: {{x}} fits | c > b: does not fit', {
    b: { systemPrompt: 'Ask for x.', ...captures('x') },
    c: { systemPrompt: 'Offer {{x}}.' },
  }),
};
