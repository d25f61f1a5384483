/** Inputs that a golden case cannot contain, or that only provoke one code. */
import type { CompileOptions } from '../../src/index.js';
import { captures, exported, flow, request, says, transfer } from '../compiler/build.js';

export interface Provocation {
  readonly workflow: unknown;
  readonly options?: CompileOptions;
  /** A squad to check against the workflow; without one, the workflow is compiled. */
  readonly squad?: unknown;
}

const vapi = { target: 'vapi' } as const;
/** A saved assistant. */
const saved = (assistantId: string) => ({ type: 'assistant', assistantId, prompt: undefined });
const consolidated = { policies: { 'cyclic-stages': 'consolidate' } };

const cafe = 'Offer a table.';
const onlyCafe = flow({ cafe });
const memberOf = (content: string, tools: readonly object[] = []) => {
  const messages = [{ role: 'system', content }];
  return {
    assistant: { name: 'C', model: { provider: 'openai', model: 'gpt-4o', messages, tools } },
  };
};
const squadOf = (...members: readonly object[]) => ({ squad: { members } });
const ofCafe = squadOf(memberOf(cafe));
const zebra = { memberOverrides: { zebra: 1 } };

/** Code → an input that provokes it. */
export const provocations: Readonly<Record<string, () => Provocation>> = {
  'shape/text-too-long': () => ({ workflow: flow({ cafe: 'x'.repeat(2 ** 24 + 2 ** 22) }) }),
  'shape/not-json': () => ({ workflow: flow({ cafe: { systemPrompt: () => cafe } }) }),
  'shape/liquid-too-large': () => {
    return { workflow: flow({ cafe: '{% if a %}{% endif %}'.repeat(2000) }) };
  },
  'api/unread-variable': () => ({ workflow: onlyCafe, options: { dynamicVariables: ['guest'] } }),
  'shape/raw-tag': () => {
    return { workflow: flow({ cafe, bar: 'Mix.' }, 'cafe > bar: {% raw %}{{ open }}{% endraw %}') };
  },
  'data/template-key': () => {
    return { workflow: flow({ cafe, book: request({ headers: { '{{kind}}': 'y' } }) }) };
  },
  'shape/no-edges': () => ({ workflow: { name: 'Café', nodes: onlyCafe.nodes } }),
  'shape/assistant-id': () => ({ workflow: exported({ bar: saved('the bar') }) }),
  'flow/several-starts': () => {
    return { workflow: exported({ cafe: { isStart: true }, bar: { isStart: true } }) };
  },
  // The caller's name, captured with two descriptions on two walks to the same handoff.
  'data/may-overwrite': () => ({
    workflow: flow(
      {
        desk: captures('guest'),
        table: 'T.',
        other: captures('guest'),
        seat: '{{guest}}',
        bar: 'B.',
      },
      'desk > table: 1 | desk > bar: 2 | table > other: 3 | other > table | table > seat: 4 | table > bar: 5',
    ),
    options: { context: { type: 'none' }, answers: consolidated },
  }),
  // A price that the caller names on one walk and that a tool returns on the other.
  'data/mixed-source': () => ({
    workflow: flow(
      {
        ...{ cafe, say: captures('price'), check: 'Is that right?' },
        ask: request({ responseVariables: [{ name: 'price', path: 'price' }] }),
        ...{ refund: 'Pay back {{price}}.', voucher: 'Send {{price}}.' },
      },
      'cafe > say: 1 | cafe > ask: 2 | say > check | ask > check | check > cafe: 3 | check > refund: 4 | check > voucher: 5',
    ),
    options: {
      answers: {
        answers: { 'ambiguous-start:workflow': { choice: 'node', value: 'cafe' } },
        ...consolidated,
      },
    },
  }),
  // A variable with two reads, one of which has since got a capture before it.
  'data/never-set': () => ({
    workflow: flow(
      { cafe: 'Greet {{guest}}.', table: 'Ask for the name.', seat: 'Seat {{guest}}.' },
      'cafe > table | table > seat',
    ),
    options: {
      answers: {
        answers: { 'undefined-variable:guest': { choice: 'captured-at', value: 'table' } },
      },
    },
  }),
  'lower/too-large': () => {
    const globals = Array.from({ length: 150 }, (_, at) => {
      return [`g${at}`, { ...says(cafe), isGlobal: true, condition: `asks for ${at}` }] as const;
    });
    return { workflow: flow({ cafe, ...Object.fromEntries(globals) }) };
  },
  'lower/saved-needs-prompt': () => {
    const end = { type: 'hangup', firstMessage: 'Goodbye.', prompt: undefined };
    return { workflow: exported({ bar: saved('asst-bar'), end }, 'bar > end'), options: vapi };
  },
  'lower/saved-twice': () => {
    const nodes = { bar: saved('asst-bar'), terrace: saved('asst-bar') };
    return { workflow: exported(nodes, 'bar > terrace'), options: vapi };
  },
  'check/not-a-squad': () => ({ workflow: onlyCafe, squad: onlyCafe }),
  'check/item-fails': () => ({ workflow: onlyCafe, squad: squadOf() }),
  'check/not-placed': () => ({ workflow: onlyCafe, squad: squadOf() }),
  'check/walk': () => ({ workflow: onlyCafe, squad: squadOf(memberOf('Be silent.')) }),
  'check/not-seen': () => ({ workflow: onlyCafe, squad: squadOf({ assistantId: 'elsewhere' }) }),
  'check/setting-differs': () => {
    return { workflow: { ...onlyCafe, model: { provider: 'openai', model: 'x' } }, squad: ofCafe };
  },
  'check/setting-unknown': () => {
    return { workflow: onlyCafe, squad: { squad: { ...ofCafe.squad, ...zebra } }, options: zebra };
  },
  // A transfer that has no question.
  'check/open-question': () => {
    const owner = transfer({ destination: undefined });
    return { workflow: flow({ cafe, owner }, 'cafe > owner: complains'), squad: ofCafe };
  },
  // An assistant whose prompt describes two nodes in prose.
  'check/not-decided': () => {
    const cake = 'Take the order of a cake.';
    return {
      workflow: flow({ cafe, cake }, 'cafe > cake'),
      squad: squadOf(memberOf(`${cafe} Then: ${cake}`)),
    };
  },
};
