import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWorkflow } from '../../../src/compiler/1-read/parse-workflow.js';
import { computeVariableFlow } from '../../../src/compiler/3-analyze/variables.js';
import { type Crossing, computePlans } from '../../../src/compiler/5-lower/plans.js';
import type { NodeIndex } from '../../../src/compiler/ir/ids.js';
import type { CompileOptions } from '../../../src/compiler/ir/options.js';
import { type Capture, conditionKey } from '../../../src/compiler/ir/workflow.js';
import type { Compilation } from '../../../src/compiler/result-of.js';
import { choosing } from '../../../src/testing/answering.js';
import type { SpecWorkflow } from '../../../src/testing/spec-workflow.js';
import { workflowArbitrary } from '../../../src/testing/workflows.js';
import type { Owners } from '../../../src/verify/owners.js';
import {
  listEdgePassages,
  listGlobalPassages,
  type Passage,
} from '../../../src/verify/passages.js';
import { readSource } from '../../../src/verify/source-graph.js';
import { computeCrossings } from '../../../src/verify/variables/crossings.js';
import { listVariables } from '../../../src/verify/variables/sites.js';
import { anytime, captures, capturing, type Plan, parsed, setter } from '../../compiler/build.js';
import { runs, seed } from '../../seed.js';
import { answered, groundOf } from './compiled.js';
import { denseWorkflow } from './dense.js';
import { crossingCaptures } from './naive.js';

/** What crosses, by way and variable, with the captures: `0 from a to b: x of a, c`. */
type Carried = Map<string, Set<string>>;

function note(carried: Carried, key: string, captures: readonly string[]): void {
  const known = carried.get(key) ?? new Set();
  carried.set(key, known);
  for (const capture of captures) known.add(capture);
}

/** The verifier's; equal nodes have one way for all of them. */
function verified(compilation: Compilation): Carried {
  const { graph, owners, passages } = groundOf(compilation);
  const crossings = computeCrossings(graph, listVariables(graph), owners, passages);
  const carried: Carried = new Map();
  const homes = new Map<Capture, NodeIndex>();
  for (const { index, captures } of graph.workflow.nodes) {
    for (const capture of captures) homes.set(capture, owners.standsFor(index));
  }
  const wayOf = ({ member, from, to, edge }: Passage) =>
    edge === null
      ? `${member} to global ${to}`
      : `${member} ${owners.standsFor(from!)} ${owners.standsFor(to)} ${conditionKey(edge.condition)}`;
  for (const passage of passages) {
    for (const { variable, captures } of crossings.of(passage)) {
      const sites = captures.map((capture) => `${homes.get(capture)}`);
      note(carried, `${wayOf(passage)}: ${variable.name}`, sites);
    }
  }
  return carried;
}

function compiled({ graph, map }: Compilation): Carried {
  const plans = computePlans(graph, computeVariableFlow(graph), map);
  const carried: Carried = new Map();
  const noteAll = (way: string, crossings: readonly Crossing[]): void => {
    for (const { variable, captures } of crossings) {
      note(
        carried,
        `${way}: ${variable.name}`,
        captures.map(({ node }) => `${node}`),
      );
    }
  };
  for (const { index, steps, nodes } of map.regions) {
    for (const step of steps) {
      if (step.kind !== 'handoff') continue;
      const { condition } = graph.workflow.edges[step.edge]!;
      noteAll(`${index} ${step.from} ${step.to} ${conditionKey(condition)}`, plans.ofStep(step));
    }
    for (const global of graph.globals) {
      const { global: entry, role } = graph.workflow.nodes[global]!;
      if (role === 'exit' || nodes.includes(global)) continue;
      const given = entry?.condition?.call?.variables ?? [];
      const crossings = plans.ofGlobal(index, global);
      noteAll(
        `${index} to global ${global}`,
        crossings.filter(({ variable }) => !given.includes(variable.name)),
      );
    }
  }
  return carried;
}

const numbers = fc.array(fc.nat(99), { minLength: 1, maxLength: 8 });

/** How much crosses in all of the workflows. */
function agree(workflows: fc.Arbitrary<SpecWorkflow>, options: CompileOptions = {}): number {
  let crossed = 0;
  const property = fc.property(workflows, numbers, (workflow, choices) => {
    const compilation = answered(workflow, choosing(choices), options);
    const found = verified(compilation);
    crossed += found.size;
    expect(found).toEqual(compiled(compilation));
  });
  fc.assert(property, { seed, numRuns: runs(150) });
  return crossed;
}

