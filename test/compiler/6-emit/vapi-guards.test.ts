import { describe, expect, it } from 'vitest';
import { compile, type Question } from '../../../src/index.js';
import { compileVapi, handoffsOf, targetsOf, toolsOf } from './vapi-documents.js';
import { combine, isRefused, type Values } from './vapi-refusals.js';
import { exact } from './vapi-workflows.js';

const guarded = { answers: { policies: { 'logical-condition': 'guard' } } };
const urgent = { ...guarded, dynamicVariables: ['urgent'] };
const claude = { model: { provider: 'anthropic', model: 'claude-sonnet-4-6' } };

function between(condition: string) {
  const talk = (id: string) => ({ id, type: 'conversation', systemPrompt: `Work of ${id}.` });
  return {
    name: 'Two ways',
    nodes: [talk('from'), talk('exact'), talk('else')],
    edges: [
      { from: 'from', to: 'exact', condition },
      { from: 'from', to: 'else', condition: 'the caller wants something else' },
    ],
  };
}

const plan = [undefined, null, '', 'gold', 'silver', 'GOLD'];
const age = [undefined, 17, 18, 65, 66];
const flag = [undefined, null, false, true];

/** What each condition means, said a second time; nil, false and an empty text are not true. */
const meanings: readonly [string, Record<string, readonly unknown[]>, (v: Values) => boolean][] = [
  ["plan == 'gold'", { plan }, (v) => v['plan'] === 'gold'],
  ['plan != "gold"', { plan }, (v) => v['plan'] !== 'gold'],
  ['age >= 18', { age }, (v) => v['age'] !== undefined && Number(v['age']) >= 18],
  [
    "plan == 'gold' && age >= 65 || vip == true",
    { plan, age, vip: flag },
    (v) =>
      (v['plan'] === 'gold' && v['age'] !== undefined && Number(v['age']) >= 65) ||
      v['vip'] === true,
  ],
  [
    "!(plan == 'gold' || plan == 'silver') && vip == true",
    { plan, vip: flag },
    (v) => v['plan'] !== 'gold' && v['plan'] !== 'silver' && v['vip'] === true,
  ],
  [
    "(plan == 'gold' || vip) && !blocked && plan != ''",
    { plan, vip: flag, blocked: flag },
    (v) => (v['plan'] === 'gold' || v['vip'] === true) && v['blocked'] !== true && !!v['plan'],
  ],
  ["plan contains 'old'", { plan }, (v) => v['plan'] === 'gold'],
  ["{{ plan }} == 'gold'", { plan }, (v) => v['plan'] === 'gold'],
  ['{{ vip }}', { vip: flag }, (v) => v['vip'] === true],
  [
    '{% if plan == "gold" and vip %} true {% else %} false {% endif %}',
    { plan, vip: flag },
    (v) => v['plan'] === 'gold' && v['vip'] === true,
  ],
  // The condition may use the names of the Liquid around it.
  [
    'squadc_open == 1 && (squadc_holds1 == 2 || vip == true)',
    { squadc_open: [0, 1], squadc_holds1: [1, 2], vip: flag },
    (v) => v['squadc_open'] === 1 && (v['squadc_holds1'] === 2 || v['vip'] === true),
  ],
];

describe('a guarded handoff', () => {
  it.each(meanings)('is refused unless %s', (condition, domains, holds) => {
    const dynamicVariables = Object.keys(domains);
    const { document } = compileVapi(between(condition), { ...guarded, dynamicVariables });
    const [tool] = handoffsOf(document, 'from');
    for (const values of combine(domains)) {
      expect(isRefused(tool, values), JSON.stringify(values)).toBe(!holds(values));
    }
  });

  it('is a tool of its own, and the others stay together', () => {
    const { document } = compileVapi(exact, { ...urgent, ...claude });
    const tools = handoffsOf(document, 'ask');
    const shown = tools.map((tool) => [targetsOf(tool), tool.rejectionPlan?.conditions.length]);
    expect(shown).toEqual([
      [['gold'], 2],
      [['other'], 1],
      [['deny'], undefined],
      [['emergency'], 1],
    ]);
  });

  it('is open where one of two ways to the same assistant is', () => {
    const { document } = compileVapi(exact, urgent);
    const gold = handoffsOf(document, 'ask')[0];
    expect(isRefused(gold, { plan: 'gold', age: 20 })).toBe(false);
    expect(isRefused(gold, { plan: 'silver', age: 70 })).toBe(false);
    expect(isRefused(gold, { plan: 'silver', age: 20 })).toBe(true);
  });

  it('does not close a way that has no guard', () => {
    const workflow = between("plan == 'gold'");
    const edges = [...workflow.edges, { from: 'from', to: 'exact', condition: 'the boss says so' }];
    const options = { ...guarded, dynamicVariables: ['plan'] };
    const { document } = compileVapi({ ...workflow, edges }, options);
    const ways = handoffsOf(document, 'from').filter((tool) => targetsOf(tool).includes('exact'));
    expect(ways.map((tool) => tool.rejectionPlan !== undefined)).toEqual([true, false]);
    expect(ways.map((tool) => tool.destinations?.[0]?.['description'])).toEqual([
      "plan == 'gold'",
      'the boss says so',
    ]);
    expect(new Set(ways.map((tool) => tool.function?.name)).size).toBe(2);
  });
});

