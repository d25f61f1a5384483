import { describe, expect, it } from 'vitest';
import { compileVapi, toolsOf } from './vapi-documents.js';

/** What is sent for a request with these headers and this body. */
function sent(parts: { headers?: object; body?: object }) {
  const workflow = {
    name: 'One request',
    nodes: [
      { id: 'a', type: 'conversation', systemPrompt: 'A' },
      { id: 'call', type: 'apiRequest', url: 'https://a.example.com', method: 'POST', ...parts },
    ],
    edges: [{ from: 'a', to: 'call' }],
  };
  const answers = { policies: { 'missing-auth': 'none' } };
  const [tool] = toolsOf(compileVapi(workflow, { answers }).document, 'a');
  const { headers, body, parameters } = tool ?? {};
  return { headers, body, parameters };
}

const bodyOf = (property: object) => ({
  body: { type: 'object', properties: { x: property } },
});

describe('a body', () => {
  it('that is a schema goes through, whatever the order of its keys', () => {
    const x = { type: 'string', description: 'X', pattern: '^a', format: 'email', title: 'T' };
    const body = { type: 'object', properties: { x }, required: ['x'] };
    expect(sent({ body }).body).toEqual(body);
    const turned = { required: ['x'], properties: { x }, type: 'object' };
    expect(JSON.stringify(sent({ body: turned }))).toBe(JSON.stringify(sent({ body })));
  });

  it('without properties is a schema still', () => {
    expect(sent({ body: { type: 'object' } }).body).toEqual({ type: 'object' });
    expect(sent({ body: { type: 'object', colour: 'red' } }).parameters).toEqual([
      { key: 'colour', value: 'red' },
      { key: 'type', value: 'object' },
    ]);
  });

  it.each([
    [{ type: 'integer', minimum: 1, maximum: 9 }, 'integer', '(maximum: 9, minimum: 1)'],
    [{ type: ['null', 'boolean'], default: true }, 'boolean', '(default: true)'],
    [{ description: 'X', enum: [1, 2] }, 'string', 'X (enum: [1,2])'],
    [{ type: 'string', format: 'binary' }, 'string', '(format: "binary")'],
    [{ type: 'date', additionalProperties: false }, 'string', undefined],
  ])('tells what the platform has no keyword for: %j', (property, type, description) => {
    const x = description === undefined ? { type } : { type, description };
    expect(sent(bodyOf(property)).body).toEqual({ type: 'object', properties: { x } });
  });

  it('has no model fill in what is fixed', () => {
    const only = sent(bodyOf({ type: 'string', const: 'phone' }));
    expect(only.body).toBeUndefined();
    expect(only.parameters).toEqual([{ key: 'x', value: 'phone' }]);
    const inner = { type: 'object', properties: { y: { type: 'number', value: 7 } } };
    expect(sent(bodyOf(inner)).body).toEqual({
      type: 'object',
      properties: {
        x: { type: 'object', properties: { y: { type: 'number', enum: ['7'] } } },
      },
    });
  });

  it('that is empty is none', () => {
    expect(sent({ body: {} }).parameters).toBeUndefined();
    expect(sent({ body: { nothing: null } }).parameters).toBeUndefined();
  });
});

describe('headers', () => {
  it('of a schema have one value where the schema gives one', () => {
    const properties = {
      A: { type: 'string', value: 'a' },
      B: { type: 'string', default: 'b' },
      C: { type: 'string', description: 'up to the model' },
      valueOf: { const: 'c' },
    };
    expect(sent({ headers: { type: 'object', properties } }).headers).toEqual({
      type: 'object',
      properties: {
        A: { type: 'string', enum: ['a'] },
        B: { type: 'string', enum: ['b'] },
        C: { type: 'string', description: 'up to the model' },
        valueOf: { type: 'string', enum: ['c'] },
      },
    });
  });
});
