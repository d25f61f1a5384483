/** Squads that squadc did not write: faithful ones are never refuted, damaged ones are. */
import { describe, expect, it } from 'vitest';
import { captures, compile, end, exported, flow, request, transfer } from '../compiler/build.js';
import { replaced, rows, verdict } from './squads.js';

const bikes = flow(
  {
    hall: { systemPrompt: 'Do the work of hall.', firstMessage: 'Hello!' },
    needs: { systemPrompt: 'Ask what they need.', ...captures('name') },
    repair: 'Offer {{name}} a day.',
    days: request({ url: 'https://api.example.com/days' }),
    sale: 'Show the new bikes.',
    bye: { ...end, firstMessage: 'Ride safely!' },
    desk: transfer(),
  },
  [
    'hall > needs',
    'needs > repair: wants a repair',
    'needs > sale: wants a bike',
    'repair > days: asks when',
    'days > bye',
    'sale > bye: has decided',
    'sale > desk: is angry',
  ],
);

const destination = (assistantName: string, description: string, more = {}) => {
  const contextEngineeringPlan = { type: 'all' };
  return { type: 'assistant', assistantName, description, contextEngineeringPlan, ...more };
};
const plan = {
  schema: {
    type: 'object',
    properties: { name: { type: 'string', description: 'the name' } },
    required: ['name'],
  },
};

function assistant(name: string, content: string, tool: object, more = {}) {
  const messages = [{ role: 'system', content }];
  const model = { provider: 'openai', model: 'gpt-4o', messages, tools: [tool] };
  return { assistant: { name, model, ...more } };
}

/** What a careful person would have written. */
const honest = {
  squad: {
    members: [
      assistant(
        'Front desk',
        '# Task\nDo the work of hall. Then ask: Ask what they need. Find out their name.',
        {
          type: 'handoff',
          destinations: [
            destination('Workshop', 'wants a repair', { variableExtractionPlan: plan }),
            destination('Shop', 'The caller wants a bike.'),
          ],
        },
        { firstMessage: 'Hello!' },
      ),
      assistant(
        'Workshop',
        'Offer {{name}} a day. If the caller asks when, use find_days. Then say "Ride safely!" and end the call.',
        {
          type: 'apiRequest',
          name: 'find_days',
          url: 'https://api.example.com/days',
          method: 'GET',
          headers: { Authorization: 'Bearer sample' },
        },
      ),
      assistant(
        'Shop',
        'Show the new bikes. When the caller has decided, say: Ride safely! Please end the call then. ' +
          'Put the caller through who is angry.',
        {
          type: 'transferCall',
          destinations: [
            { type: 'number', number: '+14155550100', description: 'the caller is angry' },
          ],
        },
      ),
    ],
  },
};

const check = (damage = ' => ') => replaced(bikes, damage, {}, honest);

