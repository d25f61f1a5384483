/**
 * Which nodes become one assistant, found without the compiler.
 *
 * In: the source with the answers applied that change it, the options, and `decide`, which puts
 * questions to the answers. Out: the expected assistants. The phases are those of the definition,
 * in its order:
 *
 *     1 exits             quotient.ts         are no vertices
 *     2 equal nodes       representatives.ts  one vertex for each class
 *     3 components        parts.ts            one stage each, or the parts that an answer makes
 *                         ready-assistants.ts what is an assistant already stays apart
 *     4 chains            chains.ts           by degrees
 *     5 tool-only stages  tools.ts            bundles that stages hold
 *     6 chains            chains.ts           again
 *       boundary `tools`  same-tools.ts
 *
 * None of them is the compiler's algorithm, so that a fault in one of the two shows. Nearly linear:
 * O(m log n), and as much as the result is large. An answer that keeps settings apart starts the
 * phases again with a vertex less that may be together with others, so the repetition ends.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { Decide, Decision } from '../../compiler/ir/inquiry.js';
import type { Boundary, Settled } from '../../compiler/ir/options.js';
import type { SourceGraph } from '../source-graph.js';
import { tellComponents } from '../strong-components.js';
import { joinChains } from './chains.js';
import { askAboutCycle, listCycles, splitByCycle } from './cycle-questions.js';
import { clash } from './labels.js';
import { cutComponents } from './parts.js';
import { computeQuotient, type Quotient } from './quotient.js';
import { flagReady, labelReady, ofAnswers, type Ready, withoutReady } from './ready-assistants.js';
import { findRepresentatives } from './representatives.js';
import { joinSameTools } from './same-tools.js';
import { askAboutSettings, listConflicts } from './settings-questions.js';
import { splitBySettings } from './settings-split.js';
import { type Bundles, flagStages, noBundles, type Stages } from './stages.js';
import { computeSteps } from './steps.js';
import { placeTools } from './tools.js';
import { readSettings } from './wanted-settings.js';

export interface Grouping {
  /** For each node the equal node that stands for it, the first in walk order. */
  readonly representative: Int32Array;
  /** How many assistants are expected; they are numbered as a call first meets them. */
  readonly stageCount: number;
  /** The talk and act nodes that a stage holds, by their representatives, in walk order. */
  readonly nodesOf: (stage: number) => ReadonlySet<NodeIndex>;
  /** Whether a stage has a talk node; only a start that is a tool may have none. */
  readonly talks: (stage: number) => boolean;
  /** The stages that hold the node, or the equal one that stands for it; exits are in none. */
  readonly stagesOf: (node: NodeIndex) => readonly number[];
  /** The first of these; null where there is none. */
  readonly stageOf: (node: NodeIndex) => number | null;
  /**
   * The part of its stage that a node came into by a cycle, and by chains; by number. Two talk
   * nodes of a stage that share neither are together for want of different tools.
   */
  readonly partOf: (node: NodeIndex, phase: 'cycle' | 'chain') => number;
  /** Whether an answer keeps the two stages apart. */
  readonly keptApart: (one: number, other: number) => boolean;
  /** Whether the stage is an assistant that the source brings. */
  readonly isReady: (stage: number) => boolean;
  /** What was decided about cycles and settings. */
  readonly decisions: readonly Decision[];
}

export function groupNodes(graph: SourceGraph, options: Settled, decide: Decide): Grouping {
  const quotient = computeQuotient(graph, findRepresentatives(graph));
  const ready = flagReady(quotient);
  const components = tellComponents(withoutReady(quotient, ready));
  const cycles = listCycles(quotient, components);
  const decisions = [
    ...decide(cycles.map((cycle) => askAboutCycle(quotient, cycle, options.target))),
  ];
  const splits = cycles.flatMap((cycle, at) => splitByCycle(quotient, cycle, decisions[at]!) ?? []);
  const wanted = readSettings(quotient, options);
  const known = new Set<string>();
  for (;;) {
    const cut = labelReady(quotient, ready, cutComponents(quotient, components, splits));
    const phases = runPhases(quotient, cut, options.boundary);
    const { stages, bundles } = phases;
    const conflicts = listConflicts(quotient, stages, bundles, wanted);
    if (conflicts.length === 0) return describe(quotient, ready, phases, decisions);
    const news = conflicts
      .map((conflict) => ({
        conflict,
        inquiry: askAboutSettings(quotient, conflict, wanted, options.target),
      }))
      .filter(({ inquiry }) => !known.has(inquiry.question.id));
    const before = splits.length;
    decide(news.map(({ inquiry }) => inquiry)).forEach((decision, at) => {
      known.add(decision.inquiry.question.id);
      decisions.push(decision);
      if (decision.choice !== 'keep-split') return;
      splits.push(splitBySettings(quotient, stages, bundles, wanted, news[at]!.conflict));
    });
    if (splits.length === before) return describe(quotient, ready, phases, decisions);
  }
}

