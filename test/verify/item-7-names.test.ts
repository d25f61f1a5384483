import { describe, expect, it } from 'vitest';
import { checkNames } from './checks.js';
import { clinic, faultsOf, handoff, member, migrate, without, withValue } from './migration.js';

const input = migrate(clinic);
const toBilling = handoff(input, 'greeting', 'billing');

describe('item 7', () => {
  it('holds where all names are unique and all handoffs lead somewhere', () => {
    const item = checkNames(input);
    expect(item.holds).toBe(true);
    expect(item.evidence.map(({ text }) => text)).toEqual([
      'The names of the members are unique: 4 assistants.',
      'Every handoff names a member: 5 destinations.',
    ]);
  });

  it('holds for the ids of saved assistants', () => {
    const saved = withValue(input, member(input, 'billing'), { assistantId: 'saved' });
    expect(faultsOf(checkNames(saved))).toEqual([
      'A handoff of “greeting” names “billing”, and no member is called that.',
    ]);
    const byId = withValue(saved, toBilling, { type: 'assistant', assistantId: 'saved' });
    expect(checkNames(byId).holds).toBe(true);
  });

  it('fails where two members have one name', () => {
    const at = `${member(input, 'billing')}/assistant/name`;
    expect(faultsOf(checkNames(withValue(input, at, 'scheduling')))).toEqual([
      'Several members are called “scheduling”.',
      'A handoff of “greeting” names “billing”, and no member is called that.',
    ]);
  });

  it('fails where a handoff names nobody', () => {
    expect(faultsOf(checkNames(without(input, `${toBilling}/assistantName`)))).toEqual([
      'A handoff of “greeting” names nobody.',
    ]);
  });

  it('fails where a member has no name', () => {
    const nameless = without(input, `${member(input, 'greeting')}/assistant/name`);
    expect(faultsOf(checkNames(nameless))).toEqual([
      'A member has neither a name nor the id of a saved assistant.',
    ]);
  });
});
