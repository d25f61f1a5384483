import { describe, expect, it } from 'vitest';
import { faultInWords } from '../../src/diagnostics/schema-fault.js';
import { schemaDocuments } from '../../src/schemas/documents.generated.js';
import type { SchemaFault } from '../../src/schemas/validators.generated.js';
import { validateSquad } from '../../src/schemas/validators.generated.js';

function fault(keyword: string, params: SchemaFault['params'], more: Partial<SchemaFault> = {}) {
  return { instancePath: '/a/b', schemaPath: '#/x', keyword, params, ...more };
}

describe('faultInWords', () => {
  it('says where and what', () => {
    expect(faultInWords([fault('type', { type: 'array' })])).toBe('a/b must be a list');
    expect(faultInWords([fault('const', { allowedValue: 'handoff' })])).toBe(
      'a/b must be “handoff”',
    );
    expect(faultInWords([fault('minItems', { limit: 2 })])).toBe('a/b must have at least 2');
    expect(faultInWords([fault('minimum', { limit: 1 })])).toBe('a/b must be at least 1');
  });

  it('names the whole where the fault is not inside it', () => {
    const whole = fault('type', { type: 'object' }, { instancePath: '' });
    expect(faultInWords([whole])).toBe('the value must be an object');
    expect(faultInWords([whole], null, 'the squad')).toBe('the squad must be an object');
    expect(faultInWords([])).toBe('the value does not fit');
  });

  it('skips what only repeats a fault, unless there is nothing else', () => {
    const echo = fault('if', {}, { message: 'must match "then" schema' });
    expect(faultInWords([echo, fault('uniqueItems', {})])).toBe('a/b must not name anything twice');
    expect(faultInWords([echo])).toBe('a/b must match "then" schema');
  });

  it('falls back on the words of the validator, or on its own', () => {
    expect(faultInWords([fault('format', {}, { message: 'must be a date' })])).toBe(
      'a/b must be a date',
    );
    expect(faultInWords([fault('format', {})])).toBe('a/b does not fit');
    expect(faultInWords([fault('pattern', {})])).toBe('a/b must be written in another form');
    expect(faultInWords([fault('pattern', {}, { schemaPath: '#/constructor/x' })], {})).toBe(
      'a/b must be written in another form',
    );
  });

  it('keeps a hostile name on one line', () => {
    const shown = faultInWords([fault('additionalProperties', { additionalProperty: 'a\nb' })]);
    expect(shown).toBe('a/b must not have “a\\nb”');
  });

  it('speaks for a schema as a whole', () => {
    validateSquad({ squad: { members: [{ asistant: {} }] } });
    expect(faultInWords(validateSquad.errors ?? [], schemaDocuments.squad)).toBe(
      'squad/members/0 must have “assistant”',
    );
  });
});