describe('other guarded conditions', () => {
  it('refuse a transfer', () => {
    const { document } = compileVapi(exact, urgent);
    const transfer = toolsOf(document, 'other').find(({ type }) => type === 'transferCall');
    expect(isRefused(transfer, { age: 17 })).toBe(false);
    expect(isRefused(transfer, { age: 66, plan: 'silver' })).toBe(false);
    expect(isRefused(transfer, { age: 66, plan: 'gold' })).toBe(true);
  });

  it('leave a transfer open that something else leads to as well', () => {
    const edges = [...exact.edges, { from: 'other', to: 'line', condition: 'the caller insists' }];
    const { document } = compileVapi({ ...exact, edges }, urgent);
    const transfer = toolsOf(document, 'other').find(({ type }) => type === 'transferCall');
    expect(transfer).not.toHaveProperty('rejectionPlan');
  });

  it('are prose inside an assistant, where nothing is handed off', () => {
    const workflow = {
      name: 'One stage',
      nodes: [
        { id: 'a', type: 'conversation', systemPrompt: 'A' },
        { id: 'b', type: 'conversation', systemPrompt: 'B' },
        { id: 'bye', type: 'endCall' },
      ],
      edges: [
        { from: 'a', to: 'b', condition: 'x == 1' },
        { from: 'b', to: 'bye' },
      ],
    };
    const prose = { answers: { policies: { 'logical-condition': 'prose' } } };
    const options = { dynamicVariables: ['x'] };
    const { document } = compileVapi(workflow, { ...options, ...guarded });
    expect(document).toEqual(compileVapi(workflow, { ...options, ...prose }).document);
  });

  it('read the name that an answer gave a variable', () => {
    const options = {
      dynamicVariables: ['plan'],
      answers: {
        ...guarded.answers,
        answers: { 'undefined-variable:plann': { choice: 'rename', value: 'plan' } },
      },
    };
    const workflow = between("plann == 'gold'");
    const [tool] = handoffsOf(compileVapi(workflow, options).document, 'from');
    expect(isRefused(tool, { plan: 'gold' })).toBe(false);
    expect(isRefused(tool, { plann: 'gold' })).toBe(true);
  });
});

describe('the answer `guard`', () => {
  const half = between('balance >= $50 or so && nothing');
  const keysOf = (questions: readonly Question[]) =>
    questions.flatMap(({ choices }) => choices.map(({ key }) => key));

  it('is offered for what is an expression from end to end, and for nothing else', () => {
    const options = { target: 'vapi' as const, dynamicVariables: ['plan'] };
    const offers = (condition: string) =>
      keysOf(compile(between(condition), options).questions).includes('guard');
    expect(["plan == 'gold'", '{{ plan }}', 'plan'].map(offers)).toEqual([true, true, false]);
    expect(offers("the plan is 'gold' && the caller is nice")).toBe(false);
    expect(offers('{{ plan }} == 1 as a rule')).toBe(false);
    expect(offers('plan >= $50')).toBe(false);
    const [about] = compile(half, options).questions;
    expect(keysOf([about!])).toEqual(['extract', 'tool', 'prose']);
  });

  it('is refused where it is not offered', () => {
    const open = compile(half, { target: 'vapi' });
    const [{ id } = { id: '' }] = open.questions;
    const answers = { answers: { [id]: { choice: 'guard' } } };
    const { diagnostics, questions } = compile(half, { target: 'vapi', answers });
    const codes = diagnostics.filter(({ severity }) => severity === 'error').map((it) => it.code);
    expect(codes).toEqual(['api/answer-choice']);
    expect(questions.map((question) => question.id)).toContain(id);
  });

  it('leaves such a question open where it is the policy', () => {
    const { questions, diagnostics } = compile(half, { target: 'vapi', ...guarded });
    expect(questions.map(({ kind }) => kind)).toContain('logical-condition');
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('is not there for target squad', () => {
    const { questions } = compile(between('plan == 1'), { dynamicVariables: ['plan'] });
    const keys = questions.flatMap(({ choices }) => choices.map(({ key }) => key));
    expect(keys).toEqual(['extract', 'tool', 'prose']);
  });
});
