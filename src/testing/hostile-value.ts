/** Values that are not workflows, or almost. */
import type { Arbitrary } from 'fast-check';
import { fc } from './fast-check.js';
import type { SpecWorkflow } from './spec-workflow.js';
import { workflowArbitrary } from './workflows.js';

const reserved = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', 'then', ''];
const keys = ['id', 'type', 'nodes', 'edges', 'from', 'to', 'name', 'condition', 'firstMessage'];
const broken = ['{{', '{{ x', '}}', '{% if', '{{ a.b[0', '{%- raw -%}{{', '\ud83d', '\udc00\ud800'];

/** Texts that break scanners: half a template, lone surrogates, names of object members. */
const awkwardText = fc.oneof(
  fc.constantFrom(...broken),
  fc.constantFrom(...reserved),
  fc.array(fc.nat(0xffff), { maxLength: 12 }).map((units) => String.fromCharCode(...units)),
  fc.nat(400).map((depth) => '{% if a %}'.repeat(depth)),
);

const anything = fc.anything({
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
});

const junk = weighted<unknown>(
  [4, fc.constantFrom<unknown>(null, undefined, 0, -0, Number.NaN, '', [], {})],
  [4, awkwardText],
  [3, anything],
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
    value: weighted([4, junk], [1, deep]),
  })
  .map(({ workflow, path, value }) => spoil(workflow, path, value));

const miswired = fc
  .record({
    ids: fc.array(fc.oneof(fc.constantFrom('a', 'b', ...reserved), awkwardText)),
    ends: fc.array(fc.tuple(fc.nat(9), fc.nat(9))),
    type: fc.constantFrom('conversation', 'gather', 'apiRequest', 'endCall', 'transferCall'),
  })
  .map(({ ids, ends, type }) => ({
    name: 'Miswired',
    nodes: ids.map((id) => ({ id, type })),
    edges: ends.map(([from, to]) => ({ from: ids[from], to: ids[to] ?? 'nowhere' })),
  }));

/** Anything: values of all kinds, deep JSON, workflows with one part replaced by junk. */
export function hostileValue(): Arbitrary<unknown> {
  return weighted<unknown>([6, spoilt], [2, miswired], [1, junk], [1, deep]);
}

function weighted<T>(...rows: readonly (readonly [weight: number, Arbitrary<T>])[]) {
  return fc.oneof(...rows.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

/** Replaces the value that the path leads to; numbers are taken modulo. */
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
