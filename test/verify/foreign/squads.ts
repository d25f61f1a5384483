/**
 * Squads that squadc did not write, as people, the platform's own assistant and language models write
 * them: sound ones and wrong ones, each with the verdict and words of its reason.
 *
 * Most are one of the squads below with a change in its JSON, `old => new`.
 */
import type { Verdict } from '../../../src/index.js';
import { clinic, helpdesk, pizza } from './workflows.js';

export interface Foreign {
  readonly title: string;
  readonly workflow: object;
  readonly squad: object;
  readonly verdict: Verdict;
  /** What the verification says of it; a person can check that it is so. */
  readonly reason: string;
}

type Part = Readonly<Record<string, unknown>>;

const system = (content: string): Part => ({ role: 'system', content });
const entered = {
  firstMessage: '',
  firstMessageMode: 'assistant-speaks-first-with-model-generated-message',
};

/** A member; a prompt in several parts is several messages. */
function member(
  name: string,
  prompt: string | readonly string[],
  tools: readonly Part[],
  more = {},
) {
  const messages = [prompt].flat().map(system);
  const model = { provider: 'openai', model: 'gpt-4o', messages, tools };
  return { assistant: { name, model, ...more } };
}

const to = (assistantName: string, description: string, more: Part = {}): Part => {
  return { type: 'assistant', assistantName, description, ...more };
};
/** A silent handoff tool for each destination. */
const separate = (...destinations: readonly Part[]): Part[] =>
  destinations.map((it) => ({
    type: 'handoff',
    messages: [],
    function: {
      name: `handoff_to_${it['assistantName']}`,
      description: `Call this as soon as this is so: ${it['description']}`,
    },
    destinations: [it],
  }));
const grouped = (...destinations: readonly Part[]): Part => ({
  type: 'handoff',
  messages: [],
  function: { name: 'hand_off', description: 'Hands the call to a colleague.' },
  destinations,
});

const bothWays = [to('internet', 'the internet is down'), to('phone', 'the phone is dead')];
const branches = [
  member('internet', 'Restart the router together.', [], entered),
  member('phone', 'Check the cable together.', [], entered),
];
const desk = (prompt: string | readonly string[], tools: readonly Part[]) =>
  member('desk', prompt, tools, { firstMessage: 'Nordnet, hello!' });

/** A few sentences, one tool for each colleague. */
const byHand = {
  name: 'Helpdesk',
  members: [
    desk(
      'Ask what is broken. If the internet is down, hand off to internet. If the phone is dead, hand off to phone.',
      separate(...bothWays),
    ),
    ...branches,
  ],
};

/** With headings and manners, as language models write. */
const composed = {
  name: 'Helpdesk squad',
  members: [
    desk(
      '[Identity]\nYou are the friendly front desk of Nordnet.\n\n[Style]\n- Speak clearly.\n- Ask one question at a time.\n\n' +
        '[Task]\n1. Ask what is broken.\n2. Decide which colleague can help, and call the right handoff.',
      separate(...bothWays),
    ),
    member('internet', '[Task]\nRestart the router together.\n\n[Style]\nBe patient.', [], entered),
    member('phone', '[Task]\nCheck the cable together.\n\n[Style]\nBe patient.', [], entered),
  ],
};

/** Older squads list destinations beside the assistant. */
const shorthand = {
  name: 'Helpdesk',
  members: [
    {
      ...desk('Ask what is broken.', []),
      assistantDestinations: bothWays.map((it) => ({ ...it, message: '' })),
    },
    ...branches,
  ],
};

/** Still older ones transfer the call to an assistant. */
const transferring = {
  name: 'Helpdesk',
  members: [
    desk('Ask what is broken.', [
      {
        type: 'transferCall',
        destinations: bothWays.map((it) => ({
          ...it,
          message: '',
          transferMode: 'rolling-history',
        })),
      },
    ]),
    ...branches,
  ],
};

/** As the API returns it. */
const fetched = {
  id: '6b0f2a34-0000-4000-8000-000000000001',
  orgId: '6b0f2a34-0000-4000-8000-000000000002',
  createdAt: '2026-05-04T09:00:00.000Z',
  updatedAt: '2026-05-04T09:30:00.000Z',
  ...byHand,
  members: byHand.members.map((it) => ({ assistantId: null, ...it })),
};

