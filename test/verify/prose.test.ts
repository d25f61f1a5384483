/** Squads that squadc did not write: honest ones hold, damaged ones are refuted. */
import { describe, expect, it } from 'vitest';
import { compile, type JsonObject, verify } from '../../src/index.js';
import { judge } from './clinic.js';
import { asks, talk, tool } from './small.js';

const workflow = {
  name: 'Bikes',
  nodes: [
    talk('hall', { firstMessage: 'Hello!' }),
    talk('needs', { systemPrompt: 'Ask what they need.', ...asks('name') }),
    talk('repair', { systemPrompt: 'Offer {{name}} a day.' }),
    tool('days'),
    talk('sale', { systemPrompt: 'Show the new bikes.' }),
    { id: 'bye', type: 'endCall', firstMessage: 'Ride safely!' },
    { id: 'desk', type: 'transferCall', destination: '+14155550100' },
  ],
  edges: [
    { from: 'hall', to: 'needs' },
    { from: 'needs', to: 'repair', condition: 'wants a repair' },
    { from: 'needs', to: 'sale', condition: 'wants a bike' },
    { from: 'repair', to: 'days', condition: 'asks when' },
    { from: 'days', to: 'bye' },
    { from: 'sale', to: 'bye', condition: 'has decided' },
    { from: 'sale', to: 'desk', condition: 'is angry' },
  ],
};

const destination = (assistantName: string, description: string) => {
  const name = { type: 'string', description: 'the name' };
  const schema = { type: 'object', properties: { name }, required: ['name'] };
  const plan = assistantName === 'Workshop' ? { variableExtractionPlan: { schema } } : {};
  const context = { contextEngineeringPlan: { type: 'all' } };
  return { type: 'assistant', assistantName, description, ...context, ...plan };
};

function assistant(name: string, content: string, tools: object[], more = {}) {
  const messages = [{ role: 'system', content }];
  return {
    assistant: { name, model: { provider: 'openai', model: 'gpt-4o', messages, tools }, ...more },
  };
}

/** What a careful person would have written. */
const honest = {
  squad: {
    members: [
      assistant(
        'Front desk',
        '# Task\nDo the work of hall. Then ask: Ask what they need. Find out their name.',
        [
          {
            type: 'handoff',
            destinations: [
              destination('Workshop', 'wants a repair'),
              destination('Shop', 'The caller wants a bike.'),
            ],
          },
        ],
        { firstMessage: 'Hello!' },
      ),
      assistant(
        'Workshop',
        'Offer {{name}} a day. If the caller asks when, use find_days. Then say "Ride safely!" and end the call.',
        [
          {
            type: 'apiRequest',
            name: 'find_days',
            url: 'https://api.example.com/days',
            method: 'GET',
            headers: { Authorization: 'Bearer {{secret}}' },
          },
        ],
      ),
      assistant(
        'Shop',
        'Show the new bikes. When the caller has decided, say: Ride safely! Please end the call then. ' +
          'Put the caller through who is angry.',
        [
          {
            type: 'transferCall',
            destinations: [
              { type: 'number', number: '+14155550100', description: 'the caller is angry' },
            ],
          },
        ],
      ),
    ],
  },
};

/** The verdict on the honest squad with one text for another. */
function check(from = '', to = '', squad: object = honest) {
  const text = JSON.stringify(squad);
  expect(text).toContain(from);
  const changed = JSON.parse(text.replace(from, () => to));
  return judge(verify(workflow, changed, { dynamicVariables: ['secret'] }));
}

describe('an honest squad in prose', () => {
  it('holds, and what prose cannot show is told', () => {
    const { holds, items, said } = check();
    expect({ holds, items }).toEqual({ holds: true, items: [] });
    expect(said).toEqual(['check/not-decided']);
  });

  it.each([
    ['other words around those of the workflow', 'Find out their', 'Kindly find out their'],
    ['another name of a tool', 'use find_days. Then', 'use find_days at once. Then'],
  ])('holds with %s', (_, from, to) => expect(check(from, to).holds).toBe(true));
});

