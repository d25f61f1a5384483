/**
 * A workflow with what generated ones hold seldom or never: exact conditions that the platform
 * enforces, handoff arguments, time-outs, credentials, an operation of an adapter, a SIP address, an
 * assistant with several entries, plans that differ.
 */
import type { Answers } from '../../compiler/ir/answers.js';
import type { Target } from '../../compiler/ir/options.js';
import type { SpecWorkflow } from '../spec-workflow.js';

export const rareWorkflow: SpecWorkflow = {
  name: 'Removals',
  voice: { provider: 'acme', voiceId: 'calm' },
  nodes: [
    {
      id: 'desk',
      type: 'gather',
      firstMessage: 'Removals, hello.',
      systemPrompt: 'Ask who calls, from which side of town, and how many rooms there are.',
      extractVariables: [
        { name: 'caller', type: 'string', description: 'the name of the caller' },
        { name: 'side', type: 'string', description: 'side of town', enum: ['north', 'south'] },
        { name: 'rooms', type: 'number', description: 'number of rooms' },
      ],
    },
    {
      id: 'price',
      type: 'conversation',
      firstMessage: 'Now to the price.',
      systemPrompt: 'Name a price for {{rooms}} rooms.',
    },
    {
      id: 'date',
      type: 'conversation',
      firstMessage: 'Now to the date.',
      systemPrompt: 'Agree on a day in the {{side}}.',
    },
    { id: 'list', type: 'apiRequest', method: 'GET', responseVariables: [response('total')] },
    { id: 'complaint', type: 'conversation', systemPrompt: 'Take down what {{caller}} says.' },
    {
      id: 'file',
      type: 'apiRequest',
      url: 'https://api.example.com/complaints',
      method: 'POST',
      timeoutSeconds: 5,
      headers: { Authorization: 'Bearer sample' },
      body: {
        type: 'object',
        properties: {
          who: { type: 'string', description: 'Who complains: {{caller}}' },
          what: { type: 'string', description: 'What is wrong' },
        },
        required: ['who'],
      },
      responseVariables: [response('ticket')],
    },
    { id: 'map', type: 'apiRequest', url: 'https://api.example.com/map', method: 'GET' },
    { id: 'hotline', type: 'transferCall', transferPlan: { message: 'Putting you through.' } },
    {
      id: 'hours',
      type: 'conversation',
      isGlobal: true,
      condition: 'the caller asks for opening hours',
      systemPrompt: 'Say when we are open.',
    },
    { id: 'bye', type: 'endCall', firstMessage: 'Goodbye.', systemPrompt: 'Thank the caller.' },
  ],
  edges: [
    { from: 'desk', to: 'price', condition: 'side == "north"' },
    { from: 'desk', to: 'date', condition: 'the caller wants a date' },
    { from: 'desk', to: 'complaint', condition: 'something is broken' },
    { from: 'price', to: 'list', condition: 'the caller wants the whole list' },
    { from: 'list', to: 'date', condition: 'the list is clear' },
    { from: 'date', to: 'price', condition: 'the number of rooms is another' },
    { from: 'date', to: 'map', condition: 'the caller asks where' },
    { from: 'map', to: 'date' },
    { from: 'date', to: 'bye', condition: 'the day suits' },
    { from: 'complaint', to: 'file' },
    { from: 'file', to: 'hotline', condition: 'ticket == "none"' },
    { from: 'file', to: 'hotline', condition: 'the caller is angry' },
    { from: 'file', to: 'bye' },
  ],
};

function response(name: string) {
  return { name, type: 'string' as const, description: `the ${name}`, path: `data.${name}` };
}

/** Answers by kind; what a kind needs beside its choice stands with the question. */
export function rareAnswers(target: Target): Answers {
  const exact = target === 'vapi' ? 'guard' : 'extract';
  return {
    answers: {
      'missing-endpoint:list': {
        choice: 'operation',
        value: { operation: 'bills.list', bind: { entry: 'main', limitRecord: 5 } },
      },
      'missing-auth:map': { choice: 'credential', value: { credentialId: 'maps' } },
      'missing-destination:hotline': { choice: 'sip', value: 'sip:angry@removals.example.com' },
    },
    policies: {
      'logical-condition': exact,
      'critical-variable': target === 'vapi' ? 'argument' : 'best-effort',
      'cyclic-stages': 'consolidate',
    },
  };
}
