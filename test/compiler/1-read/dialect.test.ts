import { describe, expect, it } from 'vitest';
import { detectDialect } from '../../../src/compiler/1-read/dialect.js';
import { end, request, transfer, workflow } from '../build.js';

const node = { id: 'a', type: 'conversation', systemPrompt: 'A' };
const dialect = (document: Record<string, unknown>) => detectDialect(document as never);
const ofNode = (fields: object) => dialect({ nodes: [node, fields], edges: [] });
const ofEdge = (edge: object) => dialect({ nodes: [node], edges: [{ from: 'a', to: 'a' }, edge] });

describe('detectDialect', () => {
  it('knows the shape of spec/3 by what is missing', () => {
    const document = workflow({
      nodes: { a: 'A', t: request({ name: 'Look up' }), x: transfer(), stop: end },
      edges: ['a > t: x', 't > x', 'a > stop'],
    });
    expect(dialect(document)).toEqual({ dialect: 'spec', sign: null });
    expect(dialect({})).toEqual({ dialect: 'spec', sign: null });
    expect(dialect({ nodes: 'x', edges: 7 })).toEqual({ dialect: 'spec', sign: null });
    expect(dialect({ nodes: [null, 7], edges: [[]] })).toEqual({ dialect: 'spec', sign: null });
  });

  it.each([
    'prompt',
    'messagePlan',
    'variableExtractionPlan',
    'globalNodePlan',
    'toolId',
    'isStart',
  ])('knows an export by the field `%s` of a node', (field) => {
    expect(ofNode({ ...node, [field]: {} })).toMatchObject({
      dialect: 'vapi',
      sign: { at: `/nodes/1/${field}` },
    });
  });

  it.each(['tool', 'start', 'Say', 'Gather', 'Hangup', 'ApiRequest'])(
    'knows an export by the type `%s`',
    (type) => {
      expect(ofNode({ id: 'b', type })).toMatchObject({
        dialect: 'vapi',
        sign: { at: '/nodes/1/type' },
      });
    },
  );

  it('knows an export by nodes that have a name for an id', () => {
    expect(ofNode({ name: 'b', type: 'conversation' })).toMatchObject({ dialect: 'vapi' });
    expect(ofNode({ type: 'conversation' }).dialect).toBe('spec');
  });

  it('knows an export by its edges', () => {
    expect(ofEdge({ from: 'a', to: 'a', condition: { type: 'ai', prompt: 'x' } })).toMatchObject({
      dialect: 'vapi',
      sign: { at: '/edges/1/condition' },
    });
    expect(ofEdge({ source: 'a', target: 'a' }).dialect).toBe('vapi');
    expect(ofEdge({ from: 'a', to: 'a', condition: {} }).dialect).toBe('spec');
  });

  it('knows a workflow in a wrapper', () => {
    expect(dialect({ workflow: { nodes: [] } })).toMatchObject({
      dialect: 'vapi',
      sign: { at: '/workflow' },
    });
    expect(dialect({ workflow: {}, nodes: [] }).dialect).toBe('spec');
  });
});
