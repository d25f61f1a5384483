import { describe, expect, it } from 'vitest';
import { linksBetween } from '../../../src/report/graph/links.js';
import { compiledFacts, compiledPictures, goldenWorkflow } from './compiled-pictures.js';

function linksOf(name: string) {
  const workflow = goldenWorkflow(name);
  const pictures = compiledPictures(workflow);
  const links = linksBetween(
    pictures.workflow,
    pictures.squad,
    compiledFacts(workflow).facts.ledger,
  );
  return { pictures, of: (id: string) => [...(links.get(id) ?? [])].sort() };
}

describe('what belongs together in both pictures', () => {
  it('is a node and its assistant, an edge and its destination', () => {
    const { of } = linksOf('worked-pattern');
    expect(of('/nodes/0')).toEqual(['/squad/members/0']);
    expect(of('/squad/members/0')).toEqual(['/edges/0', '/nodes/0', '/nodes/1']);
    expect(of('/edges/1')).toEqual(['/squad/members/0/assistant/model/tools/0/destinations/0']);
  });

  it('is the end of the call, with the edges that lead there', () => {
    const { of } = linksOf('worked-pattern');
    expect(of('/nodes/4')).toEqual(['/squad/members/1#end', '/squad/members/2#end']);
    expect(of('/edges/3')).toEqual(['/squad/members/1#ends']);
  });

  it('is a transfer and all tools that it became', () => {
    const { of } = linksOf('global-transfer');
    const tool = (member: number, at: number) =>
      `/squad/members/${member}/assistant/model/tools/${at}/destinations/0`;
    const tools = [tool(0, 1), tool(1, 0), tool(2, 0)];
    expect(of('/nodes/3')).toEqual(tools.flatMap((it) => [it, `${it}#to`]));
    expect(of('/nodes/3#anywhere')).toEqual(of('/nodes/3'));
  });

  it('is a global node’s way in, and the handoff that is drawn once', () => {
    const { of } = linksOf('global-conversation');
    expect(of('/nodes/3#anywhere')).toHaveLength(1);
    expect(of(of('/nodes/3#anywhere')[0]!)).toContain('/nodes/3#anywhere');
  });

  it.each(['worked-pattern', 'global-transfer', 'global-conversation', 'vapi-export', 'ivr-tree'])(
    'is known for every element of %s that is there on both sides',
    (name) => {
      const { pictures, of } = linksOf(name);
      const elements = [...pictures.workflow.nodes, ...pictures.workflow.edges];
      const unlinked = elements.filter(({ id }) => of(id).length === 0).map(({ id }) => id);
      expect(unlinked.filter((id) => id !== '#anywhere')).toEqual([]);
    },
  );
});
