/**
 * Conditions that the platform enforces.
 *
 * The platform refuses a call of a tool where all texts of its rejection plan print `true`; a guard
 * prints `true` where its condition holds, so a refusal says the opposite. A tool is refused where
 * none of its ways is open: where one edge leads to a transfer when `tier == 'gold'` and another
 * without a condition, the platform cannot refuse the transfer.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { append, groupBy } from '../../graph/lists.js';
import type { JsonPointer, NodeIndex } from '../ir/ids.js';
import { synthesized, type Traced, traced } from '../ir/provenance.js';
import type { RegionMap } from '../ir/region-map.js';
import type { Diagnostic } from '../ir/result.js';
import type { Condition, GivenTool, WorkflowNode } from '../ir/workflow.js';
import { endsCall, type Member, type Way } from './members.js';
import { type Planned, wordAnywhere, wordsOnLeaving } from './plans.js';

/** What refuses a tool that these ways lead to; a way without a guard is always open. */
export function refusalsOf(ways: readonly Pick<Opening, 'condition'>[]): readonly Traced<string>[] {
  const refusals = new Map<string, Traced<string>>();
  for (const { condition } of ways) {
    if (condition === null || condition.guard === null) return [];
    // The name is set after the guard is rendered, so the guard may use the same one.
    const text =
      `{% capture squadc_open %}${condition.guard}{% endcapture %}` +
      `{% if squadc_open == "true" %}false{% else %}true{% endif %}`;
    refusals.set(text, traced(text, synthesized('guard', [condition.at])));
  }
  return [...refusals.values()];
}

/** One way to a tool, and where the source has it. */
interface Opening {
  readonly condition: Condition | null;
  readonly at: JsonPointer;
}

export type Openings = (node: WorkflowNode) => readonly Opening[];

/** The ways to an assistant's tool for a node. All nodes that end the call share one tool. */
export function listOpenings(
  { representative }: RegionMap,
  { region, nodes, ways, calls }: Member,
): Openings {
  const openings = new Map<NodeIndex, Opening[]>();
  const ending: WorkflowNode[] = [];
  for (const { kind, to, condition, at } of ways) {
    if (kind === 'handoff') continue;
    if (endsCall(to) && !openings.has(to.index)) ending.push(to);
    append(openings, to.index, { condition, at: condition?.at ?? at });
  }
  // What comes from another assistant has begun already, under a condition that was met there.
  const entered = new Set(region.entries);
  for (const { index, at } of nodes) {
    if (entered.has(index)) append(openings, index, { condition: null, at });
  }
  for (const { call } of calls) {
    if (call.node === null) continue;
    append(openings, representative[call.node]!, { condition: null, at: call.at });
  }
  const toEnd = ending.flatMap(({ index }) => openings.get(index)!);
  return (node) => (endsCall(node) ? toEnd : (openings.get(node.index) ?? []));
}

type Code = 'lower/guard-within' | 'lower/guard-shared' | 'data/guard-unseen';

/** What one assistant has to say of a condition. */
interface Finding {
  readonly code: Code;
  readonly at: JsonPointer;
  readonly args: { readonly node: string } & { readonly variable: string };
  readonly related: readonly JsonPointer[];
}

/**
 * Where the platform cannot decide exactly although an answer asks it to (`guard`): a way stays in one
 * assistant and calls no tool that could be refused; another way leads to the same tool without a guard;
 * or the assistant has a variable from the conversation alone, which the platform stores at the next
 * handoff.
 */
export function warnAboutGuards(squad: Planned): Diagnostic[] {
  const { map, members } = squad;
  const findings = members.flatMap((member) => {
    const guarded = member.ways.filter(({ condition, from, to, kind }) => {
      if (condition === null || condition.guard === null) return false;
      // The call is where the condition leads already, unless nobody hands over to it at all.
      return from !== null || kind !== 'inner' || to.role !== 'talk' || members.length === 1;
    });
    if (guarded.length === 0) return [];
    const openings = listOpenings(map, member);
    return guarded.flatMap((way) => examine(squad, member, way, openings));
  });
  // What several assistants have to say of a condition is said once.
  const together = groupBy(findings, ({ code, at, args }) => JSON.stringify([code, at, args]));
  return [...together.values()].map((same) => {
    const related = [...new Set(same.flatMap((it) => it.related))];
    const { code, at, args } = same[0]!;
    return diagnose<Code>(code, at, args, { related });
  });
}

function examine(
  { flow, sites }: Planned,
  member: Member,
  { condition, from, to, kind }: Way,
  openings: Openings,
): Finding[] {
  const { at, uses } = condition!;
  const args = { node: to.id, variable: '' };
  if (kind === 'inner' && (to.role === 'talk' || to.tools.some(staysAsItIs))) {
    return [{ code: 'lower/guard-within', at, args, related: [] }];
  }
  const open = openings(to).filter((way) => (way.condition?.guard ?? null) === null);
  if (kind !== 'handoff' && open.length > 0) {
    return [{ code: 'lower/guard-shared', at, args, related: open.map((way) => way.at) }];
  }
  return [...new Set(uses.map(({ name }) => name))].flatMap((variable): Finding[] => {
    const own = sites.get(flow.variables.get(variable)!)?.get(member);
    if (own === undefined) return [];
    const word =
      from === null
        ? wordAnywhere(own)
        : wordsOnLeaving(own, new Set([from.index])).get(from.index)!;
    const related = word.captures.map(({ capture }) => capture.at);
    if (related.length === 0) return [];
    return [{ code: 'data/guard-unseen', at, args: { node: '', variable }, related }];
  });
}

/** A tool that the platform keeps, or that says itself when it is refused. */
function staysAsItIs({ value }: GivenTool): boolean {
  return value === null || Object.hasOwn(value.value, 'rejectionPlan');
}
