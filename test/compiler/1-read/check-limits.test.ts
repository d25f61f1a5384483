/** Texts that are too long for the target are errors with their places, and are never cut. */
import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/index.js';

const talk = { id: 'a', type: 'conversation', systemPrompt: 'Talk.' };
const edges = [{ from: 'a', to: 'b' }];

function errorsOf(node: object, target: 'squad' | 'vapi'): string[] {
  const workflow = { name: 'Limits', nodes: [talk, { id: 'b', ...node }], edges };
  const answers = { policies: { 'missing-auth': 'none' } };
  const { status, output, diagnostics } = compile(workflow, { target, answers });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  expect(status).toBe(errors.length === 0 ? 'complete' : 'invalid');
  expect(output === null).toBe(errors.length > 0);
  return errors.map(({ code, at }) => `${code} ${at}`);
}

describe('the limits of the target', () => {
  const transferTo = (destination: string) => ({ type: 'transferCall', destination });
  const tooLong = ['shape/wrong-type /nodes/1/destination'];

  it.each([
    ['two digits', '12', tooLong],
    ['three digits', '123', []],
    ['forty digits', '1'.repeat(40), []],
    ['forty-one digits', '1'.repeat(41), tooLong],
  ])('hold for a number of %s', (_name, number, expected) => {
    expect(errorsOf(transferTo(number), 'vapi')).toEqual(expected);
    expect(errorsOf(transferTo(number), 'squad')).toEqual([]);
  });

  const readingFrom = (path: string) => ({
    type: 'apiRequest',
    url: 'https://api.example.com',
    method: 'GET',
    responseVariables: [{ name: 'v', type: 'string', description: 'v', path }],
  });

  it.each(['squad', 'vapi'] as const)(
    'hold for the path of a response variable, for %s',
    (target) => {
      // Around the path stand `{{ $.` and ` }}`.
      const longest = 'a'.repeat(10_000 - 8);
      expect(errorsOf(readingFrom(longest), target)).toEqual([]);
      expect(errorsOf(readingFrom(`${longest}a`), target)).toEqual([
        'shape/wrong-type /nodes/1/responseVariables/0/path',
      ]);
    },
  );
});
