/** Handoffs, plans, requests, transfers and guards; the laws check which plans are needed. */
import { describe, expect, it } from 'vitest';
import {
  type Any,
  answer,
  captures,
  compile,
  compiled,
  destinationsOf,
  end,
  exported,
  type Fields,
  flow,
  promptOf,
  request,
  tableOf,
  told,
  toolsOf,
  transfer,
  variable,
  verify,
} from '../compiler/build.js';

const vapi = { target: 'vapi' } as const;
const toolOf = (tool: object, options = {}) =>
  toolsOf(compiled(flow({ s: 'S', r: tool }, 's > r'), options))[0];

const namesOf = ({ destinations }: Any) => destinations.map((it: Any) => it.assistantName).join();
const described = (result: Any, index = 0) =>
  destinationsOf(result, index).map((it) => `${it.assistantName}: ${it.description}`);

describe('the description of a handoff', () => {
  it.each(
    tableOf(`
    says what was collected || p q r || s > a | s > a: x || a: otherwise, after collecting p, q and r; or x, b: last
    says that the assistant is done || || s > a | s > b || a: otherwise, when done with s, b: otherwise, when done with s; or last
    contains each condition once || || s > a: x | s > a: z | s > a: x || a: x; or z, b: last
    `),
  )('%s', (_, names = '', edges, expected) => {
    const s = names === '' ? 'S' : captures(...names.split(' '));
    const result = compiled(flow({ s, a: 'A', b: 'B' }, `${edges} | s > b: last`));
    expect(described(result).join(', ')).toBe(expected);
  });
});

it.each(['squad', 'vapi'] as const)('has its destinations in any order, in target %s', (target) => {
  const call = { ...request(), isGlobal: true, condition: 'asks again' };
  const [x = {}, y = {}] = ['+14155550101', '+14155550102'].map((it) =>
    transfer({ destination: it }),
  );
  const edges = 'call > x: asks for x | call > a: one | a > y | call > b';
  const workflow = flow({ s: request(), call, x, y, a: 'A', b: 'B' }, edges);
  expect(verify(workflow, compiled(workflow, { target }).output, { target }).holds).toBe(true);
});

it.each([
  ...[['squad', 'n'] as const, ['vapi', 'n'] as const],
  // An equal one is the same tool.
  ...[['squad', 'm'] as const, ['vapi', 'm'] as const],
])('goes by the name in the prompt alone, in %s, if %s is asked for', (target, tool) => {
  const n = request({
    name: 'x'.repeat(150),
    responseVariables: [{ ...variable('to'), path: 'to' }],
  });
  const workflow = flow(
    { s: 'S', n, m: n, a: 'A', b: 'B' },
    "s > a: to == 'c0' | s > n | n > b | m > b | a > m",
  );
  const [question] = compile(workflow, { target }).questions;
  const given = { target, answers: answer(question!.id, 'tool', { tool }).answers };
  const { output } = compiled(workflow, given);
  expect(verify(workflow, output, given).holds).toBe(true);
  const named = JSON.stringify(output).replace(/for “x+”/, 'for “another tool”');
  expect(verify(workflow, JSON.parse(named), given).verdict).toBe('fails');
});

describe('a message that the platform cannot render on one way', () => {
  const message = 'One moment, {{x}}.';
  const t = transfer({ transferPlan: { message } });
  const r = request({ responseVariables: [{ ...variable('x'), path: 'x' }] });
  const t2 = { ...t, isGlobal: true, condition: 'asks for a person' };
  const ways = 's > t: hurry | s > b: time | b > t';
  it.each<[string, object, string, number]>([
    ['a capture', flow({ s: 'S', b: captures('x'), t }, ways), 'hurry', 2],
    ['a response', flow({ s: 'S', b: r, t }, ways), 'hurry', 2],
    ['a global transfer', flow({ s: 'S', b: captures('x'), t: t2 }, ways), 'hurry', 3],
  ])('is said on every way: %s', (_, workflow, condition, count) => {
    for (const target of ['squad', 'vapi'] as const) {
      const result = compiled(workflow, { target });
      expect(toolsOf(result)[0].destinations[0].message).toBe('');
      const said = 'say "One moment, {{x}}.", then transfer the call to +14155550100.';
      const prompt = promptOf(result).replaceAll(/{% (?:end)?raw %}/g, '');
      expect(prompt).toContain(`If: ${condition}\n  Then: ${said}`);
      expect(prompt.split(said)).toHaveLength(count + 1);
      // As long as only one way says it, the others are silent.
      const silent = JSON.parse(
        JSON.stringify(result.output).replace(/say [^,]*, [^,]*, then /, ''),
      );
      expect(verify(workflow, silent, { target }).holds).toBe(false);
    }
  });
});

