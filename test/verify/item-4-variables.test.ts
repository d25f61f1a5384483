import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/compiler/ir/answers.js';
import { compile } from '../../src/index.js';
import type { SpecWorkflow } from '../../src/testing/spec-workflow.js';
import type { Migration } from './migration.js';
import { checkVariables } from './checks.js';
import {
  captured,
  clinic,
  edge,
  faultsOf,
  handoff,
  migrate,
  request,
  talk,
  valueAt,
  without,
  withValue,
} from './migration.js';

const input = migrate(clinic);
const plan = `${handoff(input, 'greeting', 'billing')}/variableExtractionPlan`;

/** What each plan carries, by the two names of the handoff, as the evidence has it. */
function carried(workflow: SpecWorkflow): string[] {
  const item = checkVariables(migrate(workflow));
  expect(faultsOf(item)).toEqual([]);
  return item.evidence.map(({ text }) => text.replace(/^The handoff |, which .*$/g, ''));
}

describe('item 4', () => {
  it('holds where each plan has its variables', () => {
    const item = checkVariables(input);
    expect(faultsOf(item)).toEqual([]);
    expect(item.evidence).toEqual([
      {
        holds: true,
        text:
          'The handoff from “greeting” to “scheduling” carries “name”, which is captured before ' +
          'it and read after it.',
        source: ['/nodes/1/extractVariables/0'],
        output: [`${handoff(input, 'greeting', 'scheduling')}/variableExtractionPlan`],
      },
      expect.objectContaining({ output: [plan] }),
    ]);
  });

  it('holds where no variable crosses, and says so', () => {
    const item = checkVariables(migrate({ name: 'One', nodes: [talk('a')], edges: [] }));
    expect(item.evidence).toHaveLength(1);
    expect(item.holds).toBe(true);
  });

  it.each([
    ['without the plan', without(input, plan), 'does not carry “name”.'],
    [
      'without the property',
      without(input, `${plan}/schema/properties/name`),
      'does not carry “name”.',
    ],
    [
      'with one more',
      withValue(input, `${plan}/schema/properties/reason`, { type: 'string', description: 'why' }),
      'carries “reason” and need not.',
    ],
    [
      'with another type',
      withValue(input, `${plan}/schema/properties/name/type`, 'number'),
      'carries “name” with another type than its captures have.',
    ],
    [
      'with another description',
      withValue(input, `${plan}/schema/properties/name/description`, 'a name'),
      'carries “name” with another description than its captures have.',
    ],
    [
      'with an enumeration',
      withValue(input, `${plan}/schema/properties/name/enum`, ['Ann']),
      'carries “name” with another enumeration than its captures have.',
    ],
    [
      'with nothing required',
      withValue(input, `${plan}/schema/required`, []),
      'does not require exactly its variables.',
    ],
    [
      'with an alias',
      withValue(input, `${plan}/aliases`, [{ key: 'name', value: 'Ann' }]),
      'derives variables that the source does not have.',
    ],
  ])('fails %s', (_case, damaged: Migration, fault) => {
    const faults = faultsOf(checkVariables(damaged));
    expect(faults.some((text) => text.includes('“greeting”') && text.endsWith(fault))).toBe(true);
  });

  it('fails where a variable that only chooses the branch has a plan', () => {
    const at = handoff(input, 'billing', 'operator');
    const schema = { type: 'object', properties: {}, required: [] };
    const idle = withValue(input, `${at}/variableExtractionPlan`, { schema });
    expect(faultsOf(checkVariables(idle))).toEqual([]);
    const reason = { reason: { type: 'string', description: 'the reason' } };
    const vain = { schema: { ...schema, properties: reason, required: ['reason'] } };
    expect(checkVariables(withValue(input, `${at}/variableExtractionPlan`, vain)).holds).toBe(
      false,
    );
  });
});

