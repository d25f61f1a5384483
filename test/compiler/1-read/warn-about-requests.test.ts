/** A credential beside an Authorization header: both are carried, and it is said. */
import { describe, expect, it } from 'vitest';
import { compile, verify } from '../../../src/index.js';

const code = 'data/two-authorizations';

function exported(tool: object) {
  const request = {
    type: 'apiRequest',
    name: 'look',
    url: 'https://api.example.com',
    method: 'GET',
  };
  return {
    name: 'Two',
    nodes: [
      { name: 'a', type: 'conversation', prompt: 'Talk.', isStart: true },
      { name: 'look', type: 'tool', tool: { ...request, ...tool } },
    ],
    edges: [{ from: 'a', to: 'look' }],
  };
}

function header(name: string) {
  return { type: 'object', properties: { [name]: { type: 'string', value: 'Bearer {{key}}' } } };
}

const options = { target: 'vapi' as const, dynamicVariables: ['key'] };

describe('a credential and an Authorization header', () => {
  const workflow = exported({ credentialId: 'c-1', headers: header('authorization') });
  const { status, output, diagnostics, questions } = compile(workflow, options);

  it('are both carried, and nothing is asked', () => {
    expect([status, questions]).toEqual(['complete', []]);
    expect(JSON.stringify(output)).toContain('"credentialId":"c-1"');
    expect(JSON.stringify(output)).toContain('"enum":["Bearer {{key}}"]');
  });

  it('are warned about, with both places', () => {
    const found = diagnostics.filter((each) => each.code === code);
    expect(found).toMatchObject([
      {
        severity: 'warning',
        at: '/nodes/1/tool/credentialId',
        related: ['/nodes/1/tool/headers/properties/authorization/value'],
      },
    ]);
  });

  it('are missed where one is taken away', () => {
    const text = JSON.stringify(output);
    for (const part of ['"credentialId":"c-1"', '"enum":["Bearer {{key}}"],']) {
      expect(text).toContain(part);
      const damaged = JSON.parse(text.replace(part, part.startsWith('"c') ? '"x":1' : ''));
      expect(verify(workflow, damaged, options).holds).toBe(false);
    }
  });

  it.each([
    ['a credential alone', { credentialId: 'c-1' }],
    ['a header alone', { headers: header('Authorization') }],
    ['a header of another name', { credentialId: 'c-1', headers: header('X-Api-Key') }],
  ])('are not %s', (_name, tool) => {
    const codes = compile(exported(tool), options).diagnostics.map((each) => each.code);
    expect(codes).not.toContain(code);
  });
});
