/**
 * What shows only when the whole squad has been walked: steps that no node comes to, and sentences
 * that speak of other variables than the assistant collects.
 */
import { ofDifferences } from '../../diagnostics/differences.js';
import type { Bullet } from './bullets.js';
import type { Ground } from './ground.js';
import type { Sentences } from './sentences.js';
import type { Difference, Visit } from './visit.js';

/** A line with a sentence that squadc has put where the source gives no condition. */
export interface OwnSentence {
  readonly visit: Visit;
  readonly bullet: Bullet;
}

/** Steps of assistants that calls come to, at which no call is. */
export function findIdleSteps(
  { prompts, squad, positionCount, numberOf }: Ground,
  visits: readonly Visit[],
): Difference[] {
  const isSeen = new Uint8Array(positionCount);
  const isEntered = new Uint8Array(squad.members.length);
  for (const { member, step } of visits) {
    isSeen[numberOf(member, step)] = 1;
    isEntered[member] = 1;
  }
  const idle: Difference[] = [];
  for (const member of squad.members) {
    const { index, name } = member;
    const last = isEntered[index] === 1 ? prompts[index]!.steps.length : 0;
    for (let step = 1; step <= last; step += 1) {
      if (isSeen[numberOf(index, step)] === 1) continue;
      const text = () => ofDifferences.noStep(name ?? '', step);
      idle.push({ visit: null, way: null, text, source: [], output: [member.promptAt] });
    }
  }
  return idle;
}

/** Sentences about what the assistant collects, or when it is done, that are not its own. */
export function findWrongSentences(
  ground: Ground,
  sentences: Sentences,
  all: readonly OwnSentence[],
): Difference[] {
  return all.flatMap(({ visit, bullet: { way, next, sentence } }) => {
    const member = ground.squad.members[visit.member]!;
    if (sentence === sentences.of(member.index, way, next.kind === 'handoff')) return [];
    const text = () => ofDifferences.unaccounted(member.name ?? '', sentence);
    return [{ visit, way, text, source: [way.at], output: [member.promptAt] }];
  });
}
