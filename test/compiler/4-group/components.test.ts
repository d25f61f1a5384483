import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  listComponents,
  listCycles,
  stagesOfComponents,
} from '../../../src/compiler/4-group/components.js';
import { computeRepresentatives } from '../../../src/compiler/4-group/equal-nodes.js';
import { aloneLabel, createStageGraph, type Split } from '../../../src/compiler/4-group/stages.js';
import { naiveReach, smallGraph } from '../../graph/arcs.js';
import { runs, seed } from '../../seed.js';
import { end, flowGraph, ids, node, type Plan, request, transfer } from '../build.js';

function within(plan: Plan) {
  const graph = flowGraph(plan);
  return createStageGraph(graph, computeRepresentatives(graph));
}

function stages(plan: Plan, splits: readonly Split[] = []): string[] {
  const at = within(plan);
  return stagesOfComponents(listComponents(at), splits).map((stage) =>
    ids(at.graph, stage.nodes).join(' '),
  );
}

const cycles = (plan: Plan): string[] => {
  const at = within(plan);
  return listCycles(at, listComponents(at)).map((members) => ids(at.graph, members).join(' '));
};

const retry: Plan = {
  nodes: { a: 'A', b: 'B', t: request(), c: 'C', stop: end },
  edges: ['a > b', 'b > t', 't > b: again', 't > c', 'c > stop'],
};
const loop: Plan = {
  nodes: { a: 'A', b: 'B', t: request(), c: 'C' },
  edges: ['a > b', 'b > t', 't > c', 'c > b: again'],
};

describe('listComponents', () => {
  it('puts together what leads to each other, in whatever order the nodes stand', () => {
    const isOnward = fc.boolean();
    fc.assert(
      fc.property(smallGraph, isOnward, ({ count, arcs }, onward) => {
        // Where all edges lead on in the source, a walk can still come back to what it met before.
        const some = onward ? arcs.map((arc) => arc.toSorted() as [number, number]) : arcs;
        const at = within({
          nodes: Object.fromEntries(
            Array.from({ length: count }, (_, it) => [`n${it}`, `N ${it}`]),
          ),
          edges: some.map(([from, to]) => `n${from} > n${to}`),
        });
        const reach = at.graph.order.map((it) => naiveReach({ count, arcs: some }, it));
        const expected = at.graph.order.map((one, index) =>
          at.graph.order.filter((two, other) => reach[index]!.has(two) && reach[other]!.has(one)),
        );
        const found = listComponents(at);
        expect(found.flatMap((members) => members.map((it) => [it, members]))).toHaveLength(
          at.graph.order.length,
        );
        for (const members of found) {
          for (const it of members) expect(members).toEqual(expected[at.graph.rank[it]!]);
        }
        const firsts = found.map(([first]) => at.graph.rank[first!]!);
        expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
      }),
      { seed, numRuns: runs(600) },
    );
  });
});

describe('stagesOfComponents', () => {
  it('makes one stage of each component, in walk order, exits aside', () => {
    expect(stages(retry)).toEqual(['a', 'b t', 'c']);
  });

  it('says that the component brought the nodes together', () => {
    const merges = stagesOfComponents(listComponents(within(retry)), []).map(
      (stage) => stage.merges,
    );
    expect(merges.map(([merge]) => merge?.rule)).toEqual([undefined, 'component', undefined]);
  });

  it('does not take an exit for a way back', () => {
    const nodes = { a: 'A', x: transfer(), b: 'B' };
    expect(stages({ nodes, edges: ['a > x', 'x > a', 'a > b'] })).toEqual(['a', 'b']);
  });

  it('makes a cycle of equal nodes a cycle of one node', () => {
    const nodes = { a: 'A', b: 'Same.', c: 'Same.' };
    expect(stages({ nodes, edges: ['a > b', 'b > c: on', 'c > b: on'] })).toEqual(['a', 'b']);
  });

  it('keeps groups of a split apart, and tools that no group names alone', () => {
    const { graph } = within(loop);
    const [b, t, c] = ['b', 't', 'c'].map((id) => node(graph, id)) as [never, never, never];
    const split: Split = new Map([
      [b, 'group 0'],
      [c, 'group 1'],
      [t, aloneLabel(t)],
    ]);
    expect(stages(loop, [split])).toEqual(['a', 'b', 't', 'c']);
    const together: Split = new Map([
      [b, 'group 0'],
      [t, 'group 0'],
      [c, aloneLabel(c)],
    ]);
    expect(stages(loop, [together])).toEqual(['a', 'b t', 'c']);
  });
});

describe('listCycles', () => {
  it('lists components with several talk nodes, tools among them', () => {
    expect(cycles(loop)).toEqual(['b t c']);
  });

  it('lists neither a retry round a tool nor a self-loop nor a loop of tools', () => {
    expect(cycles(retry)).toEqual([]);
    expect(cycles({ nodes: { a: 'A', b: 'B' }, edges: ['a > b', 'b > b: again'] })).toEqual([]);
    const tools = { a: 'A', s: request(), t: request({ method: 'PUT' }) };
    expect(cycles({ nodes: tools, edges: ['a > s', 's > t', 't > s: again'] })).toEqual([]);
  });

  it('lists each cycle by itself', () => {
    const nodes = { a: 'A', b: 'B', c: 'C', d: 'D', e: 'E' };
    const edges = ['a > b', 'b > c', 'c > b: x', 'c > d: y', 'd > e', 'e > d: z'];
    expect(cycles({ nodes, edges })).toEqual(['b c', 'd e']);
  });
});
