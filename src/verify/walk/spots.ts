/** Spots of the expected stages, and of the pairs of a squad. */
import { type Facts, factsOf } from '../../call/facts.js';
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { Condition } from '../../compiler/ir/workflow.js';
import { memo, type Owners, type SourceGraph } from '../expected/source.js';
import type { Spot, SpotStep } from './crossing.js';
import type { Move, Pair } from './find.js';

const wayOf = (edge: unknown, condition: Condition | null) =>
  edge === null
    ? { isGlobal: true, given: condition?.call?.variables ?? [] }
    : { isGlobal: false, given: [] };

/** The spots of stages, by number: each node in each stage that has it. */
export function spotsOfStages(graph: SourceGraph, owners: Owners): Spot[] {
  const own = graph.order.filter((node) => owners.standsFor(node) === node);
  const nodes = own.filter((node) => graph.nodeAt(node).role !== 'exit');
  const places = nodes.flatMap((node) => [...owners.of(node)].map((member) => ({ node, member })));
  const numbers = new Map(places.map(({ node, member }, at) => [`${node} ${member}`, at]));
  const facts = memo((node: NodeIndex) => factsOf(graph, graph.nodeAt(node)));
  return places.map(({ node, member }, index): Spot => {
    const step = (to: NodeIndex, edge: unknown, condition: Condition | null): SpotStep[] => {
      const end = owners.standsFor(to);
      const own = numbers.get(`${end} ${member}`);
      const target = own ?? numbers.get(`${end} ${owners.soleOwner(end)}`);
      if (target === undefined) return [];
      return [{ to: target, isHandoff: own === undefined, ...wayOf(edge, condition) }];
    };
    const along = graph.leaving[node]!.flatMap((it) => step(it.to, it, it.condition));
    const others = graph.globalNodes.filter((it) => it.index !== node);
    const globals = others.flatMap((it) => step(it.index, null, it.global!.condition));
    return { index, member, facts: facts(node), steps: [...along, ...globals] };
  });
}

/** A pair, with the moves that are steps. */
export interface PairSpot extends Spot {
  readonly steps: readonly (SpotStep & { readonly move: Move })[];
}

/** The spots of pairs, and the step that each move is. */
export function spotsOfPairs(graph: SourceGraph, pairs: readonly Pair[]) {
  const facts = memo((node: NodeIndex): Facts => factsOf(graph, graph.nodeAt(node)));
  const stepOf = new Map<Move, SpotStep>();
  const spots = pairs.map(({ index, member, node, moves }): PairSpot => {
    const steps = moves.flatMap((move) => {
      const { to, edge, condition } = move;
      if (to === null) return [];
      const isHandoff = to.member !== member;
      const step = { to: to.index, isHandoff, ...wayOf(edge, condition), move };
      stepOf.set(move, step);
      return [step];
    });
    return { index, member, facts: facts(node), steps };
  });
  return { spots, stepOf };
}
