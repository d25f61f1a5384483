/** Pointers as a person reads them. */
import { describe, expect, it } from 'vitest';
import { createPlaces, placeLink, placeList } from '../../../src/report/page/places.js';
import { viewSquad } from '../../../src/report/page/squad-view.js';

const workflow = {
  workflow: { nodes: [{ id: 'a', name: 'Hello' }, { id: 'b' }], edges: [{ from: 'a', to: 'b' }] },
  nodes: [{ id: '' }],
  edges: [{}],
};
const tools = [{ type: 'handoff', destinations: [{ assistantName: 'second' }] }];
const squad = { members: [{ assistant: { name: 'first', model: { tools } } }] };
const { source, output } = createPlaces(workflow, viewSquad(squad));

describe('a place', () => {
  it('of the workflow is named by its node or edge', () => {
    expect(source('/workflow/nodes/0/systemPrompt')).toEqual({
      pointer: '/workflow/nodes/0/systemPrompt',
      owner: '/workflow/nodes/0',
      label: 'Hello',
    });
    expect(source('/workflow/nodes/1')).toMatchObject({ label: 'b' });
    expect(source('/workflow/edges/0/condition')).toMatchObject({ label: 'Hello → b' });
    expect(source('/nodes/0')).toMatchObject({ owner: '/nodes/0', label: 'a node' });
    expect(source('/edges/0')).toMatchObject({ label: '? → ?' });
    expect(source('/voice')).toEqual({ pointer: '/voice', owner: null, label: '' });
    expect(source('')).toMatchObject({ owner: null, label: 'the workflow' });
  });

  it('of the squad is named by its member or its handoff', () => {
    expect(output('/members/0/assistant/name')).toMatchObject({
      owner: '/members/0',
      label: 'first',
    });
    const way = '/members/0/assistant/model/tools/0/destinations/0';
    expect(output(`${way}/description`)).toMatchObject({ owner: way, label: 'first → second' });
    expect(output('/members/1')).toMatchObject({ owner: null, label: '' });
  });

  it('is a link where the pictures have it', () => {
    expect(placeLink(source('/workflow/nodes/1')).toString()).toContain(
      'data-links="/workflow/nodes/1"',
    );
    expect(placeLink(source('/voice')).toString()).not.toContain('<a');
  });

  it('is no link where there is no picture', () => {
    const drawn = { workflow: false, squad: true };
    const places = createPlaces(workflow, viewSquad(squad), drawn);
    expect(places.source('/workflow/edges/0')).toMatchObject({ owner: null, label: 'Hello → b' });
    expect(placeLink(places.source('/workflow/edges/0')).toString()).not.toContain('<a');
    expect(placeLink(places.output('/members/0')).toString()).toContain('<a');
  });

  it('is one of so many in a list', () => {
    const many = Array.from({ length: 30 }, () => source('/voice'));
    expect(placeList(many).toString()).toContain('and 10 more');
  });
});
