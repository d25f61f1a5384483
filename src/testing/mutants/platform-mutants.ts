/** What only the platform's shape has: refusals of handoffs. */
import { drop, put } from './edit.js';
import { type Operator, operator } from './mutant.js';
import { listOf, objectOf, type SquadView, textOf } from './squad-view.js';

export const platformMutants: readonly Operator[] = [
  operator('guard-dropped', 3, 'An exact condition is left to the model.', function* (view) {
    for (const { at, value, type } of view.tools) {
      if (value['rejectionPlan'] === undefined) continue;
      yield { squad: drop(view.squad, `${at}/rejectionPlan`), at, text: type };
    }
  }),

  operator('guard-inverted', 3, 'A handoff is refused where it should be made.', function* (view) {
    for (const { at, value, liquid } of guards(view)) {
      // Both words change places at once; a guard that does not print them is left alone.
      const other = liquid.replaceAll(
        /\}(false|true)\{/g,
        (_, printed: string) => `}${printed === 'true' ? 'false' : 'true'}{`,
      );
      if (other === liquid) continue;
      yield { squad: put(view.squad, `${at}/liquid`, other), at, text: textOf(value['type']) };
    }
  }),

  operator('guard-always-open', 3, 'A guard refuses nothing.', function* (view) {
    for (const { at, liquid } of guards(view)) {
      if (liquid === 'false') continue;
      yield { squad: put(view.squad, `${at}/liquid`, 'false'), at, text: 'false' };
    }
  }),
];

function* guards({ tools }: SquadView) {
  for (const tool of tools) {
    const conditions = listOf(objectOf(tool.value['rejectionPlan'])['conditions']);
    for (const [index, condition] of conditions.entries()) {
      const value = objectOf(condition);
      const at = `${tool.at}/rejectionPlan/conditions/${index}`;
      if (typeof value['liquid'] === 'string') yield { at, value, liquid: value['liquid'] };
    }
  }
}
