import { describe, expect, it } from 'vitest';
import { findRequest, findSetter, objectToTool } from '../../../src/compiler/names/find-request.js';
import { flowGraph, parsed, request, setter } from '../build.js';

const nodes = {
  start: 'Greet.',
  bills: { ...setter('amount', 'due'), name: 'lookup' },
  lookup: setter('status'),
  dead: setter('amount'),
};
const plan = { nodes, edges: ['start > bills', 'bills > lookup', 'dead > dead'] };

describe('findRequest', () => {
  it('goes by id before it goes by name', () => {
    const source = parsed(plan);
    expect(findRequest(source, 'lookup')?.id).toBe('lookup');
    expect(findRequest(source, 'bills')?.id).toBe('bills');
    expect(findRequest(source, 'start')).toBeUndefined();
    const named = parsed({ nodes: { ...nodes, lookup: request({ name: 'status' }) } });
    expect(findRequest(named, 'status')?.id).toBe('lookup');
  });
});

describe('findSetter', () => {
  const graph = flowGraph(plan);
  const find = (...names: string[]) => findSetter(graph.workflow, graph.order, names);

  it('names the one reachable request that sets all of them', () => {
    expect(find('status')).toBe('lookup');
    expect(find('amount', 'due')).toBe('bills');
    expect(find('amount', 'status')).toBeNull();
  });

  it('names none of several', () => {
    const twice = flowGraph({ nodes, edges: ['start > bills', 'bills > lookup', 'lookup > dead'] });
    expect(findSetter(twice.workflow, twice.order, ['amount'])).toBeNull();
  });
});

describe('objectToTool', () => {
  const graph = flowGraph(plan);
  const object = (tool: string, ...names: string[]) =>
    objectToTool(graph.workflow, graph.order, names, { tool });

  it('takes a request that sets the variables, and a tool that is to be provided', () => {
    expect(object('bills', 'amount', 'due')).toBeNull();
    expect(object('confirm', 'amount')).toBeNull();
  });

  it('objects to a request that does not set them or is never called', () => {
    expect(object('lookup', 'status', 'amount')).toContain('does not set');
    expect(object('dead', 'amount')).toContain('no call can reach');
  });
});
