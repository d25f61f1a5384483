/** Workflows that between them come to everything that target vapi writes in its own way. */

/** Branches, a transfer, a global transfer and endings; the second assistant has no line. */
export const reception = {
  name: 'Reception',
  voice: { provider: '11labs', voiceId: 'sarah' },
  nodes: [
    {
      id: 'greet',
      type: 'conversation',
      firstMessage: 'Good morning.',
      systemPrompt: 'Ask what it is about.',
      extractVariables: [{ name: 'topic', type: 'string', description: 'what it is about' }],
    },
    { id: 'billing', type: 'conversation', systemPrompt: 'Talk about the bill: {{topic}}.' },
    {
      id: 'sales desk',
      type: 'conversation',
      firstMessage: 'Sales.',
      systemPrompt: 'Sell for {{topic}}.',
    },
    {
      id: 'desk',
      type: 'transferCall',
      destination: '1005',
      transferPlan: { message: 'One moment.' },
    },
    {
      id: 'operator',
      type: 'transferCall',
      destination: 'sip:operator@example.com',
      isGlobal: true,
      condition: 'caller wants a person',
    },
    { id: 'bye', type: 'endCall', firstMessage: 'Bye.' },
  ],
  edges: [
    { from: 'greet', to: 'billing', condition: 'it is about a bill' },
    { from: 'greet', to: 'sales desk', condition: 'it is about buying' },
    { from: 'billing', to: 'bye' },
    { from: 'sales desk', to: 'desk', condition: 'caller wants to order' },
  ],
};

/** Exact conditions between assistants, inside one, and of a global node. */
export const exact = {
  name: 'Plans',
  nodes: [
    {
      id: 'ask',
      type: 'gather',
      systemPrompt: 'Ask for the plan.',
      extractVariables: [
        { name: 'plan', type: 'string', description: 'the plan', enum: ['gold', 'silver'] },
        { name: 'age', type: 'number', description: 'the age' },
      ],
    },
    { id: 'gold', type: 'conversation', systemPrompt: 'Be golden.' },
    { id: 'other', type: 'conversation', systemPrompt: 'Be brief about {{plan}}.' },
    { id: 'deny', type: 'conversation', systemPrompt: 'Say no.' },
    { id: 'line', type: 'transferCall', destination: '+4930123456' },
    {
      id: 'emergency',
      type: 'conversation',
      isGlobal: true,
      condition: '{{ urgent }}',
      systemPrompt: 'Help at once.',
    },
  ],
  edges: [
    { from: 'ask', to: 'gold', condition: "plan == 'gold'" },
    { from: 'ask', to: 'gold', condition: "plan == 'silver' && age >= 65" },
    { from: 'ask', to: 'other', condition: "plan != 'gold'" },
    { from: 'ask', to: 'deny', condition: 'the caller is not a customer' },
    { from: 'other', to: 'line', condition: 'age < 18 || age > 65 && plan == "silver"' },
  ],
};

/** Requests in every form, and a variable that must not be missing. */
export const order = {
  name: 'Orders',
  nodes: [
    {
      id: 'collect',
      type: 'gather',
      firstMessage: 'Orders.',
      systemPrompt: 'Ask for the order.',
      extractVariables: [
        { name: 'order_id', type: 'string', description: 'the number of the order' },
        { name: 'reason', type: 'string', description: 'why', enum: ['late', 'broken'] },
      ],
    },
    { id: 'cancel', type: 'conversation', systemPrompt: 'Cancel {{order_id}}: {{reason}}.' },
    {
      id: 'send',
      type: 'apiRequest',
      method: 'DELETE',
      url: 'https://shop.example.com/orders/{{order_id}}',
      headers: { Authorization: 'Bearer {{shop_token}}', 'X-Count': 3 },
      body: { why: '{{reason}}', tags: ['phone', { by: 'caller' }], nothing: null, sure: true },
      timeoutSeconds: 10,
      responseVariables: [{ name: 'receipt', path: 'receipt.id' }],
    },
    {
      id: 'change',
      type: 'apiRequest',
      method: 'PATCH',
      url: 'https://shop.example.com/orders',
      headers: {
        type: 'object',
        properties: { 'X-Key': { type: 'string', value: '{{shop_token}}' } },
      },
      body: {
        type: 'object',
        properties: {
          amount: { type: 'integer', description: 'how many', minimum: 1 },
          source: { type: 'string', value: 'phone' },
          lines: { type: ['array', 'null'], items: { enum: ['a', 'b'] } },
        },
        required: ['amount', 'source'],
        additionalProperties: false,
      },
    },
    { id: 'keep', type: 'conversation', systemPrompt: 'Keep {{order_id}} for {{receipt}}.' },
    { id: 'bye', type: 'hangup' },
  ],
  edges: [
    { from: 'collect', to: 'cancel', condition: 'caller wants to cancel' },
    { from: 'collect', to: 'keep', condition: 'caller wants to keep it' },
    { from: 'cancel', to: 'send' },
    { from: 'send', to: 'change' },
    { from: 'change', to: 'bye' },
    { from: 'keep', to: 'bye' },
  ],
};
