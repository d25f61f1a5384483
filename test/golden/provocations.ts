/** Inputs that no folder can hold, or that are about one code alone. */
import { type CompileOptions, compile } from '../../src/index.js';

export interface Provocation {
  readonly workflow: unknown;
  readonly options?: CompileOptions;
  /** A squad to check against the workflow; without one, the workflow is compiled. */
  readonly squad?: unknown;
}

const cafe = { id: 'cafe', type: 'conversation', systemPrompt: 'Offer a table.' };

function workflowOf(nodes: readonly object[], edges: readonly object[] = []): object {
  return { name: 'Café', nodes, edges };
}

function withPrompt(systemPrompt: unknown): object {
  return workflowOf([{ ...cafe, systemPrompt }]);
}

/** An assistant that the platform keeps. */
function savedBar(assistantId: string): object {
  return { name: 'bar', type: 'assistant', assistantId };
}

/** The caller's name, captured with another word on every second walk to the same handoff. */
function mayOverwrite(): Provocation {
  const capture = { name: 'guest', type: 'string', description: 'name of the guest' };
  const say = (id: string, systemPrompt: string): object => ({
    id,
    type: 'conversation',
    systemPrompt,
  });
  const nodes = [
    { id: 'desk', type: 'gather', systemPrompt: 'Ask for the name.', extractVariables: [capture] },
    say('table', 'Find a table.'),
    { id: 'other', type: 'gather', systemPrompt: 'Ask who comes.', extractVariables: [capture] },
    say('seat', 'Seat {{guest}}.'),
    say('bar', 'Offer a place at the bar.'),
  ];
  const edges = [
    { from: 'desk', to: 'table', condition: 'wants a table' },
    { from: 'desk', to: 'bar', condition: 'wants a drink' },
    { from: 'table', to: 'other', condition: 'somebody else comes' },
    { from: 'other', to: 'table' },
    { from: 'table', to: 'seat', condition: 'a table is free' },
    { from: 'table', to: 'bar', condition: 'no table is free' },
  ];
  const options: CompileOptions = {
    context: { type: 'none' },
    answers: { policies: { 'cyclic-stages': 'consolidate' } },
  };
  return { workflow: workflowOf(nodes, edges), options };
}

/** A price that the caller names on one walk and that a tool returns on the other. */
function mixedSource(): Provocation {
  const nodes = [
    cafe,
    {
      id: 'say-price',
      type: 'gather',
      systemPrompt: 'Ask what the cake cost.',
      extractVariables: [{ name: 'price', type: 'string', description: 'price of the cake' }],
    },
    {
      id: 'look-up',
      type: 'apiRequest',
      url: 'https://cafe.example.com/cake',
      method: 'GET',
      headers: { Authorization: 'Bearer {{cafe_token}}' },
      responseVariables: [{ name: 'price', path: 'price' }],
    },
    { id: 'check', type: 'conversation', systemPrompt: 'Ask whether that is right.' },
    { id: 'refund', type: 'conversation', systemPrompt: 'Pay back {{price}}.' },
    { id: 'voucher', type: 'conversation', systemPrompt: 'Send a voucher over {{price}}.' },
  ];
  const edges = [
    { from: 'cafe', to: 'say-price', condition: 'the caller knows the price' },
    { from: 'cafe', to: 'look-up', condition: 'the caller does not know it' },
    { from: 'say-price', to: 'check' },
    { from: 'look-up', to: 'check' },
    { from: 'check', to: 'cafe', condition: 'it is wrong' },
    { from: 'check', to: 'refund', condition: 'wants the money' },
    { from: 'check', to: 'voucher', condition: 'wants a voucher' },
  ];
  const options: CompileOptions = {
    dynamicVariables: ['cafe_token'],
    answers: {
      answers: { 'ambiguous-start:workflow': { choice: 'node', value: 'cafe' } },
      policies: { 'cyclic-stages': 'consolidate' },
    },
  };
  return { workflow: workflowOf(nodes, edges), options };
}

/** A variable that is now captured on a walk to one of its two reads. */
function neverSet(): Provocation {
  const nodes = [
    { ...cafe, systemPrompt: 'Greet {{guest}}.' },
    { id: 'table', type: 'conversation', systemPrompt: 'Ask for the name.' },
    { id: 'seat', type: 'conversation', systemPrompt: 'Seat {{guest}}.' },
  ];
  const edges = [
    { from: 'cafe', to: 'table' },
    { from: 'table', to: 'seat' },
  ];
  const answer = { choice: 'captured-at', value: 'table' };
  const options = { answers: { answers: { 'undefined-variable:guest': answer } } };
  return { workflow: workflowOf(nodes, edges), options };
}

/** A value that only a tool can be trusted with, and a tool that is not there yet. */
function toolToProvide(): Provocation {
  const workflow = workflowOf(
    [cafe, { id: 'end', type: 'endCall' }],
    [{ from: 'cafe', to: 'end', condition: 'paid == true' }],
  );
  const options = { dynamicVariables: ['paid'] };
  const [question] = compile(workflow, options).questions;
  const answer = { choice: 'tool', value: { tool: 'till' } };
  const answers = { answers: { [question?.id ?? '']: answer } };
  return { workflow, options: { ...options, answers } };
}

/** A squad that somebody wrote by hand, of members with these prompts. */
function squadOf(prompts: Readonly<Record<string, string>>) {
  const members = Object.entries(prompts).map(([name, content]) => ({
    assistant: {
      name,
      model: {
        provider: 'openai',
        model: 'gpt-4o',
        messages: [{ role: 'system', content }],
        tools: [],
      },
    },
  }));
  return { squad: { members } };
}

