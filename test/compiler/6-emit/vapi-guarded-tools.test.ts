/** Exact conditions on the ways to tools: what ends the call, transfers it, or sends a request. */
import { describe, expect, it } from 'vitest';
import { verify } from '../../../src/index.js';
import { compileVapi, type Document, toolsOf } from './vapi-documents.js';
import { isRefused } from './vapi-refusals.js';

const options = {
  dynamicVariables: ['plan', 'key'],
  answers: { policies: { 'logical-condition': 'guard', 'missing-auth': 'none' } },
};

const talk = (id: string) => ({ id, type: 'conversation', systemPrompt: `Work of ${id}.` });
const bye = { id: 'bye', type: 'endCall', firstMessage: 'Bye.' };
const hangup = { id: 'drop', type: 'hangup' };
const lookup = {
  id: 'lookup',
  type: 'apiRequest',
  url: 'https://api.example.com/plans',
  method: 'GET',
};

type Parts = readonly [nodes: readonly object[], edges: readonly string[]];

/** `a>b: c` is an edge from a to b under the condition c. */
function workflowOf(...[nodes, edges]: Parts) {
  const read = (text: string) => {
    const [ends = '', condition] = text.split(': ');
    const [from, to] = ends.split('>');
    return condition === undefined ? { from, to } : { from, to, condition };
  };
  return { name: 'Guards', nodes, edges: edges.map(read) };
}

function compileGuarded(...parts: Parts) {
  const workflow = workflowOf(...parts);
  const { document, result } = compileVapi(workflow, options);
  const warnings = result.diagnostics.filter(({ code }) => code.includes('guard'));
  return {
    workflow,
    document,
    warnings: warnings.map(({ code, at, related }) => [code, at, ...related]),
  };
}

function toolOf(document: Document, assistant: string, type: string) {
  const found = toolsOf(document, assistant).filter((tool) => tool.type === type);
  expect(found).toHaveLength(1);
  return found[0]!;
}

describe('the tool that ends the call', () => {
  it('is refused unless one of its conditions holds', () => {
    const { document, warnings } = compileGuarded(
      [talk('a'), bye, hangup],
      ["a>bye: plan == 'gold'", "a>drop: plan == 'none'"],
    );
    const tool = toolOf(document, 'a', 'endCall');
    const values = ['gold', 'none', 'silver', undefined];
    expect(values.map((plan) => isRefused(tool, { plan }))).toEqual([false, false, true, true]);
    expect(warnings).toEqual([]);
  });

  it('is never refused where the call can end without a guard, which is said', () => {
    const { document, warnings } = compileGuarded(
      [talk('a'), bye, hangup],
      ["a>bye: plan == 'gold'", 'a>drop: the caller hangs up'],
    );
    expect(toolOf(document, 'a', 'endCall')).not.toHaveProperty('rejectionPlan');
    expect(warnings).toEqual([['lower/guard-shared', '/edges/0/condition', '/edges/1/condition']]);
  });

  it('is refused in every assistant for a global node, but where a call ends otherwise', () => {
    const global = { ...hangup, isGlobal: true, condition: "plan == 'none'" };
    const { document, warnings } = compileGuarded(
      [talk('a'), talk('b'), talk('c'), global, bye],
      ['a>b: one', 'a>c: two', 'b>bye'],
    );
    const refused = (name: string) => toolOf(document, name, 'endCall').rejectionPlan !== undefined;
    expect(['a', 'b', 'c'].map(refused)).toEqual([true, false, true]);
    expect(warnings).toEqual([['lower/guard-shared', '/nodes/3/condition', '/edges/2']]);
  });
});

