import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../src/index.js';
import { runs, seed } from '../seed.js';
import { checkNames } from './checks.js';
import { clinic, faultsOf, handoff, member, migrate, without, withValue } from './migration.js';

const input = migrate(clinic);

describe('item 7', () => {
  it('holds where all names are unique and all handoffs lead somewhere', () => {
    const item = checkNames(input);
    expect(item.holds).toBe(true);
    expect(item.evidence.map(({ text }) => text)).toEqual([
      'The names of the members are unique: 4 assistants.',
      'Every handoff names a member: 5 destinations.',
    ]);
  });
});

describe.each(['squad', 'vapi'] as const)('item 7 for target %s', (target) => {
  const given = migrate(clinic, { target });
  const toBilling = handoff(given, 'greeting', 'billing');
  const billing = member(given, 'billing');

  it('holds for the ids of saved assistants', () => {
    const saved = withValue(given, billing, { assistantId: 'saved' });
    expect(faultsOf(checkNames(saved))).toEqual([
      'A handoff of “greeting” names “billing”, and no member is called that.',
    ]);
    const byId = withValue(saved, toBilling, { type: 'assistant', assistantId: 'saved' });
    expect(checkNames(byId).holds).toBe(true);
  });

  it('knows members by the names that overrides give them', () => {
    const assistantOverrides = { name: 'billing' };
    const saved = withValue(given, billing, { assistantId: 'saved', assistantOverrides });
    expect(checkNames(saved).holds).toBe(true);
    const renamed = withValue(given, `${billing}/assistantOverrides`, { name: 'money' });
    expect(faultsOf(checkNames(renamed))).toEqual([
      'A handoff of “greeting” names “billing”, and no member is called that.',
    ]);
  });

  it('fails where two members have one name, or one id', () => {
    const at = `${billing}/assistant/name`;
    const item = checkNames(withValue(given, at, 'scheduling'));
    expect(faultsOf(item)).toEqual([
      'Several members are called “scheduling”.',
      'A handoff of “greeting” names “billing”, and no member is called that.',
    ]);
    expect(item.evidence[0]?.output).toEqual([`${member(given, 'scheduling')}/assistant/name`, at]);
    const saved = withValue(given, billing, { assistantId: 'saved' });
    const twice = withValue(saved, member(given, 'scheduling'), { assistantId: 'saved' });
    expect(faultsOf(checkNames(twice))).toContain('Several members are called “saved”.');
  });

  it('fails where a handoff names nobody', () => {
    expect(faultsOf(checkNames(without(given, `${toBilling}/assistantName`)))).toEqual([
      'A handoff of “greeting” names nobody.',
    ]);
    expect(faultsOf(checkNames(withValue(given, `${toBilling}/assistantName`, 'Billing')))).toEqual(
      ['A handoff of “greeting” names “Billing”, and no member is called that.'],
    );
  });

  it('fails where a member has no name', () => {
    const nameless = without(given, `${member(given, 'greeting')}/assistant/name`);
    expect(faultsOf(checkNames(nameless))).toEqual([
      'A member has neither a name nor the id of a saved assistant.',
    ]);
  });

  it('fails where the platform’s shorthand names nobody', () => {
    const at = `${billing}/assistantDestinations`;
    const destination = { type: 'assistant', assistantName: 'nobody', description: 'x' };
    const item = checkNames(withValue(given, at, [destination]));
    expect(faultsOf(item)).toEqual([
      'A handoff of “billing” names “nobody”, and no member is called that.',
    ]);
    expect(item.evidence[1]?.output).toEqual([`${at}/0`]);
  });

  it('fails where an override names nobody', () => {
    const tool = {
      type: 'handoff',
      destinations: [{ type: 'assistant', assistantName: 'nobody' }],
    };
    const hidden = { transferPlan: { fallback: { assistantId: 'gone' } } };
    const at = `${billing}/assistantOverrides`;
    const item = checkNames(withValue(given, at, { 'tools:append': [tool], hidden }));
    expect(faultsOf(item)).toEqual([
      'A handoff of “billing” names “nobody”, and no member is called that.',
      'An override names “gone”, and no member is called that.',
    ]);
    expect(item.evidence[2]?.output).toEqual([`${at}/hidden/transferPlan/fallback/assistantId`]);
    const inside = `${toBilling}/assistantOverrides`;
    expect(checkNames(withValue(given, inside, { model: { tools: [tool] } })).holds).toBe(false);
    const shared = target === 'squad' ? '/squad/memberOverrides' : '/membersOverrides';
    expect(checkNames(withValue(given, shared, hidden)).holds).toBe(false);
  });

  it('wants the names that an option gives, where they can be names', () => {
    const names = { billing: 'Accounts', greeting: 'greeting' };
    const named = migrate(clinic, { names });
    expect(checkNames(named).holds).toBe(true);
    const other = { ...input, options: named.options };
    expect(faultsOf(checkNames(other))).toEqual([
      'The assistant that begins with “billing” is called “billing”, and not “Accounts” as an option says.',
    ]);
    const made = { billing: 'x'.repeat(41), greeting: 'two\nlines', scheduling: 'operator' };
    expect(checkNames(migrate(clinic, { names: made })).holds).toBe(true);
  });

  it('takes whatever name the compiler makes of one that was given', () => {
    const name = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 45 }),
      fc.constantFrom('Billing', 'e\u0301', 'é', '{{x}}', ' a ', 'a  b', 'zero\u200dwidth'),
    );
    const property = fc.property(name, name, (billing, operator) => {
      const { status, diagnostics } = compile(clinic, {
        dynamicVariables: ['secret'],
        names: { billing, operator },
      });
      const isRefused = diagnostics.some(({ code }) => code === 'api/option');
      expect(status === 'complete' || isRefused).toBe(true);
    });
    fc.assert(property, { seed, numRuns: runs(150) });
  });
});
