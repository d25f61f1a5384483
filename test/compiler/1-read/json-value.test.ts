import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkJson,
  maxDepth,
  maxFaults,
  maxTextLength,
} from '../../../src/compiler/1-read/json-value.js';
import { runs, seed } from '../../seed.js';

class Point {
  x = 1;
}
class List extends Array {}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

const found = (value: unknown): string[] =>
  checkJson(value).map((fault) =>
    'found' in fault ? `${fault.at} ${fault.found}` : `${fault.at} ${fault.fault}`,
  );

describe('checkJson', () => {
  it('accepts plain JSON', () => {
    const bare = Object.assign(Object.create(null), { a: [true, null, -0, 'x', { '': 1e300 }] });
    expect(checkJson(bare)).toEqual([]);
    expect(checkJson('\u{1f600}')).toEqual([]);
    expect(checkJson(nested(maxDepth))).toEqual([]);
    expect(checkJson('a'.repeat(maxTextLength))).toEqual([]);
    expect(checkJson(runInNewContext('({ a: [1, { b: 2 }] })'))).toEqual([]);
    const shared = { a: 1 };
    expect(checkJson([shared, shared])).toEqual([]);
  });

  it.each<[unknown, string]>([
    [undefined, ' undefined'],
    [Number.NaN, ' NaN'],
    [-1 / 0, ' -Infinity'],
    [1n, ' bigint'],
    [() => 1, ' function'],
    [Symbol('x'), ' symbol'],
    [new Date(), ' class instance'],
    [new Map(), ' Map'],
    [new Set(), ' Set'],
    [/x/, ' RegExp'],
    [new Point(), ' class instance'],
    [new List(), ' class instance'],
    [new String('x'), ' class instance'],
    [Object.create({ a: 1 }), ' class instance'],
    [Object.create(Object.assign(Object.create(null), { a: 1 })), ' class instance'],
    [Object.assign(new Array(3), { 0: 1, 2: 2 }), ' sparse array'],
    [new Array(4e9), ' sparse array'],
    [Object.assign([1], { x: 1 }), ' array with extra properties'],
    [{ [Symbol('k')]: 1 }, ' symbol key'],
    [{ a: undefined }, '/a undefined'],
    [{ a: { 'b/c': [1, Number.NaN] } }, '/a/b~1c/1 NaN'],
    [Object.defineProperty({}, 'a', { value: 1 }), '/a hidden property'],
    [JSON.parse('{"a":{"__proto__":1}}'), '/a/__proto__ reserved-key'],
    [{ constructor: 1 }, '/constructor reserved-key'],
    [{ prototype: { a: undefined } }, '/prototype reserved-key'],
    [{ a: 'x\ud800' }, '/a lone-surrogate'],
    [{ '\udc00': 1 }, '/\udc00 lone-surrogate'],
    [{ a: 'x'.repeat(maxTextLength + 1) }, '/a text-too-long'],
    [{ ['x'.repeat(maxTextLength + 1)]: 1 }, ' text-too-long'],
    [nested(maxDepth + 1), `${'/0'.repeat(maxDepth)} too-deep`],
  ])('refuses %#', (value, expected) => {
    expect(found(value)).toEqual([expected]);
  });

  it('says what the limit is', () => {
    expect(checkJson('x'.repeat(maxTextLength + 5))).toEqual([
      { fault: 'text-too-long', at: '', length: maxTextLength + 5, limit: maxTextLength },
    ]);
  });

  it('calls neither getters nor toJSON', () => {
    const value = {
      get a(): never {
        throw new Error('called');
      },
      b: { toJSON: () => 1 },
    };
    expect(found(value)).toEqual(['/a accessor property', '/b/toJSON function']);
    const setting = Object.defineProperty({}, 'a', { enumerable: true, set: () => undefined });
    expect(found(setting)).toEqual(['/a accessor property']);
    const inList = Object.defineProperty([1], 0, { enumerable: true, get: () => 1 });
    expect(found(inList)).toEqual(['/0 accessor property']);
    expect(found(Object.defineProperty([1], 0, { enumerable: false }))).toEqual([
      '/0 hidden property',
    ]);
  });

  it('sees what is hidden among members, whatever every object inherits', () => {
    const hiding = (hidden: string) =>
      Object.defineProperty({ a: 1, b: 2, c: 3 }, hidden, { enumerable: false });
    const values = [{ a: { b: {} } }, hiding('a'), hiding('b'), hiding('c')];
    const inherited = { value: 1, enumerable: true, configurable: true, writable: true };
    Object.defineProperty(Object.prototype, 'inherited', inherited);
    const beside = values.map(found);
    Reflect.deleteProperty(Object.prototype, 'inherited');
    const faults = [[], ['/a hidden property'], ['/b hidden property'], ['/c hidden property']];
    expect(beside).toEqual(faults);
    expect(values.map(found)).toEqual(faults);
  });

  it('survives cycles and shared references without end', () => {
    const cycle: Record<string, unknown> = { a: 1 };
    cycle.self = cycle;
    cycle.other = [cycle];
    expect(found(cycle)).toEqual(['/other/0 too-deep', '/self too-deep']);
    let shared: unknown = 'x';
    for (let level = 0; level < 100; level++) shared = [shared, shared];
    expect(found(shared)).toEqual([' too-many-values']);
  });

  it('survives proxies', () => {
    const hostile = new Proxy(
      {},
      {
        ownKeys() {
          throw new Error('no');
        },
      },
    );
    expect(found({ a: hostile })).toEqual(['/a unreadable object']);
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    expect(found([proxy])).toEqual(['/0 unreadable object']);
    const noPrototype = new Proxy(
      {},
      {
        getPrototypeOf: () => {
          throw new Error('no');
        },
      },
    );
    expect(found([noPrototype])).toEqual(['/0 unreadable object']);
    const lying = new Proxy({}, { ownKeys: () => ['a'] });
    expect(found([lying])).toEqual(['/0/a unreadable object']);
    expect(found(new Proxy({ a: 1 }, {}))).toEqual([]);
  });

  it('tells all faults in the order of sorted keys, at most so many', () => {
    const value = { b: undefined, a: { z: Number.NaN, y: [1n] }, B: 'x\ud800' };
    expect(found(value)).toEqual([
      '/B lone-surrogate',
      '/a/y/0 bigint',
      '/a/z NaN',
      '/b undefined',
    ]);
    expect(checkJson(Array.from({ length: 500 }, () => undefined))).toHaveLength(maxFaults);
  });

  const strange = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSparseArray: true,
    withTypedArray: true,
    withUnicodeString: true,
  } as fc.ObjectConstraints);

  it('accepts whatever JSON.parse gives, and what it accepts survives JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(
          found(JSON.parse(JSON.stringify(value))).filter((line) => !line.endsWith('-key')),
        ).toEqual([]);
      }),
      { seed, numRuns: runs(500) },
    );
    fc.assert(
      fc.property(strange, (value) => {
        if (checkJson(value).length > 0) return;
        expect(JSON.stringify(JSON.parse(JSON.stringify(value)))).toBe(JSON.stringify(value));
      }),
      { seed, numRuns: runs(1000) },
    );
  });

  it('does not depend on the order of keys', () => {
    const reversed = (value: unknown): unknown =>
      typeof value !== 'object' ||
      value === null ||
      Object.getPrototypeOf(value) !== Object.prototype
        ? value
        : Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([key, member]) => [key, reversed(member)]),
          );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), strange), (value) => {
        expect(checkJson(reversed(value))).toEqual(checkJson(reversed(reversed(value))));
      }),
      { seed, numRuns: runs(500) },
    );
  });
});
