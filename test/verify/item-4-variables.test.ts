import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/compiler/ir/answers.js';
import { isJsonObject, type Json } from '../../src/compiler/ir/json.js';
import type { CompileOptions } from '../../src/compiler/ir/options.js';
import { compile } from '../../src/index.js';
import type { SpecWorkflow } from '../../src/testing/spec-workflow.js';
import { workflowArbitrary } from '../../src/testing/workflows.js';
import { runs, seed } from '../seed.js';
import { checkVariables } from './checks.js';
import {
  captured,
  clinic,
  edge,
  faultsOf,
  handoff,
  type Migration,
  migrate,
  places,
  request,
  talk,
  valueAt,
  withElement,
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
    const at = `${handoff(input, 'billing', 'operator')}/variableExtractionPlan`;
    const reason = { reason: { type: 'string', description: 'the reason' } };
    const schema = { type: 'object', properties: reason, required: ['reason'] };
    expect(faultsOf(checkVariables(withValue(input, at, { schema })))).toEqual([
      'The handoff from “billing” to “operator” carries “reason” and need not.',
    ]);
  });

  it('fails where a plan is there and nothing to carry', () => {
    const at = `${handoff(input, 'billing', 'operator')}/variableExtractionPlan`;
    const schema = { type: 'object', properties: {}, required: [] };
    expect(faultsOf(checkVariables(withValue(input, at, { schema })))).toEqual([
      'The handoff from “billing” to “operator” has a plan, and nothing to carry by it.',
    ]);
    for (const value of [null, 7, [], { schema: [] }, {}]) {
      expect(checkVariables(withValue(input, at, value)).holds).toBe(false);
    }
  });

  it('points to the captures and to the plan, or to the ways where nothing is captured', () => {
    const [missing] = checkVariables(
      without(input, `${plan}/schema/properties/name`),
    ).evidence.filter(({ holds }) => !holds);
    expect(missing).toMatchObject({ source: ['/nodes/1/extractVariables/0'], output: [plan] });
    const more = { type: 'string', description: 'why' };
    const [vain] = checkVariables(
      withValue(input, `${plan}/schema/properties/reason`, more),
    ).evidence.filter(({ holds }) => !holds);
    expect(vain).toMatchObject({ source: ['/edges/2'], output: [plan] });
  });
});

describe('item 4, on any squad', () => {
  /** Workflows with something to carry, with their squads in either target. */
  const migrations = fc
    .tuple(workflowArbitrary({ captures: 'many', cycles: false, gaps: false }), fc.nat(3))
    .map(([workflow, number]) => {
      const options: CompileOptions = {
        target: number === 0 ? 'squad' : 'vapi',
        criticalVariables: number === 2 ? ['alpha', 'beta'] : [],
        pass: number === 3 ? 'arguments' : 'extraction',
      };
      const policies = { 'critical-variable': 'argument', 'logical-condition': 'prose' };
      try {
        return migrate(workflow, { ...options, answers: { policies } });
      } catch {
        return input;
      }
    });

  /** The places of plans, and of arguments of handoffs, with all that stands in them. */
  function placesOfPlans({ document }: Migration): { at: string; value: Json }[] {
    return places(document).filter(({ at }) => {
      if (/\/destinations\/\d+\/variableExtractionPlan(?:\/|$)/.test(at)) return true;
      const [, tool] = /^(.*)\/function\/parameters(?:\/|$)/.exec(at) ?? [];
      return tool !== undefined && valueAt(document, `${tool}/type`) === 'handoff';
    });
  }

  /** Ways to make something else of the value at a place. */
  const damages: readonly ((input: Migration, at: string) => Migration | null)[] = [
    (it, at) => without(it, at),
    (it, at) => withValue(it, at, null),
    (it, at) => withValue(it, at, [{ schema: 'string' }]),
    (it, at) => withValue(it, at, { name: { type: 'string', description: 'a name' } }),
    (it, at) => {
      const value = valueAt(it.document, at);
      if (typeof value === 'string') return withValue(it, at, `${value} `);
      if (Array.isArray(value)) return withElement(it, at, value[0]);
      return withValue(it, `${at}/additionalProperties`, false);
    },
    (it, at) => {
      const value = valueAt(it.document, at);
      if (Array.isArray(value)) return withElement(it, at, 'destination');
      if (typeof value === 'string') return withValue(it, at, 'number');
      const key = '__proto__';
      const more = Object.fromEntries([
        ...Object.entries(value as object),
        [key, { type: 'string' }],
      ]);
      return withValue(it, at, more);
    },
    (it, at) => {
      const [, parent, key] = /^(.*\/properties)\/([^/]+)$/.exec(at) ?? [];
      if (parent === undefined) return null;
      return withValue(without(it, at), `${parent}/${key}s`, valueAt(it.document, at) ?? null);
    },
  ];

  it('fails whatever is done to any part of a plan', () => {
    let tried = 0;
    const property = fc.property(migrations, fc.nat(), fc.nat(), (migration, choice, number) => {
      const found = placesOfPlans(migration);
      if (found.length === 0) return;
      const { at, value } = found[choice % found.length]!;
      const damaged = damages[number % damages.length]!(migration, at);
      if (damaged === null || isSame(valueAt(damaged.document, at), value)) return;
      tried += 1;
      expect(faultsOf(checkVariables(migration))).toEqual([]);
      const damage = `${number % damages.length} at ${at}`;
      expect({ damage, holds: checkVariables(damaged).holds }).toEqual({ damage, holds: false });
    });
    fc.assert(property, { seed, numRuns: runs(200) });
    expect(tried).toBeGreaterThan(100);
  });

  it('fails where a plan moves to the destination beside it', () => {
    let tried = 0;
    const property = fc.property(migrations, fc.nat(), (migration, choice) => {
      const plans = places(migration.document).filter(({ at }) =>
        /\/destinations\/\d+\/variableExtractionPlan$/.test(at),
      );
      if (plans.length === 0) return;
      const { at, value } = plans[choice % plans.length]!;
      const all = places(migration.document).filter(
        ({ at: place, value: it }) =>
          /\/destinations\/\d+$/.test(place) &&
          isJsonObject(it) &&
          it['assistantName'] !== undefined &&
          it['variableExtractionPlan'] === undefined,
      );
      if (all.length === 0) return;
      const other = `${all[choice % all.length]!.at}/variableExtractionPlan`;
      tried += 1;
      expect(checkVariables(withValue(without(migration, at), other, value)).holds).toBe(false);
      expect(checkVariables(withValue(migration, other, value)).holds).toBe(false);
    });
    fc.assert(property, { seed, numRuns: runs(150) });
    expect(tried).toBeGreaterThan(20);
  });

  it('holds in whatever order a plan lists things', () => {
    const property = fc.property(migrations, (migration) => {
      let turned = migration;
      for (const { at, value } of placesOfPlans(migration)) {
        if (Array.isArray(value)) turned = withValue(turned, at, value.toReversed());
        else if (isJsonObject(value) && at.endsWith('/properties')) {
          turned = withValue(turned, at, Object.fromEntries(Object.entries(value).reverse()));
        }
      }
      expect(faultsOf(checkVariables(turned))).toEqual([]);
    });
    fc.assert(property, { seed, numRuns: runs(100) });
  });
});

