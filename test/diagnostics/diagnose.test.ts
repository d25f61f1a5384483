import { describe, expect, it } from 'vitest';
import { diagnose } from '../../src/diagnostics/diagnose.js';

describe('diagnose', () => {
  it('gives the sentences of the code, the place and nothing else', () => {
    const found = diagnose('flow/missing-node', '/edges/0/to', { id: 'b', end: 'to', near: null });
    expect(JSON.parse(JSON.stringify(found))).toEqual({
      code: 'flow/missing-node',
      severity: 'error',
      message: 'This edge leads to “b”, but no node has that id.',
      at: '/edges/0/to',
      related: [],
      help: 'Correct the id, add the missing node, or delete the edge.',
    });
  });

  it('carries related places and the document that it points into', () => {
    const more = { related: ['/nodes/0'], in: 'options' } as const;
    const found = diagnose('api/unknown-node', '/names/x', { id: 'x', option: 'names' }, more);
    expect(found).toMatchObject({ in: 'options', related: ['/nodes/0'], severity: 'warning' });
    expect('in' in diagnose('shape/no-name', '', {})).toBe(false);
  });

  it('finds a costly argument only when the message is read, and then once', () => {
    let walks = 0;
    const found = diagnose('data/maybe-unset', '/nodes/1', {
      variable: 'x',
      get walk() {
        walks++;
        return ['a', 'b'];
      },
    });
    expect(walks).toBe(0);
    expect(found.message).toContain('“a” → “b”');
    expect(found.message).toBe(found.message);
    expect(walks).toBe(1);
  });

  it('refuses wrong codes and arguments when it is compiled', () => {
    const wrong = [
      // @ts-expect-error no such code
      () => diagnose('flow/no-such-code', '', {}),
      // @ts-expect-error an argument is missing
      () => diagnose('flow/missing-node', '', { id: 'b', end: 'to' }),
      // @ts-expect-error an argument has another type
      () => diagnose('shape/too-deep', '', { limit: '200' }),
      // @ts-expect-error a word that is none of those allowed
      () => diagnose('flow/missing-node', '', { id: 'b', end: 'there', near: null }),
      // @ts-expect-error an argument of another code
      () => diagnose('shape/too-deep', '', { limit: 1, id: 'b' }),
      // @ts-expect-error this code has no arguments
      () => diagnose('shape/no-name', '', { name: 'x' }),
      // @ts-expect-error no such document
      () => diagnose('shape/no-name', '', {}, { in: 'nowhere' }),
    ];
    expect(wrong).toHaveLength(7);
  });
});
