/**
 * What the platform makes of a call when it is over. It sees only the last assistant's part of the
 * conversation unless a setting says otherwise, so the squad says so where that would lose something.
 */
import { asObject } from '../../text/json.js';
import type { Settled } from '../ir/options.js';
import { synthesized, traced, withPart } from '../ir/provenance.js';
import type { NamedSetting } from '../ir/workflow.js';
import { targets } from '../targets.js';

const flag = 'fullMessageHistoryEnabled';

/** The shared settings; the source's own word and a plan of a single assistant stay as they are. */
export function withFullHistory(
  shared: readonly NamedSetting[],
  own: readonly (readonly NamedSetting[])[],
  { context, target }: Settled,
): readonly NamedSetting[] {
  const all = [...shared, ...own.flat()];
  const plans = all.filter(({ key }) => key === 'artifactPlan');
  const plan = shared.find(({ key }) => key === 'artifactPlan');
  const value = asObject(plan?.value.value);
  const isAnalysed =
    all.some(({ key }) => key === 'analysisPlan') ||
    Object.keys(value).some((key) => /^(?:structuredOutput|scorecard)/.test(key));
  const isNeeded = own.length > 1 && (isAnalysed || context.type !== 'all');
  const isFree = plans.every((it) => it === plan) && !Object.hasOwn(value, flag);
  if (!targets[target].isOfPlatform || !isNeeded || !isFree) return shared;
  const origin = synthesized('full-history');
  const sorted = Object.entries({ ...value, [flag]: true }).sort(([a], [b]) => (a < b ? -1 : 1));
  const added = plan ? withPart(plan.value.origin, flag, origin) : origin;
  const full = { key: 'artifactPlan', value: traced(Object.fromEntries(sorted), added) };
  const others = shared.filter((it) => it !== plan);
  return [...others, full].sort((one, other) => (one.key < other.key ? -1 : 1));
}