describe('the tool of a request', () => {
  it('is refused for a global node unless the condition holds', () => {
    const global = { ...lookup, isGlobal: true, condition: "plan == 'gold'" };
    const { document, warnings } = compileGuarded(
      [talk('a'), talk('b'), talk('c'), global],
      ['a>b: one', 'a>c: two'],
    );
    for (const name of ['a', 'b', 'c']) {
      const tool = toolOf(document, name, 'apiRequest');
      expect([isRefused(tool, { plan: 'gold' }), isRefused(tool, {})]).toEqual([false, true]);
    }
    expect(warnings).toEqual([]);
  });

  it('is refused where the edge to it is guarded, inside of an assistant', () => {
    const { document, warnings } = compileGuarded(
      [talk('hi'), talk('a'), lookup],
      ['hi>a', "a>lookup: plan == 'gold'", 'lookup>a'],
    );
    expect(isRefused(toolOf(document, 'hi', 'apiRequest'), { plan: 'gold' })).toBe(false);
    expect(isRefused(toolOf(document, 'hi', 'apiRequest'), { plan: 'tin' })).toBe(true);
    expect(warnings).toEqual([]);
  });

  it('is not refused where another edge leads to it', () => {
    const { document, warnings } = compileGuarded(
      [talk('a'), lookup, talk('b')],
      ["a>lookup: plan == 'gold'", 'a>lookup: is unsure', 'lookup>b'],
    );
    expect(toolOf(document, 'a', 'apiRequest')).not.toHaveProperty('rejectionPlan');
    expect(warnings).toEqual([['lower/guard-shared', '/edges/0/condition', '/edges/1/condition']]);
  });

  it('is not refused where the call is handed over to it', () => {
    const { document } = compileGuarded(
      [talk('a'), lookup, talk('b'), talk('c')],
      ["a>lookup: plan == 'gold'", 'lookup>b', 'a>c: else'],
    );
    expect(toolOf(document, 'b', 'apiRequest')).not.toHaveProperty('rejectionPlan');
    const handoff = toolsOf(document, 'a').find((tool) => tool.rejectionPlan !== undefined);
    expect(isRefused(handoff, { plan: 'gold' })).toBe(false);
  });

  it('is refused where an operation stands in for it', () => {
    const global = { id: 'bill', type: 'apiRequest', isGlobal: true, condition: "plan == 'gold'" };
    const workflow = workflowOf([talk('a'), global], []);
    const answers = {
      ...options.answers,
      answers: {
        'missing-endpoint:bill': { choice: 'operation', value: { operation: 'bills.get' } },
        'missing-parameter:bill.idBill': { choice: 'caller' },
      },
    };
    const { document } = compileVapi(workflow, { ...options, answers });
    expect(isRefused(toolOf(document, 'a', 'function'), {})).toBe(true);
  });
});

describe('what no tool can refuse', () => {
  it('is said of a way inside of an assistant', () => {
    const { warnings } = compileGuarded(
      [talk('a'), talk('b'), bye],
      ["a>b: plan == 'gold'", 'b>bye: is done'],
    );
    expect(warnings).toEqual([['lower/guard-within', '/edges/0/condition']]);
  });

  it('is said of a way to a tool that the platform keeps, or that has its own plan', () => {
    const codesFor = (tool: object) => {
      const nodes = [
        { name: 'a', type: 'conversation', prompt: 'Talk.', isStart: true },
        { name: 'act', type: 'tool', ...tool },
      ];
      const edges = [{ from: 'a', to: 'act', condition: { type: 'ai', prompt: "plan == 'gold'" } }];
      const { diagnostics } = compileVapi({ name: 'Kept', nodes, edges }, options).result;
      return diagnostics.map(({ code }) => code).filter((code) => code.includes('guard'));
    };
    const own = {
      type: 'function',
      function: { name: 'act' },
      server: { url: 'https://a.example' },
    };
    expect(codesFor({ toolId: 'kept' })).toEqual(['lower/guard-within']);
    expect(codesFor({ tool: { ...own, rejectionPlan: { conditions: [] } } })).toEqual([
      'lower/guard-within',
    ]);
    expect(codesFor({ tool: own })).toEqual([]);
  });

  it('is said of a transfer that something else leads to as well', () => {
    const line = { id: 'line', type: 'transferCall', destination: '+4930123456' };
    const { warnings } = compileGuarded(
      [talk('a'), line],
      ["a>line: plan == 'gold'", 'a>line: the caller insists'],
    );
    expect(warnings).toEqual([['lower/guard-shared', '/edges/0/condition', '/edges/1/condition']]);
  });

  it('is said of a global node that no other assistant hands over to', () => {
    const global = { ...talk('b'), isGlobal: true, condition: "plan == 'gold'" };
    const workflow = workflowOf([talk('a'), global], ['a>b: is lost', 'b>a: is found']);
    const answers = {
      policies: { ...options.answers.policies, 'cyclic-stages': 'consolidate' },
      answers: { 'ambiguous-start:workflow': { choice: 'node', value: 'a' } },
    };
    const { document, result } = compileVapi(workflow, { ...options, answers });
    expect(document.members).toHaveLength(1);
    expect(result.diagnostics.filter(({ code }) => code === 'lower/guard-within')).toMatchObject([
      { at: '/nodes/1/condition', related: [] },
    ]);
  });
});

