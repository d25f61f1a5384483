/**
 * What the generators promise: every kind of content, unique texts, and the requested size. Rewritten
 * workflows look like the platform's documents, keep every text, and are detected as such.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, type JsonObject } from '../../src/index.js';
import {
  asRead,
  type DialectName,
  describeWalk,
  dialects,
  hostileValue,
  makeValue,
  neverThrows,
  randomWalk,
  readGraph,
  rewriteAs,
  type SpecNode,
  type SpecWorkflow,
  type WorkflowShape,
  walks,
  workflowArbitrary,
} from '../../src/testing.js';
import { toolDefinitions } from '../../src/tools.js';
import { valueAt } from '../json.js';
import { runs, seed } from '../seed.js';
import { drawn, textsOf, worked } from './graphs.js';

const settings = { seed, numRuns: runs(1000) };
const sample = (shape: WorkflowShape, numRuns = 1000) =>
  fc.sample(workflowArbitrary(shape), { seed, numRuns: runs(numRuns) });

type Node = SpecWorkflow['nodes'][number];
type Sign = (workflow: SpecWorkflow, texts: readonly string[]) => boolean;
const aNode =
  (fits: (node: Node) => boolean): Sign =>
  ({ nodes }) =>
    nodes.some(fits);
const aText =
  (part: string): Sign =>
  (_, texts) =>
    texts.some((text) => text.includes(part));
const asks =
  (kind: string): Sign =>
  (workflow) =>
    compile(workflow).questions.some((question) => question.kind === kind);
const areEqual = (list: readonly string[]) => new Set(list).size < list.length;

const signs: Readonly<Record<string, Sign>> = {
  'a global tool': aNode(({ isGlobal, type }) => isGlobal === true && type === 'apiRequest'),
  'a global exit': aNode(({ isGlobal, type }) => isGlobal === true && type === 'transferCall'),
  'a self-loop': ({ edges }) => edges.some(({ from, to }) => from === to),
  'a tool at the start': ({ nodes }) => nodes[0]?.type === 'apiRequest',
  'an edge out of an exit': (workflow) =>
    compile(workflow).diagnostics.some(({ code }) => code === 'flow/edge-out-of-exit'),
  'an expression': ({ edges }) => edges.some(({ condition = '' }) => condition.includes('==')),
  'a response': aNode(({ responseVariables }) => responseVariables !== undefined),
  'equal prompts': ({ nodes }) => areEqual(nodes.flatMap(({ systemPrompt = [] }) => systemPrompt)),
  ...Object.fromEntries(
    ['missing-destination', 'missing-endpoint', 'ambiguous-start', 'cyclic-stages'].map((kind) => [
      kind,
      asks(kind),
    ]),
  ),
  'an unknown variable': aText('{{omega}}'),
  'strange texts': aText('𝄞'),
};

/** Texts that look like the compiler's. */
const misleading = [
  ...['\nStep 2\n', '\n- If: asked\n', 'Say: "', '; or ', 'Then: begin at step 1.', 'At any time'],
  ...['Then: end the call', '{"assistantName"', '\r\n'],
];
const hostileSigns: Readonly<Record<string, Sign>> = {
  ...Object.fromEntries(misleading.map((text) => [text, aText(text)])),
  'white space around': (_, texts) => texts.some((text) => /^\s+\S.*\s+$/s.test(text)),
  'a part of another text': (_, texts) => {
    const long = texts.filter((text) => text.trim().length > 3);
    return long.some((one) => long.some((other) => other !== one && other.includes(one)));
  },
  'one letter': (_, texts) => texts.includes('a') && texts.includes('e'),
  'blank texts': (_, texts) => texts.includes(' ') && texts.includes('\n'),
  'empty texts': (_, texts) => texts.includes(''),
  'nodes without texts': aNode(
    ({ type, firstMessage, systemPrompt }) =>
      /conversation|gather/.test(type) && !firstMessage && !systemPrompt,
  ),
  'equal instructions': (_, texts) => areEqual(texts.filter((text) => text === 'Go on.')),
  'equal requests': ({ nodes }) =>
    areEqual(nodes.flatMap(({ url = '' }) => (url.endsWith('/same') ? url : []))),
  'equal conditions': ({ edges }) =>
    areEqual(edges.flatMap(({ from, condition }) => (condition ? `${from} ${condition}` : []))),
  'a reserved name': aNode(({ name }) => name === '__proto__' || name === 'constructor'),
  'an id like a method': aNode(({ id }) => id === 'toString'),
  'an id like a heading': aNode(({ id }) => id === 'Step 1'),
  'long names': aNode(({ name = '' }) => name.length === 200),
  'long ids': aNode(({ id }) => id.length === 200),
};

