/** Inputs that no folder can hold, or that are about one code alone. */
import type { CompileOptions } from '../../src/index.js';

export interface Provocation {
  readonly workflow: unknown;
  readonly options?: CompileOptions;
  /** A squad to check against the workflow; without one, the workflow is compiled. */
  readonly squad?: unknown;
}

const talk = <T>(id: string, systemPrompt: T, more = {}) => {
  return { id, type: 'conversation', systemPrompt, ...more };
};
const cafe = talk('cafe', 'Offer a table.');

/** An edge is `from>to condition`. */
const workflowOf = (nodes: readonly object[], ...edges: readonly string[]) => ({
  name: 'Café',
  nodes,
  edges: edges.map((edge) => {
    const [, from, to, condition] = /^(.+)>(\S+)(?: (.+))?$/.exec(edge)!;
    return condition === undefined ? { from, to } : { from, to, condition };
  }),
});

/** An assistant that the platform keeps. */
const saved = (assistantId: string, name = 'bar') => ({ name, type: 'assistant', assistantId });
const finds = (name: string, description: string) => ({
  extractVariables: [{ name, type: 'string', description }],
});
const consolidated = { policies: { 'cyclic-stages': 'consolidate' } };

/** The caller's name, captured with another word on every second walk to the same handoff. */
const mayOverwrite: Provocation = {
  workflow: workflowOf(
    [
      talk('desk', 'Ask for the name.', finds('guest', 'name of the guest')),
      talk('table', 'Find a table.'),
      talk('other', 'Ask who comes.', finds('guest', 'name of the guest')),
      talk('seat', 'Seat {{guest}}.'),
      talk('bar', 'Offer a place at the bar.'),
    ],
    ...['desk>table wants a table', 'desk>bar wants a drink', 'table>other somebody else comes'],
    ...['other>table', 'table>seat a table is free', 'table>bar no table is free'],
  ),
  options: { context: { type: 'none' }, answers: consolidated },
};

/** A price that the caller names on one walk and that a tool returns on the other. */
const mixedSource: Provocation = {
  workflow: workflowOf(
    [
      cafe,
      talk('say-price', 'Ask what the cake cost.', finds('price', 'price of the cake')),
      {
        id: 'look-up',
        type: 'apiRequest',
        url: 'https://cafe.example.com/cake',
        method: 'GET',
        headers: { Authorization: 'Bearer {{cafe_token}}' },
        responseVariables: [{ name: 'price', path: 'price' }],
      },
      talk('check', 'Ask whether that is right.'),
      talk('refund', 'Pay back {{price}}.'),
      talk('voucher', 'Send a voucher over {{price}}.'),
    ],
    ...['cafe>say-price the caller knows the price', 'cafe>look-up the caller does not know it'],
    ...['say-price>check', 'look-up>check', 'check>cafe it is wrong'],
    ...['check>refund wants the money', 'check>voucher wants a voucher'],
  ),
  options: {
    dynamicVariables: ['cafe_token'],
    answers: {
      answers: { 'ambiguous-start:workflow': { choice: 'node', value: 'cafe' } },
      ...consolidated,
    },
  },
};

/** A variable that is now captured on a walk to one of its two reads. */
const neverSet: Provocation = {
  workflow: workflowOf(
    [
      talk('cafe', 'Greet {{guest}}.'),
      talk('table', 'Ask for the name.'),
      talk('seat', 'Seat {{guest}}.'),
    ],
    ...['cafe>table', 'table>seat'],
  ),
  options: {
    answers: {
      answers: { 'undefined-variable:guest': { choice: 'captured-at', value: 'table' } },
    },
  },
};

const memberOf = (name: string, content: string, tools: readonly object[] = []) => {
  const messages = [{ role: 'system', content }];
  return { assistant: { name, model: { provider: 'openai', model: 'gpt-4o', messages, tools } } };
};
const squadOf = (...members: readonly object[]) => ({ squad: { members } });
const ofCafe = squadOf(memberOf('Café', cafe.systemPrompt));

const onlyCafe = workflowOf([cafe]);
const zebra = { memberOverrides: { zebra: 1 } };

