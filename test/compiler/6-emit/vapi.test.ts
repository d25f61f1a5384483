import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, type Json } from '../../../src/index.js';
import { laws } from '../../../src/testing/laws.js';
import { workflowArbitrary } from '../../../src/testing/workflows.js';
import { worked } from '../../laws/graphs.js';
import { runs, seed } from '../../seed.js';
import { compileVapi, handoffsOf, targetsOf, toolsOf } from './vapi-documents.js';
import { order, reception } from './vapi-workflows.js';

const shop = {
  dynamicVariables: ['shop_token', 'receipt'],
  answers: { policies: { 'critical-variable': 'best-effort' } },
};
const claude = { model: { provider: 'anthropic', model: 'claude-sonnet-4-6' } };

describe('the squad for the platform', () => {
  it('has name, members and overrides at its root', () => {
    const { document } = compileVapi(reception);
    expect(Object.keys(document)).toEqual(['name', 'members', 'membersOverrides']);
    expect(document.name).toBe('Reception');
    expect(document.membersOverrides).toEqual({ voice: { provider: '11labs', voiceId: 'sarah' } });
  });

  it('has no name where the workflow has none', () => {
    const { name: _, ...nameless } = worked();
    const { document } = compileVapi(nameless);
    expect(Object.keys(document)).toEqual(['members']);
  });

  it('lets nobody fall silent', () => {
    const { document } = compileVapi(reception);
    const openings = document.members.map(({ assistant: it }) => [
      it.name,
      it.firstMessage,
      it.firstMessageMode,
    ]);
    expect(openings).toEqual([
      ['greet', 'Good morning.', undefined],
      ['billing', '', 'assistant-speaks-first-with-model-generated-message'],
      ['sales desk', 'Sales.', undefined],
    ]);
  });

  it('gives the means to end the call to those who may', () => {
    const { document } = compileVapi(reception);
    const ends = (name: string) => toolsOf(document, name).filter((it) => it.type === 'endCall');
    expect(ends('greet')).toEqual([]);
    expect(ends('billing')).toEqual([{ type: 'endCall' }]);
    expect(ends('sales desk')).toEqual([]);
  });

  it('is placed right in the ledger', () => {
    const { result } = compileVapi(reception);
    const entry = result.ledger.find(({ kind, at }) => kind === 'edge' && at === '/edges/1');
    expect(entry?.outputs).toEqual(['/members/0/assistant/model/tools/1/destinations/0']);
  });
});

describe('handoff tools', () => {
  it('are silent, named after where they lead, and one each for openai', () => {
    const { document } = compileVapi(reception);
    const tools = handoffsOf(document, 'greet');
    expect(tools.map((tool) => tool.function?.name)).toEqual([
      'handoff_to_billing',
      'handoff_to_sales_desk',
    ]);
    expect(tools.map(({ messages }) => messages)).toEqual([[], []]);
  });

  it('are one with several destinations for other models, and where an option says so', () => {
    for (const options of [claude, { handoffTools: 'grouped' } as const]) {
      const [tool, ...others] = handoffsOf(compileVapi(reception, options).document, 'greet');
      expect(others).toEqual([]);
      expect(tool && targetsOf(tool)).toEqual(['billing', 'sales desk']);
      expect(tool?.function?.name).toBe('handoff_to_billing_or_sales_desk');
    }
  });

  it('have legal names, each once, beside the names of other tools', () => {
    const long = `${'Abteilung für '.repeat(2)}Rückfragen`;
    const nodes = [
      { id: 'a', type: 'conversation', systemPrompt: 'A' },
      { id: long, type: 'conversation', systemPrompt: 'B' },
      { id: `${long}!`, type: 'conversation', systemPrompt: 'C' },
      { id: 'x', type: 'conversation', systemPrompt: 'D' },
      { id: 'handoff_to_x', type: 'apiRequest', url: 'https://a.example.com', method: 'GET' },
    ];
    const edges = [
      { from: 'a', to: 'handoff_to_x' },
      ...[long, `${long}!`, 'x'].map((to) => ({ from: 'handoff_to_x', to, condition: `to ${to}` })),
    ];
    const answers = { policies: { 'missing-auth': 'none' } };
    for (const options of [{ answers }, { answers, ...claude }]) {
      const { document } = compileVapi({ name: 'N', nodes, edges }, options);
      const names = toolsOf(document, 'a').map((tool) => tool.name ?? tool.function?.name ?? '');
      expect(new Set(names).size).toBe(names.length);
      expect(names.filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))).toEqual([]);
      if (!('model' in options)) expect(names).toContain('handoff_to_x_2');
    }
  });
});