describe('item 4, what crosses', () => {
  const branches = ['a>b: x', 'a>c: y'].map(edge);

  it('is nothing that a tool sets after the capture', () => {
    const lookup = request('t', {
      responseVariables: [{ name: 'v', type: 'string', description: 'v', path: 'v' }],
    });
    const nodes = [
      talk('a', { extractVariables: [captured('v')] }),
      lookup,
      talk('b', { systemPrompt: '{{v}}' }),
      talk('c'),
    ];
    const edges = ['a>t', 't>b: x', 't>c: y'].map(edge);
    expect(carried({ name: 'T', nodes, edges })).toEqual([
      'No variable crosses from one assistant to another, and no handoff has a plan.',
    ]);
  });

  it('is only what is read before it is set again', () => {
    const again = talk('b', { extractVariables: [captured('v', 'again')] });
    const reading = ['c', 'd'].map((id) => talk(id, { systemPrompt: `{{v}} in ${id}` }));
    const nodes = [talk('a', { extractVariables: [captured('v')] }), again, ...reading, talk('e')];
    const edges = [...branches, edge('b>d: m'), edge('b>e: n')];
    expect(carried({ name: 'R', nodes, edges })).toEqual([
      'from “a” to “c” carries “v”',
      'from “b” to “d” carries “v”',
    ]);
  });

  it('is what the prompt of all assistants reads', () => {
    const nodes = [talk('a', { extractVariables: [captured('v')] }), talk('b'), talk('c')];
    const workflow = { name: 'P', globalPrompt: 'Be kind to {{v}}.', nodes, edges: branches };
    expect(carried(workflow)).toEqual([
      'from “a” to “b” carries “v”',
      'from “a” to “c” carries “v”',
    ]);
  });

  it('has the values that the captures enumerate', () => {
    const choice = { ...captured('v'), enum: ['yes', 'no'] };
    const nodes = [talk('a', { extractVariables: [choice] }), talk('b', { systemPrompt: '{{v}}' })];
    const listed = migrate({ name: 'L', nodes: [...nodes, talk('c')], edges: branches });
    expect(faultsOf(checkVariables(listed))).toEqual([]);
    const at = `${handoff(listed, 'a', 'b')}/variableExtractionPlan/schema/properties/v/enum`;
    for (const values of [['yes'], ['yes', 'no', 'yes'], ['yes', 'maybe']]) {
      expect(checkVariables(withValue(listed, at, values)).holds).toBe(false);
    }
    expect(checkVariables(without(listed, at)).holds).toBe(false);
  });

  it('is what a condition further on reads, and what a global node reads', () => {
    const nodes = [
      talk('a', { extractVariables: [captured('v'), captured('w')] }),
      talk('b'),
      talk('c'),
      talk('d'),
      talk('e'),
      talk('help', { isGlobal: true, condition: 'needs help', systemPrompt: '{{w}}' }),
    ];
    const edges = [...branches, ...['b>d: {{v}} is big', 'b>e: else'].map(edge)];
    expect(carried({ name: 'G', nodes, edges })).toEqual([
      'from “a” to “b” carries “v” and “w”',
      'from “a” to “c” carries “w”',
      'from “a” to “help” carries “w”',
    ]);
  });

  it('is what a walk captures before a step back to a global node of the assistant', () => {
    const nodes = [
      talk('s'),
      talk('g', { isGlobal: true, condition: 'again' }),
      request('t', { extractVariables: [captured('v')] }),
      talk('b', { systemPrompt: '{{v}}' }),
      talk('d'),
    ];
    const edges = ['g>t: more', 'g>b: m', 'g>d: n'].map(edge);
    expect(carried({ name: 'O', nodes, edges })).toEqual([
      'from “g” to “b” carries “v”',
      'from “g” to “d” carries “v”',
    ]);
  });

  it('joins what equal nodes capture', () => {
    const same = { systemPrompt: 'Ask.', extractVariables: [captured('v')] };
    const nodes = [
      talk('s'),
      talk('p'),
      talk('q'),
      talk('one', same),
      talk('two', same),
      talk('x', { systemPrompt: '{{v}}' }),
      talk('y'),
    ];
    const edges = [
      's>p: 1',
      's>q: 2',
      'p>one',
      'q>two',
      ...['one', 'two'].flatMap((it) => [`${it}>x: m`, `${it}>y: n`]),
    ];
    expect(carried({ name: 'E', nodes, edges: edges.map(edge) })).toEqual([
      'from “one” to “x” carries “v”',
    ]);
  });

  it('describes a variable by all captures that reach the handoff', () => {
    const nodes = [
      talk('s', { extractVariables: [captured('v', 'first')] }),
      request('t', { extractVariables: [{ ...captured('v', 'second'), type: 'number' }] }),
      request('u'),
      talk('x', { systemPrompt: '{{v}}' }),
      talk('y'),
    ];
    const edges = ['s>t: 1', 's>u: 2', 't>u', 'u>x: 3', 'u>y: 4'].map(edge);
    const both = migrate({ name: 'D', nodes, edges });
    expect(faultsOf(checkVariables(both))).toEqual([]);
    const at = `${handoff(both, 's', 'x')}/variableExtractionPlan/schema/properties/v`;
    expect(valueAt(both.document, at)).toEqual({ type: 'string', description: 'first; or second' });
    for (const description of ['first', 'second; and first', 'first; or second; or third']) {
      expect(checkVariables(withValue(both, `${at}/description`, description)).holds).toBe(false);
    }
    expect(checkVariables(withValue(both, `${at}/type`, 'number')).holds).toBe(false);
  });
});