describe('what the platform does not know yet', () => {
  const ask = (id: string, name: string) => ({
    ...talk(id),
    type: 'gather',
    extractVariables: [{ name, type: 'string', description: name }],
  });
  const unseen = (...parts: Parts) =>
    compileGuarded(...parts).warnings.filter(([code]) => code === 'data/guard-unseen');

  it('is what the assistant itself has found out', () => {
    const captured = '/nodes/0/extractVariables/0';
    expect(
      unseen(
        [ask('a', 'tier'), talk('b'), talk('c'), bye],
        ["a>b: tier == 'gold' && tier != plan", 'a>c: else', "a>bye: tier == ''"],
      ),
    ).toEqual([
      ['data/guard-unseen', '/edges/0/condition', captured],
      ['data/guard-unseen', '/edges/2/condition', captured],
    ]);
  });

  it('is not what an earlier handoff has carried, or the caller has given', () => {
    expect(
      unseen(
        [ask('a', 'tier'), talk('b'), talk('c'), talk('d'), bye],
        ['a>b: one', 'a>c: two', "b>d: tier == 'gold'", "b>bye: plan == 'x'", 'c>d'],
      ),
    ).toEqual([]);
  });

  it('is not what a tool has returned', () => {
    const tool = {
      ...lookup,
      responseVariables: [{ name: 'tier', type: 'string', path: 'tier' }],
    };
    expect(
      unseen(
        [ask('a', 'tier'), tool, talk('b'), talk('c')],
        ['a>lookup', "lookup>b: tier == 'gold'", 'lookup>c: else'],
      ),
    ).toEqual([]);
  });

  it('is what can be found out before a global node is called for', () => {
    const global = { ...hangup, isGlobal: true, condition: "tier == 'none'" };
    expect(
      unseen([ask('a', 'tier'), talk('b'), talk('c'), global], ['a>b: one', 'a>c: two']),
    ).toEqual([['data/guard-unseen', '/nodes/3/condition', '/nodes/0/extractVariables/0']]);
  });

  it('is not what is judged by the assistant anyway', () => {
    expect(unseen([ask('a', 'tier'), talk('b')], ["a>b: tier == 'gold'"])).toEqual([]);
  });
});

describe('verify', () => {
  const global = { ...lookup, isGlobal: true, condition: "plan == 'gold'" };
  const { workflow, document } = compileGuarded(
    [talk('a'), talk('b'), talk('c'), global, bye],
    ['a>b: one', 'a>c: two', "b>bye: plan == 'silver'"],
  );
  const places = document.members.flatMap(({ assistant }, member) =>
    (assistant.model.tools ?? []).flatMap((tool, index) =>
      tool.rejectionPlan === undefined ? [] : [{ member, index, type: tool.type }],
    ),
  );

  it('takes the squad', () => {
    expect(verify(workflow, document, { ...options, target: 'vapi' }).holds).toBe(true);
    expect(places.map(({ type }) => type)).toEqual([
      'apiRequest',
      'apiRequest',
      'endCall',
      'apiRequest',
    ]);
  });

  const damages: readonly [string, (plan: { conditions: { liquid: string }[] }) => unknown][] = [
    ['removed', () => undefined],
    ['emptied', () => ({ conditions: [] })],
    ['always open', () => ({ conditions: [{ type: 'liquid', liquid: 'false' }] })],
    [
      'weakened',
      ({ conditions }) => ({ conditions: [...conditions, { type: 'liquid', liquid: 'false' }] }),
    ],
    [
      'inverted',
      ({ conditions: [only] }) => ({
        conditions: [
          { ...only, liquid: only!.liquid.replace('false{% else %}true', 'true{% else %}false') },
        ],
      }),
    ],
    [
      'about something else',
      ({ conditions: [only] }) => ({
        conditions: [{ ...only, liquid: only!.liquid.replace('plan', 'plant') }],
      }),
    ],
  ];

  it.each(damages)('refuses it where a guard is %s', (_name, damage) => {
    for (const { member, index } of places) {
      const copy = structuredClone(document) as unknown as {
        members: { assistant: { model: { tools: { rejectionPlan?: unknown }[] } } }[];
      };
      const tool = copy.members[member]!.assistant.model.tools[index]!;
      tool.rejectionPlan = damage(tool.rejectionPlan as never);
      if (tool.rejectionPlan === undefined) delete tool.rejectionPlan;
      const { holds, checklist } = verify(workflow, copy, { ...options, target: 'vapi' });
      expect(holds).toBe(false);
      expect(checklist.find(({ item }) => item === 5)?.holds).toBe(false);
    }
  });

  it('refuses a guard where the source wants none', () => {
    const { workflow: open, document: squad } = compileGuarded(
      [talk('a'), bye],
      ['a>bye: is done'],
    );
    const copy = structuredClone(squad) as unknown as Document;
    Object.assign(toolOf(copy, 'a', 'endCall'), {
      rejectionPlan: { conditions: [{ type: 'liquid', liquid: 'true' }] },
    });
    expect(verify(open, copy, { ...options, target: 'vapi' }).holds).toBe(false);
  });
});
