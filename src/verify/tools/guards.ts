/**
 * What the platform refuses.
 *
 * It refuses a call of a tool where all conditions of the tool's rejection plan print `true`. So
 * the plan of a tool refuses exactly where none of its ways is open: one condition for the guard of
 * each way, which prints the opposite of the guard; none where a way is not guarded.
 */
import { isJsonObject, type JsonObject } from '../../compiler/ir/json.js';
import { textOf } from '../squad-reading.js';
import { canonicalText } from './canonical-text.js';
import type { Ways } from './descriptions.js';

/** What the tool's plan is to refuse, as comparable text; empty where it is to have none. */
export function wantedRefusals(ways: Ways): string {
  const guards = ways.map((condition) => condition?.guard ?? null);
  const isGuarded = guards.length > 0 && guards.every((guard) => guard !== null);
  return isGuarded ? textOfRefusals([...new Set(guards)].map((it) => ['unless', it])) : '';
}

/** What the tool's plan refuses. */
export function givenRefusals({ rejectionPlan }: JsonObject): string {
  if (rejectionPlan === undefined) return '';
  const { conditions, ...others } = isJsonObject(rejectionPlan) ? rejectionPlan : {};
  // A plan without conditions says nothing that could be relied on.
  const isPlan = Array.isArray(conditions) && conditions.length > 0;
  if (!isPlan || Object.keys(others).length > 0) {
    return textOfRefusals([['other', canonicalText(rejectionPlan)]]);
  }
  return textOfRefusals(
    conditions.map((condition) => {
      const guard = guardOf(condition);
      return guard === null ? ['other', canonicalText(condition)] : ['unless', guard];
    }),
  );
}

/** The guard that a condition prints the opposite of; null where it does something else. */
function guardOf(condition: JsonObject): string | null {
  if (!isJsonObject(condition)) return null;
  const { type, liquid, ...others } = condition;
  const text = textOf(liquid);
  if (type !== 'liquid' || text === null || Object.keys(others).length > 0) return null;
  return negation.exec(text)?.[2] ?? null;
}

/** What the guard prints is captured, and its opposite is printed. */
const negation =
  /^\{% capture (\w+) %\}([\s\S]*)\{% endcapture %\}\{% if \1 == "true" %\}false\{% else %\}true\{% endif %\}$/;

function textOfRefusals(refusals: readonly (readonly string[])[]): string {
  return refusals
    .map((it) => JSON.stringify(it))
    .sort()
    .join('\n');
}
