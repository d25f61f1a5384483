import { describe, expect, it, vi } from 'vitest';
import { addLazy, holdMakers, withLazy } from '../../../src/compiler/ir/lazy.js';

describe('an object with members that are made when they are read', () => {
  it('has each made once, at the first reading', () => {
    const make = vi.fn(() => ['made']);
    const object = withLazy({ own: 1 }, { later: make });
    expect(make).not.toHaveBeenCalled();
    expect([object.later, object.later]).toEqual([['made'], ['made']]);
    expect(object.later).toBe(object.later);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('looks like any other to whoever lists, spreads, compares or prints it', () => {
    const object = withLazy({ z: 1 }, { b: () => 2, a: () => undefined });
    expect(Object.keys(object)).toEqual(['z', 'b', 'a']);
    expect({ ...object }).toStrictEqual({ z: 1, b: 2, a: undefined });
    expect(object).toStrictEqual({ z: 1, b: 2, a: undefined });
    expect(JSON.stringify(object)).toBe('{"z":1,"b":2}');
    expect(structuredClone(object)).toEqual({ z: 1, b: 2, a: undefined });
  });

  it('may have members of its own behind one', () => {
    const object: Record<string, unknown> = { first: 1 };
    holdMakers(object, { second: () => 2, fourth: () => 4 });
    addLazy(object, 'second');
    object['third'] = 3;
    addLazy(object, 'fourth');
    expect(JSON.stringify(object)).toBe('{"first":1,"second":2,"third":3,"fourth":4}');
  });

  it('shares its accessors with all others, so that none keeps alive what it is made by', () => {
    const [one, other] = [1, 2].map((value) => withLazy({}, { shared: () => value }));
    const getterOf = (object: object | undefined) =>
      Object.getOwnPropertyDescriptor(object, 'shared')?.get;
    expect(getterOf(one)).toBe(getterOf(other));
    expect([one?.shared, other?.shared]).toEqual([1, 2]);
  });
});
