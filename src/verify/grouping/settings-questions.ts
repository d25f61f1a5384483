/**
 * What is asked about stages whose talk nodes want different settings; the questions are those that
 * the compiler asks, to the letter of their ids.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { Inquiry } from '../../compiler/ir/inquiry.js';
import type { Target } from '../../compiler/ir/options.js';
import { subjectOfStages } from '../../diagnostics/questions/stages.js';
import { ask } from '../../diagnostics/questions.js';
import { findFirst } from './first-nodes.js';
import type { Quotient } from './quotient.js';
import { type Bundles, listOwn, type Stages } from './stages.js';
import type { WantedSettings } from './wanted-settings.js';

/** A stage whose talk nodes differ. */
export interface Conflict {
  readonly stage: number;
  /** Its talk vertices in walk order, but the first node first. */
  readonly talk: readonly number[];
}

export function listConflicts(
  quotient: Quotient,
  stages: Stages,
  bundles: Bundles,
  wanted: WantedSettings,
): Conflict[] {
  if (wanted.names.length === 0) return [];
  const { offsets, order } = listOwn(stages);
  const conflicts: { readonly stage: number; readonly talk: number[] }[] = [];
  for (let stage = 0; stage < stages.count; stage += 1) {
    const own = order.subarray(offsets[stage]!, offsets[stage + 1]!);
    const talk = [...own].filter((vertex) => quotient.talks[vertex] === 1);
    if (talk.some((vertex) => !wanted.agree(vertex, talk[0]!))) conflicts.push({ stage, talk });
  }
  if (conflicts.length === 0) return [];
  const first = findFirst(quotient, stages, bundles);
  return conflicts.map(({ stage, talk }) => {
    const begin = first[stage]!;
    const others = talk.filter((vertex) => vertex !== begin);
    return { stage, talk: others.length === talk.length ? talk : [begin, ...others] };
  });
}

export function askAboutSettings(
  { graph, nodes }: Quotient,
  { talk }: Conflict,
  wanted: WantedSettings,
  target: Target,
): Inquiry {
  const settings = wanted.names.filter((name) =>
    talk.some((vertex) => wanted.of(vertex, name) !== wanted.of(talk[0]!, name)),
  );
  const standing: NodeIndex[] = talk.map((vertex) => nodes[vertex]!);
  const ids = standing.map((node) => graph.nodeAt(node).id);
  return {
    question: ask('conflicting-settings', subjectOfStages(ids), {
      at: standing.map((node) => graph.nodeAt(node).at),
      args: { settings, nodes: ids },
      target,
      proposal: 'first',
      allowed: { use: ids },
    }),
    subject: { of: 'nodes', nodes: standing },
    allowed: new Map([['use', new Set(ids)]]),
    assumed: { choice: 'first' },
  };
}
