/**
 * Guards of generated conditions, over all combinations of what their variables can hold: the
 * platform refuses a tool exactly where none of the conditions that lead to it holds.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLogical } from '../../../src/compiler/1-read/logical.js';
import { runs, seed } from '../../seed.js';
import { evaluate, expression, print, type Tree } from '../1-read/logical-expressions.js';
import { compileVapi, toolsOf } from './vapi-documents.js';
import { combine, isRefused } from './vapi-refusals.js';

const options = {
  dynamicVariables: ['a', 'b', 'c'],
  answers: { policies: { 'logical-condition': 'guard', 'missing-auth': 'none' } },
};

/** Two exact ways to each kind of tool, and two handoffs to one assistant. */
function workflowWith(conditions: readonly string[]) {
  const talk = (id: string) => ({ id, type: 'conversation', systemPrompt: `Work of ${id}.` });
  const url = 'https://api.example.com';
  return {
    name: 'Exact',
    nodes: [
      talk('hub'),
      talk('other'),
      talk('next'),
      { id: 'call', type: 'apiRequest', url, method: 'GET' },
      { id: 'line', type: 'transferCall', destination: '+4930123456' },
      { id: 'bye', type: 'endCall' },
    ],
    edges: [
      { from: 'hub', to: 'other', condition: 'the caller wants something else' },
      ...['next', 'call', 'line', 'bye'].flatMap((to) =>
        conditions.map((condition) => ({ from: 'hub', to, condition })),
      ),
    ],
  };
}

/** What a variable may hold: nothing, what the conditions name, as itself and as text, and more. */
function domainsOf(trees: readonly Tree[]): Record<string, unknown[]> {
  const domains: Record<string, Set<unknown>> = {};
  const visit = (tree: Tree): void => {
    if ('left' in tree) [tree.left, tree.right].forEach(visit);
    else if ('of' in tree) visit(tree.of);
    else {
      domains[tree.name] ??= new Set([undefined, null, '', true, 'false', 'other']);
      if ('value' in tree) for (const it of formsOf(tree.value)) domains[tree.name]!.add(it);
    }
  };
  trees.forEach(visit);
  return Object.fromEntries(Object.entries(domains).map(([name, all]) => [name, [...all]]));
}

function formsOf(value: string | number | boolean | null): unknown[] {
  if (typeof value === 'number') return [value, String(value), value + 1, value - 1];
  return [value, String(value), `${value}er`, value === '1' ? 1 : value];
}

/** The others are taken for sentences. */
const isExact = (tree: Tree) => readLogical(print(tree), false) !== null;

describe('the guards of generated conditions', () => {
  it('refuse exactly where no condition holds', () => {
    let seen = 0;
    const exact = expression.filter(isExact);
    const property = fc.property(exact, exact, (one, other) => {
      const workflow = workflowWith([print(one), print(other)]);
      const { document } = compileVapi(workflow, options);
      const guarded = toolsOf(document, 'hub').filter((tool) => tool.rejectionPlan !== undefined);
      expect(guarded.map(({ type }) => type).sort()).toEqual([
        'apiRequest',
        'endCall',
        'handoff',
        'transferCall',
      ]);
      const plans = new Set(guarded.map(({ rejectionPlan }) => JSON.stringify(rejectionPlan)));
      expect(plans.size).toBe(1);
      for (const values of combine(domainsOf([one, other]))) {
        const holds = evaluate(one, values) || evaluate(other, values);
        expect(isRefused(guarded[0], values), JSON.stringify(values)).toBe(!holds);
        seen += 1;
      }
    });
    fc.assert(property, { seed, numRuns: runs(40) });
    expect(seen).toBeGreaterThan(2000);
  });
});
