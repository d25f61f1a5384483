import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallGraph } from '../../src/scenarios/call-graph.js';
import { createCallGraph } from '../../src/scenarios/call-graph.js';
import { coverWithWalks } from '../../src/scenarios/cover.js';
import { flowGraph, type Plan } from '../compiler/build.js';
import { runs, seed } from '../seed.js';
import { fewestWalks } from './naive-cover.js';

type Pair = readonly [number, number];

/** A workflow of conversations `n0`, `n1`, …; `globals` can be entered from anywhere, `exits` end. */
interface Sketch {
  readonly count: number;
  readonly pairs: readonly Pair[];
  readonly globals?: readonly number[];
  readonly exits?: readonly number[];
}

/** `0>1 1>2`: edges by the numbers of their nodes; there are as many nodes as these need. */
function drawn(edges: string, more: Partial<Sketch> = {}): Sketch {
  const pairs = edges
    .split(' ')
    .filter(Boolean)
    .map((edge): Pair => {
      const [from, to] = edge.split('>').map(Number);
      return [from!, to!];
    });
  return { count: Math.max(0, ...pairs.flat()) + 1, pairs, ...more };
}

/** The edges have conditions of their own, so none is a copy of another. */
function callsOf({ count, pairs, globals = [], exits = [] }: Sketch): CallGraph {
  const fields = (at: number) => ({
    type: exits.includes(at) ? 'hangup' : 'conversation',
    ...(globals.includes(at) ? { isGlobal: true, condition: `wants ${at}` } : {}),
  });
  const nodes = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`n${at}`, fields(at)]),
  );
  const edges = pairs.map(([from, to], at) => `n${from} > n${to}: way ${at}`);
  return createCallGraph(flowGraph({ nodes, edges } satisfies Plan));
}

function coverOf(sketch: Sketch) {
  const graph = callsOf(sketch);
  const cover = coverWithWalks(graph)!;
  return { graph, cover, faults: faultsOf(graph, cover.walks) };
}

/** What is wrong with the walks: jumps, arcs that none takes, ends where a call could go on. */
function faultsOf(graph: CallGraph, walks: readonly (readonly number[])[]): string[] {
  const taken = new Set(walks.flat());
  const missed = [...graph.required.keys()].filter(
    (arc) => graph.required[arc] === 1 && !taken.has(arc),
  );
  const ended = reachesEnd(graph);
  const broken = walks.flatMap((walk, number) => {
    let node = 0;
    for (const arc of walk) {
      if (graph.sources[arc] !== node) return [`walk ${number} jumps to arc ${arc}`];
      node = graph.targets[arc]!;
    }
    const mayEnd = graph.ends[node] === 1 || !ended.has(node);
    return mayEnd ? [] : [`walk ${number} ends at ${node}`];
  });
  return [...missed.map((arc) => `no walk takes arc ${arc}`), ...broken];
}

/** Nodes from which a call can come to an end. */
function reachesEnd({ sources, targets, ends }: CallGraph): Set<number> {
  const into = new Map<number, number[]>();
  for (const [arc, target] of targets.entries()) {
    into.set(target, [...(into.get(target) ?? []), sources[arc]!]);
  }
  const found = new Set([...ends.keys()].filter((node) => ends[node] === 1));
  for (const node of found) for (const before of into.get(node) ?? []) found.add(before);
  return found;
}

/** Whether one walk can take both arcs, in one order or the other. */
function mayShare({ sources, targets }: CallGraph, one: number, other: number): boolean {
  const leads = (from: number, to: number) => {
    const seen = new Set([from]);
    for (const node of seen) {
      sources.forEach((source, arc) => {
        if (source === node) seen.add(targets[arc]!);
      });
    }
    return seen.has(to);
  };
  return leads(targets[one]!, sources[other]!) || leads(targets[other]!, sources[one]!);
}

