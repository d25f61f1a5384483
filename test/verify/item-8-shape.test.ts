import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/compiler/ir/json.js';
import { checks } from '../../src/verify/checklist.js';
import { readSquad } from '../../src/verify/read-squad.js';
import { checkShape } from './checks.js';
import {
  clinic,
  compareMigration,
  faultsOf,
  handoff,
  type Migration,
  member,
  migrate,
  places,
  withValue,
} from './migration.js';

const input = migrate(clinic);

/** What the item says of this document, with the places. */
function judge(document: Json): (string | readonly string[])[] {
  const { evidence } = checkShape({ ...input, document: document as Migration['document'] });
  return evidence.filter(({ holds }) => !holds).flatMap(({ text, output }) => [text, output]);
}

describe('item 8', () => {
  it('holds where the document has its shape', () => {
    const item = checkShape(input);
    expect(item.holds).toBe(true);
    expect(item.evidence.map(({ text }) => text)).toEqual([
      'The document has the shape of target “squad”.',
      'No name of an assistant is longer than 40 characters.',
    ]);
  });

  it('holds for saved assistants', () => {
    const saved = { assistantId: 'saved', assistantOverrides: {} };
    expect(judge({ squad: { members: [saved] } })).toEqual([]);
  });

  it('fails where the document has the shape of a target that it was not made for', () => {
    expect(judge({ members: [{ assistantId: 'saved' }] })).toEqual([
      'The document was to have the shape of target “squad” and has that of “vapi”.',
      [''],
    ]);
    const unknown = { ...compareMigration(input), stated: null };
    const document = { members: [{ assistantId: 'saved' }] };
    const comparison = { ...unknown, document, squad: readSquad(document) };
    expect(checks[7]!(comparison).holds).toBe(true);
  });

  it.each<Json>([
    null,
    'squad',
    3,
    [],
    {},
    { squad: null },
    { squad: [] },
    { members: 'none' },
    { squad: { members: [] } },
    { squad: { members: [null, 3, 'x', [], {}] } },
    { members: [{ assistant: { name: {}, model: { messages: [[], null], tools: 3 } } }] },
  ])('fails for %j and throws nothing', (document) => {
    expect(judge(document).length).toBeGreaterThan(0);
  });

  it('takes deep and large documents', () => {
    let deep: Json = {};
    for (let depth = 0; depth < 100_000; depth += 1) deep = { type: 'object', items: deep };
    const overrides = withValue(input, '/squad/memberOverrides', { deep });
    expect(checkShape(overrides).holds).toBe(true);
    const vapi = migrate(clinic, { target: 'vapi' });
    const body = places(vapi.document).find(({ at }) => at.endsWith('/body'))!.at;
    const item = checkShape(withValue(vapi, body, deep));
    expect(item.evidence.filter(({ holds }) => !holds)).toHaveLength(1);
    const wide = Array.from({ length: 20_000 }, () => ({ assistantID: 'x' }));
    expect(checkShape({ ...input, document: { members: wide } }).evidence).toHaveLength(40_002);
  });
});

