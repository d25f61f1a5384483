/**
 * Generated exports with what `workflowArbitrary` does not generate: tools of all kinds, and nodes that
 * are already assistants. `compile` throws if it cannot verify its own output.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CompileOptions, compile, type JsonObject, type Target } from '../../src/index.js';
import { choosing, type SpecNode, settle, workflowArbitrary } from '../../src/testing.js';
import { schemaFaults, valueAt } from '../json.js';
import { runs, seed } from '../seed.js';

const numbers = fc.array(fc.nat(99), { minLength: 1, maxLength: 8 });
const targets = fc.constantFrom<Target>('squad', 'vapi');

describe('tools of an export', () => {
  const parameters = { type: 'object', properties: {} };
  const alias = { aliases: [{ key: 'x', value: '{{ $.x }}' }] };
  const lookup = { name: 'lookup', parameters };
  const reading = { name: 'n1', description: 'Reads {{x}}.', parameters };
  const url = 'https://example.com/';
  const alone: readonly JsonObject[] = [
    { type: 'function', function: lookup, variableExtractionPlan: alias },
    { type: 'function', function: reading },
    { type: 'dtmf' },
    { type: 'query', name: 'handoff_to_n2' },
    { type: 'sms', rejectionPlan: { conditions: [] } },
  ];
  const tools: readonly JsonObject[] = [
    ...alone,
    { type: 'endCall', messages: [] },
    { type: 'apiRequest', name: 'n3', url: `${url}{{y}}`, method: 'POST' },
    { type: 'transferCall', destinations: [{ type: 'number', number: '+12025550123' }] },
  ];
  const finds = (title: string) => ({
    variableExtractionPlan: { output: [{ title, type: 'string', description: title }] },
  });
  const globalNodePlan = { enabled: true, enterCondition: 'at once' };
  const entered = fc.constantFrom({}, {}, {}, { globalNodePlan });
  const talking = fc.record({
    type: fc.constant('conversation'),
    prompt: fc.constantFrom('Talk.', 'Talk of {{x}}.', 'Ask.'),
    tools: fc.array(fc.constantFrom(...tools), { maxLength: 3 }),
    toolIds: fc.array(fc.constantFrom('t-1', 't-2', 't-3'), { maxLength: 3 }),
    more: fc.constantFrom({}, {}, finds('x'), finds('y')),
    entered,
  });
  const calling = fc.record({
    type: fc.constant('tool'),
    more: fc.oneof(
      fc.constantFrom<JsonObject>(...alone).map((tool) => ({ tool })),
      fc.constantFrom({ toolId: 't-1' }, { toolId: 't-9' }, { type: 'hangup' }),
      fc.constant({ tool: { type: 'apiRequest', url, method: 'GET' } }),
    ),
    entered,
  });
  const nodes = fc.array(fc.oneof(talking, talking, calling), { minLength: 1, maxLength: 7 });
  const condition = fc.constantFrom(
    ...[{}, ...['a', 'b'].map((prompt) => ({ condition: { type: 'ai', prompt } }))],
    { condition: { type: 'logic', liquid: "{{ x == '1' }}" } },
  );
  const edges = fc.array(fc.tuple(fc.nat(6), fc.nat(6), condition), { maxLength: 10 });
  const options = fc.record({
    target: targets,
    boundary: fc.constantFrom('branch' as const, 'tools' as const),
    routing: fc.constantFrom('guard', 'prose'),
    cycles: fc.constantFrom('consolidate', 'keep-split'),
  });

  it('are all in the squad', () => {
    const counts = { complete: 0, invalid: 0, 'needs-answers': 0 };
    const property = fc.property(nodes, edges, options, (drawn, arrows, given) => {
      const { target, boundary, routing, cycles } = given;
      const nameOf = (at: number) => `n${at % (drawn.length + 1)}`;
      const workflow = {
        name: 'Drawn',
        nodes: [
          { name: 'n0', type: 'conversation', isStart: true, prompt: 'Greet.' },
          ...drawn.map(({ more, entered: plan, ...node }, at) => {
            return { name: `n${at + 1}`, ...node, ...more, ...plan };
          }),
        ],
        edges: arrows.map(([from, to, said]) => ({ from: nameOf(from), to: nameOf(to), ...said })),
      };
      const policies = {
        'logical-condition': target === 'vapi' ? routing : 'prose',
        'cyclic-stages': cycles,
        'missing-auth': 'none',
        'missing-edges': 'in-order',
        'global-returns': 'keep-split',
        'undefined-variable': 'caller',
        'critical-variable': 'best-effort',
        'values-after-call': boundary === 'tools' ? 'none' : 'structured-output',
      };
      const options = { target, boundary };
      const open = compile(workflow, { ...options, answers: { policies } }).questions;
      // The platform cannot enforce a condition on values that only the conversation knows.
      const answers = Object.fromEntries(open.map(({ id }) => [id, { choice: 'prose' }]));
      const result = compile(workflow, { ...options, answers: { policies, answers } });
      counts[result.status] += 1;
      const errors = result.diagnostics.filter(({ severity }) => severity === 'error');
      const clashes = result.status === 'invalid' ? ['lower/tools-of-one-name'] : [];
      expect([...new Set(errors.map(({ code }) => code))]).toEqual(clashes);
      for (const { at, kind, status, outputs } of result.output === null ? [] : result.ledger) {
        if (kind !== 'tool' || status === 'dropped') continue;
        expect(outputs, at).not.toEqual([]);
        expect(outputs.filter((place) => valueAt(result.output, place) === undefined)).toEqual([]);
      }
    });
    fc.assert(property, { seed, numRuns: runs(150) });
    expect(counts['needs-answers']).toBe(0);
    expect(counts.complete).toBeGreaterThan(counts.invalid);
  });
});

describe('nodes that are already assistants', () => {
  const modes = [
    ...['assistant-speaks-first', 'assistant-waits-for-user'],
    'assistant-speaks-first-with-model-generated-message',
  ];

  /** The node as an assistant: complete, or the id of a saved one. */
  function asAssistant(node: SpecNode, pick: number): object {
    const { id, isGlobal, condition, firstMessage, systemPrompt } = node;
    const entry = {
      id,
      type: 'assistant',
      ...(isGlobal && { isGlobal }),
      ...(condition && { condition }),
    };
    if (pick < 2) return { ...entry, assistantId: `asst-${pick}` };
    const messages = [{ role: 'system', content: systemPrompt ?? 'Help.' }];
    const assistant = {
      ...(firstMessage === undefined ? {} : { firstMessage }),
      ...(pick < 5 ? { firstMessageMode: modes[pick - 2] } : {}),
      ...(pick % 2 === 0 ? { endCallMessage: `Bye from ${id}.`, backgroundSound: 'off' } : {}),
      model: { provider: 'openai', model: 'gpt-4o', temperature: pick / 10, messages },
    };
    return { ...entry, assistant };
  }

  it.each<CompileOptions>([
    { target: 'vapi' },
    { target: 'vapi', handoffTools: 'grouped', boundary: 'tools', pass: 'arguments' },
    { target: 'squad' },
  ])('give valid squads (%j)', (options) => {
    let complete = 0;
    const picks = fc.array(fc.nat(16), { minLength: 1, maxLength: 10 });
    const property = fc.property(workflowArbitrary(), picks, numbers, (workflow, own, choices) => {
      const nodes = workflow.nodes.map((node, at) => {
        const pick = own[at % own.length]!;
        const isTalk = node.type === 'conversation' || node.type === 'gather';
        return isTalk && pick < 7 ? asAssistant(node, pick) : node;
      });
      // At least one, so that the document is detected as an export.
      const extra = asAssistant({ id: 'extra', type: 'conversation' }, 6);
      const document = { backgroundSound: 'office', ...workflow, nodes: [...nodes, extra] };
      const { output } = settle(document, options, choosing(choices)).result;
      if (output === null) return;
      complete += 1;
      expect(schemaFaults(options.target === 'vapi' ? 'vapi-squad' : 'squad', output)).toEqual([]);
    });
    const count = runs(60);
    fc.assert(property, { seed, numRuns: count });
    expect(complete).toBeGreaterThan(count / 8);
  });
});
