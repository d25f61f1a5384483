import { describe, expect, it } from 'vitest';
import { responsesOf } from '../../../src/compiler/5-lower/aliases.js';
import { parsed, request, setter } from '../build.js';

describe('responsesOf', () => {
  const of = (fields: object) =>
    responsesOf(parsed({ nodes: { a: { ...fields } } }).nodes[0]!).aliases;

  it('has one for each response variable, in source order, with its place', () => {
    const aliases = of(setter('y', 'x'));
    expect(aliases.map(({ key, value }) => [key, value.value])).toEqual([
      ['y', '{{ $.result.y }}'],
      ['x', '{{ $.result.x }}'],
    ]);
    expect(aliases[1]!.value.origin).toMatchObject({ from: ['/nodes/0/responseVariables/1/path'] });
  });

  it('has none for a request without, or a node that is no request', () => {
    expect(of(request())).toEqual([]);
    expect(of({ systemPrompt: 'A' })).toEqual([]);
  });
});
