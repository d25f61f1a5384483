/** Texts that answers bring, and what the target allows of the source's own. */
import { describe, expect, it } from 'vitest';
import { compile } from '../../src/index.js';

const lookup = (fields: object) => ({
  name: 'Locksmith',
  nodes: [
    { id: 'ask', type: 'conversation', systemPrompt: 'Ask for the lock.' },
    { id: 'look', type: 'apiRequest', ...fields },
  ],
  edges: [{ from: 'ask', to: 'look' }],
});
const answered = (workflow: object, id: string, choice: string, value: unknown) =>
  compile(workflow, { answers: { answers: { [id]: { choice, value } } } as never });
const codesOf = ({ diagnostics }: ReturnType<typeof compile>) =>
  diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);

describe('an answer to missing-endpoint', () => {
  it.each<[string, string, object]>([
    ['a url that does not parse', 'request', { url: 'https://x/{{', method: 'GET' }],
    [
      'a bound value that does not parse',
      'operation',
      { operation: 'bills.get', bind: { id: '{% if' } },
    ],
    [
      'a secret in plain sight',
      'request',
      { url: 'https://x', method: 'GET', headers: { Authorization: 'Bearer 123' } },
    ],
  ])('is refused with %s, and the question stays open', (_, choice, value) => {
    const result = answered(lookup({}), 'missing-endpoint:look', choice, value);
    expect(codesOf(result)).toContain('api/answer-value');
    expect(result.questions.map(({ id }) => id)).toContain('missing-endpoint:look');
    expect(JSON.stringify(result)).not.toContain('Bearer 123');
  });
});

describe('an answer to missing-destination', () => {
  it('that reads a variable is a read of it', () => {
    const workflow = {
      name: 'Locksmith',
      nodes: [
        { id: 'ask', type: 'conversation', systemPrompt: 'Ask for the lock.' },
        { id: 'call', type: 'transferCall' },
      ],
      edges: [{ from: 'ask', to: 'call' }],
    };
    const result = answered(workflow, 'missing-destination:call', 'sip', 'sip:{{agent}}@x.example');
    expect(result.questions.map(({ id }) => id)).toEqual(['undefined-variable:agent']);
  });
});

describe('a transfer number', () => {
  const workflow = (destination: string) => ({
    name: 'Locksmith',
    nodes: [
      { id: 'ask', type: 'conversation', systemPrompt: 'Ask for the lock.' },
      { id: 'call', type: 'transferCall', destination },
    ],
    edges: [{ from: 'ask', to: 'call' }],
  });

  it.each(['11', '+'.padEnd(41, '1')])(
    'of the wrong length is an error for target vapi: %s',
    (number) => {
      const result = compile(workflow(number), { target: 'vapi' });
      const [fault] = result.diagnostics.filter(({ severity }) => severity === 'error');
      expect(fault).toMatchObject({ code: 'shape/wrong-type', at: '/nodes/1/destination' });
      expect(compile(workflow(number)).status).toBe('complete');
    },
  );
});