/** Code → an input that provokes it. */
export const provocations: Readonly<Record<string, () => Provocation>> = {
  'shape/text-too-long': () => ({
    workflow: workflowOf([talk('cafe', 'x'.repeat(2 ** 24 + 2 ** 22))]),
  }),
  'shape/not-json': () => ({ workflow: workflowOf([talk('cafe', () => 'Offer a table.')]) }),
  'shape/liquid-too-large': () => {
    return { workflow: workflowOf([talk('cafe', '{% if a %}{% endif %}'.repeat(2000))]) };
  },
  'api/unread-variable': () => {
    return { workflow: workflowOf([cafe]), options: { dynamicVariables: ['guest'] } };
  },
  'shape/raw-tag': () => ({
    workflow: workflowOf([cafe, talk('bar', 'Mix.')], 'cafe>bar {% raw %}{{ open }}{% endraw %}'),
  }),
  'data/template-key': () => ({
    workflow: workflowOf([
      cafe,
      {
        id: 'book',
        type: 'apiRequest',
        method: 'GET',
        url: 'https://cafe.example.com',
        headers: { Authorization: 'x', '{{kind}}': 'y' },
      },
    ]),
  }),
  'shape/no-edges': () => ({ workflow: { name: 'Café', nodes: [cafe] } }),
  'shape/assistant-id': () => ({ workflow: workflowOf([saved('the bar')]) }),
  'flow/several-starts': () => {
    const start = { type: 'conversation', isStart: true, prompt: 'Offer a table.' };
    return {
      workflow: workflowOf([
        { ...start, name: 'cafe' },
        { ...start, name: 'bar' },
      ]),
    };
  },
  'data/may-overwrite': () => mayOverwrite,
  'data/mixed-source': () => mixedSource,
  'data/never-set': () => neverSet,
  'lower/too-large': () => {
    const globals = Array.from({ length: 150 }, (_, at) => {
      return { ...cafe, id: `global ${at}`, isGlobal: true, condition: `asks for ${at}` };
    });
    return { workflow: workflowOf([cafe, ...globals]) };
  },
  'lower/saved-needs-prompt': () => {
    const end = { name: 'end', type: 'hangup', firstMessage: 'Goodbye.' };
    return {
      workflow: workflowOf([saved('asst-bar'), end], 'bar>end'),
      options: { target: 'vapi' },
    };
  },
  'lower/saved-twice': () => {
    const nodes = [saved('asst-bar'), saved('asst-bar', 'terrace')];
    return { workflow: workflowOf(nodes, 'bar>terrace'), options: { target: 'vapi' } };
  },
  'check/not-a-squad': () => ({ workflow: onlyCafe, squad: onlyCafe }),
  'check/item-fails': () => ({ workflow: onlyCafe, squad: squadOf() }),
  'check/not-placed': () => ({ workflow: onlyCafe, squad: squadOf() }),
  'check/walk': () => ({ workflow: onlyCafe, squad: squadOf(memberOf('Café', 'Be silent.')) }),
  'check/not-seen': () => ({ workflow: onlyCafe, squad: squadOf({ assistantId: 'elsewhere' }) }),
  'check/setting-differs': () => {
    const model = { provider: 'openai', model: 'gpt-5' };
    return { workflow: { ...onlyCafe, model }, squad: ofCafe };
  },
  'check/setting-unknown': () => {
    return { workflow: onlyCafe, squad: { squad: { ...ofCafe.squad, ...zebra } }, options: zebra };
  },
  // A transfer that nobody was asked about.
  'check/open-question': () => {
    const owner = { id: 'owner', type: 'transferCall' };
    return { workflow: workflowOf([cafe, owner], 'cafe>owner complains'), squad: ofCafe };
  },
  // One assistant whose prompt tells in prose what two nodes do.
  'check/not-decided': () => {
    const cake = talk('cake', 'Take the order of a cake.');
    const prompt = `${cafe.systemPrompt} Then: ${cake.systemPrompt}`;
    return {
      workflow: workflowOf([cafe, cake], 'cafe>cake'),
      squad: squadOf(memberOf('Café', prompt)),
    };
  },
};
