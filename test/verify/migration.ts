/** A small workflow with something for each item of the checklist, and ways to damage its squad. */

import {
  type ChecklistItem,
  type CompileOptions,
  compile,
  type Json,
  type JsonObject,
} from '../../src/index.js';
import type { SpecEdge, SpecNode, SpecWorkflow } from '../../src/testing.js';

export function talk(id: string, more: Partial<SpecNode> = {}): SpecNode {
  return { id, type: 'conversation', systemPrompt: `Do the work of ${id}.`, ...more };
}

export function request(id: string, more: Partial<SpecNode> = {}): SpecNode {
  const headers = { Authorization: 'Bearer {{secret}}' };
  return {
    id,
    type: 'apiRequest',
    url: `https://api.example.com/${id}`,
    method: 'GET',
    headers,
    ...more,
  };
}

/** `a>b` is an edge without a condition, `a>b: c` one with the condition c. */
export function edge(text: string): SpecEdge {
  const [, from = '', to = '', condition] = /^(\S+)>(\S+?)(?:: (.*))?$/.exec(text) ?? [];
  return condition === undefined ? { from, to } : { from, to, condition };
}

export function captured(name: string, description = `the ${name}`) {
  return { name, type: 'string' as const, description };
}

/** Members: greeting (with collect), scheduling (with lookup), billing, operator. */
export const clinic: SpecWorkflow = {
  name: 'Clinic',
  nodes: [
    talk('greeting', { firstMessage: 'Welcome to the clinic.' }),
    {
      ...talk('collect', { extractVariables: [captured('name'), captured('reason')] }),
      type: 'gather',
    },
    talk('scheduling', { systemPrompt: 'Offer {{name}} a time.' }),
    talk('billing', { systemPrompt: 'Explain the bill to {{name}}.' }),
    request('lookup', {
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
  ],
  edges: [
    'greeting>collect',
    'collect>scheduling: wants an appointment',
    'collect>billing: asks about a bill',
    'scheduling>lookup: asks for another time',
    'scheduling>bye: is done',
    'lookup>bye',
    'billing>desk: disputes the bill',
    'billing>bye: has understood',
    'operator>bye: has been helped',
  ].map(edge),
};

/** What the verifier looks at. */
export interface Migration {
  readonly source: object;
  readonly options: CompileOptions;
  readonly document: JsonObject;
}

/** Compiles the workflow and puts down what the verifier looks at. */
export function migrate(source: SpecWorkflow, given: CompileOptions = {}): Migration {
  const options = { dynamicVariables: ['secret'], ...given };
  const { output, questions } = compile(source, options);
  if (output === null)
    throw new Error(`no squad: ${JSON.stringify(questions.map(({ id }) => id))}`);
  return { source, options, document: output };
}

/** Where the member of this name has its handoff to the other one. */
export function handoff(input: Migration, from: string, to: string): string {
  const at = places(input.document).find(
    ({ at: place, value }) =>
      place.endsWith('/assistantName') && value === to && memberName(input, place) === from,
  );
  if (at === undefined) throw new Error(`no handoff from ${from} to ${to}`);
  return at.at.replace(/\/assistantName$/, '');
}

/** Where the member of this name stands. */
export function member(input: Migration, name: string): string {
  const at = places(input.document).find(
    ({ at: place, value }) => place.endsWith('/assistant/name') && value === name,
  );
  if (at === undefined) throw new Error(`no member ${name}`);
  return at.at.replace(/\/assistant\/name$/, '');
}

function memberName(input: Migration, at: string): Json | undefined {
  const [root = ''] = /^(?:\/squad)?\/members\/\d+/.exec(at) ?? [];
  return valueAt(input.document, `${root}/assistant/name`);
}

/** Every place of a value with what stands there, in document order. */
function places(document: Json): { at: string; value: Json }[] {
  const found: { at: string; value: Json }[] = [{ at: '', value: document }];
  for (const { at, value } of found) {
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, part] of Object.entries(value)) {
      found.push({ at: `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, value: part });
    }
  }
  return found;
}

export function valueAt(document: Json | undefined, at: string): Json | undefined {
  let value = document;
  for (const key of keysOf(at)) {
    value = typeof value === 'object' && value !== null ? (value as never)[key] : undefined;
  }
  return value;
}

/** The input with another value at this place of the squad; a function makes it of the old one. */
export function withValue(input: Migration, at: string, value: Json | ((old: string) => Json)) {
  const document = structuredClone(input.document);
  const keys = keysOf(at);
  const last = keys.pop() ?? '';
  const parent = valueAt(document, keys.map((key) => `/${key}`).join('')) as Record<string, Json>;
  parent[last] = typeof value === 'function' ? value(String(parent[last])) : value;
  return { ...input, document };
}

/** The input without this place of the squad; elements after it move up. */
export function without(input: Migration, at: string): Migration {
  const document = structuredClone(input.document);
  const keys = keysOf(at);
  const last = keys.pop() ?? '';
  const parent = valueAt(document, keys.map((key) => `/${key}`).join(''));
  if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete (parent as Record<string, Json>)[last];
  return { ...input, document };
}

/** The input with one more element in this list of the squad. */
export function withElement(input: Migration, at: string, element: Json | undefined): Migration {
  const list = valueAt(input.document, at) as Json[] | undefined;
  return withValue(input, at, [...(list ?? []), element ?? null]);
}

function keysOf(at: string): string[] {
  return at
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What the item says that does not hold. */
export function faultsOf({ evidence }: ChecklistItem): string[] {
  return evidence.filter(({ holds }) => !holds).map(({ text }) => text);
}
