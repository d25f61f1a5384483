/** What handoffs carry. */
import { describe, expect, it } from 'vitest';
import type { Mutation } from '../../../src/testing/mutants/mutant.js';
import { at, damage, told } from './example.js';

const destinations = '/squad/members/0/assistant/model/tools/0/destinations';
const properties = (made: Mutation[]) =>
  at(`${destinations}/0/variableExtractionPlan/schema/properties`, made);
const required = (made: Mutation[]) =>
  at(`${destinations}/0/variableExtractionPlan/schema/required`, made);

describe('plans', () => {
  it('are gone, or elsewhere', () => {
    expect(told('plan-dropped')).toEqual(['to "sales"']);
    expect(told('plan-moved')).toEqual(['from "sales" to "repair"', 'from "sales" to "where"']);
    expect(told('plans-swapped')).toEqual([]);
  });

  it('stand where none belongs, with a variable that the source knows', () => {
    expect(told('plan-invented')[0]).toBe('"size" to "repair"');
  });

  it('lose, gain and rename variables', () => {
    const [lost] = damage('plan-property-dropped');
    expect(Object.keys(properties([lost!])[0] as object)).toEqual(['budget']);
    expect(required([lost!])).toEqual([['budget']]);
    expect(required(damage('plan-property-added'))).toEqual([['size', 'budget', 'day']]);
    expect(required(damage('plan-property-renamed'))[0]).toEqual(['budget', 'zebra']);
    expect(required(damage('plan-property-optional'))).toEqual([['budget'], ['size']]);
  });

  it('say something else of a variable', () => {
    const [size, budget] = damage('plan-property-retyped');
    expect(properties([size!])[0]).toMatchObject({ size: { type: 'number' } });
    expect(properties([budget!])[0]).toMatchObject({ budget: { type: 'string' } });
    expect(properties(damage('plan-description-changed'))[0]).toMatchObject({
      size: { description: 'zebra of the frame' },
    });
    expect(properties(damage('plan-enum-changed'))).toMatchObject([{ size: { enum: ['l'] } }]);
    expect(properties(damage('plan-enum-dropped'))[0]).toMatchObject({
      size: expect.not.objectContaining({ enum: expect.anything() }),
    });
    expect(at(`${destinations}/0/variableExtractionPlan/aliases`, damage('plan-alias-invented'))[0])
      // The value of the variable is overwritten.
      .toEqual([{ key: 'size', value: 'zebra' }]);
  });

  it('go with another part of the conversation', () => {
    const place = `${destinations}/0/contextEngineeringPlan`;
    expect(at(place, damage('context-changed'))[0]).toEqual({ type: 'none' });
    expect(at(place, damage('context-dropped'))[0]).toBeUndefined();
  });
});