/** A transfer that nobody was asked about. */
function openQuestion(): Provocation {
  const transfer = { id: 'owner', type: 'transferCall' };
  const workflow = workflowOf(
    [cafe, transfer],
    [{ from: 'cafe', to: 'owner', condition: 'complains' }],
  );
  return { workflow, squad: squadOf({ Café: cafe.systemPrompt }) };
}

/** A branch whose assistant does the same with other words. */
function likeness(): Provocation {
  const cake = 'Take the order of a cake: which kind, for how many people, and when it is fetched.';
  const hall = 'Rent out the hall for weddings and birthdays; ask for the date.';
  const workflow = workflowOf(
    [
      cafe,
      { id: 'cake', type: 'conversation', systemPrompt: cake },
      { id: 'hall', type: 'conversation', systemPrompt: hall },
    ],
    [
      { from: 'cafe', to: 'cake', condition: 'wants a cake' },
      { from: 'cafe', to: 'hall', condition: 'wants to celebrate' },
    ],
  );
  const confectioner = 'Find out which kind of cake is ordered, for how many people, and when.';
  const texts = { Café: cafe.systemPrompt, Confectioner: confectioner, Hall: hall };
  const [first, ...others] = squadOf(texts).squad.members;
  const destinations = [
    { type: 'assistant', assistantName: 'Confectioner', description: 'wants a cake' },
    { type: 'assistant', assistantName: 'Hall', description: 'wants to celebrate' },
  ];
  const { assistant } = first!;
  const model = { ...assistant.model, tools: [{ type: 'handoff', destinations }] };
  return {
    workflow,
    squad: { squad: { members: [{ assistant: { ...assistant, model } }, ...others] } },
  };
}

/** One assistant whose prompt tells in prose what two nodes do. */
function notDecided(): Provocation {
  const cake = { id: 'cake', type: 'conversation', systemPrompt: 'Take the order of a cake.' };
  const workflow = workflowOf([cafe, cake], [{ from: 'cafe', to: 'cake' }]);
  const prompt = `${cafe.systemPrompt} Then: ${cake.systemPrompt}`;
  return { workflow, squad: squadOf({ Café: prompt }) };
}

/** Code → an input that provokes it. */
export const provocations: Readonly<Record<string, () => Provocation>> = {
  'shape/text-too-long': () => ({ workflow: withPrompt('x'.repeat(20 * 1024 * 1024)) }),
  'shape/not-json': () => ({ workflow: withPrompt(() => 'Offer a table.') }),
  'shape/not-a-workflow': () => ({ workflow: squadOf({ Café: cafe.systemPrompt }) }),
  'flow/several-starts': () => ({
    workflow: workflowOf([
      { name: 'cafe', type: 'conversation', isStart: true, prompt: 'Offer a table.' },
      { name: 'bar', type: 'conversation', isStart: true, prompt: 'Offer a stool.' },
    ]),
  }),
  'shape/liquid-too-large': () => ({ workflow: withPrompt('{% if a %}{% endif %}'.repeat(2000)) }),
  'shape/no-edges': () => ({ workflow: { name: 'Café', nodes: [cafe] } }),
  'data/may-overwrite': mayOverwrite,
  'data/mixed-source': mixedSource,
  'data/never-set': neverSet,
  'lower/tool-to-provide': toolToProvide,
  'shape/assistant-id': () => ({ workflow: workflowOf([savedBar('the bar')]) }),
  'lower/too-large': () => ({
    workflow: workflowOf([
      cafe,
      ...Array.from({ length: 150 }, (_, at) => ({
        ...cafe,
        id: `global ${at}`,
        isGlobal: true,
        condition: `asks for ${at}`,
      })),
    ]),
  }),
  'lower/saved-needs-prompt': () => ({
    workflow: workflowOf(
      [savedBar('asst-bar'), { name: 'end', type: 'hangup', firstMessage: 'Goodbye.' }],
      [{ from: 'bar', to: 'end' }],
    ),
    options: { target: 'vapi' },
  }),
  'lower/saved-twice': () => ({
    workflow: workflowOf(
      [savedBar('asst-bar'), { ...savedBar('asst-bar'), name: 'terrace' }],
      [{ from: 'bar', to: 'terrace' }],
    ),
    options: { target: 'vapi' },
  }),
  'check/not-a-squad': () => ({ workflow: workflowOf([cafe]), squad: workflowOf([cafe]) }),
  'check/item-fails': () => ({ workflow: workflowOf([cafe]), squad: squadOf({}) }),
  'check/not-placed': () => ({ workflow: workflowOf([cafe]), squad: squadOf({}) }),
  'check/walk': () => ({ workflow: workflowOf([cafe]), squad: squadOf({ Café: 'Be silent.' }) }),
  'check/not-seen': () => ({
    workflow: workflowOf([cafe]),
    squad: { squad: { members: [{ assistantId: 'saved-elsewhere' }] } },
  }),
  'check/setting-differs': () => ({
    workflow: { ...workflowOf([cafe]), model: { provider: 'openai', model: 'gpt-5' } },
    squad: squadOf({ Café: cafe.systemPrompt }),
  }),
  'check/open-question': openQuestion,
  'check/placed-by-likeness': likeness,
  'check/not-decided': notDecided,
  'check/setting-unknown': () => ({
    workflow: workflowOf([cafe]),
    squad: {
      squad: { ...squadOf({ Café: cafe.systemPrompt }).squad, memberOverrides: { zebra: 1 } },
    },
    options: { memberOverrides: { zebra: 1 } },
  }),
};