describe('a faithful squad in prose', () => {
  it.each([
    ' => ',
    'Find out their => Kindly find out their',
    'use find_days. Then => use find_days at once. Then',
  ])('is undecided, and what prose cannot show is reported: %j', (damage) => {
    const said = ['check/not-decided'];
    expect(check(damage)).toMatchObject({ verdict: 'undecided', items: [], open: [], said });
  });

  it.each(
    rows(`
Show the new bikes. => Show bikes. | walk | “Shop” lacks “Show the new bikes.”
"firstMessage":"Hello!" => "firstMessage":"Hi!" | walk | “Front desk” lacks “Hello!”
"name":"Shop", => "name":"Shop","firstMessage":"Hi!", | walk | “Shop” begins with “Hi!”
Find out their name. =>  | walk | “Front desk” lacks “name”
asks when => wonders | walk | “Workshop” lacks “asks when”
use find_days. => go on. | walk | “Workshop” lacks “find_days”
wants a bike => likes a bike | item 3 | lacks the condition “wants a bike”
"wants a repair" => "wants a repair; or is bored" | item 3 | also says “is bored”
"assistantName":"Workshop" => "assistantName":"Shop" | item 3 | does not lead to “Workshop”
"variableExtractionPlan" => "_plan" | item 4 8 | does not carry “name”
example.com/days => example.com/years | item 5 | “Workshop” does not have the tool of “days”
+14155550100 => +14155550101 | item 5 | “Shop” does not have the tool of “desk”
the caller is angry => the caller is late | item 5 | does not match its conditions
and end the call. => and stop. | item 6 | “Workshop”, but its prompt does not say “end the call”
and end the call. => . Do not end the call. | item 6 | “Workshop”, but its prompt does not say “end the call”
Please end the call then. => Never end the call. | item 6 | “Shop”, but its prompt does not say “end the call”
say: Ride safely! => say: Bye! | walk 6 | “Shop” lacks “Ride safely!”
has decided => knows | walk 6 | “Shop” lacks “has decided”
Show the new => Follow the numbered steps; the lines under a step say what comes next.\\nShow the new | walk 5 6 | “Shop” lacks “You are taking over a call in progress
`),
  )('is refuted once damaged: $damage', ({ damage, items, code, words }) => {
    const found = check(damage);
    expect(found.texts).toContain(words);
    expect(found.said).toContain(code);
    expect(found.items).toEqual(items);
    expect(found.verdict).toBe('fails');
  });

  it.each<[string, string]>([
    ['Use {% raw %}{{x}}{% endraw %} on {{ "now" | date: "%A" }}.', 'undecided'],
    ['{% raw %}Use {{x}}{% endraw %} on {{ "now" | date: "%A" }}.', 'undecided'],
    ['Use {% raw %}{{x}}{% endraw %} on {% raw %}{{ "now" | date: "%A" }}{% endraw %}.', 'fails'],
    ['{% raw %}Use {{x}} on {{ "now" | date: "%A" }}.{% endraw %}', 'fails'],
  ])('may keep from the platform what the model has found out: %s', (words, expected) => {
    const a = { systemPrompt: 'Ask for it.', ...captures('x') };
    const workflow = flow({ a, b: 'Use {{x}} on {{ "now" | date: "%A" }}.' }, 'a > b');
    const squad = structuredClone(compile(workflow).output) as typeof honest;
    const [message] = squad.squad.members[0]!.assistant.model.messages;
    message!.content = `Ask for it. Find out the x. Then go on. ${words}`;
    expect(verdict(workflow, squad).verdict).toBe(expected);
  });

  it('must contain a transfer message that the platform would speak before it knows the value', () => {
    const desk = transfer({ transferPlan: { message: 'Passing on {{order}}.' } });
    const talk = { systemPrompt: 'Ask for it.', ...captures('order') };
    const workflow = flow({ talk, desk }, 'talk > desk: wants help');
    const compiled = JSON.stringify(compile(workflow).output);
    const { content } = JSON.parse(compiled).squad.members[0].assistant.model.messages[0];
    const said = 'Ask for it. Find out the order. If the caller wants help, say ';
    const honest = (words: string) =>
      verdict(
        workflow,
        JSON.parse(compiled.replace(JSON.stringify(content), JSON.stringify(words))),
      );
    const faithful = honest(`${said}“Passing on {{order}}.” and transfer the call.`);
    expect(faithful.verdict).toBe('undecided');
    expect(honest(`${said}something and transfer the call.`).texts).toContain('Passing on');
  });

  it('is refuted with the assistant that was probably meant if a node is in none', () => {
    const text = JSON.stringify(honest).replace('Show the new bikes.', 'Show new bikes.');
    const nobody = '"assistantName":"Shop" => "assistantName":"Nobody"';
    const { texts, said } = replaced(bikes, nobody, {}, JSON.parse(text));
    expect(said).toContain('check/not-placed');
    expect(texts).toContain(
      'No assistant has the texts and tools of “sale” (did you mean “Shop”?).',
    );
  });

  it('may hand off to a saved assistant, whose texts cannot be seen', () => {
    const { members } = honest.squad;
    const squad = { squad: { members: members.with(2, { assistantId: 'shop' } as never) } };
    const saved = '"assistantName":"Shop" => "assistantId":"shop"';
    const { verdict: judged, items, open, said } = replaced(bikes, saved, {}, squad);
    expect([judged, items, open]).toEqual(['undecided', [], [5, 6]]);
    expect(said).toContain('check/not-seen');
  });
});

