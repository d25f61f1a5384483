/**
 * What the platform refuses: a call of a tool where all texts of its rejection plan print `true`. So a
 * plan refuses exactly where none of the ways to the tool is open: one condition for the guard of each
 * way, which prints the opposite of the guard; none where a way is not guarded.
 */
import type { JsonObject } from '../compiler/ir/json.js';
import type { Condition } from '../compiler/ir/workflow.js';
import { ofTools } from '../diagnostics/checklist.js';
import { groupBy } from '../graph/lists.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding } from './findings.js';
import { canonical, elements, objectOf, textOf } from './json.js';
import { placeOf } from './passages.js';

/** What a plan is to refuse, as comparable text; empty where there is to be none. */
export function wantedRefusals(gates: readonly (Condition | null)[]): string {
  const guards = gates.map((condition) => condition?.guard ?? null);
  const isGuarded = guards.length > 0 && guards.every((guard) => guard !== null);
  return isGuarded ? inOrder([...new Set(guards)].map((it) => ['unless', it!])) : '';
}

/** What a tool's plan refuses; one without conditions says nothing that could be relied on. */
export function givenRefusals({ rejectionPlan }: JsonObject): string {
  if (rejectionPlan === undefined) return '';
  const { conditions, ...others } = objectOf(rejectionPlan);
  const listed = Object.keys(others).length > 0 ? [] : elements(conditions);
  if (listed.length === 0) return inOrder([['other', canonical(rejectionPlan)]]);
  return inOrder(
    listed.map((it) => {
      const { type, liquid, ...more } = objectOf(it);
      const guard = negation.exec(textOf(liquid) ?? '')?.[2];
      const isGuard = type === 'liquid' && Object.keys(more).length === 0;
      return guard !== undefined && isGuard ? ['unless', guard] : ['other', canonical(it)];
    }),
  );
}

/** What the guard prints is captured, and its opposite is printed. */
const negation =
  /^\{% capture (\w+) %\}([\s\S]*)\{% endcapture %\}\{% if \1 == "true" %\}false\{% else %\}true\{% endif %\}$/;

function inOrder(refusals: readonly (readonly string[])[]): string {
  const texts = refusals.map((it) => JSON.stringify(it));
  return texts.sort().join('\n');
}

/** Whether the platform refuses the handoffs that it is to refuse, by the ways of each tool. */
export function checkHandoffGuards({ graph, squad, standing }: Comparison): Finding[] {
  return [...groupBy(squad.destinations, ({ tool }) => tool)].flatMap(([tool, destinations]) => {
    const passages = destinations.flatMap((it) => standing.get(it) ?? []);
    if (tool === null || passages.length === 0) return [];
    const wanted = wantedRefusals(passages.map(({ condition }) => condition));
    if (givenRefusals(tool.value) === wanted) return [];
    const { called } = squad.members[destinations[0]!.member]!;
    const source = new Set(passages.map((it) => it.condition?.at ?? placeOf(graph, it)));
    const place = Object.hasOwn(tool.value, 'rejectionPlan') ? '/rejectionPlan' : '';
    return [
      finding(false, ofTools.handoffGuardedOtherwise(called), [...source], [tool.at + place]),
    ];
  });
}