describe('arguments of handoffs', () => {
  const readers = { a: 'A {{p}} {{destination}}', b: 'B {{q}}', c: 'C {{p}}', d: 'D' };
  const edges = 's > a: 1 | s > b: 2 | s > c: 3 | s > d: 4';
  const workflow = flow({ s: captures('p', 'q', 'destination'), ...readers }, edges);
  const result = compiled(workflow, { target: 'vapi', pass: 'arguments', handoffTools: 'grouped' });

  it('are required, and tools with different arguments stay separate', () => {
    const tools = toolsOf(result);
    const parameters = tools.map((tool) => tool.function.parameters);
    expect(tools.map(namesOf)).toEqual(['a,c', 'b', 'd']);
    const required = parameters.map((it) => it?.required.join());
    expect(required).toEqual(['destination,p', 'destination,q', undefined]);
  });

  it('leave variables that cannot be arguments to the plan', () => {
    const [first, second] = destinationsOf(result);
    expect(first.variableExtractionPlan.schema.required).toEqual(['destination']);
    expect(second.variableExtractionPlan).toBeUndefined();
  });
});

describe('a plan', () => {
  /** The plan's property for two captures of x, either of which can be the latest at the handoff. */
  const planOf = (one: object, other: object) => {
    const [t, u] = [one, other].map((it) => ({ extractVariables: [variable('x', { ...it })] }));
    const inside = 's > t: 1 | s > u: 2 | t > w | u > w | w > t: again | w > u: more';
    const nodes = { s: 'S', t: t!, u: u!, w: 'W', a: 'A {{x}}', b: 'B' };
    const policies = { 'cyclic-stages': 'consolidate' };
    const result = compiled(flow(nodes, `${inside} | w > a: 3 | w > b: 4`), {
      answers: { policies },
    });
    const { x } = destinationsOf(result)[0].variableExtractionPlan.schema.properties;
    return [x, told(result, 'data/type-conflict').length];
  };
  const [p, q] = [{ description: 'p' }, { description: 'q' }];
  const [some, more] = [{ enum: ['p', 'q'] }, { enum: ['q', 'r'] }];

  it.each([
    ['copies the description of a capture', {}, {}, {}, 0],
    ['joins descriptions', p, q, { description: 'p; or q' }, 0],
    ['has the type string if types differ', { type: 'number' }, { type: 'boolean' }, {}, 1],
    ['allows every listed value', some, more, { enum: ['p', 'q', 'r'] }, 0],
    ['allows any value if one capture does', some, {}, {}, 0],
  ])('%s', (_, one, other, property, conflicts) => {
    const whole = { type: 'string', description: 'the x', ...property };
    expect(planOf(one, other)).toEqual([whole, conflicts]);
  });
});

