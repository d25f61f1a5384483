import { describe, expect, it } from 'vitest';
import { checkShape } from './checks.js';
import { clinic, faultsOf, handoff, member, migrate, withValue } from './migration.js';

const input = migrate(clinic);

describe('item 8', () => {
  it('holds where the document has its shape', () => {
    const item = checkShape(input);
    expect(item.holds).toBe(true);
    expect(item.evidence.map(({ text }) => text)).toEqual([
      'The document has the shape of target “squad”.',
      'No name of an assistant is longer than 40 characters.',
    ]);
  });

  it('fails where a key is misspelt', () => {
    const at = handoff(input, 'greeting', 'billing');
    const item = checkShape(withValue(input, `${at}/desciption`, 'when'));
    expect(item.evidence[0]).toMatchObject({ holds: false, output: [at] });
    expect(faultsOf(item)).toHaveLength(1);
  });

  it('fails where a name is too long', () => {
    const at = `${member(input, 'billing')}/assistant/name`;
    const long = 'x'.repeat(41);
    expect(faultsOf(checkShape(withValue(input, at, long)))).toHaveLength(2);
    expect(checkShape(withValue(input, at, long.slice(1))).holds).toBe(true);
  });

  it('holds for the other target', () => {
    const options = { ...input.options, target: 'vapi' as const };
    const document = { members: [{ assistantId: 'saved' }] };
    expect(checkShape({ ...input, options, document }).holds).toBe(true);
  });
});
