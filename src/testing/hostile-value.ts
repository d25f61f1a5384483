/** Values that are no workflow, or nearly one. */
import fc from 'fast-check';
import type { SpecWorkflow } from '../simulator/spec-workflow.js';
import { workflowArbitrary } from './workflows.js';

const reserved = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', 'then', ''];
const keys = ['id', 'type', 'nodes', 'edges', 'from', 'to', 'name', 'condition', 'firstMessage'];

/** Texts that break scanners: half a template, lone surrogates, names of object members. */
const awkwardText = fc.oneof(
  fc.constantFrom(
    '{{',
    '{{ x',
    '}}',
    '{% if',
    '{{ a.b[0',
    '{%- raw -%}{{',
    '\ud83d',
    '\udc00\ud800',
  ),
  fc.constantFrom(...reserved),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.nat(400).map((depth) => '{% if a %}'.repeat(depth)),
);

const junk = fc.oneof(
  {
    arbitrary: fc.constantFrom<unknown>(null, undefined, 0, -0, Number.NaN, '', [], {}),
    weight: 4,
  },
  { arbitrary: awkwardText, weight: 4 },
  {
    arbitrary: fc.anything({
      key: fc.oneof(fc.constantFrom(...keys, ...reserved), fc.string()),
      values: [fc.boolean(), fc.double(), fc.bigInt(), awkwardText, fc.constant(Symbol.iterator)],
      maxDepth: 3,
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: true,
      withObjectString: true,
      withSparseArray: true,
      withTypedArray: true,
    }),
    weight: 3,
  },
);

const deep = fc
  .record({ depth: fc.nat(3000), list: fc.boolean(), leaf: junk })
  .map(({ depth, list, leaf }) => {
    let value: unknown = leaf;
    for (let level = 0; level < depth; level += 1) value = list ? [value] : { nodes: value };
    return value;
  });

const spoilt = fc
  .record({
    workflow: workflowArbitrary({ size: 5 }),
    path: fc.array(fc.nat(20), { maxLength: 5 }),
    value: fc.oneof({ arbitrary: junk, weight: 4 }, { arbitrary: deep, weight: 1 }),
  })
  .map(({ workflow, path, value }) => spoil(workflow, path, value));

const miswired = fc
  .record({
    nodes: fc.array(
      fc.record({ id: fc.oneof(fc.constantFrom('a', 'b', ...reserved), awkwardText) }),
    ),
    ends: fc.array(fc.tuple(fc.nat(9), fc.nat(9))),
    type: fc.constantFrom('conversation', 'gather', 'apiRequest', 'endCall', 'transferCall'),
  })
  .map(({ nodes, ends, type }) => ({
    name: 'Miswired',
    nodes: nodes.map((node) => ({ ...node, type })),
    edges: ends.map(([from, to]) => ({ from: nodes[from]?.id, to: nodes[to]?.id ?? 'nowhere' })),
  }));

/** Anything: values of all kinds, deep JSON, workflows with one part replaced by junk. */
export function hostileValue(): fc.Arbitrary<unknown> {
  return fc.oneof(
    { arbitrary: spoilt, weight: 6 },
    { arbitrary: miswired, weight: 2 },
    { arbitrary: junk, weight: 1 },
    { arbitrary: deep, weight: 1 },
  );
}

/** Puts `value` in the place of what the path leads to; numbers are taken modulo. */
function spoil(workflow: SpecWorkflow, path: readonly number[], value: unknown): unknown {
  let holder: Record<string, unknown> = workflow;
  for (const step of path) {
    const names = Object.keys(holder);
    const key = names[step % (names.length + 1)] ?? `new${step}`;
    const next = holder[key];
    if (step === path.at(-1) || typeof next !== 'object' || next === null) {
      holder[key] = value;
      return workflow;
    }
    holder = next as Record<string, unknown>;
  }
  return workflow;
}
