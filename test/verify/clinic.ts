/** A workflow with something for every item of the checklist, its squads, and ways to damage them. */
import { type CompileOptions, compile, type JsonObject, verify } from '../../src/index.js';
import { asks, talk, tool } from './small.js';

// biome-ignore lint/suspicious/noExplicitAny: damage is done to whatever is there
type Mutable = Record<string, any>;

/** Members: greeting (with collect), scheduling (with lookup), billing, operator. */
export const clinic = {
  name: 'Clinic',
  nodes: [
    talk('greeting', { firstMessage: 'Welcome to the clinic.' }),
    talk('collect', asks('name', 'reason')),
    talk('scheduling', { systemPrompt: 'Offer {{name}} a time.' }),
    talk('billing', { systemPrompt: 'Explain the bill to {{name}}.' }),
    tool('lookup', {
      body: { type: 'object', properties: { day: { type: 'string' } } },
      responseVariables: [
        { name: 'slot', type: 'string', description: 'a time', path: 'data.slot' },
      ],
    }),
    {
      id: 'desk',
      type: 'transferCall',
      destination: '+14155550100',
      transferPlan: { message: 'Putting you through.' },
    },
    { id: 'bye', type: 'endCall', firstMessage: 'Goodbye.' },
    talk('operator', { isGlobal: true, condition: 'the caller asks for a human' }),
  ] as JsonObject[],
  edges: [
    { from: 'greeting', to: 'collect' },
    { from: 'collect', to: 'scheduling', condition: 'wants an appointment' },
    { from: 'collect', to: 'billing', condition: 'asks about a bill' },
    { from: 'scheduling', to: 'lookup', condition: 'asks for another time' },
    { from: 'scheduling', to: 'bye', condition: 'is done' },
    { from: 'lookup', to: 'bye' },
    { from: 'billing', to: 'desk', condition: 'disputes the bill' },
    { from: 'billing', to: 'bye', condition: 'has understood' },
    { from: 'operator', to: 'bye', condition: 'has been helped' },
  ],
};

export const given = { dynamicVariables: ['secret'] };
export type Target = 'squad' | 'vapi';

const squads = {
  squad: compile(clinic, given).output as JsonObject,
  vapi: compile(clinic, { ...given, target: 'vapi' }).output as JsonObject,
};

/**
 * A squad of the clinic, damaged as a line says:
 *
 *     greeting>billing description = "x"    a field of a destination; without a value it is removed
 *     billing voice = {}                    of an assistant; `member billing` of what holds it
 *     apiRequest url = "x"                  of the first tool of a type; `greeting handoff` of one's
 *     billing model/tools += {}             one more element of a list
 *     prompt billing: old => new            in a prompt; `\n` is a new line
 */
export function damaged(target: Target, line: string): JsonObject {
  const document = structuredClone(squads[target]) as Mutable;
  const root = target === 'squad' ? document['squad'] : document;
  const member = (name: string) =>
    root['members'].find((it: Mutable) => it['assistant'].name === name);
  const toolsOf = (name: string): Mutable[] => member(name)?.assistant.model.tools ?? [];
  const tools = ['scheduling', 'billing', 'greeting'].flatMap(toolsOf);
  const [, prompt, old = '', fresh = ''] = /^prompt (\w+): (.*) => (.*)$/.exec(line) ?? [];
  if (prompt !== undefined) {
    const [message] = member(prompt).assistant.model.messages;
    const changed = message.content.replace(old.replaceAll('\\n', '\n'), () =>
      fresh.replaceAll('\\n', '\n'),
    );
    if (changed === message.content) throw new Error(`nothing to replace: ${old}`);
    message.content = changed;
    return document;
  }
  const [, where = '', path = '', how, json] = /^(.+?) ([^ ]+)(?: (=|\+=) (.*))?$/.exec(line) ?? [];
  const [name = '', inner] = where.split(/[> ]/);
  const destinations = () => toolsOf(name).flatMap((it) => it['destinations'] ?? []);
  const place: Mutable = where.includes('>')
    ? destinations().find((it) => it.assistantName === inner)
    : name === 'root'
      ? root
      : name === 'member'
        ? member(inner!)
        : inner === undefined
          ? (member(name)?.assistant ?? tools.find((it) => it['type'] === name))
          : toolsOf(name).find((it) => it['type'] === inner);
  const keys = path.split('/');
  const last = keys.pop()!;
  const holder = keys.reduce((value, key) => value[key], place);
  if (how === undefined && Array.isArray(holder)) holder.splice(Number(last), 1);
  else if (how === undefined) delete holder[last];
  else if (how === '=') holder[last] = JSON.parse(json!);
  else holder[last] = [...(holder[last] ?? []), JSON.parse(json!)];
  return document;
}

export function check(squad: unknown, options: CompileOptions = {}) {
  return judge(verify(clinic, squad, { ...given, ...options }));
}

/** Whether it holds, the items that fail, the codes and the sentences of what is wrong. */
export function judge({ holds, checklist, diagnostics }: ReturnType<typeof verify>) {
  const facts = checklist.flatMap(({ evidence }) => evidence.filter((it) => !it.holds));
  return {
    holds,
    items: checklist.filter((it) => !it.holds).map(({ item }) => item),
    said: [...new Set(diagnostics.map(({ code }) => code))],
    texts: [...facts.map(({ text }) => text), ...diagnostics.map(({ message }) => message)].join(
      '\n',
    ),
  };
}
