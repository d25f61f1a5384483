import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWorkflow } from '../../../src/compiler/1-read/parse-workflow.js';
import type { NodeIndex } from '../../../src/compiler/ir/ids.js';
import { choosingFaithfully, settle } from '../../../src/testing/answering.js';
import { interpret } from '../../../src/testing/interpreter.js';
import { witnessOf as slowWitnessOf, withoutVariable } from '../../../src/testing/plan-witness.js';
import type { SpecWorkflow } from '../../../src/testing/spec-workflow.js';
import {
  carriedAt,
  destinationsOf,
  follow,
  layTracks,
  memberCount,
  readTracks,
} from '../../../src/testing/squad-tracks.js';
import { workflowArbitrary } from '../../../src/testing/workflows.js';
import type { Owners } from '../../../src/verify/owners.js';
import {
  listEdgePassages,
  listGlobalPassages,
  type Passage,
} from '../../../src/verify/passages.js';
import { readSource, type SourceGraph } from '../../../src/verify/source-graph.js';
import { listVariables } from '../../../src/verify/variables/sites.js';
import { type Witness, witnessOf } from '../../../src/verify/variables/witness.js';
import { anytime, capturing, end, type Plan, parsed, setter } from '../../compiler/build.js';
import { runs, seed } from '../../seed.js';
import { answered, groundOf } from './compiled.js';
import { denseWorkflow } from './dense.js';

const numbers = fc.array(fc.nat(99), { minLength: 1, maxLength: 8 });

function toWalk({ workflow, nodeAt }: SourceGraph, { steps }: Witness) {
  return steps.map(({ node, edge }) => ({
    node: nodeAt(node).id,
    at: nodeAt(node).at,
    via: edge === null ? null : workflow.edges[edge]!.at,
  }));
}

