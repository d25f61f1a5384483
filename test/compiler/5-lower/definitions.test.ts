import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDefinitions } from '../../../src/compiler/5-lower/definitions.js';
import { createNodeSet } from '../../../src/compiler/5-lower/node-set.js';
import type { FlowGraph } from '../../../src/compiler/ir/flow-graph.js';
import type { NodeIndex } from '../../../src/compiler/ir/ids.js';
import type { CaptureSite, Variable } from '../../../src/compiler/ir/variable-flow.js';
import { runs, seed } from '../../seed.js';

const size = 12;
const inOrder = Array.from({ length: size }, (_, node) => node as NodeIndex);

/** Some of the nodes, in walk order where each has its rank. */
const some = fc.subarray(inOrder);

function variableSetAt(
  captured: readonly NodeIndex[],
  responses: readonly NodeIndex[] = [],
): Variable {
  const captures = captured.map((node) => ({ node }) as CaptureSite);
  return { captures, responses } as Partial<Variable> as Variable;
}

function graphOf(rank: readonly number[]): FlowGraph {
  return { rank: Int32Array.from(rank) } as Partial<FlowGraph> as FlowGraph;
}

describe('createDefinitions', () => {
  it('finds those at the nodes, in walk order, whatever there is more of', () => {
    const walks = fc.shuffledSubarray(inOrder, { minLength: size });
    fc.assert(
      fc.property(walks, some, some, some, (walk, captured, responding, nodes) => {
        const rank = inOrder.map((node) => walk.indexOf(node));
        const walked = (set: readonly NodeIndex[]) => walk.filter((node) => set.includes(node));
        const variable = variableSetAt(walked([...captured]), walked([...responding]));
        const found = createDefinitions(graphOf(rank))(variable, createNodeSet(nodes));
        const isWithin = (node: NodeIndex) => nodes.includes(node);
        expect(found.captures).toEqual(variable.captures.filter(({ node }) => isWithin(node)));
        expect(found.responses).toEqual(variable.responses.filter(isWithin));
      }),
      { seed, numRuns: runs(200) },
    );
  });

  it('keeps the order of captures at one node', () => {
    const twice = variableSetAt([1, 1, 2] as NodeIndex[]);
    const definitions = createDefinitions(graphOf([0, 1, 2]));
    const { captures } = definitions(twice, createNodeSet([1 as NodeIndex]));
    expect(captures).toEqual(twice.captures.slice(0, 2));
    expect(captures[0]).toBe(twice.captures[0]);
  });

  it('looks at a definition a few times, however many assistants there are', () => {
    let looks = 0;
    const many = Array.from({ length: 1_000 }, (_, node) => node as NodeIndex);
    const captures = many.map((node) => ({
      get node() {
        looks += 1;
        return node;
      },
    }));
    const variable = { captures, responses: [] } as unknown as Variable;
    const definitions = createDefinitions(graphOf(many));
    for (const node of many)
      expect(definitions(variable, createNodeSet([node])).captures).toHaveLength(1);
    expect(looks).toBeLessThan(3 * many.length);
  });
});
