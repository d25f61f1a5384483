/**
 * What shows only when the whole squad has been walked: steps that no node comes to, and sentences
 * that speak of other variables than the assistant collects.
 */
import { ofDifferences } from '../../diagnostics/differences.js';
import type { Bullet } from './bullets.js';
import type { Ground } from './ground.js';
import { createSentences } from './sentences.js';
import type { Difference, Visit } from './visit.js';

/** A line with a sentence that squadc has put where the source gives no condition. */
export interface OwnSentence {
  readonly visit: Visit;
  readonly bullet: Bullet;
}

/** Steps of assistants that calls come to, at which no call is. */
export function findIdleSteps({ prompts, squad }: Ground, visits: readonly Visit[]): Difference[] {
  const steps = squad.members.map(() => new Set<number>());
  for (const { member, step } of visits) steps[member]!.add(step);
  return squad.members.flatMap(({ index, name, promptAt }) => {
    const seen = steps[index]!;
    if (seen.size === 0) return [];
    return prompts[index]!.steps.flatMap((_, at) => {
      if (seen.has(at + 1)) return [];
      const text = () => ofDifferences.noStep(name ?? '', at + 1);
      return [{ visit: null, way: null, text, source: [], output: [promptAt] }];
    });
  });
}

/** Sentences about what the assistant collects, or when it is done, that are not its own. */
export function findWrongSentences(
  ground: Ground,
  visits: readonly Visit[],
  all: readonly OwnSentence[],
): Difference[] {
  const sentences = createSentences(ground, visits);
  return all.flatMap(({ visit, bullet: { way, next, sentence } }) => {
    const { name, promptAt, index } = ground.squad.members[visit.member]!;
    if (sentence === sentences.of(index, way, next.kind === 'handoff')) return [];
    const text = () => ofDifferences.unaccounted(name ?? '', sentence);
    return [{ visit, way, text, source: [way.at], output: [promptAt] }];
  });
}
