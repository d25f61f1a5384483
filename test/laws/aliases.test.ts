/**
 * Aliases in drawn exports. The verifier decides by itself what a plan has to carry and to derive: it
 * accepts each squad, and without any property or alias of any plan it refutes it, as with another.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compile, verify } from '../../src/index.js';
import { type Any, assistantsOf, destinationsOf } from '../compiler/build.js';
import { runs, seed } from '../seed.js';

const some = (...names: string[]) => fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 });
const derived = fc.record({
  key: fc.constantFrom('k', 'm', 'k', 'm', 'a'),
  value: some('a', 'b', 'c', 'k').map((read) => `<${read.map((it) => `{{${it}}}`).join('+')}>`),
});
const node = fc.record({
  finds: some('a', 'b', 'c'),
  aliases: fc.uniqueArray(derived, { maxLength: 2, selector: ({ key }) => key }),
  reads: some('a', 'k', 'm'),
  /** How many nodes ahead its edges lead; one may lead back to the first. */
  next: fc.uniqueArray(fc.constantFrom(1, 1, 2, 2, 3, 3), { minLength: 1, maxLength: 3 }),
});
const workflows = fc.array(node, { minLength: 3, maxLength: 7 }).map((nodes) => ({
  name: 'Drawn',
  nodes: nodes.map(({ finds, aliases, reads }, at) => {
    const properties = Object.fromEntries(finds.map((it) => [it, { type: 'string' }]));
    return {
      name: `n${at}`,
      type: 'conversation',
      ...(at === 0 && { isStart: true }),
      prompt: `Node ${at} says ${reads.map((it) => `{{${it}}}`).join(' and ')}.`,
      variableExtractionPlan: { schema: { type: 'object', properties }, aliases },
    };
  }),
  edges: nodes.flatMap(({ next }, from) => {
    const ahead = next.map((steps) => from + steps).filter((to) => to <= nodes.length);
    const ends = ahead.map((to) => to % nodes.length).filter((to) => to !== from);
    return ends.map((to) => {
      const condition = { type: 'ai', prompt: `from ${from} to ${to}` };
      return { from: `n${from}`, to: `n${to}`, condition };
    });
  }),
}));

/** The squad, poorer by one property or alias of one plan, or with another alias. */
function* poorer(squad: Any): Iterable<Any> {
  const plansIn = (output: Any): Any[] =>
    assistantsOf({ output } as never).flatMap((_, at) =>
      destinationsOf({ output } as never, at).flatMap((it) => it.variableExtractionPlan ?? []),
    );
  for (const [at, { schema, aliases = [] }] of plansIn(squad).entries()) {
    for (const name of Object.keys(schema?.properties ?? {})) {
      const less = structuredClone(squad);
      const own = plansIn(less)[at].schema;
      delete own.properties[name];
      own.required = own.required.filter((it: string) => it !== name);
      yield less;
    }
    for (const place of aliases.keys()) {
      const less = structuredClone(squad);
      plansIn(less)[at].aliases.splice(place, 1);
      yield less;
      const other = structuredClone(squad);
      plansIn(other)[at].aliases[place].value += '!';
      yield other;
    }
  }
}

it('cross where they are read, with what they are made of, and with nothing else', () => {
  let tried = 0;
  const policies = { 'undefined-variable': 'caller', 'cyclic-stages': 'consolidate' };
  const options = { target: 'vapi', answers: { policies } } as const;
  const property = fc.property(workflows, (workflow) => {
    const { status, output } = compile(workflow, options);
    expect(status).toBe('complete');
    for (const less of poorer(output)) {
      tried += 1;
      expect(verify(workflow, less, options).holds, JSON.stringify(less)).toBe(false);
    }
  });
  fc.assert(property, { seed, numRuns: runs(150) });
  expect(tried).toBeGreaterThan(40);
});
