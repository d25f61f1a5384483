/** Settings that would make a squad which the target refuses are faults of the input. */
import { describe, expect, it } from 'vitest';
import { compile } from '../../src/index.js';

const nodes = [{ id: 'a', type: 'conversation', systemPrompt: 'A.' }];
const workflow = { name: 'W', nodes, edges: [] };

function findings(source: unknown, options = {}) {
  const { status, diagnostics } = compile(source, options);
  const faults = diagnostics.filter(({ severity }) => severity === 'error');
  return [status, ...faults.map(({ code, at }) => `${code} ${at}`)];
}

describe('settings', () => {
  it('have a provider and a model where they name a model', () => {
    const missing = 'shape/missing-field';
    expect(findings({ ...workflow, model: { provider: 'openai' } })).toEqual([
      'invalid',
      `${missing} /model`,
    ]);
    const own = { ...workflow, nodes: [{ ...nodes[0], model: {} }] };
    expect(findings(own)).toEqual([
      'invalid',
      `${missing} /nodes/0/model`,
      `${missing} /nodes/0/model`,
    ]);
    expect(findings({ ...workflow, model: { provider: 'openai', model: 'gpt-4o' } })).toEqual([
      'complete',
    ]);
  });

  it.each([
    { name: 'Everybody' },
    { firstMessage: 'Hello.' },
    { model: { messages: [] } },
    { model: { tools: [] } },
    { model: { toolIds: [] } },
  ])('do not override what every assistant has of its own: %o', (memberOverrides) => {
    expect(findings(workflow, { memberOverrides })).toEqual([
      'invalid',
      'api/option /memberOverrides',
    ]);
  });
});
