import { describe, expect, it } from 'vitest';
import { readDocument, readNodes } from './read.js';

const nodes = [
  { name: 'a', type: 'conversation', prompt: 'A' },
  { name: 'b', type: 'conversation', prompt: 'B' },
];

describe('a document of the platform', () => {
  it('may be wrapped, and keeps its places', () => {
    const { workflow } = readDocument({ workflow: { name: 'W', nodes, edges: [] } });
    expect(workflow).toMatchObject({ at: '/workflow', name: 'W', dialect: 'vapi' });
    expect(workflow?.nodes[1]?.at).toBe('/workflow/nodes/1');
  });

  it('may lack a name and edges', () => {
    expect(readDocument({ nodes }).told).toEqual(['shape/no-name ', 'shape/no-edges ']);
  });

  it('has settings that all assistants share', () => {
    const { workflow, told } = readDocument({
      ...{ name: 'W', nodes, edges: [], id: 'w-1', orgId: 'o', createdAt: 'x', updatedAt: 'y' },
      ...{
        maxDurationSeconds: 60,
        server: { url: 'https://a.example' },
        voice: { provider: 'azure' },
      },
    });
    expect(told).toEqual([]);
    expect(workflow?.shared.map(({ key }) => key)).toEqual(['maxDurationSeconds', 'server']);
    expect(workflow?.absorbed).toHaveLength(4);
  });

  it('joins nodes by id or by name, and tells ends that lead nowhere', () => {
    const ids = nodes.map((node, index) => ({ ...node, id: `n${index}` }));
    const { workflow } = readNodes(ids, [
      { source: 'n0', target: 'n1' },
      { from: 'a', to: 'b' },
    ]);
    expect(workflow?.edges.map(({ from, to }) => [from, to])).toEqual([
      [0, 1],
      [0, 1],
    ]);
    expect(readNodes(nodes, [{ from: 'a', to: 'c' }]).told).toEqual([
      'flow/missing-node /edges/0/to',
    ]);
    expect(readNodes([...nodes, nodes[0]!]).told).toEqual(['shape/duplicate-id /nodes/2/name']);
  });

  it('starts where the mark is, and nowhere by several marks', () => {
    const marked = (...marks: number[]) =>
      readNodes(nodes.map((node, at) => (marks.includes(at) ? { ...node, isStart: true } : node)));
    expect(marked(1).workflow?.markedStart).toBe(1);
    expect(marked(0, 1)).toMatchObject({
      workflow: { markedStart: null },
      told: ['flow/several-starts /nodes/1/isStart'],
    });
  });

  it('has no node that only marks the start', () => {
    const start = { name: 's', type: 'start' };
    const edges = [
      { from: 's', to: 'b' },
      { from: 'a', to: 's' },
      { from: 'b', to: 'a' },
    ];
    const { workflow } = readNodes([start, ...nodes], edges);
    expect(workflow?.nodes.map(({ id, index }) => [id, index])).toEqual([
      ['a', 0],
      ['b', 1],
    ]);
    expect(workflow?.edges.map(({ from, to, index }) => [from, to, index])).toEqual([
      [0, 1, 0],
      [1, 0, 1],
    ]);
    expect(workflow?.markedStart).toBe(1);
    expect(workflow?.absorbed.map(({ at }) => at)).toEqual(['/nodes/0', '/edges/0']);
  });

  it('keeps a start node that a choice leads on from', () => {
    const start = { name: 's', type: 'start' };
    const { workflow } = readNodes(
      [start, ...nodes],
      [
        { from: 's', to: 'a', condition: 'x' },
        { from: 's', to: 'b' },
      ],
    );
    expect(workflow?.nodes).toHaveLength(3);
    expect(workflow?.markedStart).toBe(0);
  });
});

describe('a document that is no workflow', () => {
  it.each([
    ['a squad', { squad: { members: [] } }],
    ['a squad', { members: [] }],
    ['an assistant', { name: 'x', model: { provider: 'openai' } }],
    ['a tool', { type: 'function', function: { name: 'x' } }],
    ['a call', { assistantId: 'a', customer: {} }],
  ])('is refused as %s', (_, document) => {
    expect(readDocument(document).told).toEqual(['shape/not-a-workflow ']);
  });
});