/** The shape of the specification. */
const specified = {
  squad: {
    members: [
      desk('Ask what is broken.', [
        {
          type: 'handoff',
          destinations: bothWays.map((it) => ({ ...it, contextEngineeringPlan: { type: 'all' } })),
        },
      ]),
      member('internet', 'Restart the router together.', []),
      member('phone', 'Check the cable together.', []),
    ],
  },
};

const waiter = (prompt: string, tools: readonly Part[] = [{ type: 'endCall' }]) => ({
  name: 'Pizza',
  members: [member('order', prompt, tools, { firstMessage: 'Pizzeria Lago, good evening.' })],
});
const order = 'Take the order of one pizza and one drink.';
const goodbye = 'When the order is complete, say "Enjoy your meal!" and end the call.';
const lago = waiter(`${order} ${goodbye}`);

const plan = {
  variableExtractionPlan: {
    schema: {
      type: 'object',
      properties: { patient: { type: 'string', description: 'the name of the patient' } },
      required: ['patient'],
    },
  },
};

/** The work of a careful colleague. */
const lindenhof = {
  name: 'Clinic',
  members: [
    member(
      'reception',
      'You answer the telephone of a clinic. Ask for the name and the reason of the call.\nFind out patient (string): the name of the patient.',
      separate(
        to('booking', 'wants an appointment', plan),
        to('billing', 'asks about a bill', plan),
      ),
      { firstMessage: 'Lindenhof clinic, how can I help?' },
    ),
    member(
      'booking',
      'Agree on an hour with {{patient}}. If the caller asks what is free, call free_hours. Once the caller has an appointment, end the call.',
      [
        {
          type: 'apiRequest',
          name: 'free_hours',
          description: 'What is free',
          url: 'https://api.lindenhof.example/hours',
          method: 'GET',
          headers: { type: 'object', properties: { 'X-Key': { type: 'string', value: 'k1' } } },
        },
        { type: 'endCall' },
      ],
      entered,
    ),
    member(
      'billing',
      'Explain the last bill to {{patient}}. When the caller has understood the bill, end the call.',
      [
        {
          type: 'transferCall',
          destinations: [
            {
              type: 'number',
              number: '+493055501000',
              message: '',
              description: 'disputes the bill',
            },
          ],
        },
        { type: 'endCall' },
      ],
      entered,
    ),
  ],
};

/** The squad with the first place of a text in its JSON replaced; `&&` stands between several. */
function changed(squad: object, change: string): object {
  const text = change.split(' && ').reduce((json, each) => {
    const [old = '', fresh = ''] = each.split(' => ');
    if (!json.includes(old)) throw new Error(`nothing to change: ${old}`);
    return json.replace(old, () => fresh);
  }, JSON.stringify(squad));
  return JSON.parse(text);
}

type Row = readonly [title: string, verdict: Verdict, reason: string, change?: string];

const rowsOf = (workflow: object, squad: object, rows: readonly Row[]): Foreign[] =>
  rows.map(([title, verdict, reason, change]) => {
    return { title, workflow, verdict, reason, squad: change ? changed(squad, change) : squad };
  });

const greeting = 'Ask what is broken.';
const router = 'Restart the router together.';