describe('workflowArbitrary', () => {
  it.each<[WorkflowShape, Readonly<Record<string, Sign>>]>([
    [{}, signs],
    [{ hostile: true }, hostileSigns],
  ])('generates every kind of node, edge, gap and text: %j', (shape, missing) => {
    let left = Object.entries(missing);
    for (const workflow of sample(shape)) {
      const texts = textsOf(workflow);
      left = left.filter(([, sign]) => !sign(workflow, texts));
    }
    expect(left.map(([name]) => name)).toEqual([]);
  });

  it('generates repeated texts, gaps and unreachable nodes only on request', () => {
    for (const workflow of sample({ equals: false, logical: false }))
      expect(areEqual(textsOf(workflow))).toBe(false);
    for (const workflow of sample({ cycles: false, dead: false, gaps: false }, 150)) {
      const { questions, diagnostics } = compile(workflow);
      const found = [...questions.map(({ kind }) => kind), ...diagnostics.map(({ code }) => code)];
      expect(found.filter((it) => /ambiguous-start|unreachable/.test(it))).toEqual([]);
    }
  });

  it('generates at most three more nodes than requested', () => {
    const counts = (shape: WorkflowShape) => sample(shape, 200).map(({ nodes }) => nodes.length);
    expect(Math.max(...counts({ size: 4 }))).toBeLessThanOrEqual(7);
    const most = Math.max(...counts({ size: 60 }));
    expect(most).toBeGreaterThanOrEqual(60);
    expect(most).toBeLessThanOrEqual(63);
  });

  it('shrinks to the relevant text', () => {
    const property = fc.property(
      workflowArbitrary({ hostile: true }),
      ({ nodes }) => !nodes.some(({ systemPrompt }) => systemPrompt?.includes('\nStep 2\n')),
    );
    const [workflow] = fc.check(property, settings).counterexample ?? [];
    expect(workflow?.nodes.length).toBeLessThanOrEqual(3);
    const strange = workflow && textsOf(workflow).filter((text) => !/^[\w .]+$/.test(text));
    expect(strange).toEqual([expect.stringMatching(/^Do the work of n\d\.\n\nStep 2\n/)]);
  });
});