interface Phases {
  readonly stages: Stages;
  readonly bundles: Bundles;
  /** The stages before the boundary `tools` joins some of them, and those of phase 3. */
  readonly atoms: Stages;
  readonly parts: Stages;
}

function runPhases(quotient: Quotient, parts: Stages, boundary: Boundary): Phases {
  const none = noBundles(quotient);
  const chains = joinChains(quotient, parts, computeSteps(quotient, parts, none));
  const { stages: placed, bundles } = placeTools(quotient, chains, none);
  // Where no tool has moved, the chains are joined already.
  const atoms =
    placed === chains
      ? placed
      : joinChains(quotient, placed, computeSteps(quotient, placed, bundles));
  const stages = boundary === 'tools' ? joinSameTools(quotient, atoms, bundles) : atoms;
  return { stages, bundles, atoms, parts };
}

function describe(
  quotient: Quotient,
  ready: Ready,
  { stages, bundles, atoms, parts }: Phases,
  decisions: readonly Decision[],
): Grouping {
  const { representative, vertexOf } = quotient;
  const holders = listHolders(stages, bundles);
  const readyStages = ready === null ? null : flagStages(stages, ready);
  let talking: Uint8Array | null = null;
  // Most nodes are in one stage; those of one share the list.
  const alone: (readonly number[] | undefined)[] = [];
  return {
    representative,
    stageCount: stages.count,
    nodesOf: (stage) => listNodes(quotient, stages, bundles, stage),
    talks: (stage) => {
      talking ??= flagStages(stages, quotient.talks);
      return talking[stage] === 1;
    },
    stagesOf: (node) => {
      const vertex = vertexOf[node]!;
      if (vertex === -1) return [];
      const own = stages.of[vertex]!;
      if (own === -1) return holders(bundles.of[vertex]!);
      alone[own] ??= [own];
      return alone[own];
    },
    stageOf: (node) => {
      const vertex = vertexOf[node]!;
      if (vertex === -1) return null;
      const own = stages.of[vertex]!;
      return own === -1 ? (holders(bundles.of[vertex]!)[0] ?? null) : own;
    },
    partOf: (node, phase) => (phase === 'cycle' ? parts : atoms).of[vertexOf[node]!]!,
    keptApart: (one, other) =>
      clash(ofAnswers(stages.labels[one]!), ofAnswers(stages.labels[other]!)),
    isReady: (stage) => readyStages?.[stage] === 1,
    decisions,
  };
}

/** Tells the stages that hold a bundle. */
function listHolders(
  { count, held }: Stages,
  bundles: Bundles,
): (bundle: number) => readonly number[] {
  if (bundles.count === 0) return () => [];
  const everybody = Array.from({ length: count }, (_, stage) => stage);
  const holders: number[][] = bundles.onward.map(() => []);
  held.forEach((list, stage) => {
    for (const bundle of list) holders[bundle]!.push(stage);
  });
  const given = new Set(bundles.given);
  return (bundle) => (given.has(bundle) ? everybody : holders[bundle]!);
}

function listNodes(
  quotient: Quotient,
  { of, held }: Stages,
  bundles: Bundles,
  stage: number,
): ReadonlySet<NodeIndex> {
  const all = new Set([...held[stage]!, ...bundles.given]);
  const isInside = (vertex: number) => of[vertex] === stage || all.has(bundles.of[vertex]!);
  return new Set(quotient.nodes.filter((_, vertex) => isInside(vertex)));
}
