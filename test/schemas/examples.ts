/** Documents that a schema takes, and changes to them that it refuses. */
import type { Json, JsonObject } from '../../src/compiler/ir/json.js';

export const workflow: JsonObject = {
  name: 'Appointments',
  globalPrompt: 'Be kind.',
  voice: { provider: '11labs', voiceId: 'v1' },
  notes: 'fields that nobody knows are allowed',
  nodes: [
    {
      id: 'collect',
      type: 'gather',
      firstMessage: 'Hello.',
      systemPrompt: 'Ask {{customer.name}} for the day.',
      extractVariables: [
        { name: 'day', type: 'string', description: 'The day', enum: ['Monday', 'Tuesday'] },
      ],
      colour: 'red',
    },
    { id: 'operator', type: 'transferCall', isGlobal: true, condition: 'wants a person' },
    {
      id: 'book',
      type: 'apiRequest',
      url: 'https://example.com/{{day}}',
      method: 'POST',
      headers: { Authorization: '{{token}}' },
      body: { type: 'object' },
      timeoutSeconds: 20,
      responseVariables: [{ name: 'booking', type: 'string', path: 'booking.id' }],
    },
  ],
  edges: [{ from: 'collect', to: 'book', condition: 'day is known' }],
};

const plan: JsonObject = {
  schema: {
    type: 'object',
    properties: { day: { type: 'string', description: 'The day', enum: ['Monday'] } },
    required: ['day'],
  },
};

function assistant(name: string, tools: readonly Json[]): JsonObject {
  return {
    name,
    firstMessage: 'Hello.',
    voice: { provider: '11labs', voiceId: 'v1' },
    model: {
      provider: 'openai',
      model: 'gpt-4o',
      temperature: 0,
      messages: [{ role: 'system', content: 'Be kind.' }],
      tools,
    },
  };
}

function handoff(name: string, more: JsonObject = {}): JsonObject {
  return {
    type: 'handoff',
    destinations: [
      {
        type: 'assistant',
        assistantName: name,
        description: 'day is known',
        contextEngineeringPlan: { type: 'lastNMessages', maxMessages: 10 },
        variableExtractionPlan: plan,
      },
    ],
    ...more,
  };
}

const request: JsonObject = {
  type: 'apiRequest',
  name: 'book',
  url: 'https://example.com',
  method: 'POST',
  body: { type: 'object' },
  timeoutSeconds: 20,
  variableExtractionPlan: { aliases: [{ key: 'booking', value: '{{ $.booking.id }}' }] },
};

const custom: JsonObject = {
  type: 'function',
  function: { name: 'check_plan', description: 'Checks', parameters: { type: 'object' } },
  server: { url: 'https://example.com/tools' },
  variableExtractionPlan: { aliases: [{ key: 'plan', value: '{{ $.plan }}' }] },
};

const number: JsonObject = {
  type: 'number',
  number: '+4930123456',
  message: 'One moment.',
  description: 'wants a person',
};

export const squad: JsonObject = {
  squad: {
    members: [
      { assistant: assistant('intake', [handoff('booking')]) },
      {
        assistant: assistant('booking', [
          { type: 'transferCall', destinations: [number] },
          { type: 'transferCall', destinations: [{ type: 'sip', sipUri: 'sip:a@b' }] },
          request,
          custom,
        ]),
      },
      { assistantId: 'saved', assistantOverrides: { voice: {} } },
    ],
    memberOverrides: { voice: { provider: '11labs' } },
  },
};

const spoken: JsonObject = {
  function: {
    name: 'handoff_to_booking',
    description: 'Hands over',
    parameters: {
      type: 'object',
      properties: { destination: { type: 'string', enum: ['booking'] }, day: { type: 'string' } },
      required: ['destination', 'day'],
    },
  },
  messages: [],
  rejectionPlan: { conditions: [{ type: 'liquid', liquid: '{{ plan == "gold" }}' }] },
};

export const vapiSquad: JsonObject = {
  name: 'Appointments',
  members: [
    { assistant: assistant('intake', [handoff('booking', spoken)]) },
    {
      assistant: assistant('booking', [
        { type: 'endCall', messages: [] },
        {
          type: 'transferCall',
          destinations: [
            { ...number, numberE164CheckEnabled: false, transferPlan: { mode: 'blind-transfer' } },
          ],
        },
        {
          ...request,
          headers: { type: 'object', properties: { Accept: { type: 'string', value: '*/*' } } },
          parameters: [{ key: 'tenant', value: 1 }],
        },
      ]),
      assistantOverrides: {},
    },
  ],
  membersOverrides: { voice: { provider: '11labs', voiceId: 'v1' } },
};

export const answers: JsonObject = {
  answers: {
    'missing-auth:book': { choice: 'header', value: { header: 'X-Key', secret: 'key' } },
    'cyclic-stages:a,b': { choice: 'consolidate' },
  },
  policies: { 'critical-variable': 'best-effort' },
};

export const answerValue: JsonObject = {
  kind: 'missing-auth',
  choice: 'header',
  value: { header: 'X-Key', secret: 'key' },
};

export const result: JsonObject = {
  status: 'needs-answers',
  output: null,
  draft: { squad: { members: [] } },
  questions: [
    {
      id: 'ambiguous-start:',
      kind: 'ambiguous-start',
      at: ['', '/nodes/0'],
      text: 'Which?',
      choices: [{ key: 'node', label: 'Here', effect: 'Starts.', value: { type: 'string' } }],
      proposal: null,
      proposalValue: ['a'],
    },
  ],
  diagnostics: [
    {
      code: 'shape/no-name',
      severity: 'warning',
      message: 'M.',
      at: '',
      in: 'answers',
      related: ['/a~1b/~0'],
      help: 'H.',
    },
  ],
  checklist: [
    {
      item: 9,
      title: 'T',
      holds: true,
      waivedBy: 'q',
      evidence: [{ holds: true, text: 'E', source: [''], output: [] }],
    },
  ],
  sourceMap: [
    { output: '/a', range: [0, 3], origin: { kind: 'source', at: '' } },
    { output: '/b', origin: { kind: 'answer', question: 'q' } },
    { output: '/c', origin: { kind: 'answer', option: 'model' } },
    { output: '/d', origin: { kind: 'synthesized', rule: 'r', from: [] } },
  ],
  reads: [
    {
      at: '/nodes/0/systemPrompt',
      variable: 'name',
      kind: 'told',
      assistant: 'greeting',
      from: ['/nodes/0/extractVariables/0'],
      outputs: ['/squad/members/0/assistant/model/messages/0/content'],
    },
  ],
  ledger: [
    { at: '/nodes/0', kind: 'transfer-message', status: 'folded', reason: 'R', outputs: [] },
  ],
  stats: { nodes: 1, edges: 0, assistants: 1, handoffs: 0, extractions: 0, tools: 0, questions: 1 },
};