describe('a damaged squad in prose is refuted for', () => {
  it.each<[what: string, from: string, to: string, items: number[], words: string]>([
    [
      'a reworded instruction',
      'Show the new bikes.',
      'Show bikes.',
      [],
      '“Shop” lacks the instruction of “sale”',
    ],
    [
      'a reworded line',
      '"firstMessage":"Hello!"',
      '"firstMessage":"Hi!"',
      [],
      '“Front desk” lacks the line of “hall”',
    ],
    [
      'a line nobody has',
      '"name":"Shop",',
      '"name":"Shop","firstMessage":"Hi!",',
      [],
      '“Shop” begins with “Hi!”',
    ],
    [
      'a variable not asked for',
      'Find out their name.',
      '',
      [],
      'lacks the variable of “needs”: “name”',
    ],
    [
      'an inner condition lost',
      'asks when',
      'wonders',
      [],
      'how to continue from “repair” to “days” when “asks when”',
    ],
    ['a tool not called', 'use find_days.', 'go on.', [], 'lacks the tool call of “days”'],
    [
      'a condition reworded',
      'wants a bike',
      'likes a bike',
      [3],
      'lacks the condition “wants a bike”',
    ],
    [
      'an alternative',
      '"wants a repair"',
      '"wants a repair; or is bored"',
      [3],
      'also says “is bored”',
    ],
    [
      'a destination misled',
      '"assistantName":"Workshop"',
      '"assistantName":"Shop"',
      [3],
      'does not lead to “Workshop”',
    ],
    ['a plan lost', '"variableExtractionPlan"', '"_plan"', [4, 8], 'does not carry “name”'],
    [
      'another url',
      'example.com/days',
      'example.com/years',
      [5],
      '“Workshop” does not have the tool of “days”',
    ],
    [
      'another number',
      '+14155550100',
      '+14155550101',
      [5],
      '“Shop” does not have the tool of “desk”',
    ],
    [
      'a transfer for another reason',
      'the caller is angry',
      'the caller is late',
      [5],
      'does not have its conditions',
    ],
    [
      'an ending lost',
      'and end the call.',
      'and stop.',
      [6],
      '“Workshop”, but its prompt does not say “end the call”',
    ],
    [
      'an ending forbidden',
      'and end the call.',
      '. Do not end the call.',
      [6],
      '“Workshop”, but its prompt does not say “end the call”',
    ],
    [
      'an ending never',
      'Please end the call then.',
      'Never end the call.',
      [6],
      '“Shop”, but its prompt does not say “end the call”',
    ],
    ['a goodbye lost', 'say: Ride safely!', 'say: Bye!', [6], '“Shop” lacks the line of “bye”'],
    [
      'a condition of an ending lost',
      'has decided',
      'knows',
      [6],
      'does not do what “bye” says when “has decided”',
    ],
  ])('%s', (_, from, to, items, words) => {
    const found = check(from, to);
    expect(found.texts).toContain(words);
    expect(found.items).toEqual(items);
    expect(found.holds).toBe(false);
  });

  it('a sentence of squadc’s opening that nothing else bears out', () => {
    const opening = 'Follow the numbered steps; the lines under a step say what comes next.';
    const { texts } = check('Show the new bikes.', `${opening}\\nShow the new bikes.`);
    expect(texts).toContain(
      'The opening of the prompt of “Shop” does not match its role in the call.',
    );
  });

  it('a node that stands nowhere, with the assistant that is probably meant', () => {
    const { texts, said } = check('"assistantName":"Shop"', '"assistantName":"Nobody"', {
      squad: {
        members: JSON.parse(
          JSON.stringify(honest.squad.members).replace('Show the new bikes.', 'Show new bikes.'),
        ),
      },
    });
    expect(said).toContain('check/not-placed');
    expect(texts).toContain(
      'No assistant has the texts and tools of “sale” (did you mean “Shop”?).',
    );
  });
});

describe('an assistant that is the only one', () => {
  const desk = { id: 'desk', type: 'transferCall', destination: '+14155550142', isGlobal: true };
  const course = {
    name: 'Course',
    nodes: [
      talk('ask', { systemPrompt: 'Ask for the age.', ...asks('age') }),
      { ...desk, condition: 'asks for a person' },
    ],
    edges: [],
  };
  const squad = JSON.stringify(compile(course).output);
  const prompt =
    'Ask for the age.\n- Find out age (string): the age\n\n' +
    'At any time\n- If: asks for a person\n  Then: transfer the call to +14155550142.\n';
  const saying = (words: string) => {
    const quoted = JSON.stringify(prompt);
    expect(squad).toContain(quoted);
    return judge(verify(course, JSON.parse(squad.replace(quoted, () => JSON.stringify(words)))));
  };

  it.each<[what: string, words: string]>([
    ['its way on', 'Ask for the age.\n- Find out age (string): the age\n\nAt any time\n'],
    ['what may happen at any time', 'Ask for the age.\n- Find out age (string): the age\n'],
    ['what it finds out and its way on', 'Ask for the age.\n\nAt any time\n'],
  ])('is still squadc’s where it lost %s', (_, words) => {
    const { holds, texts } = saying(words);
    expect(texts).toContain('“ask” does not do what “desk” says');
    expect(holds).toBe(false);
  });

  it.each<[what: string, words: string]>([
    ['the texts alone', 'Ask for the age.\nthe age'],
    ['a heading', 'Step 1\nAsk for the age.\nthe age'],
    ['a line in the manner of squadc', '- Find out age (string): the age\nDo: Ask for the age.'],
    ['a heading for the rest', 'Ask for the age.\n\nAt any time\nBe kind.'],
  ])('is prose where it says %s', (_, words) => {
    expect(saying(words)).toMatchObject({ holds: true });
  });
});

