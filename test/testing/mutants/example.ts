/** A small workflow with something to damage of each kind, and short ways to damage its squad. */
import type { JsonObject } from '../../../src/compiler/ir/json.js';
import { type CompileOptions, compile } from '../../../src/index.js';
import { type SpecWorkflow, squadMutants } from '../../../src/testing/index.js';
import type { Mutation } from '../../../src/testing/mutants/mutant.js';
import { valueAt } from '../../../src/testing/squad-tracks.js';
import { edge, talk } from './nodes.js';

/** Members: hello (with ask), sales, repair, owner; `where` is global, a call ends in repair. */
export const shop: SpecWorkflow = {
  name: 'Shop',
  nodes: [
    talk('hello', { firstMessage: 'Two Wheels, hello.' }),
    talk('ask', {
      firstMessage: 'What is it about?',
      extractVariables: [
        { name: 'size', type: 'string', description: 'size of the frame', enum: ['s', 'l'] },
        { name: 'budget', type: 'number', description: 'what it may cost' },
      ],
    }),
    talk('sales', { systemPrompt: 'Offer a bicycle of size {{size}} for {{budget}}.' }),
    talk('repair', { firstMessage: 'To the workshop.' }),
    {
      id: 'book',
      type: 'apiRequest',
      url: 'https://api.example.com/book',
      method: 'GET',
      headers: { Authorization: 'Bearer sample' },
      responseVariables: [{ name: 'day', type: 'string', description: 'a day', path: 'data.day' }],
    },
    { id: 'bye', type: 'endCall', firstMessage: 'Goodbye.', systemPrompt: 'Thank the caller.' },
    {
      id: 'boss',
      type: 'transferCall',
      destination: '+14155550100',
      transferPlan: { message: 'Putting you through.' },
    },
    talk('where', { isGlobal: true, condition: 'the caller asks for the way' }),
  ],
  edges: [
    'hello>ask',
    'ask>sales: wants to buy',
    'ask>repair: wants a repair',
    'repair>book: names a day',
    'book>repair: the day is taken',
    'book>bye: the day is free',
    'repair>boss: is angry',
  ].map(edge),
};

export function squadOf(workflow: SpecWorkflow, options: CompileOptions = {}): JsonObject {
  const { output, questions, diagnostics } = compile(workflow, options);
  if (output !== null) return output;
  throw new Error(JSON.stringify([questions.map(({ id }) => id), diagnostics]));
}

/** Everything that the operator makes of the workflow's squad. */
export function damage(
  name: string,
  workflow: SpecWorkflow = shop,
  options: CompileOptions = {},
): Mutation[] {
  const found = squadMutants.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no operator ${name}`);
  return [...found.mutate(squadOf(workflow, options), workflow)];
}

/** The texts of all mutants of the operator. */
export function told(...from: Parameters<typeof damage>): string[] {
  return damage(...from).map(({ text }) => text);
}

/** What stands at a place of each mutant. */
export function at(place: string, mutations: readonly Mutation[]) {
  return mutations.map(({ squad }) => valueAt(squad, place));
}

/** The prompt of a member in each mutant, cut down to its lines from the first step on. */
export function prompts(member: number, mutations: readonly Mutation[]): string[] {
  const place = `/squad/members/${member}/assistant/model/messages/0/content`;
  return at(place, mutations).map((prompt) => String(prompt).replace(/^.*?\n(?=If |\nStep)/s, ''));
}