describe('the only assistant of a squad', () => {
  const ask = { systemPrompt: 'Ask for the age.', ...captures('age') };
  const desk = transfer({ isGlobal: true, condition: 'asks for a person' });
  const course = flow({ ask, desk });
  const written = JSON.stringify(
    'Never say the name of a function.\n\n' +
      'Ask for the age.\n- Find out age (string): the age\n\n' +
      'At any time\n- If: asks for a person\n  Then: transfer the call to +14155550100.\n\n' +
      'When you announce a transfer, call its function in the same turn.\n',
  );
  const saying = (words: string) => replaced(course, `${written} => ${JSON.stringify(words)}`);

  it.each([
    ['its transition', 'Ask for the age.\n- Find out age (string): the age\n\nAt any time\n'],
    ['its section “At any time”', 'Ask for the age.\n- Find out age (string): the age\n'],
    ['its capture and its transition', 'Ask for the age.\n\nAt any time\n'],
  ])('is judged by the wording even if its prompt lost %s', (_, words) => {
    const { verdict: judged, texts } = saying(words);
    expect(texts).toContain('“ask” lacks “- If: asks for a person');
    expect(judged).toBe('fails');
  });

  it.each([
    ['only the texts', 'Ask for the age.\nthe age'],
    ['the texts below a heading', 'Step 1\nAsk for the age.\nthe age'],
    ['a line that resembles the wording', '- Find out age (string): the age\nDo: Ask for the age.'],
    ['the texts and a section of its own', 'Ask for the age.\n\nAt any time\nBe kind.'],
  ])('is judged as prose if its prompt contains %s', (_, words) => {
    expect(saying(words)).toMatchObject({ verdict: 'undecided', said: ['check/not-decided'] });
  });
});

describe('saved assistants', () => {
  const ai = (from: string, to: string, prompt: string) => {
    return { from, to, condition: { type: 'ai', prompt } };
  };
  const shop = exported(
    {
      greet: { prompt: 'Greet them.', isStart: true },
      repair: { type: 'assistant', prompt: undefined, assistantId: 'asst-1' },
      sales: { prompt: 'Sell.' },
      farewell: { prompt: 'Thank them.' },
      desk: { type: 'transfer', prompt: undefined, destination: '+14155550100' },
    },
    [
      ai('greet', 'repair', 'a repair'),
      ai('greet', 'sales', 'a sale'),
      { from: 'repair', to: 'farewell' },
      ai('repair', 'desk', 'a human'),
      { from: 'sales', to: 'farewell' },
    ],
  );
  const saved = (damage = ' => ') => replaced(shop, damage, { target: 'vapi' });

  it('are accepted, and reported as not seen', () => {
    expect(saved()).toMatchObject({ verdict: 'undecided', said: ['check/not-seen'] });
  });

  it('cannot be told when to begin again, because no tool leads there', () => {
    const again = exported(
      { bar: { type: 'assistant', prompt: undefined, assistantId: 'asst-1' } },
      [ai('bar', 'bar', 'has another wish')],
    );
    const { status, diagnostics } = compile(again, { target: 'vapi' });
    expect([status, diagnostics.map(({ code }) => code)]).toEqual([
      'invalid',
      expect.arrayContaining(['lower/saved-needs-prompt']),
    ]);
  });

  it.each(
    rows(`
"assistantId":"asst-1","assistantOverrides" => "assistantId":"asst-2","assistantOverrides" |  | “asst-1”
"tools:append":[ => "tools:append":[],"_":[ |  | “repair”
+14155550100 => +14155550101 |  | has a different “number”
"assistantOverrides":{"name" => "assistantOverrides":{"firstMessage":"Hi.","name" |  | sets “firstMessage”
"assistantOverrides":{"name" => "assistantOverrides":{"model":{"model":"m"},"name" |  | sets “model/model”
`),
  )('are refuted once damaged: $damage', ({ damage, words }) => {
    const { verdict: judged, texts } = saved(damage);
    expect(texts).toContain(words);
    expect(judged).toBe('fails');
  });
});
