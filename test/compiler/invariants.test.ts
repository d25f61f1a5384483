import { describe, expect, it } from 'vitest';
import { parseWorkflow } from '../../src/compiler/1-read/parse-workflow.js';
import { readOptions } from '../../src/compiler/1-read/read-options.js';
import { computeFlowGraph } from '../../src/compiler/3-analyze/flow-graph.js';
import { partition } from '../../src/compiler/4-group/partition.js';
import { assertFlowGraph, assertRegionMap, assertSquadIr } from '../../src/compiler/invariants.js';
import { CompilerBug } from '../../src/compiler/ir/compiler-bug.js';
import type { NodeIndex, RegionIndex } from '../../src/compiler/ir/ids.js';
import type { Region } from '../../src/compiler/ir/region-map.js';
import type { AssistantIr, SquadIr } from '../../src/compiler/ir/squad-ir.js';

const talk = (id: string) => ({ id, type: 'conversation', systemPrompt: `Do ${id}.` });
const { workflow } = parseWorkflow({
  name: 'Bakery',
  nodes: [talk('hello'), talk('bread'), talk('cake'), { id: 'bye', type: 'endCall' }],
  edges: [
    { from: 'hello', to: 'bread', condition: 'wants bread' },
    { from: 'hello', to: 'cake', condition: 'wants cake' },
    { from: 'bread', to: 'bye' },
  ],
});
const graph = computeFlowGraph(workflow!, 0 as NodeIndex);
const { map } = partition(graph, readOptions({}).options, () => []);
const damaged = (change: Partial<Region>) => ({
  ...map,
  regions: map.regions.map((region, at) => (at === 0 ? { ...region, ...change } : region)),
});

describe('assertFlowGraph', () => {
  it('lets a sound graph pass', () => expect(assertFlowGraph(graph)).toBe(graph));

  it('finds a start that is not first, and a rank that is off', () => {
    expect(() => assertFlowGraph({ ...graph, start: 1 as NodeIndex })).toThrow(CompilerBug);
    expect(() => assertFlowGraph({ ...graph, rank: new Int32Array(4) })).toThrow(CompilerBug);
  });
});

describe('assertRegionMap', () => {
  it('lets sound regions pass', () => expect(assertRegionMap(graph, map)).toBe(map));

  it.each<[string, Partial<Region>]>([
    ['a talk node without a region', { nodes: [] }],
    ['a talk node in two regions', { nodes: [0, 1] as NodeIndex[] }],
    ['a node twice', { nodes: [0, 0] as NodeIndex[] }],
    ['an entry that is elsewhere', { entries: [2 as NodeIndex] }],
    ['a first node that is not first', { first: 1 as NodeIndex }],
    [
      'a handoff to itself',
      {
        steps: map.regions[0]!.steps.map((step) =>
          step.kind === 'handoff' ? { ...step, region: 0 as RegionIndex } : step,
        ),
      },
    ],
  ])('finds %s', (_, change) => {
    expect(() => assertRegionMap(graph, damaged(change))).toThrow(CompilerBug);
  });
});

describe('assertSquadIr', () => {
  const assistant = (name: string, tools: AssistantIr['tools'] = []) =>
    ({
      name: { value: name, origin: { kind: 'source', at: '' } },
      savedAs: null,
      tools,
    }) as unknown as AssistantIr;
  const squad = (...assistants: AssistantIr[]) => ({ assistants }) as unknown as SquadIr;
  const handoff = (region: number, text: string) =>
    [
      { kind: 'handoff', destinations: [{ region, description: { text } }] },
    ] as unknown as AssistantIr['tools'];

  it('lets a sound squad pass', () => {
    const sound = squad(assistant('a', handoff(1, 'when done')), assistant('b'));
    expect(assertSquadIr(sound)).toBe(sound);
  });

  it.each<[string, SquadIr]>([
    ['two assistants of one name', squad(assistant('a'), assistant('a'))],
    ['a long name', squad(assistant('a'.repeat(41)))],
    ['a handoff to itself', squad(assistant('a', handoff(0, 'x')), assistant('b'))],
    ['a handoff to nobody', squad(assistant('a', handoff(7, 'x')), assistant('b'))],
    ['a handoff without a word', squad(assistant('a', handoff(1, '')), assistant('b'))],
  ])('finds %s', (_, broken) => {
    expect(() => assertSquadIr(broken)).toThrow(CompilerBug);
  });
});