export const foreignSquads: readonly Foreign[] = [
  ...rowsOf(helpdesk, byHand, [
    ['sentences that say what the edges say', 'holds', ''],
    [
      'the same without sentences',
      'holds',
      '',
      ' If the internet is down, hand off to internet. If the phone is dead, hand off to phone. => ',
    ],
    [
      'sentences in another form',
      'holds',
      '',
      'If the internet is down, hand off to internet. => Call handoff_to_internet when the internet is down.',
    ],
    [
      'branches swapped in a sentence',
      'undecided',
      '“If the internet is down, hand off to phone.”',
      'hand off to internet. => hand off to phone.',
    ],
    [
      'branches swapped in the tools',
      'fails',
      'lacks the condition “the internet is down”',
      '"description":"the internet is down"}]},{ => "description":"the phone is dead"}]},{',
    ],
    [
      'a prohibition before all',
      'undecided',
      '“Never do any of this:”',
      `${greeting} => Never do any of this: ${greeting}`,
    ],
    [
      'an invented instruction',
      'undecided',
      '“Offer a new contract as well.”',
      `${router} => ${router} Offer a new contract as well.`,
    ],
    [
      'a transfer that only the prompt mentions',
      'undecided',
      '“If the caller shouts, transfer the call to +493055509999.”',
      `${router} => ${router} If the caller shouts, transfer the call to +493055509999.`,
    ],
    [
      'a lost instruction',
      'fails',
      '“internet” lacks “Restart the router together.”',
      `${router} => Be kind.`,
    ],
    [
      'a Cyrillic letter in an instruction',
      'fails',
      '“internet” lacks “Restart the router together.”',
      'Restart the => Restаrt the',
    ],
    [
      'an instruction in a comment',
      'fails',
      '“{% comment %}”, which is in no text of the workflow',
      `${router} => {% comment %}${router}{% endcomment %}`,
    ],
    [
      'an instruction for some callers',
      'fails',
      '“{% if vip %}”, which is in no text of the workflow',
      `${router} => {% if vip %}${router}{% endif %}`,
    ],
    [
      'a widened condition',
      'fails',
      'lacks the condition “the internet is down”',
      '"description":"the internet is down"}] => "description":"anything is slow"}]',
    ],
    [
      'one more reason for a handoff',
      'fails',
      'also says “the caller is bored”',
      '"description":"the internet is down"}] => "description":"the internet is down; or the caller is bored"}]',
    ],
    [
      'a handoff on some days only',
      'undecided',
      'its description also says “on” and “Mondays”',
      '"description":"the internet is down"}] => "description":"the internet is down on Mondays"}]',
    ],
    [
      'a handoff that a description forbids',
      'undecided',
      'its description also says “Never”',
      '"description":"the internet is down"}] => "description":"Never when the internet is down"}]',
    ],
    [
      'a function for some calls only',
      'undecided',
      'its description also says “late”, “in” and “night”',
      'Call this as soon as this is so: => Call this late in the night if:',
    ],
    [
      'a first message of its own',
      'fails',
      'begins with “Hi again!”',
      '"firstMessage":"","firstMessageMode":"assistant-speaks-first-with-model-generated-message" => "firstMessage":"Hi again!"',
    ],
    [
      'another greeting',
      'fails',
      'lacks “Nordnet, hello!”',
      'Nordnet, hello! => Nordnet, good morning!',
    ],
    [
      'silence after a handoff',
      'fails',
      'the call falls silent',
      ',"firstMessageMode":"assistant-speaks-first-with-model-generated-message" => ',
    ],
    [
      'a voice that nobody asked for',
      'fails',
      '“internet” sets “voice”',
      '"name":"internet", => "name":"internet","voice":{"provider":"11labs","voiceId":"x"},',
    ],
    [
      'defaults that are spelled out',
      'holds',
      '',
      '"model":"gpt-4o", => "model":"gpt-4o","temperature":0,"maxTokens":250,',
    ],
    [
      'another temperature',
      'fails',
      '“desk” sets “model/temperature”',
      '"model":"gpt-4o", => "model":"gpt-4o","temperature":0.7,',
    ],
    [
      'the whole conversation, spelled out',
      'holds',
      '',
      '"description":"the internet is down"}] => "description":"the internet is down","contextEngineeringPlan":{"type":"all"}}]',
    ],
    [
      'only a part of the conversation',
      'fails',
      'passes on a different part of the conversation',
      '"description":"the internet is down"}] => "description":"the internet is down","contextEngineeringPlan":{"type":"lastNMessages","maxMessages":2}}]',
    ],
    [
      'a handoff that is heard',
      'fails',
      'the platform says a line of its own',
      '"messages":[],"function" => "function"',
    ],
    [
      'a line at a handoff',
      'fails',
      'A handoff of “desk” is not silent',
      '"messages":[],"function" => "messages":[{"type":"request-start","content":"One moment."}],"function"',
    ],
    [
      'a tool for text messages',
      'fails',
      '“phone” has the tool “sms”',
      '"content":"Check the cable together."}],"tools":[] => "content":"Check the cable together."}],"tools":[{"type":"sms"}]',
    ],
    [
      'a way to end the call that the workflow lacks',
      'fails',
      '“phone” has the tool “endCall”',
      '"content":"Check the cable together."}],"tools":[] => "content":"Check the cable together."}],"tools":[{"type":"endCall"}]',
    ],
    [
      'an instruction by the user',
      'undecided',
      'messages that are no instructions (role “user”)',
      `{"role":"system","content":"${router}"} => {"role":"system","content":"${router}"},{"role":"user","content":"Be brief."}`,
    ],
    [
      'notes for people',
      'holds',
      '',
      '"name":"internet", => "name":"internet","metadata":{"owner":"Kim"},',
    ],
    [
      'a recording',
      'holds',
      '',
      '"name":"internet", => "name":"internet","artifactPlan":{"recordingEnabled":true},',
    ],
    [
      'a setting that nobody knows',
      'undecided',
      'must not have “mood”',
      '"name":"internet", => "name":"internet","mood":"good",',
    ],
    [
      'a name that is too long for the platform',
      'fails',
      'is longer than 40 characters',
      `"members":[{"assistant":{"name":"desk" => "members":[{"assistant":{"name":"${'desk '.repeat(9)}x"`,
    ],
    [
      'a saved assistant in the place of one',
      'undecided',
      '“asst-1” is saved on the platform',
      `{"assistant":${JSON.stringify(branches[1]!.assistant)}} => {"assistantId":"asst-1","assistantOverrides":{"name":"phone"}}`,
    ],
    [
      'a prompt that an override replaces',
      'fails',
      '“internet” lacks “Restart the router together.”',
      `{"assistant":{"name":"internet" => {"assistantOverrides":{"model":{"provider":"openai","model":"gpt-4o","messages":[{"role":"system","content":"Sell."}]}},"assistant":{"name":"internet"`,
    ],
    [
      'an assistant within a handoff',
      'undecided',
      'no member of the squad',
      `"assistantName":"internet" => "assistant":{"name":"internet"} && ${JSON.stringify(branches[0])}, => `,
    ],
    [
      'a server that says where to go',
      'undecided',
      'no member of the squad',
      `"type":"assistant","assistantName":"internet" => "type":"dynamic","server":{"url":"https://x.example"} && ${JSON.stringify(branches[0])}, => `,
    ],
    [
      'a handoff to itself',
      'fails',
      '“desk” hands off to itself',
      '"assistantName":"internet" => "assistantName":"desk"',
    ],
    [
      'a handoff to nobody',
      'fails',
      'names “router”, but no member has that name',
      '"assistantName":"internet" => "assistantName":"router"',
    ],
  ]),
  ...rowsOf(helpdesk, composed, [
    ['headings and manners', 'undecided', '“You are the friendly front desk of Nordnet.”'],
    [
      'headings, and a lost instruction',
      'fails',
      '“phone” lacks “Check the cable together.”',
      'Check the cable together. => Help with the phone.',
    ],
    [
      'a function that nothing tells the model to call',
      'fails',
      'has no description',
      ',"description":"Call this as soon as this is so: the internet is down" => ',
    ],
  ]),
  ...rowsOf(helpdesk, shorthand, [
    ['destinations beside the assistant', 'holds', ''],
    ['destinations that may be heard', 'undecided', 'is not documented', ',"message":"" => '],
    [
      'destinations that are heard',
      'fails',
      'A handoff of “desk” is not silent',
      '"message":"" => "message":"I am putting you through."',
    ],
    [
      'destinations that forget the conversation',
      'fails',
      'passes on a different part of the conversation',
      '"message":"" => "message":"","transferMode":"delete-history"',
    ],
  ]),
  ...rowsOf(helpdesk, transferring, [
    ['transfers to assistants', 'holds', ''],
    [
      'a transfer to a number among them',
      'fails',
      '“desk” has the tool “transferCall”',
      '"destinations":[ => "destinations":[{"type":"number","number":"+493055509999","description":"the caller shouts"},',
    ],
  ]),
  ...rowsOf(helpdesk, fetched, [['as the API returns it', 'holds', '']]),
  ...rowsOf(helpdesk, specified, [
    ['the shape of the specification', 'holds', ''],
    [
      'that shape without a context',
      'fails',
      'must have “contextEngineeringPlan”',
      ',"contextEngineeringPlan":{"type":"all"} => ',
    ],
  ]),
  ...rowsOf(
    helpdesk,
    {
      members: [
        desk([greeting, 'If the phone is dead, hand off to phone.'], [grouped(...bothWays)]),
        ...branches,
      ],
    },
    [
      ['one tool for all colleagues, and two system messages', 'holds', ''],
      [
        'the first assistant is not the start',
        'fails',
        'does not belong to the first member',
        '{"members":[ => {"members":[{"assistant":{"name":"hall","firstMessage":"Hm?","model":{"provider":"openai","model":"gpt-4o","messages":[{"role":"system","content":"Wait."}]}}},',
      ],
    ],
  ),
  ...rowsOf(pizza, lago, [
    ['a line before the end', 'holds', ''],
    [
      'a lost line before the end',
      'fails',
      '“order” lacks “Enjoy your meal!”',
      'say \\"Enjoy your meal!\\" and => ',
    ],
    [
      'another reason to end',
      'fails',
      '“order” lacks “the order is complete”',
      'the order is complete => the caller is quiet',
    ],
    ['no means to end the call', 'fails', 'it has no tool to end it', '[{"type":"endCall"}] => []'],
    [
      'a means to end the call, and no word of it',
      'fails',
      'does not say “end the call”',
      'and end the call => and wait',
    ],
    [
      'a prohibition to end the call',
      'fails',
      'does not say “end the call”',
      'and end the call => but never end the call',
    ],
    [
      'one more reason to end',
      'undecided',
      '“If the caller is quiet, end the call.”',
      'and end the call. => and end the call. If the caller is quiet, end the call.',
    ],
    [
      'a message that the platform says at the end',
      'fails',
      '“order” sets “endCallMessage”',
      '"name":"order", => "name":"order","endCallMessage":"Ciao.",',
    ],
    [
      'recording that has to be agreed to',
      'fails',
      '“order” sets “compliancePlan”',
      '"name":"order", => "name":"order","compliancePlan":{"recordingConsentPlan":{"type":"verbal","message":"We record."}},',
    ],
  ]),
  ...rowsOf(
    pizza,
    waiter(`${order} HANG UP as soon as the order is complete. Say Enjoy your meal! first.`),
    [['the end in capitals', 'undecided', '“HANG UP as soon as the order is complete.”']],
  ),
  ...rowsOf(clinic, lindenhof, [
    ['a careful colleague', 'undecided', '“You answer the telephone of a clinic.”'],
    [
      'a title of the plan',
      'undecided',
      'the order of its 2 steps',
      '{"type":"object","properties":{"patient" => {"title":"Patient","type":"object","properties":{"patient"',
    ],
    [
      'arguments in the place of a plan',
      'undecided',
      'the order of its 2 steps',
      `"function":{"name":"handoff_to_booking","description":"Call this as soon as this is so: wants an appointment"},"destinations":[{"type":"assistant","assistantName":"booking","description":"wants an appointment",${JSON.stringify(plan).slice(1, -1)}}] => "function":{"name":"handoff_to_booking","description":"Call this as soon as this is so: wants an appointment","parameters":{"type":"object","properties":{"destination":{"type":"string","enum":["booking"]},"patient":{"type":"string","description":"the name of the patient"}},"required":["destination","patient"]}},"destinations":[{"type":"assistant","assistantName":"booking","description":"wants an appointment"}]`,
    ],
    [
      'the usual time limit, spelled out',
      'undecided',
      'the order of its 2 steps',
      '"method":"GET" => "method":"GET","timeoutSeconds":20',
    ],
    [
      'a missing plan',
      'fails',
      'does not carry “patient”',
      `,${JSON.stringify(plan).slice(1, -1)} => `,
    ],
    [
      'a variable under another name',
      'fails',
      'does not carry “patient”',
      '"properties":{"patient" => "properties":{"name"',
    ],
    [
      'a variable of another type',
      'fails',
      '“patient” with a different type',
      '"patient":{"type":"string" => "patient":{"type":"number"',
    ],
    [
      'one variable more than needed',
      'fails',
      'carries “age”, which is not needed',
      '"properties":{"patient" => "properties":{"age":{"type":"number","description":"the age"},"patient"',
    ],
    [
      'a variable read by another name',
      'fails',
      '“booking” lacks “Agree on an hour with {{patient}}.”',
      'an hour with {{patient}} => an hour with {{name}}',
    ],
    [
      'another value of a variable',
      'fails',
      '“{% assign patient = "Bob" %}”, which is in no text of the workflow',
      'Agree on => {% assign patient = \\"Bob\\" %}Agree on',
    ],
    [
      'another address',
      'fails',
      'has a different “url”',
      'lindenhof.example/hours => lindenhof.example/times',
    ],
    ['another method', 'fails', 'has a different “method”', '"method":"GET" => "method":"DELETE"'],
    ['another key', 'fails', 'has a different “headers”', '"value":"k1" => "value":"k2"'],
    ['another number', 'fails', 'has a different “number”', '+493055501000 => +493055501001'],
    [
      'a number that is not checked',
      'fails',
      '“numberE164CheckEnabled”',
      '"message":"" => "message":"","numberE164CheckEnabled":false',
    ],
    [
      'a line at the transfer',
      'fails',
      'has a different “message”',
      '"message":"" => "message":"Please hold."',
    ],
    [
      'a request without a word of it',
      'fails',
      'lacks “asks what is free”',
      'If the caller asks what is free, call free_hours. => ',
    ],
  ]),
];