describe.each(['squad', 'vapi'] as const)('item 8 for target %s', (target) => {
  const given = migrate(clinic, { target });
  const root = target === 'squad' ? '/squad' : '';
  const billing = member(given, 'billing');
  const toBilling = handoff(given, 'greeting', 'billing');
  const tool = (type: string) =>
    places(given.document)
      .find(({ at, value }) => /\/tools\/\d+\/type$/.test(at) && value === type)!
      .at.replace(/\/type$/, '');

  it.each([
    ['the document', '/squads'],
    ['the squad', `${root}/${target === 'squad' ? 'membersOverrides' : 'memberOverrides'}`],
    ['a member', `${billing}/assistantOveride`],
    ['a handoff tool', `${toBilling.replace(/\/destinations.*/, '')}/destination`],
    ['a destination', `${toBilling}/desciption`],
    ['a context plan', `${toBilling}/contextEngineeringPlan/maxMessage`],
    ['an extraction plan', `${toBilling}/variableExtractionPlan/alias`],
    ['its schema', `${toBilling}/variableExtractionPlan/schema/require`],
    ['a property', `${toBilling}/variableExtractionPlan/schema/properties/name/enums`],
    ['a request', `${tool('apiRequest')}/header`],
    ['a response plan', `${tool('apiRequest')}/variableExtractionPlan/aliasses`],
    ['an alias', `${tool('apiRequest')}/variableExtractionPlan/aliases/0/path`],
    ['a transfer', `${tool('transferCall')}/destination`],
    ['a transfer’s destination', `${tool('transferCall')}/destinations/0/mesage`],
  ])('fails where a key of %s is misspelt', (_what, at) => {
    const key = at.slice(at.lastIndexOf('/') + 1);
    // Where the compiler writes one value in several places, it is changed in one.
    const document = JSON.parse(JSON.stringify(given.document));
    const item = checkShape(withValue({ ...given, document }, at, {}));
    const faults = item.evidence.filter(({ holds }) => !holds);
    expect(faults.map(({ output }) => output)).toEqual([[at]]);
    expect(faults[0]?.text).toContain(`must not have “${key}”`);
  });

  it.each([
    ['an assistant', `${billing}/assistant/backgroundSound`],
    ['a model', `${billing}/assistant/model/temperature`],
    ['overrides', `${billing}/assistantOverrides`],
  ])('is open in the settings of %s', (_what, at) => {
    expect(faultsOf(checkShape(withValue(given, at, { any: 'thing' })))).toEqual([]);
  });

  it('tells every fault', () => {
    const once = withValue(given, `${billing}/assistant/model/provider`, 3);
    const twice = withValue(once, `${toBilling}/type`, 'squad');
    const item = checkShape(withValue(twice, `${tool('apiRequest')}/method`, 'FETCH'));
    expect(faultsOf(item)).toHaveLength(3);
  });

  it.each(['1a', 'a-b', 'a b', `a${'b'.repeat(40)}`, ''])('fails for the alias key %j', (key) => {
    const at = `${tool('apiRequest')}/variableExtractionPlan/aliases/0/key`;
    expect(checkShape(withValue(given, at, key)).holds).toBe(false);
  });

  it('fails where a name is too long, wherever it stands', () => {
    const long = 'x'.repeat(41);
    const at = `${billing}/assistant/name`;
    const fault = { text: `The name “${long}” is longer than 40 characters.`, output: [at] };
    expect(checkShape(withValue(given, at, long)).evidence.filter(({ holds }) => !holds)).toEqual([
      expect.objectContaining(fault),
    ]);
    expect(checkShape(withValue(given, at, long.slice(1))).holds).toBe(true);
    expect(checkShape(withValue(given, at, '𝄞'.repeat(40))).holds).toBe(true);
    const override = withValue(given, `${billing}/assistantOverrides`, { name: long });
    expect(checkShape(override).holds).toBe(false);
  });

  it('fails where the first message is no system message that says something', () => {
    const message = `${billing}/assistant/model/messages/0`;
    for (const [field, value] of [
      ['role', 'user'],
      ['content', ' \n'],
    ] as const) {
      expect(faultsOf(checkShape(withValue(given, `${message}/${field}`, value)))).toEqual([
        'The first message of “billing” is no system message that says something.',
      ]);
    }
  });
});

describe('plans of the platform', () => {
  const given = migrate(clinic, { target: 'vapi' });
  const plan = places(given.document).find(({ at }) => at.endsWith('/transferPlan'))!.at;

  it('are closed, whatever the mode', () => {
    expect(checkShape(withValue(given, `${plan}/message`, 'Hello.')).holds).toBe(true);
    expect(faultsOf(checkShape(withValue(given, `${plan}/mesage`, 'Hello.')))).toHaveLength(1);
  });
});
