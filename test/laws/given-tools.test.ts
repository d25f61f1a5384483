/** Workflows of talk and tool nodes with tools of all kinds: what comes out is always accepted. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, type JsonObject, verify } from '../../src/index.js';
import { valueAt } from '../../src/simulator/squad.js';
import { runs, seed } from '../seed.js';

const parameters = { type: 'object', properties: {} };
const alias = (key: string) => ({ aliases: [{ key, value: `{{ $.${key} }}` }] });

const tools: readonly JsonObject[] = [
  {
    type: 'function',
    function: { name: 'lookup', parameters },
    variableExtractionPlan: alias('x'),
  },
  { type: 'function', function: { name: 'n1', description: 'Reads {{x}}.', parameters } },
  { type: 'dtmf' },
  { type: 'query', name: 'handoff_to_n2' },
  { type: 'endCall', messages: [] },
  { type: 'apiRequest', name: 'n3', url: 'https://example.com/{{y}}', method: 'POST' },
  { type: 'transferCall', destinations: [{ type: 'number', number: '+12025550123' }] },
  { type: 'sms', rejectionPlan: { conditions: [] } },
];
const inline = fc.constantFrom(...tools);
const ids = fc.array(fc.constantFrom('t-1', 't-2', 't-3'), { maxLength: 3 });
const plan = (title: string) => ({
  variableExtractionPlan: { output: [{ title, type: 'string', description: title }] },
});
const global = fc.constantFrom(
  {},
  {},
  {},
  {
    globalNodePlan: { enabled: true, enterCondition: 'at once' },
  },
);

const talkNode = fc.record({
  prompt: fc.constantFrom('Talk.', 'Talk of {{x}}.', 'Ask.'),
  tools: fc.array(inline, { maxLength: 3 }),
  toolIds: ids,
  more: fc.constantFrom({}, {}, plan('x'), plan('y')),
  global,
});
const toolNode = fc.record({
  holds: fc.oneof(
    fc.constantFrom(...tools.slice(0, 4), tools[7]!).map((tool) => ({ tool })),
    fc.constantFrom({ toolId: 't-1' }, { toolId: 't-9' }),
    fc.constant({ tool: { type: 'apiRequest', url: 'https://example.com/', method: 'GET' } }),
    fc.constantFrom({ type: 'hangup' }),
  ),
  global,
});
const nodes = fc.array(fc.oneof(talkNode, talkNode, toolNode), { minLength: 1, maxLength: 7 });
const edges = fc.array(
  fc.tuple(fc.nat(6), fc.nat(6), fc.constantFrom(null, 'a', 'b', "{{ x == '1' }}")),
  { maxLength: 10 },
);

type Parts = readonly (typeof nodes extends fc.Arbitrary<infer Nodes> ? Nodes : never)[number][];

function write(parts: Parts, ways: readonly (readonly [number, number, string | null])[]): object {
  const nameOf = (at: number) => `n${at % (parts.length + 1)}`;
  const first = { name: 'n0', type: 'conversation', isStart: true, prompt: 'Greet.' };
  const rest = parts.map((part, index) => {
    const name = `n${index + 1}`;
    if ('holds' in part) return { name, type: 'tool', ...part.holds, ...part.global };
    const { prompt, toolIds, more } = part;
    return {
      name,
      type: 'conversation',
      prompt,
      tools: part.tools,
      toolIds,
      ...more,
      ...part.global,
    };
  });
  return {
    name: 'Drawn',
    nodes: [first, ...rest],
    edges: ways.map(([from, to, prompt]) => {
      const type = prompt?.startsWith('{{') === true ? { type: 'logic', liquid: prompt } : null;
      const condition = prompt === null ? {} : { condition: type ?? { type: 'ai', prompt } };
      return { from: nameOf(from), to: nameOf(to), ...condition };
    }),
  };
}

const options = fc.record({
  target: fc.constantFrom('squad' as const, 'vapi' as const),
  boundary: fc.constantFrom('branch' as const, 'tools' as const),
  routing: fc.constantFrom('guard', 'prose'),
  cycles: fc.constantFrom('consolidate', 'keep-split'),
});

function settle(
  workflow: object,
  drawn: typeof options extends fc.Arbitrary<infer It> ? It : never,
) {
  const { target, boundary, routing, cycles } = drawn;
  const policies = {
    'logical-condition': target === 'vapi' ? routing : 'prose',
    'cyclic-stages': cycles,
    'missing-auth': 'none',
    'undefined-variable': 'caller',
    'critical-variable': 'best-effort',
  };
  const settled = { target, boundary, answers: { policies } };
  return { settled, result: compile(workflow, settled) };
}

describe('given tools in drawn workflows', () => {
  it('come to squads that hold, and each stands in them', () => {
    let complete = 0;
    let clashes = 0;
    fc.assert(
      fc.property(nodes, edges, options, (parts, ways, drawn) => {
        const workflow = write(parts, ways);
        const { settled, result } = settle(workflow, drawn);
        const errors = result.diagnostics.filter(({ severity }) => severity === 'error');
        const codes = new Set(errors.map(({ code }) => code));
        if (result.status === 'complete') complete += 1;
        else clashes += 1;
        expect([...codes]).toEqual(result.status === 'invalid' ? ['lower/tools-of-one-name'] : []);
        expect(result.questions.map(({ id }) => id)).toEqual([]);
        if (result.output === null) return;
        expect(verify(workflow, result.output, settled).holds).toBe(true);
        for (const { at, kind, status, outputs } of result.ledger) {
          if (kind !== 'tool' || status === 'dropped') continue;
          expect([at, outputs.length > 0]).toEqual([at, true]);
          for (const place of outputs) {
            expect(valueAt(result.output as JsonObject, place)).toBeDefined();
          }
        }
      }),
      { seed, numRuns: runs(150) },
    );
    expect(complete).toBeGreaterThan(clashes);
  });
});
