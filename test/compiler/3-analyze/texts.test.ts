import { describe, expect, it } from 'vitest';
import {
  listAllTexts,
  listBuiltUpon,
  readsInto,
  visitAliases,
  visitTexts,
} from '../../../src/compiler/3-analyze/texts.js';
import type { Text, WorkflowNode } from '../../../src/compiler/ir/workflow.js';
import { capturing, flowGraph, node as indexOf, request, transfer } from '../build.js';

const graph = flowGraph({
  nodes: {
    a: { ...capturing('x'), firstMessage: 'First.', systemPrompt: 'Prompt.' },
    t: request({ body: { say: 'Body.' } }),
    bye: transfer({ message: 'Bye.' }),
  },
  edges: ['a > t: 1', 'a > bye: 2'],
});
const nodeOf = (id: string): WorkflowNode => graph.workflow.nodes[indexOf(graph, id)]!;
const text = (value: string, ...names: string[]): Text => ({
  value,
  at: '',
  uses: names.map((name) => ({ name, nested: value.includes(`${name}.`), start: 0, end: 0 })),
});

/** The node with an alias of this key, which reads these variables, behind its captures. */
function withAlias(node: WorkflowNode, name: string, ...reads: string[]): WorkflowNode {
  const [capture] = nodeOf('a').captures;
  const alias = { ...capture!, name, alias: text('Alias.', ...reads) };
  return { ...node, captures: [...node.captures, alias] };
}

function visited(visit: typeof visitTexts, node: WorkflowNode): string[] {
  const found: string[] = [];
  visit(node, ({ value }) => found.push(value));
  return found;
}

describe('the texts of a node', () => {
  it('are read on entry in this order, descriptions last', () => {
    const said = nodeOf('a').captures[0]!.description!.value;
    expect(visited(visitTexts, nodeOf('a'))).toEqual(['First.', 'Prompt.', said]);
    expect(visited(visitTexts, nodeOf('t'))).toContain('Body.');
    expect(visited(visitTexts, nodeOf('bye'))).toEqual(['+14155550100']);
  });

  it('are read by aliases when the call is handed over', () => {
    const node = withAlias(nodeOf('a'), 'y', 'x');
    expect(visited(visitTexts, nodeOf('a'))).not.toContain('Alias.');
    expect(visited(visitAliases, node)).toEqual(['Alias.']);
    expect(
      listAllTexts(node)
        .map(({ value }) => value)
        .at(-1),
    ).toBe('Alias.');
  });

  it('say whether they read into a variable', () => {
    expect(readsInto(text('{{x}}', 'x'))).toBe(false);
    expect(readsInto(text('{{x}} {{y.z}}', 'x', 'y'))).toBe(true);
  });
});

describe('listBuiltUpon', () => {
  it('lists keys of aliases that read themselves, where the node does not find them out', () => {
    expect(listBuiltUpon(nodeOf('a'))).toEqual([]);
    expect(listBuiltUpon(withAlias(nodeOf('a'), 'y', 'x'))).toEqual([]);
    expect(listBuiltUpon(withAlias(nodeOf('a'), 'y', 'y'))).toEqual(['y']);
    expect(listBuiltUpon(withAlias(nodeOf('a'), 'x', 'x'))).toEqual([]);
  });
});