describe('transfers', () => {
  it('say how, and that an extension is no mistake', () => {
    const { document } = compileVapi(reception);
    const [number, sip] = toolsOf(document, 'sales desk');
    expect(number).toEqual({
      type: 'transferCall',
      destinations: [
        {
          type: 'number',
          number: '1005',
          message: 'One moment.',
          description: 'caller wants to order',
          numberE164CheckEnabled: false,
          transferPlan: { mode: 'blind-transfer' },
        },
      ],
    });
    expect(sip).toEqual({
      type: 'transferCall',
      destinations: [
        {
          type: 'sip',
          sipUri: 'sip:operator@example.com',
          description: 'caller wants a person',
          transferPlan: { mode: 'blind-transfer' },
        },
      ],
    });
  });

  it('leave the check of a proper number alone', () => {
    const nodes = reception.nodes.map((node) =>
      node.id === 'desk' ? { ...node, destination: '+4930123456' } : node,
    );
    const [number] = toolsOf(compileVapi({ ...reception, nodes }).document, 'sales desk');
    expect(number?.destinations?.[0]).not.toHaveProperty('numberE164CheckEnabled');
  });
});

describe('requests', () => {
  const { document } = compileVapi(order, shop);
  const [send, change] = toolsOf(document, 'cancel');

  it('send plain headers and bodies as they stand', () => {
    expect(send?.headers).toEqual({
      type: 'object',
      properties: {
        Authorization: { type: 'string', enum: ['Bearer {{shop_token}}'] },
        'X-Count': { type: 'string', enum: ['3'] },
      },
      required: ['Authorization', 'X-Count'],
    });
    expect(send?.body).toBeUndefined();
    expect(send?.parameters).toEqual([
      { key: 'sure', value: true },
      { key: 'tags', value: ['phone', { by: 'caller' }] },
      { key: 'why', value: '{{reason}}' },
    ]);
  });

  it('keep a schema, in the words that the platform knows', () => {
    expect(change?.headers).toEqual({
      type: 'object',
      properties: { 'X-Key': { type: 'string', enum: ['{{shop_token}}'] } },
    });
    expect(change?.body).toEqual({
      type: 'object',
      properties: {
        amount: { type: 'integer', description: 'how many (minimum: 1)' },
        lines: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
      },
      required: ['amount'],
    });
    expect(change?.parameters).toEqual([{ key: 'source', value: 'phone' }]);
  });

  it('keep name, method, timeout and what the response sets', () => {
    expect(send).toMatchObject({
      type: 'apiRequest',
      name: 'send',
      method: 'DELETE',
      url: 'https://shop.example.com/orders/{{order_id}}',
      timeoutSeconds: 10,
      variableExtractionPlan: { aliases: [{ key: 'receipt', value: '{{ $.receipt.id }}' }] },
    });
  });
});

describe('the source map', () => {
  it.each([
    ['a reception', reception, {}],
    ['an order', order, shop],
    ['an order with arguments', order, { ...shop, answers: { policies: argument } }],
  ])('knows every leaf of %s, and quotes right', (_name, workflow, options) => {
    const { result } = compileVapi(workflow, options);
    const known = new Map(result.sourceMap.map((entry) => [entry.output, entry]));
    const leaves = leavesOf(result.output as Json);
    const unknown = [...leaves.keys()].filter(
      (at) => !known.has(at) && !known.has(at.replace(/\/\d+$/, '')),
    );
    expect(unknown).toEqual([]);
    for (const { output, range, origin } of result.sourceMap) {
      if (origin.kind !== 'source') continue;
      const value = leaves.get(output);
      const part = range === undefined ? value : String(value).slice(...range);
      expect(part, output).toEqual(leavesOf(workflow as Json).get(origin.at));
    }
  });

  it.each(['sourceMapCovers', 'ledgerConserves', 'permutationStable'] as const)(
    'keeps the law %s',
    (name) => {
      const numbers = fc.array(fc.nat(99), { minLength: 1, maxLength: 8 });
      const property = fc.property(workflowArbitrary(), numbers, (workflow, choices) =>
        laws[name](workflow, { numbers: choices, compile: { target: 'vapi' } }),
      );
      fc.assert(property, { seed, numRuns: runs(200) });
    },
  );

  it('is as deterministic as the squad', () => {
    const once = compile(order, { ...shop, target: 'vapi' });
    expect(compile(order, { ...shop, target: 'vapi' })).toEqual(once);
  });
});

const argument = { 'critical-variable': 'argument' };

/** The values that hold no others, by their places. */
function leavesOf(value: Json, at = ''): Map<string, Json> {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (members.length === 0) return new Map([[at, value]]);
  const inside = ([key, member]: [string, Json]) =>
    leavesOf(member, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  return new Map(members.flatMap((member) => [...inside(member)]));
}
