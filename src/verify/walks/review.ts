/**
 * What shows only when the whole squad has been walked: steps that no node comes to, and sentences
 * that speak of other variables than the assistant collects.
 */
import { ofDifferences } from '../../diagnostics/differences.js';
import type { Member } from '../squad-reading.js';
import type { Bullet } from './bullets.js';
import type { Sentences } from './sentences.js';
import type { Difference, Visit } from './visit.js';
import { note, type Walk } from './walk.js';

/** A line with a sentence that squadc has put where the source gives no condition. */
export interface OwnSentence {
  readonly visit: Visit;
  readonly bullet: Bullet;
}

/** Steps of assistants that calls come to, at which no call is. */
export function findIdleSteps({ ground, guests, isEntered, differences }: Walk): void {
  const { prompts, squad, numberOf } = ground;
  for (const member of squad.members) {
    const { index } = member;
    const last = isEntered[index]! ? prompts[index]!.steps.length : 0;
    for (let step = 1; step <= last; step += 1) {
      if (guests.firstAt(numberOf(index, step)) === null) differences.push(idle(member, step));
    }
  }
}

function idle({ name, promptAt }: Member, step: number): Difference {
  const text = () => ofDifferences.noStep(name ?? '', step);
  return { visit: null, way: null, text, source: [], output: [promptAt] };
}

/** Sentences about what the assistant collects, or when it is done, that are not its own. */
export function findWrongSentences(walk: Walk, sentences: Sentences): void {
  for (const { visit, bullet } of walk.sentences) {
    const { way, next, sentence } = bullet;
    if (sentence === sentences.of(visit.member, way, next.kind === 'handoff')) continue;
    note(walk, visit, way, [way.at], (name) => ofDifferences.unaccounted(name, sentence));
  }
}
