/** Global nodes that one assistant does not know of, or knows of otherwise. */
import { type Operator, operator } from './mutant.js';
import { wordsOf } from './prompt-view.js';
import type { Way } from './prompt-ways.js';
import { brief, cut, replace, reword, withPrompt } from './rewording.js';
import type { MemberView, SquadView } from './squad-view.js';

export const globalMutants: readonly Operator[] = [
  operator(
    'global-way-lost',
    'walk',
    'One assistant does not go to a global node.',
    function* (view) {
      for (const [member, way] of globalWays(view)) {
        const squad = withPrompt(view, member, cut(way.line));
        yield { squad, at: member.promptAt, text: brief(member.prompt, way.sentence) };
      }
    },
  ),

  operator(
    'global-way-reworded',
    'walk',
    'One assistant goes there for another reason.',
    function* (view) {
      for (const [member, way] of globalWays(view)) {
        const condition = wordsOf(member.prompt, way.condition);
        const other = reword(condition, view.source.word);
        if (other === null || !view.source.globalConditions.has(condition)) continue;
        const squad = withPrompt(view, member, replace(way.condition, other));
        yield { squad, at: member.promptAt, text: brief(member.prompt, way.sentence) };
      }
    },
  ),
];

/**
 * What can happen at any time and stands in the prompt alone: ends of the call and steps. Handoffs
 * and transfers are offered by tools as well.
 */
function* globalWays({ members }: SquadView): Iterable<readonly [MemberView, Way]> {
  for (const member of members) {
    for (const way of member.prompt.always) {
      if (way.kind === 'end' || way.kind === 'step') yield [member, way];
    }
  }
}