function isSame(one: Json | undefined, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

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
    expect(checkVariables(withValue(both, `${at}/description`, 'second; or first')).holds).toBe(
      true,
    );
    const others = ['first', 'second; and first', 'first; or second; or third', 'first; or first'];
    for (const description of [...others, 'first; or firsts', 'firsecond; or t', '']) {
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
    expect(faultsOf(checkVariables({ ...plain, options: called.options }))).toEqual([
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

  const demanding: CompileOptions = {
    target: 'vapi',
    criticalVariables: ['v'],
    answers: { policies: { 'critical-variable': 'argument' } },
  };
  const both = {
    name: 'C',
    nodes: [
      talk('a', { extractVariables: [captured('v'), captured('w')] }),
      talk('b', { systemPrompt: '{{v}} {{w}}' }),
      talk('c'),
    ],
    edges: ['a>b: x', 'a>c: y'].map(edge),
  };

  it('wants a demanded variable as an argument, and the others in the plan', () => {
    const argued = migrate(both, demanding);
    const item = checkVariables(argued);
    expect(faultsOf(item)).toEqual([]);
    const at = handoff(argued, 'a', 'b');
    const parameters = `${at.replace(/\/destinations\/\d+$/, '')}/function/parameters`;
    expect(item.evidence.map(({ output }) => output)).toEqual([
      [`${at}/variableExtractionPlan`, parameters],
    ]);
    expect(Object.keys(valueAt(argued.document, `${parameters}/properties`) as object)).toEqual([
      'destination',
      'v',
    ]);
    const names = `${parameters}/properties/destination/enum/0`;
    expect(checkVariables(withValue(argued, names, 'c')).holds).toBe(false);
    expect(checkVariables(without(argued, `${parameters}/properties/destination`)).holds).toBe(
      false,
    );
  });

  it('fails where an argument stands in the plan, and where a plan is an argument', () => {
    const argued = migrate(both, demanding);
    const plain = migrate(both, { target: 'vapi' });
    expect(faultsOf(checkVariables({ ...plain, options: argued.options }))).toEqual([
      'The handoff from “a” to “b” carries “v” and need not.',
      'The handoff from “a” to “b” does not demand “v” as an answer or the options want it.',
    ]);
    expect(faultsOf(checkVariables({ ...argued, options: plain.options }))).toEqual([
      'The handoff from “a” to “b” does not carry “v”.',
      'The handoff from “a” to “b” demands “v”, and neither an answer nor the options want it.',
    ]);
  });
});