describe('the grouping that a squad has', () => {
  const chain = {
    name: 'Chain',
    nodes: [talk('a'), talk('b'), talk('c')],
    edges: [
      { from: 'a', to: 'b', condition: 'x' },
      { from: 'b', to: 'c', condition: 'y' },
    ],
  };
  const branch = {
    ...chain,
    edges: [
      { from: 'a', to: 'b', condition: 'x' },
      { from: 'a', to: 'c', condition: 'y' },
    ],
  };
  const other = (source: object, change: (text: string) => string) =>
    JSON.parse(change(JSON.stringify(compile(source).output)));

  it('is judged by item 2 alone where a chain is split', () => {
    const split = { ...chain, edges: [...chain.edges, { from: 'a', to: 'c', condition: 'z' }] };
    const squad = other(split, (text) =>
      text
        .replace('- If: z\\n  Then: hand off to \\"c\\".\\n', '')
        .replace(/,\{"type":"assistant","assistantName":"c","description":"z"[^}]*\}\}/, ''),
    );
    expect(judge(verify(chain, squad))).toMatchObject({ items: [2], said: ['check/item-fails'] });
  });

  it('is judged by item 2 alone where branches are merged', () => {
    const squad = compile(branch, { boundary: 'tools' }).output;
    expect(judge(verify(branch, squad))).toMatchObject({ items: [2], said: ['check/item-fails'] });
  });
});

describe('assistants that are kept on the platform', () => {
  const edge = (from: string, to: string, prompt?: string) =>
    prompt === undefined ? { from, to } : { from, to, condition: { type: 'ai', prompt } };
  const shop = {
    name: 'Shop',
    nodes: [
      { name: 'greet', type: 'conversation', prompt: 'Greet them.', isStart: true },
      { name: 'repair', type: 'assistant', assistantId: 'asst-1' },
      { name: 'sales', type: 'conversation', prompt: 'Sell.' },
      { name: 'farewell', type: 'conversation', prompt: 'Thank them.' },
      { name: 'desk', type: 'transfer', destination: '+14155550100' },
    ],
    edges: [
      edge('greet', 'repair', 'a repair'),
      edge('greet', 'sales', 'a sale'),
      edge('repair', 'farewell'),
      edge('repair', 'desk', 'a human'),
      edge('sales', 'farewell'),
    ],
  };
  const squad = compile(shop, { target: 'vapi' }).output as JsonObject;
  const saved = (from: string, to: string) => {
    const text = JSON.stringify(squad);
    expect(text).toContain(from);
    return judge(verify(shop, JSON.parse(text.replace(from, () => to))));
  };

  it('hold, and their texts are not seen', () => {
    const { holds, said } = judge(verify(shop, squad));
    expect({ holds, said }).toEqual({ holds: true, said: ['check/not-seen'] });
  });

  it.each<[what: string, from: string, to: string, words: string]>([
    [
      'another id',
      '"assistantId":"asst-1","assistantOverrides"',
      '"assistantId":"asst-2","assistantOverrides"',
      '“asst-1”',
    ],
    ['a way lost', '"tools:append":[', '"tools:append":[],"_":[', '“repair”'],
    ['another number', '+14155550100', '+14155550101', 'has a different “number”'],
    [
      'a line',
      '"assistantOverrides":{"name"',
      '"assistantOverrides":{"firstMessage":"Hi.","name"',
      'An override sets “firstMessage”',
    ],
    [
      'a model',
      '"assistantOverrides":{"name"',
      '"assistantOverrides":{"model":{"model":"m"},"name"',
      'An override sets “model”',
    ],
  ])('are refuted for %s', (_, from, to, words) => {
    const { holds, texts } = saved(from, to);
    expect(texts).toContain(words);
    expect(holds).toBe(false);
  });

  it('cannot be told from others where the source does not name them', () => {
    const unseen = structuredClone(honest) as { squad: { members: object[] } };
    unseen.squad.members[2] = { assistantId: 'shop' };
    const text = JSON.stringify(unseen).replace('"assistantName":"Shop"', '"assistantId":"shop"');
    const found = judge(verify(workflow, JSON.parse(text), { dynamicVariables: ['secret'] }));
    expect(found.items).toEqual([]);
    expect(found.said).toContain('check/not-seen');
  });
});