describe('computeCrossings and the compiler', () => {
  it('agree on any workflow', () => {
    expect(agree(workflowArbitrary({ size: 14 }))).toBeGreaterThan(50);
  });

  it('agree where every node has to do with the variables', () => {
    expect(agree(denseWorkflow(14))).toBeGreaterThan(500);
  });

  it('agree where cycles are consolidated, and where they are kept apart', () => {
    for (const choice of ['consolidate', 'keep-split']) {
      const answers = { policies: { 'cyclic-stages': choice } };
      expect(agree(denseWorkflow(), { answers })).toBeGreaterThan(100);
    }
  });

  it('agree where tools set the boundary', () => {
    expect(agree(denseWorkflow(), { boundary: 'tools' })).toBeGreaterThan(100);
  });
});

/** Which members own a node: bits of a number, at least one. */
const placements = fc.array(fc.nat(30), { minLength: 14, maxLength: 14 });

function ownersBy(numbersOfNodes: readonly number[]): Owners {
  const sets = numbersOfNodes.map((number) => {
    const several = number % 5 === 4 ? [number % 3, (number + 1) % 3] : [number % 3];
    return new Set(several);
  });
  return {
    of: (node) => sets[node]!,
    soleOwner: (node) => (sets[node]!.size === 1 ? [...sets[node]!][0]! : null),
    standsFor: (node) => node,
  };
}

function sorted(captures: readonly Capture[]): string[] {
  return captures.map(({ at }) => at).sort();
}