describe('witnessOf', () => {
  it('is as short as a search without shortcuts finds, and shows the loss', () => {
    let shown = 0;
    const workflows = fc.oneof(workflowArbitrary({ captures: 'many' }), denseWorkflow(8));
    const property = fc.property(workflows, numbers, (workflow: SpecWorkflow, choices) => {
      const settlement = settle(workflow, {}, choosingFaithfully(choices));
      if (settlement.result.output === null) return;
      const isMixed = settlement.result.diagnostics.some(
        ({ code }) => code === 'data/mixed-source',
      );
      const tracks = readTracks(workflow, settlement);
      const { graph, owners, passages } = groundOf(answered(workflow, null, settlement.options));
      const variables = listVariables(graph);
      const at = ({ member, edge, to }: Passage): string => {
        const own = tracks.source.edges.find(({ index }) => index === edge?.index);
        const landing = follow(tracks, member, own === undefined ? { to } : { to, edge: own });
        return landing.kind === 'handoff' ? landing.at : '';
      };
      const byDestination = new Map<string, Passage[]>();
      for (const passage of passages) {
        byDestination.set(at(passage), [...(byDestination.get(at(passage)) ?? []), passage]);
      }
      for (let member = 0; member < memberCount(tracks); member += 1) {
        for (const destination of destinationsOf(tracks, member)) {
          for (const name of carriedAt(tracks.document, destination)) {
            const ways = byDestination.get(destination) ?? [];
            const found = witnessOf(graph, owners, variables.get(name)!, ways)!;
            const walk = toWalk(graph, found);
            expect(walk.length).toBe(slowWitnessOf(tracks, destination, name)!.length);
            const { document, source } = tracks;
            const poorer = withoutVariable(document, destination, name);
            const lossy = layTracks(source, poorer, settlement.result.ledger);
            if (!isMixed) expect(interpret(tracks, walk, name)).toBeNull();
            expect(interpret(lossy, walk, name)).not.toBeNull();
            shown += 1;
          }
        }
      }
    });
    fc.assert(property, { seed, numRuns: runs(100) });
    expect(shown).toBeGreaterThan(100);
  });

  /** The witness in words, a member per letter: `a b* >c d?` of a capture, a handoff and a read. */
  const witness = (plan: Plan, placement: string, of: (passage: Passage) => boolean) => {
    const graph = readSource(parsed(plan), 0 as NodeIndex);
    const members = [...placement].map((letters) => new Set([letters.charCodeAt(0) - 65]));
    const owners: Owners = {
      of: (node) => members[node] ?? new Set(),
      soleOwner: (node) => [...(members[node] ?? [])][0] ?? null,
      standsFor: (node) => node,
    };
    const passages = [
      ...listEdgePassages(graph, owners),
      ...listGlobalPassages(graph, owners, members.length),
    ].filter(of);
    const found = witnessOf(graph, owners, listVariables(graph).get('x')!, passages);
    return found?.steps
      .map(({ node, edge }, at) => {
        const { id } = graph.nodeAt(node);
        const step = at > 0 && edge === null ? `=${id}` : id;
        const marks = `${at === found.captured ? '*' : ''}${at === found.read ? '?' : ''}`;
        return `${at === found.handedOff ? '>' : ''}${step}${marks}`;
      })
      .join(' ');
  };
  const any = () => true;

  it('goes from the start to the capture, on inside, and through the handoff to the read', () => {
    const nodes = { a: 'A', b: capturing('x'), c: 'C', d: 'D', e: '{{x}}' };
    const edges = ['a > b', 'b > c', 'c > d', 'd > e'];
    expect(witness({ nodes, edges }, 'AAABB', any)).toBe('a b* c >d e?');
  });

  it('reads on leaving, by an edge or a global node, and in the texts of an exit', () => {
    const nodes = { a: capturing('x'), b: 'B', c: 'C' };
    expect(witness({ nodes, edges: ['a > b', 'b > c: {{x}}'] }, 'ABB', any)).toBe('a* >b?');
    const g = { ...nodes, g: anytime('asks {{x}}') };
    expect(witness({ nodes: g, edges: ['a > b'] }, 'ABBC', any)).toBe('a* >b?');
    const bye = { ...nodes, bye: { ...end, firstMessage: 'Bye {{x}}' } };
    expect(witness({ nodes: bye, edges: ['a > b', 'b > bye'] }, 'ABB', any)).toBe('a* >b bye?');
  });

  it('takes none but the given ways, and steps to global nodes where they are ways', () => {
    const nodes = { a: capturing('x'), b: '{{x}}', g: { ...anytime('g'), systemPrompt: '{{x}}' } };
    const plan = { nodes, edges: ['a > b'] };
    expect(witness(plan, 'ABC', ({ edge }) => edge === null)).toBe('a* >=g?');
    expect(witness(plan, 'ABC', ({ edge }) => edge !== null)).toBe('a* >b?');
    expect(witness(plan, 'ABC', ({ member }) => member === 1)).toBeUndefined();
  });

  it('finds none where a capture, or a tool, has a later word', () => {
    const nodes = { a: capturing('x'), b: setter('x'), c: '{{x}}' };
    expect(witness({ nodes, edges: ['a > b', 'b > c'] }, 'AAB', any)).toBeUndefined();
    const again = { ...nodes, b: { ...capturing('x') } };
    expect(witness({ nodes: again, edges: ['a > b', 'b > c'] }, 'AAB', any)).toBe('a b* >c?');
    const before = { nodes: again, edges: ['a > b', 'b > c'] };
    expect(witness(before, 'ABC', ({ member }) => member === 0)).toBeUndefined();
  });

  it('goes by way of an own global node where that is the only way', () => {
    const nodes = { a: capturing('x'), g: anytime('g'), b: 'B', c: '{{x}}' };
    expect(witness({ nodes, edges: ['a > b', 'g > c'] }, 'AABC', any)).toBe('a* =g >c?');
  });

  it('takes 30,000 nodes', { timeout: 20_000 }, () => {
    const size = 30_000;
    const nodes = Array.from({ length: size }, (_, at) => ({
      id: `n${at}`,
      type: 'conversation' as const,
      systemPrompt: at === size - 1 ? 'Say {{x}}.' : `Say ${at}.`,
      ...(at === 5
        ? { extractVariables: [{ name: 'x', type: 'string' as const, description: 'x' }] }
        : {}),
    }));
    const edges = nodes.slice(1).map((_, at) => ({ from: `n${at}`, to: `n${at + 1}` }));
    const graph = readSource(
      parseWorkflow({ name: 'Big', nodes, edges }).workflow!,
      0 as NodeIndex,
    );
    const owners: Owners = {
      of: (node) => new Set([node < size / 2 ? 0 : 1]),
      soleOwner: (node) => (node < size / 2 ? 0 : 1),
      standsFor: (node) => node,
    };
    const variable = listVariables(graph).get('x')!;
    const found = witnessOf(graph, owners, variable, listEdgePassages(graph, owners));
    expect(found).toMatchObject({ captured: 5, handedOff: size / 2, read: size - 1 });
  });
});
