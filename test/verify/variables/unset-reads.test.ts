import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWorkflow } from '../../../src/compiler/1-read/parse-workflow.js';
import { reviewReads } from '../../../src/compiler/3-analyze/review-reads.js';
import { computeVariableFlow } from '../../../src/compiler/3-analyze/variables.js';
import { builtInVariables } from '../../../src/compiler/ir/built-ins.js';
import type { NodeIndex } from '../../../src/compiler/ir/ids.js';
import type { UnreachedReads } from '../../../src/compiler/ir/inquiry.js';
import { choosing, type Pick } from '../../../src/testing/answering.js';
import type { SpecWorkflow } from '../../../src/testing/spec-workflow.js';
import { workflowArbitrary } from '../../../src/testing/workflows.js';
import { readSource, type SourceGraph } from '../../../src/verify/source-graph.js';
import { listVariables } from '../../../src/verify/variables/sites.js';
import { findUnsetReads } from '../../../src/verify/variables/unset-reads.js';
import { anytime, capturing, type Plan, parsed, setter } from '../../compiler/build.js';
import { runs, seed } from '../../seed.js';
import { answered } from './compiled.js';
import { denseWorkflow } from './dense.js';
import { captureOf, reachedReads, readsByEdges, readsOnEntry } from './naive.js';

const numbers = fc.array(fc.nat(99), { minLength: 1, maxLength: 8 });
const nobody: ReadonlySet<string> = new Set();

/** Answers that leave unset reads as they are; tools that global conditions need where wanted. */
function leavingUnset(choices: readonly number[], tools: boolean): Pick {
  return choosing(choices, ({ kind }, choice) =>
    kind === 'undefined-variable' ? choice === 'caller' : tools || choice !== 'tool',
  );
}

function inWords([name, unreached]: readonly [string, UnreachedReads]): string {
  const { texts, conditions, globals, globalPrompt } = unreached;
  const lists = [texts, conditions, globals].map((nodes) => [...nodes].sort().join(' '));
  return `${name}: ${lists.join(', ')}${globalPrompt ? ', prompt' : ''}`;
}

function find(graph: SourceGraph, supplied = nobody): string[] {
  return [...findUnsetReads(graph, listVariables(graph), supplied)].map(inWords);
}

/** By the definition, for reads by texts and by the conditions of edges. */
function naive(graph: SourceGraph, name: string): string {
  const { entered, left } = reachedReads(graph, name);
  const others = [...graph.order].filter((it) => captureOf(graph, it, name) === undefined);
  const texts = others.filter((it) => readsOnEntry(graph, it, name) && !entered.has(it));
  const conditions = others.filter((it) => readsByEdges(graph, it, name) && !left.has(it));
  return `${name}: ${texts.sort().join(' ')}, ${conditions.sort().join(' ')}`;
}