describe('rewriteAs writes', () => {
  it.each<readonly [DialectName, string, object]>([
    ['export', '/nodes/0', { name: 'greet', isStart: true, prompt: 'Greet the caller.' }],
    ['export', '/nodes/1/variableExtractionPlan/output/0', { title: 'topic', enum: ['a', 'b'] }],
    ['export', '/nodes/1/variableExtractionPlan/output/1', { enum: [] }],
    ['export', '/nodes/4', { type: 'tool', tool: { type: 'endCall' } }],
    ['export', '/edges/1/condition', { type: 'ai', prompt: 'the topic is billing' }],
    ['schema', '/nodes/1/variableExtractionPlan/schema/properties/topic', { enum: ['a', 'b'] }],
    ['response', '/nodes/0', { id: 'greet', name: 'greet' }],
    ['response', '/edges/0', { source: 'greet', target: 'collect' }],
    ['tasks', '/nodes/0', { id: 'start', type: 'start' }],
    ['tasks', '/edges/0', { from: 'start', to: 'greet' }],
    ['tasks', '/nodes/2', { id: 'collect', type: 'gather', output: { type: 'object' } }],
    ['tasks', '/nodes/3', { type: 'say' }],
  ])('%s at %s', (dialect, at, expected) => {
    const document = rewriteAs(worked(), dialect);
    expect(valueAt(document, at)).toMatchObject(expected);
    expect(compile(document).diagnostics.map(({ code }) => code)).toContain('shape/dialect');
  });

  it('one key per node, and captures in order, with or without a wrapper', () => {
    expect(rewriteAs(worked(), 'export')).not.toHaveProperty('nodes.0.id');
    const captures = asRead(worked(), 'schema').nodes[1]?.extractVariables;
    expect(captures?.map(({ name }) => name)).toEqual(['account', 'topic']);
    const boxed = { workflow: rewriteAs(worked(), 'tasks', [3]) };
    expect(rewriteAs(worked(), 'wrapped', [3])).toEqual(boxed);
  });

  it('an expression with a mark, unless it is obvious or reads like a sentence', () => {
    const marked = (condition: string): boolean => {
      const workflow = { ...worked(), edges: [{ from: 'greet', to: 'collect', condition }] };
      return JSON.stringify(rewriteAs(workflow, 'export', [1])).includes('"logic"');
    };
    const conditions = [" tier == 'gold'\n", "{% if a == 'b' %}x{% endif %}", "the a == 'b' fits"];
    expect(conditions.map(marked)).toEqual([true, true, false]);
  });

  it.each([
    [['Desk', 'Desk', 'Bills'], 'n0 n1 Bills'],
    [['__proto__', 'caf\u00e9', 'cafe\u0301'], 'n0 n1 n2'],
  ])('ids if names are not unique: %j', (names, keys) => {
    const nodes = names.map((name, at): SpecNode => ({ id: `n${at}`, type: 'conversation', name }));
    const read = asRead({ nodes, edges: [] }, 'export').nodes;
    expect(read.map(({ id }) => id).join(' ')).toBe(keys);
  });

  it('every text, without changing the workflow, and compile never throws', () => {
    const workflows = fc.oneof(workflowArbitrary(), workflowArbitrary({ hostile: true }));
    const numbers = fc.array(fc.nat(99), { maxLength: 8 });
    const dialect = fc.constantFrom(...dialects);
    const property = fc.property(workflows, numbers, dialect, (workflow, choices, name) => {
      const before = JSON.stringify(workflow);
      const document = rewriteAs(workflow, name, choices);
      expect(JSON.stringify(workflow)).toBe(before);
      const written = new Set<unknown>();
      JSON.stringify(document, (_, value) => written.add(value) && value);
      expect(textsOf(workflow).filter((text) => text.trim() && !written.has(text))).toEqual([]);
      for (const target of ['squad', 'vapi'] as const) neverThrows(document, { target });
    });
    fc.assert(property, { seed, numRuns: runs(100) });
  });
});

describe('walks', () => {
  it('are listed shortest first, with steps into global nodes', () => {
    const texts = walks(readGraph(drawn('a > b | b > x | g')), { maxSteps: 2 }).map(describeWalk);
    expect(texts).toEqual(['a', 'a → b', 'a ⇒ g', 'a → b → x', 'a → b ⇒ g']);
  });

  it('follow the drawn numbers, and stop at a dead end', () => {
    expect(
      describeWalk(randomWalk(readGraph(drawn('a > b: 1 | a > c: 2 | c > x')), [1, 0, 5])),
    ).toBe('a → c → x');
  });
});

it('hostileValue generates values of every kind', () => {
  const values = fc.sample(hostileValue(), { seed, numRuns: 500 });
  const kinds = new Set(values.map((value) => (value === null ? 'null' : typeof value)));
  expect([...kinds]).toEqual(expect.arrayContaining(['null', 'object', 'string', 'undefined']));
});

it('makeValue makes a valid value for every input of an operation', () => {
  const ajv = new Ajv2020({ strict: false, logger: false });
  const asked = Object.values(toolDefinitions).flatMap(({ parameters }) => parameters);
  for (const { name, schema } of asked.filter(({ required }) => required)) {
    for (const number of [0, 1, 7]) {
      const made = makeValue(schema as JsonObject, [number, 3]);
      expect(ajv.validate(schema, made), name).toBe(true);
    }
  }
});
