/**
 * Squads for target vapi against the types of the platform's own client library: each stands as a
 * literal in a program that only compiles where the create-squad call takes it.
 */
import type { Vapi } from '@vapi-ai/server-sdk';
import { beforeAll, describe, expect, it } from 'vitest';
import { compile } from '../../../src/index.js';
import { choosing, settle } from '../../../src/testing/answering.js';
import { type GoldenCase, listFolders, readCase } from '../../golden/cases.js';
import { findTypeErrors } from './type-check.js';
import { withoutSettings } from './vapi-documents.js';
import { exact, order, reception } from './vapi-workflows.js';

const smallest: Vapi.CreateSquadDto = {
  members: [{ assistant: { name: 'desk', model: { provider: 'openai', model: 'gpt-4o' } } }],
};

/** Bodies by name, as the platform would be sent them. */
const bodies = new Map<string, object>([['the smallest', smallest]]);

/** Bodies that the platform refuses, and what of them it refuses. */
const refused: readonly [name: string, body: object, words: string][] = [
  ['the key of the other target', { ...smallest, memberOverrides: {} }, 'memberOverrides'],
  ['a squad without members', { name: 'Nobody' }, "'members' is missing"],
  [
    'a misspelt key deep inside',
    withTool({ type: 'endCall', rejectionPlans: {} }),
    'rejectionPlans',
  ],
  ['a transfer without mode', withTool(transferBy({})), "'mode' is missing"],
  ['a named transfer', withTool({ type: 'transferCall', function: { name: 'x' } }), 'function'],
];

const cases = listFolders().flatMap((name) => readCase(name) ?? []);
const readable = cases.filter(({ input }) => input === 'input.json');

describe('the types of the platform', () => {
  let errors: ReadonlyMap<string, string[]>;
  beforeAll(() => {
    for (const golden of readable) addGolden(golden);
    addExamples();
    for (const [name, body] of refused) bodies.set(name, body);
    const programs = [...bodies].map(([name, body]) => [name, programOf(body)] as const);
    errors = findTypeErrors(new Map(programs));
  }, 60_000);

  it('are found', () => expect(errors.get('the types themselves')).toBeUndefined());

  it.each(refused)('refuse %s', (name, _body, words) => {
    expect(errors.get(name)?.join()).toContain(words);
  });

  it('are held against many squads', () => expect(bodies.size).toBeGreaterThan(100));

  it('take every other', () => {
    const wrong = new Set(refused.map(([name]) => name));
    expect([...errors].filter(([name]) => !wrong.has(name))).toEqual([]);
  });
});

/** A case of this target as it stands; the others compiled for it, without made-up voices. */
function addGolden({ name, options, reading: { workflow } }: GoldenCase): void {
  if (options.target === 'vapi') {
    const { output } = compile(workflow, options);
    if (output !== null) bodies.set(`golden/${name}`, output);
    return;
  }
  const { answers: _, ...others } = options;
  for (const model of models) {
    const wanted = { ...others, ...model, target: 'vapi' as const };
    const { output } = settle(workflow, wanted, choosing([0, 1])).result;
    if (output !== null) {
      bodies.set(`golden/${name}, ${model.model.provider}`, withoutSettings(output));
    }
  }
}

/** What every choice of an answer comes to. */
function addExamples(): void {
  for (const [name, workflow] of Object.entries({ exact, order, reception })) {
    for (const number of [0, 1, 2, 3]) {
      const { output } = settle(workflow, { target: 'vapi' }, choosing([number])).result;
      bodies.set(`${name} ${number}`, output ?? expect.unreachable(`${name} ${number} is open`));
    }
  }
}

const models = [
  { model: { provider: 'openai', model: 'gpt-4o' } },
  { model: { provider: 'anthropic', model: 'claude-sonnet-4-6' } },
];

function programOf(body: object): string {
  return [
    "import type { Vapi } from '@vapi-ai/server-sdk';",
    `export const body: Vapi.CreateSquadDto = ${literalOf(body)};`,
  ].join('\n');
}

/** A text says that it is this text: below a key like `valueOf` it would be taken for any. */
function literalOf(value: unknown): string {
  if (typeof value === 'string') return `${JSON.stringify(value)} as const`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(literalOf).join(',\n')}]`;
  const members = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}: ${literalOf(each)}`,
  );
  return `{${members.join(',\n')}}`;
}

function withTool(tool: object): object {
  const model = { provider: 'openai', model: 'gpt-4o', tools: [tool] };
  return { members: [{ assistant: { name: 'desk', model } }] };
}

function transferBy(transferPlan: object): object {
  return {
    type: 'transferCall',
    destinations: [{ type: 'number', number: '+4930123456', transferPlan }],
  };
}