describe('item 4, as answers want it', () => {
  const nodes = [
    talk('a', { extractVariables: [captured('v')] }),
    talk('b', { systemPrompt: '{{v}}' }),
    talk('c'),
  ];
  const confirm = { choice: 'tool', value: { tool: 'confirm' } };

  it('wants no plan where the node calls a tool for it', () => {
    const workflow = { name: 'C', nodes, edges: ['a>b: x', 'a>c: y'].map(edge) };
    const plain = migrate(workflow);
    const asked = { answers: { answers: { 'critical-variable:v': confirm } } };
    const called = migrate(workflow, { criticalVariables: ['v'], ...asked });
    expect(checkVariables(called).evidence).toEqual([
      expect.objectContaining({ holds: true, text: expect.stringMatching(/^No variable/) }),
    ]);
    expect(faultsOf(checkVariables({ ...plain, workflow: called.workflow }))).toEqual([
      'The handoff from “a” to “b” carries “v” and need not.',
    ]);
  });

  it('wants no plan where the condition of a global node needs a tool for it', () => {
    const help = talk('help', { isGlobal: true, condition: "v == 'x'", systemPrompt: '{{v}}' });
    const workflow = { name: 'C', nodes: [...nodes, help], edges: ['a>b: x', 'a>c: y'].map(edge) };
    const [id] = compile(workflow).questions.map((question) => question.id);
    const carriedBy = (answer: Answer) =>
      checkVariables(
        migrate(workflow, { answers: { answers: { [id ?? '']: answer } } }),
      ).evidence.map(({ text, holds }) =>
        holds ? text.replace(/^The handoff |, which .*$/g, '') : '',
      );
    expect(carriedBy({ choice: 'prose' })).toEqual([
      'from “a” to “b” carries “v”',
      'from “a” to “c” carries “v”',
      'from “a” to “help” carries “v”',
    ]);
    expect(carriedBy(confirm)).toEqual(['from “a” to “b” carries “v”']);
  });

  it('takes a demanded argument for a plan', () => {
    const argued = migrate(
      { name: 'C', nodes, edges: ['a>b: x', 'a>c: y'].map(edge) },
      {
        target: 'vapi',
        criticalVariables: ['v'],
        answers: { policies: { 'critical-variable': 'argument' } },
      },
    );
    const item = checkVariables(argued);
    expect(faultsOf(item)).toEqual([]);
    const [place = ''] = item.evidence.flatMap(({ output }) => output);
    const tool = place.replace(/\/destinations\/\d+$/, '');
    for (const at of ['properties/v', 'required/1']) {
      const damaged = without(argued, `${tool}/function/parameters/${at}`);
      expect(checkVariables(damaged).holds).toBe(false);
    }
  });
});
