/** The workflows whose squads other people, and programs, wrote. */

type Node = Readonly<Record<string, unknown>>;

const talk = (name: string, prompt: string, more: Node = {}): Node => {
  return { name, type: 'conversation', prompt, ...more };
};
const tool = (name: string, value: Node): Node => ({ name, type: 'tool', tool: value });
const edge = (line: string) => {
  const [, from, to, prompt] = /^(\w+) > (\w+): (.+)$/.exec(line)!;
  return { from, to, condition: { type: 'ai', prompt } };
};

/** Two branches, nothing else. */
export const helpdesk = {
  name: 'Helpdesk',
  nodes: [
    talk('desk', 'Ask what is broken.', {
      isStart: true,
      messagePlan: { firstMessage: 'Nordnet, hello!' },
    }),
    talk('internet', 'Restart the router together.'),
    talk('phone', 'Check the cable together.'),
  ],
  edges: ['desk > internet: the internet is down', 'desk > phone: the phone is dead'].map(edge),
};

/** One assistant that ends the call. */
export const pizza = {
  name: 'Pizza',
  nodes: [
    talk('order', 'Take the order of one pizza and one drink.', {
      isStart: true,
      messagePlan: { firstMessage: 'Pizzeria Lago, good evening.' },
    }),
    { name: 'bye', type: 'hangup', messagePlan: { firstMessage: 'Enjoy your meal!' } },
  ],
  edges: [edge('order > bye: the order is complete')],
};

/** A variable that crosses, a request, a transfer and an end. */
export const clinic = {
  name: 'Clinic',
  nodes: [
    talk('reception', 'Ask for the name and the reason of the call.', {
      isStart: true,
      messagePlan: { firstMessage: 'Lindenhof clinic, how can I help?' },
      variableExtractionPlan: {
        schema: {
          type: 'object',
          properties: { patient: { type: 'string', description: 'the name of the patient' } },
        },
      },
    }),
    talk('booking', 'Agree on an hour with {{patient}}.'),
    talk('billing', 'Explain the last bill to {{patient}}.'),
    tool('hours', {
      type: 'apiRequest',
      name: 'free_hours',
      url: 'https://api.lindenhof.example/hours',
      method: 'GET',
      headers: { type: 'object', properties: { 'X-Key': { type: 'string', value: 'k1' } } },
    }),
    tool('office', {
      type: 'transferCall',
      destinations: [{ type: 'number', number: '+493055501000', message: '' }],
    }),
    tool('bye', { type: 'endCall' }),
  ],
  edges: [
    'reception > booking: wants an appointment',
    'reception > billing: asks about a bill',
    'booking > hours: asks what is free',
    'hours > bye: has an appointment',
    'billing > office: disputes the bill',
    'billing > bye: has understood the bill',
  ].map(edge),
};
