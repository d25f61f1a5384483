import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/compiler/ir/json.js';
import type { Capture, VariableType } from '../../src/compiler/ir/workflow.js';
import { faultOfProperty } from '../../src/verify/plan-property.js';

function capture(
  description: string | null,
  type: VariableType = 'string',
  values: readonly string[] | null = null,
): Capture {
  const at = '/nodes/0/extractVariables/0';
  const text = description === null ? null : { value: description, at, uses: [] };
  return {
    name: 'x',
    type,
    description: text,
    enum: values,
    at,
    details: null,
    origin: { kind: 'source', at },
  };
}

function fault(property: Json | undefined, ...captures: Capture[]) {
  return faultOfProperty(property, 'x', captures);
}

describe('faultOfProperty', () => {
  it('wants type and description of the capture, and nothing else', () => {
    const property = { type: 'number', description: 'the x' };
    const one = capture('the x', 'number');
    expect(fault(property, one)).toBeNull();
    expect(fault({ ...property, type: 'string' }, one)).toBe('type');
    expect(fault({ ...property, type: ['number'] }, one)).toBe('type');
    expect(fault({ ...property, description: 'the x ' }, one)).toBe('description');
    expect(fault({ type: 'number' }, one)).toBe('description');
    expect(fault({ ...property, enum: [] }, one)).toBe('enumeration');
    expect(fault({ ...property, default: 1 }, one)).toBe('schema');
  });

  it.each([undefined, null, 'string', ['string'], 7])(
    'does not take %j for a property',
    (value) => {
      expect(fault(value, capture('the x'))).toBe('schema');
    },
  );

  it('names a variable that nobody describes', () => {
    expect(fault({ type: 'string', description: 'x' }, capture(null))).toBeNull();
    expect(fault({ type: 'string', description: '' }, capture(null))).toBe('description');
    const [one, other] = [capture(null), capture('y')];
    expect(fault({ type: 'string', description: 'y' }, one, other)).toBeNull();
  });

  it('takes differing types for a text without an enumeration', () => {
    const captures = [capture('x', 'number'), capture('x', 'boolean')];
    expect(fault({ type: 'string', description: 'x' }, ...captures)).toBeNull();
    expect(fault({ type: 'number', description: 'x' }, ...captures)).toBe('type');
    const listed = [capture('x', 'string', ['a']), capture('x', 'number', ['1'])];
    expect(fault({ type: 'string', description: 'x' }, ...listed)).toBeNull();
    const values = { type: 'string', description: 'x', enum: ['a', '1'] };
    expect(fault(values, ...listed)).toBe('enumeration');
  });

  it('takes descriptions joined in any order, each once', () => {
    const captures = ['one', 'two', 'one', 'tw'].map((text) => capture(text));
    const said = (description: string) => fault({ type: 'string', description }, ...captures);
    expect(said('one; or two; or tw')).toBeNull();
    expect(said('tw; or one; or two')).toBeNull();
    for (const other of ['one; or two', 'one; or two; or two', 'one; or one; or two; or tw']) {
      expect(said(other)).toBe('description');
    }
    expect(said('one; or tw; or tw ')).toBe('description');
    expect(said('onetw; or ; or two')).toBe('description');
  });

  it('knows descriptions that hold the joint', () => {
    const captures = ['a; or b', 'c'].map((text) => capture(text));
    const said = (description: string) => fault({ type: 'string', description }, ...captures);
    expect(said('a; or b; or c')).toBeNull();
    expect(said('c; or a; or b')).toBeNull();
    expect(said('b; or a; or c')).toBe('description');
    expect(said('a; or c; or b')).toBe('description');
  });

  it('wants all values that captures allow, unless one allows any', () => {
    const captures = [capture('x', 'string', ['a', 'b']), capture('x', 'string', ['b', 'c'])];
    const said = (values: Json) => {
      return fault({ type: 'string', description: 'x', enum: values }, ...captures);
    };
    expect(said(['c', 'a', 'b'])).toBeNull();
    for (const other of [['a', 'b'], ['a', 'b', 'c', 'c'], ['a', 'b', 'b'], ['a', 'b', 7], 'abc']) {
      expect(said(other)).toBe('enumeration');
    }
    const free = [...captures, capture('x')];
    expect(fault({ type: 'string', description: 'x' }, ...free)).toBeNull();
  });
});
