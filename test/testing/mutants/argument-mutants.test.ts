/** Arguments that handoffs demand. */
import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../../src/index.js';
import { at, damage, shop, told } from './example.js';

const passing: CompileOptions = { target: 'vapi', pass: 'arguments' };
const handoff = '/members/0/assistant/model/tools/0';
const parameters = `${handoff}/function/parameters`;
const plan = `${handoff}/destinations/0/variableExtractionPlan`;
const size = { type: 'string', description: 'size of the frame', enum: ['s', 'l'] };
const budget = { type: 'number', description: 'what it may cost' };
const destination = { type: 'string', enum: ['sales'] };

const damaged = (name: string, place: string) => at(place, damage(name, shop, passing));

describe('arguments', () => {
  it('may be left out, or are not asked for', () => {
    expect(damaged('argument-optional', parameters)[0]).toEqual({
      type: 'object',
      properties: { destination, size, budget },
      required: ['destination', 'budget'],
    });
    expect(damaged('argument-dropped', parameters)[1]).toEqual({
      type: 'object',
      properties: { destination, size },
      required: ['destination', 'size'],
    });
  });

  it('are something else', () => {
    expect(damaged('argument-retyped', `${parameters}/properties/size/type`)[0]).toBe('number');
    const [described] = damaged('argument-redescribed', `${parameters}/properties/size`);
    expect(described).toEqual({ ...size, description: expect.stringContaining('zebra') });
  });

  it('are one more, which nobody reads', () => {
    expect(damaged('argument-added', `${parameters}/required`)[0]).toEqual([
      'destination',
      'size',
      'budget',
      'day',
    ]);
  });

  it('stand in the plan, which may fail', () => {
    expect(damaged('argument-to-plan', parameters)[0]).toEqual({
      type: 'object',
      properties: { destination, budget },
      required: ['destination', 'budget'],
    });
    expect(damaged('argument-to-plan', plan)[0]).toEqual({
      schema: { type: 'object', properties: { size }, required: ['size'] },
    });
  });

  it('are what a plan should carry', () => {
    const mutants = damage('plan-to-arguments', shop, { target: 'vapi' });
    expect(mutants.map(({ text }) => text)).toEqual(['"size", "budget" to "sales"']);
    expect(at(plan, mutants)).toEqual([undefined]);
    expect(at(parameters, mutants)).toEqual([
      {
        type: 'object',
        properties: { destination, size, budget },
        required: ['destination', 'size', 'budget'],
      },
    ]);
    expect(told('plan-to-arguments')).toEqual([]);
    expect(told('plan-to-arguments', shop, passing)).toEqual([]);
  });
});