describe('findUnsetReads', () => {
  it('finds what the compiler finds', () => {
    let found = 0;
    const workflows = fc.oneof(workflowArbitrary({ size: 14 }), denseWorkflow());
    const property = fc.property(workflows, numbers, (workflow: SpecWorkflow, choices) => {
      const { graph } = answered(workflow, leavingUnset(choices, false));
      const mine = find(readSource(graph.workflow, graph.start));
      const theirs = reviewReads(graph, computeVariableFlow(graph), nobody)
        .map(({ variable, unreached }) => [variable.name, unreached] as const)
        .map(inWords)
        .filter((words) => !words.endsWith(': , , '));
      found += theirs.length;
      expect([...mine].sort()).toEqual(theirs.sort());
    });
    fc.assert(property, { seed, numRuns: runs(200) });
    expect(found).toBeGreaterThan(100);
  });

  it('finds what walks find', () => {
    let found = 0;
    const property = fc.property(denseWorkflow(), numbers, (workflow, choices) => {
      const { graph: compiled } = answered(workflow, leavingUnset(choices, true));
      const graph = readSource({ ...compiled.workflow, globalPrompt: null }, compiled.start);
      for (const [name, variable] of listVariables(graph)) {
        if (builtInVariables.has(name)) continue;
        const unset = findUnsetReads(graph, new Map([[name, variable]]), nobody).get(name);
        const { texts, conditions } = unset ?? { texts: new Set(), conditions: new Set() };
        const words = `${name}: ${[...texts].sort().join(' ')}, ${[...conditions].sort().join(' ')}`;
        if (unset !== undefined) found += 1;
        expect(words).toBe(naive(graph, name));
      }
    });
    fc.assert(property, { seed, numRuns: runs(200) });
    expect(found).toBeGreaterThan(100);
  });

  const found = (plan: Plan, supplied?: ReadonlySet<string>) =>
    find(readSource(parsed(plan), 0 as NodeIndex), supplied);

  it('asks about texts, conditions of edges and of global nodes, and the global prompt', () => {
    const nodes = { a: '{{x}}', b: '{{y}} {{z}}', g: { ...anytime('asks for {{v}}') } };
    const plan = { nodes, edges: ['a > b: {{w}}'], globalPrompt: 'Be kind to {{u}}.' };
    expect(found(plan)).toEqual([
      'x: 0, , ',
      'w: , 0, ',
      'y: 1, , ',
      'z: 1, , ',
      'v: , , 2',
      'u: , , , prompt',
    ]);
    expect(found(plan, new Set(['u', 'v', 'w', 'x', 'y']))).toEqual(['z: 1, , ']);
  });

  it('asks about reads before the only capture, and not about those after it', () => {
    const nodes = { a: '{{x}}', b: capturing('x'), c: '{{x}}', d: '{{x}}' };
    const edges = ['a > b: {{x}} is big', 'b > c: {{x}} is small', 'a > d: else'];
    expect(found({ nodes, edges })).toEqual(['x: 0 3, 0, ']);
    expect(found({ nodes, edges: [...edges, 'c > a: again'] })).toEqual([]);
  });

  it('asks for no more than that a walk sets it', () => {
    const nodes = { a: 'A', b: capturing('x'), c: 'C', d: '{{x}}' };
    expect(found({ nodes, edges: ['a > b', 'a > c', 'b > d', 'c > d'] })).toEqual([]);
  });

  it('never asks about what a node captures itself, and asks about its own tool', () => {
    const asking = { ...capturing('x'), systemPrompt: 'Ask for {{x}}.' };
    expect(found({ nodes: { a: asking, b: 'B' }, edges: ['a > b: {{x}}'] })).toEqual([]);
    const tool = { ...setter('x'), url: 'https://example.com/{{x}}' };
    const plan = { nodes: { a: 'A', t: tool, b: 'B' }, edges: ['a > t', 't > b: {{x}}'] };
    expect(found(plan)).toEqual(['x: 1, , ']);
    expect(found({ ...plan, edges: [...plan.edges, 't > t: again'] })).toEqual([]);
  });

  it('takes what is set anywhere for set behind every global node', () => {
    const nodes = { a: 'A', b: capturing('x'), g: { ...anytime('asks {{x}}') }, h: '{{x}}' };
    const edges = ['a > b', 'g > h'];
    expect(found({ nodes, edges })).toEqual([]);
    expect(found({ nodes: { ...nodes, b: 'B' }, edges })).toEqual(['x: 3, , 2']);
    expect(found({ nodes: { ...nodes, a: '{{x}}' }, edges })).toEqual(['x: 0, , ']);
  });

  it('knows the variables of the platform, unless the workflow sets them', () => {
    const nodes = { a: '{{date}} {{call.id}}', b: capturing('date') };
    expect(found({ nodes: { ...nodes, b: 'B' }, edges: ['a > b'] })).toEqual([]);
    expect(found({ nodes, edges: ['a > b'] })).toEqual(['date: 0, , ']);
  });

  it('takes 30,000 nodes that each read what a far one sets', { timeout: 20_000 }, () => {
    const size = 30_000;
    const nodes = Array.from({ length: size }, (_, at) => ({
      id: `n${at}`,
      type: 'conversation' as const,
      systemPrompt: `Say {{v${(at * 7919) % size}}}.`,
      ...(at % 50 === 0
        ? { extractVariables: [{ name: `v${at}`, type: 'string' as const, description: 'v' }] }
        : {}),
    }));
    const chain = nodes.slice(1).map((_, at) => ({ from: `n${at}`, to: `n${at + 1}` }));
    const { workflow } = parseWorkflow({ name: 'Far', nodes, edges: chain });
    const graph = readSource(workflow!, 0 as NodeIndex);
    const unset = findUnsetReads(graph, listVariables(graph), nobody);
    const isUnset = (at: number) => {
      const set = (at * 7919) % size;
      return set % 50 !== 0 || set > at;
    };
    const wanted = nodes.flatMap((_, at) => (isUnset(at) ? [`v${(at * 7919) % size}`] : []));
    expect([...unset.keys()].sort()).toEqual(wanted.sort());
  });
});
