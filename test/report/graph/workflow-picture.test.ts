import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/index.js';
import { workflowPicture } from '../../../src/report/graph/workflow-picture.js';
import { compiledPictures, goldenWorkflow } from './compiled-pictures.js';

const brief = (picture: ReturnType<typeof workflowPicture>) =>
  picture?.nodes.map(({ id, label, caption, kind, isStart, isGlobal, groups }) =>
    [
      id,
      label,
      caption,
      kind,
      isStart ? 'start' : '',
      isGlobal ? 'global' : '',
      groups.join('+'),
    ].join('|'),
  );

describe('the picture of a workflow', () => {
  it('has its nodes by assistant, and one way from anywhere into a global node', () => {
    const { workflow } = compiledPictures(goldenWorkflow('global-transfer'));
    expect(brief(workflow)).toEqual([
      '/nodes/0|intake|conversation|talk|start||0',
      '/nodes/1|damage|conversation|talk|||1',
      '/nodes/2|rent|conversation|talk|||2',
      '/nodes/3|emergency|transferCall|exit||global|0+1+2',
      '/nodes/4|bye|endCall|exit|||1+2',
      '#anywhere|any node||anywhere|||',
    ]);
    expect(
      workflow.edges.map(({ from, to, label, pointers }) => [from, to, label, pointers]),
    ).toEqual([
      ['/nodes/0', '/nodes/1', 'something is broken', ['/edges/0']],
      ['/nodes/0', '/nodes/2', 'it is about the rent', ['/edges/1']],
      ['/nodes/1', '/nodes/4', '', ['/edges/2']],
      ['/nodes/1', '/nodes/3', 'the damage cannot wait', ['/edges/3']],
      ['/nodes/2', '/nodes/4', '', ['/edges/4']],
      ['#anywhere', '/nodes/3', 'there is fire or water damage right now', ['/nodes/3/condition']],
    ]);
    expect(workflow.groups).toEqual(['intake', 'damage', 'rent']);
    expect(workflow.title).toBe('Housing association');
  });

  it('has the ids and places of a platform export', () => {
    const { workflow } = compiledPictures(goldenWorkflow('vapi-export'));
    const source = goldenWorkflow('vapi-export') as { nodes: { name: string }[] };
    const drawn = workflow.nodes.filter(({ kind }) => kind !== 'anywhere');
    for (const { id, label } of drawn) {
      expect(source.nodes[Number(id.slice('/nodes/'.length))]?.name).toBe(label);
    }
    expect(drawn).toHaveLength(source.nodes.length);
    expect(drawn[0]?.isStart).toBe(true);
  });

  it('has the first words of a node beside an id that a program made up', () => {
    const { workflow } = compiledPictures(goldenWorkflow('vapi-names-of-programs'));
    expect(workflow.nodes.map(({ label }) => label)).toContain(
      'conversation_1748494071999 (Ask what the guest would like…)',
    );
  });

  it('is drawn without assistants where nothing is known of them', () => {
    const picture = workflowPicture(goldenWorkflow('worked-pattern'));
    expect(picture?.nodes.every(({ groups }) => groups.length === 0)).toBe(true);
    expect(picture?.groups).toEqual([]);
  });

  it('keeps parallel edges and loops', () => {
    const node = (id: string) => ({ id, type: 'conversation', systemPrompt: id });
    const edge = (from: string, to: string, condition: string) => ({ from, to, condition });
    const picture = workflowPicture({
      nodes: [node('a'), node('b')],
      edges: [edge('a', 'b', 'x'), edge('b', 'b', 'again'), edge('a', 'b', 'y')],
    });
    const labels = picture?.edges.map(({ id, from, to, label }) => [id, from, to, label]);
    expect(labels?.sort()).toEqual([
      ['/edges/0', '/nodes/0', '/nodes/1', 'x'],
      ['/edges/1', '/nodes/1', '/nodes/1', 'again'],
      ['/edges/2', '/nodes/0', '/nodes/1', 'y'],
    ]);
  });

  it('marks the start that an answer names, and none where nobody has said', () => {
    const workflow = goldenWorkflow('ambiguous-start-open');
    const starts = (start: string | null) =>
      workflowPicture(workflow, { ledger: [], assistants: [], start })?.nodes.flatMap((node) =>
        node.isStart ? node.label : [],
      );
    expect(starts(null)).toEqual([]);
    const [{ id }] = (workflow as { nodes: [{ id: string }] }).nodes;
    expect(starts(id)).toEqual([id]);
  });

  it.each<[string, Json]>([
    ['nothing', null],
    ['a list', []],
    ['no nodes', { nodes: [], edges: [] }],
    [
      'an edge to nowhere',
      { nodes: [{ id: 'a', type: 'hangup' }], edges: [{ from: 'a', to: 'b' }] },
    ],
  ])('is not there for %s', (_, workflow) => {
    expect(workflowPicture(workflow)).toBeNull();
  });
});
