/** What the squad would have to say to an assistant that the platform keeps, and cannot. */
import { quote, quoteAll } from '../quote.js';
import { entry } from './entry.js';

/** Something that cannot be said, and the name of what it is about. */
export interface Unsayable {
  readonly kind: 'way' | 'call' | 'find-out' | 'setting' | 'text';
  readonly name: string;
}

const words: Readonly<Record<Unsayable['kind'], (name: string) => string>> = {
  way: (name) => `when to go to ${quote(name)}`,
  call: (name) => `to call the tool ${quote(name)}`,
  'find-out': (name) => `to find out ${quote(name)}`,
  setting: (name) => `which ${name} to use`,
  text: (name) => `the text of ${quote(name)}`,
};

function inWords({ kind, name }: Unsayable): string {
  return words[kind](name);
}

export const lowerSaved = {
  'lower/saved-as-it-is': entry<{ id: string; what: Unsayable }>({
    severity: 'error',
    title: 'Nothing can be added to a saved assistant in this target',
    message: ({ id, what }) =>
      `The saved assistant ${quote(id)} cannot be told ${inWords(what)} in target squad.`,
    why:
      'A saved assistant is a member by its id, and in the shape of target `squad` nothing is ' +
      'added to it: it has no means to leave that the squad could give it. A way out of it would ' +
      'be lost, and with it what comes after.',
    help: () =>
      'Compile for target `vapi`, where tools are added to saved assistants, or put the assistant ' +
      'itself into the workflow in the place of its id.',
    example: { id: 'assistant-7', what: { kind: 'way', name: 'billing' } },
  }),
  'lower/saved-needs-prompt': entry<{ id: string; what: Unsayable }>({
    severity: 'error',
    title: 'A saved assistant would need another prompt',
    message: ({ id, what }) =>
      `The saved assistant ${quote(id)} cannot be told ${inWords(what)}, because only its prompt could.`,
    why:
      'The prompt of a saved assistant is on the platform, and nobody writes to it. Handoffs and ' +
      'transfers can be added to it, since their tools say themselves when to use them. What ' +
      'comes before a tool, what is said or asked, and when to end the call stand in a prompt.',
    help: () =>
      'Put a conversation behind the saved assistant that does it, or put the assistant itself ' +
      'into the workflow in the place of its id. A logical condition may be answered by `guard` ' +
      'or `prose`.',
    example: { id: 'assistant-7', what: { kind: 'call', name: 'lookup' } },
  }),
  'lower/saved-twice': entry<{ id: string; nodes: readonly string[] }>({
    severity: 'error',
    title: 'A saved assistant stands in several places that go on differently',
    message: ({ id, nodes }) =>
      `The saved assistant ${quote(id)} is at ${quoteAll(nodes)}, which go on differently.`,
    why:
      'A squad has each saved assistant once: destinations find it by its id. Places with the ' +
      'same ways on are one member; with different ways on they cannot be, because an assistant ' +
      'does not know which of them it is at. The start and a global node are places by themselves.',
    help: () => 'Save a copy of the assistant for each place, or let the places go on alike.',
    example: { id: 'assistant-7', nodes: ['desk', 'night-desk'] },
  }),
};
