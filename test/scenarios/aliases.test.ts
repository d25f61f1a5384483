/** What a node derives is nobody's to say. */
import { expect, it } from 'vitest';
import { planned } from './planned.js';

const workflow = {
  name: 'Desk',
  nodes: [
    {
      name: 'desk',
      type: 'conversation',
      isStart: true,
      prompt: 'Ask who calls.',
      variableExtractionPlan: {
        schema: { type: 'object', properties: { first: { type: 'string' } } },
        aliases: [
          { key: 'full', value: '{{first}} of {{company}}' },
          { key: 'first', value: '{{first | upcase}}' },
        ],
      },
    },
    { name: 'booking', type: 'conversation', prompt: 'Book for {{full}} alias {{first}}.' },
  ],
  edges: [{ from: 'desk', to: 'booking', condition: { type: 'ai', prompt: 'wants a room' } }],
};

it('leaves aliases out of what the caller says, and has what they are made of', () => {
  const [script, ...others] = planned(workflow, { dynamicVariables: ['company'] })!.scripts;
  expect(others).toEqual([]);
  const said = script!.turns.flatMap(({ says }) => says.map(({ capture }) => capture));
  expect(said.map(({ name }) => name)).toEqual(['first']);
  expect(said.every(({ alias }) => alias === undefined)).toBe(true);
  expect([...script!.supplied.keys()]).toEqual(['company']);
});
