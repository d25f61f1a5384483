/**
 * One rule about values broken at a time: the verifier refutes what comes of it, and so does the law
 * of values, which knows no rule and plays calls. Each of the two is a check of the other.
 */
import { describe, expect, it } from 'vitest';
import { type CompileOptions, compile } from '../src/index.js';
import { laws, type SpecWorkflow, settle } from '../src/testing.js';
import { breakCompiler, type Patch, unchecked } from './broken-build.js';
import { captures, exported, flow, sketch, transfer } from './compiler/build.js';
import { graph } from './laws/graphs.js';

/** One assistant finds out the order, which its request reads. */
const sending = (fields: object) => {
  const schema = { type: 'object', properties: { order: { type: 'string', description: 'it' } } };
  const request = { type: 'apiRequest', name: 'find', url: 'https://api.example.com' };
  const tool = 'function' in fields ? fields : { ...request, method: 'POST', ...fields };
  const nodes = {
    ask: { prompt: 'Ask for the order.', variableExtractionPlan: { schema } },
    find: { type: 'tool', tool },
    tell: { prompt: 'Tell what was found.' },
  };
  return exported(nodes, 'ask > find | find > tell');
};
const url = 'https://api.example.com/{{order}}';

/** A line before a node that other nodes lead to as well. */
const passing = sketch('a > s: one | a > b: two | s > b | a > c: three | b > c', {
  s: { systemPrompt: undefined, firstMessage: 'One moment.' },
});

/** An assistant that a call comes back to judges by what it has found out. */
const returning = sketch('a > b: has said it | b > c: {{x}} fits | c > b: does not fit', {
  b: { systemPrompt: 'Ask for x.', ...captures('x') },
  c: { systemPrompt: 'Offer {{x}}.' },
});

interface Row {
  readonly rule: string;
  readonly patch: Patch;
  readonly workflow: object;
  readonly options?: CompileOptions;
}

const rows: readonly Row[] = [
  {
    rule: 'what the model fills in is left out',
    patch: [
      '5-lower/tools.ts',
      'naming, suppliedTo(request!)',
      'naming, { ...suppliedTo(request!), filled: [] }',
    ],
    workflow: sending({ url }),
  },
  {
    rule: 'what the model fills in may be left out',
    patch: [
      '5-lower/supply.ts',
      'nodes.every(({ index }) => member',
      '!nodes.every(({ index }) => member',
    ],
    workflow: sending({ url }),
  },
  {
    rule: 'what the model fills in of a function tool is left out',
    patch: [
      '5-lower/tools.ts',
      'supplies.get(member)!.suppliedTo(tool)',
      '{ filled: [], isSilent: false }',
    ],
    workflow: sending({
      type: 'function',
      function: { name: 'find' },
      parameters: [{ key: 'number', value: '{{order}}' }],
    }),
  },
  {
    rule: 'a static field of a function tool stays beside the property that it has become',
    patch: ['ir/tool.ts', '(_, at) => !taken.has(sent.statics[at]!.key)', '() => true'],
    workflow: sending({
      type: 'function',
      function: { name: 'find' },
      parameters: [{ key: 'number', value: '{{order}}' }],
    }),
  },
  {
    rule: 'no form demands what the model fills in',
    patch: ['ir/tool.ts', 'it.isRequired ? [keyOf(it)]', 'it.isRequired ? []'],
    workflow: sending({ url }),
  },
  {
    rule: 'a tool speaks what cannot be rendered',
    patch: ['5-lower/supply.ts', 'line !== null && isTold', 'false && isTold'],
    workflow: sending({ messages: [{ type: 'request-start', content: 'I look for {{order}}.' }] }),
  },
  {
    rule: 'a static field stands beside the property that it has become',
    patch: ['ir/tool.ts', 'unseen.filter(({ key }) => !taken.has(key))', 'unseen'],
    workflow: sending({ parameters: [{ key: 'number', value: '{{order}}' }] }),
  },
  {
    rule: 'what a response gives is not kept',
    patch: [
      'ir/tool.ts',
      'return [...new Map(aliases)];',
      'return [...new Map(aliases)].slice(1);',
    ],
    workflow: graph('t>a a>b a>c t=x b?x'),
  },
  {
    rule: 'a token is rendered too early',
    patch: ['5-lower/supply.ts', '? [output] : []', '? [] : []'],
    workflow: graph('a>b a>c c>d a!x c!x c?x d?x'),
  },
  {
    rule: 'what is there on entry is not told',
    patch: ['5-lower/prompt.ts', '      known,', '      known: [],'],
    workflow: graph('s>c s>b c>d d>c s!x d!x c?x'),
  },
  {
    rule: 'a handoff forgets a variable',
    patch: ['5-lower/tools.ts', 'get(handoff) ?? []) {', 'get(handoff)?.slice(1) ?? []) {'],
    workflow: graph('a>b a>c a!x b?x'),
  },
  {
    rule: 'a message is spoken that cannot be rendered',
    patch: ['5-lower/tools.ts', 'places.some((place) => isTold(message, place))', 'false'],
    workflow: flow(
      {
        ask: { systemPrompt: 'Ask for the order.', ...captures('order') },
        desk: transfer({ transferPlan: { message: 'I pass on {{order}}.' } }),
      },
      'ask > desk',
    ),
  },
  {
    rule: 'a node that says a line is an assistant',
    patch: ['ir/workflow.ts', 'hasOnlyLine(node) && movesOn(node) ?', 'false ?'],
    workflow: passing,
  },
  {
    rule: 'what an assistant finds out is not there when it is entered again',
    patch: [
      '5-lower/supply.ts',
      'return known.has(index);',
      'return known.has(index) && !sites.get(member)?.has(name);',
    ],
    workflow: returning,
    options: { answers: { policies: { 'cyclic-stages': 'keep-split', 'missing-auth': 'none' } } },
  },
];

/** The law with answers that follow from the options. */
const valuesHold = (law: typeof laws.valuesHold, { workflow, options = {} }: Row) =>
  law(structuredClone(workflow) as SpecWorkflow, { compile: options });

describe.each(rows)('where $rule', (row) => {
  const { patch, workflow, options } = row;

  it('the verifier refutes the squad', async () => {
    const settled = settle(workflow, options).options;
    expect(compile(workflow, settled).status).toBe('complete');
    const broken = await breakCompiler(patch);
    expect(() => broken.compile(workflow, settled)).toThrow('no faithful migration');
  });

  it('the law of values finds a call', async () => {
    expect(() => valuesHold(laws.valuesHold, row)).not.toThrow();
    const broken = await breakCompiler(patch, unchecked);
    expect(() => valuesHold(broken.valuesHold, row)).toThrow();
  });
});