describe('the tool of a request', () => {
  it.each(
    tableOf(`
    keeps the keywords that the target knows || {"type":"integer","title":"T"} || {"type":"integer","title":"T"}
    describes the keywords that it does not know || {"type":"integer","minimum":1} || {"type":"integer","description":"(minimum: 1)"}
    adds such keywords to a description || {"description":"A","minLength":2} || {"type":"string","description":"A (minLength: 2)"}
    infers a missing type || {"properties":{}} || {"type":"object","properties":{}}
    `),
  )('%s, in properties that the model fills', (_, property = '', expected = '') => {
    const [given, written] = [property, expected].map((filled) => ({
      type: 'object',
      properties: { filled: JSON.parse(filled), fixed: { type: 'string', value: 'phone' } },
      required: ['filled'],
    }));
    const { body, parameters } = toolOf(request({ method: 'POST', body: given }), vapi);
    expect([body, parameters]).toEqual([written, undefined]);
  });

  it.each([8, 40, 41, 200])(
    'is described by its name of %i letters where an answer has it called',
    (length) => {
      const name = 'y'.repeat(length);
      const find = request({ name, responseVariables: [{ name: 'v', path: 'v' }] });
      const send = request({ method: 'POST', body: { it: '{{v}}' } });
      const nodes = { a: captures('v'), b: 'Send it.', send, c: 'C', find };
      const source = flow(nodes, 'a > b: one | a > c: two | b > send | c > find');
      const [question] = compile(source, { ...vapi, answers: {} }).questions;
      const result = compiled(source, {
        ...vapi,
        ...answer(question!.id, 'tool', { tool: 'find' }),
      });
      expect([question!.kind, result.status]).toEqual(['critical-variable', 'complete']);
      expect(toolsOf(result)[0].description).toBe(`for “${name.slice(0, 40)}”`);
    },
  );

  it('requires a critical variable that its own assistant captures, without asking', () => {
    const pay = request({ method: 'POST', body: { order: '{{order}}' } });
    const nodes = { s: 'S', a: captures('order'), pay, b: 'About {{order}}.', c: 'C' };
    const source = flow(nodes, 's > pay | pay > a | a > pay: once more | a > b: one | a > c: two');
    const demanded = (options: object) =>
      toolsOf(compiled(source, options)).flatMap(({ type, body }: Any) =>
        type === 'apiRequest' ? (body.required ?? []) : [],
      );
    expect(demanded({})).toEqual([]);
    const policies = { 'critical-variable': 'best-effort' };
    const options = { criticalVariables: ['order'], answers: { policies } };
    expect(demanded(options)).toEqual(['order']);
  });
});

it('a model fills in what it may have heard, even if a tool that it can call would set it', () => {
  const aliases = [{ key: 'x', value: '{{ $.x }}' }];
  const offered = { type: 'function', function: { name: 'look_up' } };
  const url = 'https://api.example.com/{{x}}';
  const nodes = {
    ask: { variableExtractionPlan: { output: [{ title: 'x', type: 'string' }] } },
    help: { tools: [{ ...offered, variableExtractionPlan: { aliases } }] },
    find: { type: 'tool', tool: { type: 'apiRequest', method: 'GET', url } },
    tell: {},
  };
  const policies = { 'missing-auth': 'none' };
  const { status, reads } = compile(exported(nodes, 'ask > help | help > find | find > tell'), {
    answers: { policies },
  });
  expect([status, ...reads.map(({ kind }) => kind)]).toEqual(['complete', 'filled']);
});

describe('a guard', () => {
  const policies = { 'logical-condition': 'guard' };
  const options = { ...vapi, dynamicVariables: ['tier'], answers: { policies } };
  const guarded = (nodes: Fields, edges: string) =>
    compiled(flow({ s: 'S', a: 'A', b: 'B', ...(nodes as object) }, edges), options);
  const refusals = (nodes: Fields, edges: string) =>
    toolsOf(guarded(nodes, edges))
      .map(({ type, rejectionPlan }: Any) => `${type} ${rejectionPlan?.conditions.length ?? 0}`)
      .sort()
      .join(', ');

  it('rejects the call unless one of the tool’s conditions holds', () => {
    const exact = "s > a: tier == 'gold' | s > a: tier == 'silver' | s > b: else";
    expect(refusals({}, exact)).toBe('handoff 0, handoff 2');
    const each = "s > r: tier == 'x' | s > t: tier == 'y' | s > e: tier == 'z'";
    const exits = { r: request(), t: transfer(), e: end };
    const all = 'apiRequest 1, endCall 1, handoff 0, handoff 0, transferCall 1';
    expect(refusals(exits, `${each} | s > a: 1 | s > b: 2`)).toBe(all);
  });

  it.each([
    ['shared', { t: transfer() }, "s > t: tier == 'gold' | s > t: asks | s > a: 1 | s > b: 2"],
    ['within', {}, "s > a: tier == 'x' | a > b"],
    [
      ...(['unseen', { s: captures('tier'), r: request() }] as const),
      "r > a: tier == 'x' | s > r | r > r: again | r > b: 2",
    ],
  ])('is reported if the platform cannot enforce it: %s', (what, nodes, edges) => {
    const found = told(guarded(nodes, edges)).filter((it) => it.includes('/guard-'));
    const area = what === 'unseen' ? 'data' : 'lower';
    expect(found).toEqual([
      expect.stringMatching(`^${area}/guard-${what} /edges/0/condition( |$)`),
    ]);
    if (what === 'shared') expect(refusals(nodes, edges)).toContain('transferCall 0');
  });
});
