import { describe, expect, it } from 'vitest';
import { createRoot } from '../../../src/compiler/6-emit/tracing.js';
import { type Draft, put, putSettings } from '../../../src/compiler/6-emit/writing.js';
import { fromSource, traced } from '../../../src/compiler/ir/provenance.js';

describe('put', () => {
  it('adds any name as a member of the object itself', () => {
    const draft: Draft = {};
    for (const key of ['b', '__proto__', 'constructor', 'a']) put(draft, key, { x: key });
    expect(JSON.stringify(draft)).toBe(
      '{"b":{"x":"b"},"__proto__":{"x":"__proto__"},"constructor":{"x":"constructor"},"a":{"x":"a"}}',
    );
    expect(Object.getPrototypeOf(draft)).toBe(Object.prototype);
  });
});

describe('putSettings', () => {
  it('adds settings in order, and notes where they come from', () => {
    const root = createRoot();
    const draft: Draft = { key: 0 };
    const setting = (key: string, value: number) => ({
      key,
      value: traced(value, fromSource(`/${key}`)),
    });
    putSettings(draft, [setting('one', 1), setting('two', 2), setting('one', 3)], root);
    expect(Object.entries(draft)).toEqual([
      ['key', 0],
      ['one', 3],
      ['two', 2],
    ]);
    expect(root.notes.sourceMap.map(({ output }) => output)).toEqual(['/one', '/two', '/one']);
  });
});