describe('the smallest set of walks', () => {
  it.each<[string, Sketch, number]>([
    ['one node', drawn(''), 1],
    ['a chain', drawn('0>1 1>2'), 1],
    ['two edges between the same nodes', drawn('0>1 0>1'), 2],
    ['a diamond', drawn('0>1 0>2 1>3 2>3'), 2],
    ['a diamond after a diamond', drawn('0>1 0>2 1>3 2>3 3>4 3>5 4>6 5>6'), 2],
    ['ways that come together late', drawn('0>1 0>2 0>3 1>4 2>4 3>4'), 3],
    ['a cycle that can be left', drawn('0>1 1>0 1>2'), 1],
    ['a cycle that cannot', drawn('0>1 1>2 2>1'), 1],
    ['loops at one node', drawn('0>0 0>0 0>1'), 1],
    ['two cycles apart', drawn('0>1 1>1 0>2 2>2'), 2],
    // The call goes on from where it could have ended.
    ['a global node without a way on', drawn('0>1', { count: 3, globals: [2] }), 1],
    ['a global node with a way back', drawn('0>1 2>1', { globals: [2] }), 1],
    [
      'a global node before what branches',
      drawn('0>1 1>2 1>2 3>1', { globals: [3], exits: [2] }),
      2,
    ],
    [
      'a global exit that ends a cycle',
      drawn('0>1 1>0', { count: 3, globals: [2], exits: [2] }),
      1,
    ],
    ['a global exit beside an exit', drawn('0>1', { count: 3, globals: [2], exits: [1, 2] }), 2],
    ['two global exits', drawn('', { count: 3, globals: [1, 2], exits: [1, 2] }), 2],
    ['two global conversations', drawn('', { count: 3, globals: [1, 2] }), 1],
    ['a global node that is the start', drawn('1>0', { globals: [0] }), 1],
  ])('%s', (_, sketch, walks) => {
    const { cover, faults } = coverOf(sketch);
    expect(faults).toEqual([]);
    expect(cover.walks).toHaveLength(walks);
  });

  const node = fc.nat(4);
  const sketches: fc.Arbitrary<Sketch> = fc
    .record({
      count: fc.integer({ min: 1, max: 5 }),
      pairs: fc.array(fc.tuple(node, node), { maxLength: 9 }),
      globals: fc.uniqueArray(node, { maxLength: 2 }),
      exits: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 2 }),
    })
    .map(({ count, pairs, globals, exits }) => ({
      count,
      pairs: pairs.map(([from, to]) => [from % count, to % count] as const),
      globals: globals.map((at) => at % count),
      exits: exits.filter((at) => at < count),
    }));

  it('is as small as trying all walks finds it, covers everything, and shows why', () => {
    fc.assert(
      fc.property(sketches, (sketch) => {
        const { graph, cover, faults } = coverOf(sketch);
        expect(faults).toEqual([]);
        expect(cover.walks).toHaveLength(fewestWalks(graph));
        expect(cover.apart).toHaveLength(cover.walks.length === 1 ? 0 : cover.walks.length);
        for (const one of cover.apart) {
          for (const other of cover.apart) {
            if (one !== other) expect(mayShare(graph, one, other)).toBe(false);
          }
        }
      }),
      { seed, numRuns: runs(500) },
    );
  });
});

describe('big workflows', () => {
  const chain = (count: number): Pair[] =>
    Array.from({ length: count - 1 }, (_, at) => [at, at + 1]);
  const rungs = (count: number): Pair[] =>
    Array.from({ length: count }, (_, at) => 3 * at).flatMap((at): Pair[] => [
      [at, at + 1],
      [at, at + 2],
      [at + 1, at + 3],
      [at + 2, at + 3],
    ]);
  const clique = (count: number): Pair[] =>
    Array.from({ length: count * count }, (_, at): Pair => [Math.floor(at / count), at % count]);
  /** Layers of 100, every node of one with ten of the next. */
  const layers = (count: number): Pair[] =>
    Array.from({ length: count * 1000 }, (_, at): Pair => {
      const [layer, from, way] = [Math.floor(at / 1000), Math.floor(at / 10) % 100, at % 10];
      return [100 * layer + from, 100 * (layer + 1) + ((from * 7 + way * way) % 100)];
    });

  it.each<[string, Sketch, number]>([
    ['a chain of 10,000', { count: 10_000, pairs: chain(10_000) }, 1],
    ['a cycle of 10,000', { count: 10_000, pairs: [...chain(10_000), [9999, 0]] }, 1],
    ['a ladder of 3,333 diamonds', { count: 10_000, pairs: rungs(3333) }, 2],
    ['a clique of 316', { count: 316, pairs: clique(316) }, 1],
    ['a star of 9,999', { count: 10_000, pairs: chain(10_000).map(([, to]) => [0, to]) }, 9999],
  ])('%s', (_, sketch, walks) => {
    const { cover, faults } = coverOf(sketch);
    expect(faults).toEqual([]);
    expect(cover.walks).toHaveLength(walks);
  });

  it('100 layers of 100 with 100,000 edges', () => {
    const into: Pair[] = Array.from({ length: 100 }, (_, at) => [10_100, at]);
    const { cover, faults } = coverOf({ count: 10_101, pairs: [...layers(100), ...into] });
    expect(faults).toEqual([]);
    expect(cover.apart).toHaveLength(cover.walks.length);
  });

  it('says so where the walks are too long: a long way to each of many loops', () => {
    const far: Pair[] = Array.from({ length: 3000 }, () => [4999, 0]);
    expect(coverWithWalks(callsOf({ count: 5000, pairs: [...chain(5000), ...far] }))).toBeNull();
    const star: Pair[] = Array.from({ length: 3000 }, () => [4999, 5000]);
    expect(coverWithWalks(callsOf({ count: 5001, pairs: [...chain(5001), ...star] }))).toBeNull();
  });
});
