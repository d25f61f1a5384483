import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/index.js';
import { squadPicture } from '../../../src/report/graph/squad-picture.js';
import { runs, seed } from '../../seed.js';
import { compiledPictures, goldenWorkflow } from './compiled-pictures.js';

const steps = (picture: ReturnType<typeof squadPicture>) =>
  picture?.edges.map(({ from, to, label }) => {
    const name = (id: string) => picture.nodes.find((node) => node.id === id)?.label;
    return `${name(from)} -> ${name(to)}: ${label}`;
  });

const squadOf = (...members: Json[]): Json => ({ members });
const member = (name: string, ...tools: Json[]): Json => ({
  assistant: { name, model: { tools } },
});
const handoff = (assistantName: string, description: string): Json => ({
  type: 'handoff',
  destinations: [{ type: 'assistant', assistantName, description }],
});

describe('the picture of a squad', () => {
  it.each(['squad', 'vapi'] as const)('is the same graph in the shape %s', (target) => {
    const { squad } = compiledPictures(goldenWorkflow('global-transfer'), { target });
    expect(steps(squad)?.sort()).toEqual([
      'damage -> +493012345678: the damage cannot wait; or there is fire or water damage right now',
      'damage -> end of call: ',
      'intake -> +493012345678: there is fire or water damage right now',
      'intake -> damage: something is broken',
      'intake -> rent: it is about the rent',
      'rent -> +493012345678: there is fire or water damage right now',
      'rent -> end of call: ',
    ]);
  });

  it('draws once what all other assistants have', () => {
    const { squad } = compiledPictures(goldenWorkflow('global-conversation'));
    expect(steps(squad)?.filter((step) => step.includes('opening-hours:'))).toEqual([
      'any assistant -> opening-hours: the caller asks when the shop is open',
    ]);
    const folded = squad.edges.find(({ from }) => from === '#anywhere');
    expect(folded?.pointers).toHaveLength(3);
  });

  it('folds transfers of all assistants, but not those of some', () => {
    const transfer = (description: string): Json => ({
      type: 'transferCall',
      destinations: [{ type: 'number', number: '+491', description }],
    });
    const members = (...last: Json[]) =>
      squadPicture(
        squadOf(
          ...['a', 'b', 'c'].map((name) => member(name, transfer('on fire'))),
          member('d', ...last),
        ),
      );
    expect(steps(members(transfer('on fire')))).toEqual(['any assistant -> +491: on fire']);
    expect(steps(members(transfer('flooded')))).toHaveLength(4);
  });

  it('says where a handoff leads out of the squad', () => {
    const picture = squadPicture(
      squadOf(
        member('a', handoff('b', 'x'), handoff('elsewhere', 'y'), {
          type: 'handoff',
          destinations: [{ type: 'dynamic', server: {} }],
        }),
        member('b'),
      ),
    );
    expect(steps(picture)).toEqual(['a -> b: x', 'a -> elsewhere: y', 'a -> handoff: ']);
    expect(picture?.nodes.map(({ caption }) => caption)).toEqual([
      'assistant',
      'not in this squad',
      'dynamic',
      'assistant',
    ]);
  });

  it('knows saved assistants, overrides and the platform’s shorthand', () => {
    const picture = squadPicture(
      squadOf(
        {
          assistantId: 'id-1',
          assistantOverrides: { 'tools:append': [handoff('b', 'added')] },
          assistantDestinations: [{ type: 'assistant', assistantName: 'b', description: 'short' }],
        },
        { assistantId: 'id-2', assistantOverrides: { name: 'b' } },
      ),
    );
    expect(steps(picture)).toEqual(['id-1 -> b: added', 'id-1 -> b: short']);
    expect(picture?.nodes[0]?.caption).toBe('saved assistant');
  });

  it('is there for any members, and for nothing else', () => {
    expect(squadPicture(goldenWorkflow('worked-pattern'))).toBeNull();
    expect(squadPicture({ members: 3 })).toBeNull();
    const key = fc.constantFrom(
      ...['members', 'squad', 'assistant', 'model', 'tools', 'destinations', 'type', 'handoff'],
      ...['transferCall', 'assistantName', 'description', 'endCall', '__proto__', 'constructor'],
    );
    const { value } = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 8 },
        fc.constantFrom<Json>(null, 1, 'handoff', 'transferCall', '__proto__'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 4 }), (members) => {
        const picture = squadPicture({ squad: { members } })!;
        const ids = new Set(picture.nodes.map(({ id }) => id));
        expect(ids.size).toBe(picture.nodes.length);
        for (const { from, to } of picture.edges)
          expect([ids.has(from), ids.has(to)]).toEqual([true, true]);
      }),
      { seed, numRuns: runs(200) },
    );
  });
});
