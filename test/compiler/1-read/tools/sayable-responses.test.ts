import { describe, expect, it } from 'vitest';
import { toolDefinitions } from '../../../../src/adapters/tools/table/definitions.js';
import { sayableName } from '../../../../src/compiler/1-read/tools/sayable-responses.js';
import type { ResponseVariable } from '../../../../src/compiler/ir/workflow.js';
import { bound, callAt, compileCall, saidOf, toolsOf } from './rent-office.js';

function nameOf(variable: { name?: string; path?: string; template?: string }): string | null {
  const { name = 'amount', path = '', template } = variable;
  const value = template === undefined ? null : { value: template, at: '', uses: [] };
  const response: ResponseVariable = { name, path, value, at: '', sourceAt: '' };
  return sayableName(toolDefinitions['bills.get']!, response);
}

describe('what a variable is read from', () => {
  it.each([
    [{ path: 'responseData.NetAmount' }],
    [{ path: 'netAmount' }],
    [{ template: '{{ $.responseData.NetAmount }}' }],
    [{ template: '{{tool.response.responseData.NetAmount}}' }],
    [{ name: 'netAmount' }],
  ])('is a value that may be said: %j', (variable) => {
    expect(nameOf(variable)).toBe('netAmount');
  });

  it.each([
    [{ path: 'NetAmount' }],
    [{ path: 'responseData.Comments' }],
    [{ path: 'responseData' }],
    [{ path: 'responseData.NetAmount[0]' }],
    [{ path: 'constructor' }],
    [{ template: '{{ $.responseData.NetAmount | plus: 1 }}' }],
    [{ template: 'EUR {{ $.responseData.NetAmount }}' }],
    [{ template: '' }],
    [{ name: 'amount' }],
  ])('is none: %j', (variable) => {
    expect(nameOf(variable)).toBeNull();
  });
});

describe('a variable of a response', () => {
  const reading = (path: string) => ({ responseVariables: [{ name: 'sum', path }] });
  const bind = { idBill: 17 };

  it('is read by the name that the server gives the value', () => {
    const result = compileCall(reading('$.responseData.NetAmount'), bound('bills.get', bind));
    expect(saidOf(result)).toEqual([]);
    expect(toolsOf(result)).toContainEqual(
      expect.objectContaining({
        variableExtractionPlan: { aliases: [{ key: 'sum', value: '{{ $.netAmount }}' }] },
      }),
    );
  });

  it('is told to stay empty where the server never tells it', () => {
    const result = compileCall(reading('responseData.Comments'), bound('bills.get', bind));
    expect(saidOf(result)).toEqual([`tools/never-told ${callAt}/responseVariables/0`]);
  });
});
