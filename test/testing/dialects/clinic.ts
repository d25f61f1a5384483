/** A workflow with one of everything that a dialect can hold. */
import type { SpecWorkflow } from '../../../src/testing/index.js';

export const clinic: SpecWorkflow = {
  name: 'Clinic',
  voice: { provider: 'acme', voiceId: 'v1' },
  nodes: [
    {
      id: 'a',
      type: 'conversation',
      name: 'Greeting',
      firstMessage: 'Hi.',
      systemPrompt: 'Greet.',
    },
    {
      id: 'b',
      type: 'gather',
      systemPrompt: 'Ask.',
      extractVariables: [
        { name: 'tier', type: 'string', description: 'the tier', enum: ['gold', 'silver'] },
        { name: 'age', type: 'number', description: 'the age' },
      ],
    },
    {
      id: 'c',
      type: 'apiRequest',
      name: 'find_slot',
      url: 'https://api.example.com/slots',
      method: 'POST',
      headers: { Authorization: 'Bearer {{token}}' },
      body: { type: 'object', properties: { age: { type: 'number' } } },
      timeoutSeconds: 20,
      responseVariables: [{ name: 'slot', type: 'string', description: 'a time', path: 'data.at' }],
    },
    {
      id: 'd',
      type: 'transferCall',
      isGlobal: true,
      condition: 'the caller wants a human',
      destination: '+14155550100',
      transferPlan: { message: 'One moment.' },
    },
    { id: 'e', type: 'endCall', firstMessage: 'Goodbye.' },
    { id: 'f', type: 'hangup', firstMessage: 'We are closed.' },
  ],
  edges: [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'c', condition: "tier == 'gold'" },
    { from: 'b', to: 'f', condition: 'the caller is rude' },
    { from: 'c', to: 'e' },
  ],
};
