/** Handoffs, their descriptions, and handoffs that the source does not allow. */
import { describe, expect, it } from 'vitest';
import type { SpecWorkflow } from '../../../src/testing/index.js';
import { at, damage, told } from './example.js';
import { edge, talk } from './nodes.js';

const destinations = '/squad/members/0/assistant/model/tools/0/destinations';

/** Both a and b lead to c for the same reason, so that one handoff does for the other. */
const twice: SpecWorkflow = {
  nodes: [talk('s'), talk('a'), talk('b'), talk('c'), talk('d')],
  edges: [
    's>a',
    'a>b: goes on',
    'b>a: goes back',
    'a>c: pays',
    'b>c: pays',
    'c>d',
    'a>d: leaves',
  ].map(edge),
};
const answers = { answers: { policies: { 'cyclic-stages': 'consolidate' } } };

describe('handoffs that are gone', () => {
  it('are each destination, and each tool', () => {
    expect(told('handoff-tool-dropped')).toEqual([
      'to "sales", "repair"',
      ...Array(3).fill('to "where"'),
    ]);
    expect(told('destination-dropped')).toEqual(['to "sales"', 'to "repair"']);
    expect(told('global-handoff-dropped')).toEqual(Array(3).fill('to "where"'));
  });

  it('are none that another handoff makes up for', () => {
    expect(told('handoff-tool-dropped', twice, answers)).toEqual(['to "c", "d"', 'to "d"']);
    expect(told('destination-dropped', twice, answers)).toEqual(['to "d"']);
  });
});

describe('handoffs that lead elsewhere', () => {
  it('lead to every other assistant', () => {
    const [first, second] = damage('destination-retargeted');
    expect(first?.text).toBe('"sales" became "repair"');
    expect(at(`${destinations}/0/assistantName`, [first!])).toEqual(['repair']);
    expect(second?.text).toBe('"sales" became "where"');
  });

  it('do not lead to one that says the same', () => {
    const alike = { systemPrompt: 'Help.', isGlobal: true, condition: 'needs help' };
    const workflow = {
      nodes: [talk('a'), talk('b', { systemPrompt: 'Help.' }), talk('c'), talk('g', alike)],
      edges: ['a>b: asks', 'a>c: pays'].map(edge),
    };
    const texts = told('destination-retargeted', workflow);
    expect(texts).toContain('"b" became "c"');
    expect(texts).not.toContain('"b" became "g"');
  });

  it('lead back, to nobody, or where the other one led', () => {
    expect(told('destination-to-itself')[0]).toBe('"sales" became "hello"');
    expect(told('destination-to-nobody')[0]).toBe('"sales" became "zebra"');
    expect(at(`${destinations}/0`, damage('destination-to-unknown-id'))[0]).toMatchObject({
      assistantId: 'zebra',
    });
    const [swapped] = damage('destinations-swapped');
    expect(at(`${destinations}/0/assistantName`, [swapped!])).toEqual(['repair']);
    expect(at(`${destinations}/1/assistantName`, [swapped!])).toEqual(['sales']);
  });

  it('stand in another assistant', () => {
    const [moved] = damage('handoff-tool-moved');
    expect(at('/squad/members/0/assistant/model/tools', [moved!])).toHaveLength(1);
    expect(at('/squad/members/3/assistant/model/tools', [moved!])).toMatchObject([
      [
        {
          type: 'handoff',
          destinations: [{ assistantName: 'sales' }, { assistantName: 'repair' }],
        },
      ],
    ]);
  });
});

describe('descriptions', () => {
  it('are reworded and swapped', () => {
    const reworded = damage('condition-reworded');
    expect(at(`${destinations}/0/description`, reworded)[0]).toBe('zebra to buy');
    const [swapped] = damage('conditions-swapped');
    expect(at(`${destinations}/0/description`, [swapped!])).toEqual(['wants a repair']);
    expect(at(`${destinations}/1/description`, [swapped!])).toEqual(['wants to buy']);
  });

  it('are empty or gone', () => {
    expect(at(`${destinations}/0/description`, damage('condition-emptied'))[0]).toBe('');
    expect(at(`${destinations}/0`, damage('description-dropped'))[0]).not.toHaveProperty(
      'description',
    );
  });

  it('lack one of several conditions, or have one more', () => {
    const workflow = {
      nodes: [talk('a'), talk('b'), talk('c')],
      edges: ['a>b: pays', 'a>b: complains', 'a>c', 'b>c'].map(edge),
    };
    expect(at(`${destinations}/0/description`, damage('alternative-dropped', workflow))).toEqual([
      'complains',
      'pays',
    ]);
    expect(at(`${destinations}/0/description`, damage('alternative-invented', workflow))).toEqual([
      'pays; or complains; or the caller mentions a zebra',
    ]);
  });

  it('are not swapped where the source has no conditions', () => {
    const workflow = { nodes: ['a', 'b', 'c'].map((id) => talk(id)), edges: [] };
    const open = { ...workflow, edges: ['a>b', 'a>c'].map(edge) };
    expect(told('conditions-swapped', open)).toEqual([]);
    expect(told('names-swapped', open)).not.toContain('"b" and "c"');
  });
});

describe('handoffs that the source does not allow', () => {
  it('lead where the assistant does not', () => {
    expect(told('licence-invented')).toEqual([
      '"sales" to "hello"',
      '"sales" to "repair"',
      '"repair" to "hello"',
      '"repair" to "sales"',
      '"where" to "hello"',
      '"where" to "sales"',
      '"where" to "repair"',
    ]);
    expect(told('licence-borrowed')).toContain('"where" to "sales"');
  });

  it('are there twice', () => {
    const [doubled] = damage('destination-doubled');
    expect(at(destinations, [doubled!])[0]).toHaveLength(3);
    const [second] = damage('second-at-any-time');
    expect(at('/squad/members/0/assistant/model/tools', [second!])[0]).toHaveLength(3);
  });

  it('are not there twice where each can stand for an edge of its own', () => {
    const workflow = {
      nodes: [talk('a'), talk('b'), talk('c'), talk('d')],
      edges: ['a>b', 'a>c', 'b>c: goes on', 'c>b: goes back', 'a>d: leaves'].map(edge),
    };
    expect(told('destination-doubled', workflow, answers)).toEqual(['to "d"']);
  });
});
