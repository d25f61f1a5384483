import { describe, expect, it } from 'vitest';
import { drop, insert, keysOf, put, renameKey } from '../../../src/testing/mutants/edit.js';

const document = { list: [{ a: 1 }, { b: 2 }], 'x/y~z': { c: 3 }, other: { kept: true } };

describe('edits', () => {
  it('put a value, new or in the place of another', () => {
    expect(put(document, '/list/1/b', 9)).toEqual({ ...document, list: [{ a: 1 }, { b: 9 }] });
    expect(put(document, '/x~1y~0z/d', 4)['x/y~z']).toEqual({ c: 3, d: 4 });
  });

  it('drop keys and elements', () => {
    expect(drop(document, '/list/0')).toEqual({ ...document, list: [{ b: 2 }] });
    expect(drop(document, '/x~1y~0z')).toEqual({ list: document.list, other: document.other });
  });

  it('insert elements', () => {
    expect(insert(document, '/list/1', 'new')['list']).toEqual([{ a: 1 }, 'new', { b: 2 }]);
    expect(insert(document, '/list/2', 'last')['list']).toEqual([{ a: 1 }, { b: 2 }, 'last']);
  });

  it('rename keys', () => {
    expect(renameKey(document, '/other', 'another')).toEqual({
      list: document.list,
      'x/y~z': { c: 3 },
      another: { kept: true },
    });
  });

  it('share what they do not change, and leave the document as it is', () => {
    const before = structuredClone(document);
    const changed = put(document, '/list/0/a', 2);
    expect(changed['other']).toBe(document.other);
    expect(document).toEqual(before);
  });

  it('keep keys that objects have of themselves', () => {
    const odd = JSON.parse('{ "__proto__": { "a": 1 }, "toString": 2 }');
    expect(JSON.stringify(put(odd, '/__proto__/a', 3))).toBe('{"__proto__":{"a":3},"toString":2}');
    expect(JSON.stringify(drop(odd, '/toString'))).toBe('{"__proto__":{"a":1}}');
  });

  it('read pointers', () => {
    expect(keysOf('/a~1b/~0/0')).toEqual(['a/b', '~', '0']);
    expect(keysOf('')).toEqual([]);
  });
});