describe('computeCrossings', () => {
  it('finds what walks find, whoever owns the nodes', () => {
    let crossed = 0;
    const given = fc.tuple(denseWorkflow(14), numbers, placements);
    const property = fc.property(given, ([workflow, choices, numbersOfNodes]) => {
      const { graph: flow } = answered(workflow, choosing(choices));
      const graph = readSource(flow.workflow, flow.start);
      const owners = ownersBy(numbersOfNodes);
      const variables = listVariables(graph);
      const passages = [
        ...listEdgePassages(graph, owners),
        ...listGlobalPassages(graph, owners, 3),
      ];
      const crossings = computeCrossings(graph, variables, owners, passages);
      for (const passage of passages) {
        const found = crossings.of(passage).map(({ variable, captures }) => {
          return [variable.name, sorted(captures)] as const;
        });
        const wanted = [...variables.keys()].flatMap((name) => {
          const captures = crossingCaptures(graph, owners, passage, name);
          return captures.length === 0 ? [] : [[name, sorted(captures)] as const];
        });
        crossed += wanted.length;
        expect(found).toEqual(wanted);
      }
    });
    fc.assert(property, { seed, numRuns: runs(200) });
    expect(crossed).toBeGreaterThan(1000);
  });

  /** What crosses, a member per letter of the placement: `a>b: x y`. */
  const crossing = (plan: Plan, placement: string): string[] => {
    const graph = readSource(parsed(plan), 0 as NodeIndex);
    const members = [...placement].map((letter) => new Set([letter.charCodeAt(0)]));
    const owners: Owners = {
      of: (node) => members[node] ?? new Set(),
      soleOwner: () => null,
      standsFor: (node) => node,
    };
    const count = Math.max(...members.flatMap((it) => [...it])) + 1;
    const globals = listGlobalPassages(graph, owners, count);
    const passages = [...listEdgePassages(graph, owners), ...globals];
    const { of } = computeCrossings(graph, listVariables(graph), owners, passages);
    return passages.flatMap((passage) => {
      const { from, to, member } = passage;
      const start = from === null ? String.fromCharCode(member) : graph.nodeAt(from).id;
      const carried = of(passage).map(({ variable, captures }) => {
        const places = captures.map(({ at }) => /\d+/.exec(at)![0]).join('');
        return `${variable.name}(${places})`;
      });
      return carried.length === 0 ? [] : [`${start}>${graph.nodeAt(to).id}: ${carried.join(' ')}`];
    });
  };

  it('carries the latest capture of a visit, and no other', () => {
    const nodes = { a: capturing('x'), b: capturing('x'), c: 'C', d: '{{x}}' };
    const edges = ['a > b', 'b > c', 'a > c: 2', 'c > d'];
    expect(crossing({ nodes, edges }, 'AAAB')).toEqual(['c>d: x(01)']);
    expect(crossing({ nodes, edges: ['a > b', 'b > c', 'c > d'] }, 'AAAB')).toEqual(['c>d: x(1)']);
    expect(crossing({ nodes, edges: ['a > b', 'b > c', 'c > d'] }, 'AABC')).toEqual(['b>c: x(1)']);
  });

  it('carries round a loop inside, up to the next capture', () => {
    const nodes = { a: 'A', b: capturing('x'), c: 'C', d: '{{x}}' };
    const edges = ['a > b', 'b > c', 'c > a', 'a > d: out'];
    expect(crossing({ nodes, edges }, 'AAAB')).toEqual(['a>d: x(1)']);
    expect(crossing({ nodes: { ...nodes, c: setter('x') }, edges }, 'AAAB')).toEqual([]);
  });

  it('carries nothing that a tool of the same node sets after the capture', () => {
    const nodes = { a: { ...setter('x'), ...captures('x') }, b: '{{x}}' };
    expect(crossing({ nodes, edges: ['a > b'] }, 'AB')).toEqual([]);
  });

  it('carries what is read on leaving, before the next capture or never', () => {
    const nodes = { a: capturing('x'), b: 'B', c: { ...capturing('x') }, d: 'D' };
    expect(crossing({ nodes, edges: ['a > b', 'b > d: {{x}}'] }, 'ABCD')).toEqual(['a>b: x(0)']);
    expect(crossing({ nodes, edges: ['a > c', 'c > d: {{x}}'] }, 'ABCD')).toEqual([]);
  });

  it('carries to a global node what it reads, and what any other can read after it', () => {
    const nodes = {
      a: capturing('x', 'y', 'z'),
      g: { ...anytime('g'), systemPrompt: '{{x}}' },
      h: { ...anytime('h'), systemPrompt: '{{y}}', ...captures('x') },
    };
    expect(crossing({ nodes }, 'ABC')).toEqual(['A>g: x(0) y(0)', 'C>g: x(2)', 'A>h: y(0)']);
  });

  it('carries what the conditions of global nodes read, or the prompt of all', () => {
    const nodes = { a: capturing('x', 'y'), b: 'B', g: anytime('{{x}} is big') };
    const plan = { nodes, edges: ['a > b'], globalPrompt: '{{y}}' };
    expect(crossing(plan, 'ABC')).toEqual(['a>b: x(0) y(0)', 'A>g: x(0) y(0)']);
  });

  it('carries what a walk brings back by way of its own global node', () => {
    const nodes = { a: capturing('x'), g: anytime('g'), b: 'B', c: '{{x}}' };
    const edges = ['a > b', 'g > c'];
    expect(crossing({ nodes, edges }, 'AABC')).toEqual(['a>b: x(0)', 'g>c: x(0)']);
    const again = { ...nodes, g: { ...anytime('g'), ...captures('x') } };
    expect(crossing({ nodes: again, edges }, 'AABC')).toEqual(['g>c: x(1)']);
  });

  it('is settled in a big circle where every value goes half round', () => {
    const size = 20_000;
    const nodes = Array.from({ length: size }, (_, at) => ({
      id: `n${at}`,
      type: 'conversation' as const,
      systemPrompt: `Say {{v${(at + size / 2) % size}}}.`,
      extractVariables: [{ name: `v${at}`, type: 'string' as const, description: `v ${at}` }],
    }));
    const edges = nodes.map((_, at) => ({ from: `n${at}`, to: `n${(at + 1) % size}` }));
    const graph = readSource(
      parseWorkflow({ name: 'Big', nodes, edges }).workflow!,
      0 as NodeIndex,
    );
    const homes = new Map(nodes.map((_, at) => [at, new Set([at < size - 10 ? 0 : at])]));
    const owners: Owners = {
      of: (node) => homes.get(node)!,
      soleOwner: () => null,
      standsFor: (node) => node,
    };
    const passages = listEdgePassages(graph, owners);
    const { of } = computeCrossings(graph, listVariables(graph), owners, passages);
    expect(passages.map((it) => of(it).length)).toEqual([size / 2, ...Array(10).fill(1)]);
  });

  it('takes 30,000 nodes with a variable each', { timeout: 20_000 }, () => {
    const size = 30_000;
    const nodes = Array.from({ length: size }, (_, at) => ({
      id: `n${at}`,
      type: 'conversation' as const,
      systemPrompt: `Say {{v${Math.max(0, at - 3)}}}.`,
      extractVariables: [{ name: `v${at}`, type: 'string' as const, description: `v ${at}` }],
    }));
    const edges = nodes.slice(3).flatMap(({ id }, at) => [
      { from: `n${at + 2}`, to: id },
      { from: `n${at}`, to: id, condition: `skips to ${at + 3}` },
    ]);
    const graph = readSource(
      parseWorkflow({ name: 'Big', nodes, edges }).workflow!,
      0 as NodeIndex,
    );
    const owners: Owners = {
      of: (node) => new Set([node >> 1]),
      soleOwner: (node) => node >> 1,
      standsFor: (node) => node,
    };
    const passages = listEdgePassages(graph, owners);
    const { of } = computeCrossings(graph, listVariables(graph), owners, passages);
    const crossed = passages.filter((it) => of(it).length > 0);
    expect(crossed.length).toBeGreaterThan(size / 2);
  });
});
