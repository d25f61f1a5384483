/**
 * An export of the platform whose nodes derive variables: one that is made of another, one that
 * refines what its node finds out, one that needs a value from the assistant before, and one that
 * nobody reads.
 */
export const derivingWorkflow: object = {
  name: 'Allotments',
  nodes: [
    {
      name: 'gate',
      type: 'conversation',
      isStart: true,
      prompt: 'Ask who calls, and whether it is about a garden or a bill.',
      variableExtractionPlan: {
        schema: {
          type: 'object',
          properties: { tenant: { type: 'string', description: 'the name of the tenant' } },
        },
        aliases: [{ key: 'sign', value: '{{ tenant | upcase }}' }],
      },
    },
    {
      name: 'garden',
      type: 'conversation',
      prompt: 'Ask for the row and the number.',
      variableExtractionPlan: {
        schema: {
          type: 'object',
          properties: {
            row: { type: 'string', description: 'letter of the row' },
            plot: { type: 'string', description: 'number of the plot' },
          },
        },
        aliases: [
          { key: 'row', value: '{{ row | upcase }}' },
          { key: 'place', value: '{{row}} {{plot}}' },
          { key: 'letterhead', value: '{{tenant}}\n{{place}}' },
        ],
      },
    },
    { name: 'water', type: 'conversation', prompt: 'Write to {{letterhead}} about water.' },
    { name: 'fence', type: 'conversation', prompt: 'Agree on a day in row {{row}}.' },
    { name: 'bill', type: 'conversation', prompt: 'Ask for the month.' },
  ],
  edges: [
    { from: 'gate', to: 'garden', condition: { type: 'ai', prompt: 'it is about a garden' } },
    { from: 'gate', to: 'bill', condition: { type: 'ai', prompt: 'it is about a bill' } },
    { from: 'garden', to: 'water', condition: { type: 'ai', prompt: 'the tap is dry' } },
    { from: 'garden', to: 'fence', condition: { type: 'ai', prompt: 'the fence is broken' } },
  ],
};
