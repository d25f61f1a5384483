/**
 * Whether the platform refuses the handoffs that it is to refuse.
 *
 * The ways of a handoff tool are those of all its destinations; one that stands for none is a fault
 * of another item.
 */
import type { JsonPointer } from '../../compiler/ir/ids.js';
import type { JsonObject } from '../../compiler/ir/json.js';
import type { Condition } from '../../compiler/ir/workflow.js';
import { ofTools } from '../../diagnostics/checklist.js';
import type { Comparison } from '../comparison.js';
import { type Finding, finding } from '../item.js';
import { givenRefusals, wantedRefusals } from './guards.js';

interface HandoffTool {
  readonly at: JsonPointer;
  readonly value: JsonObject;
  readonly member: number;
  readonly ways: (Condition | null)[];
  readonly source: Set<JsonPointer>;
}

/** The faults; nothing where there are none. */
export function checkHandoffGuards(comparison: Comparison): Finding[] {
  if (!isAnythingGuarded(comparison)) return [];
  return listHandoffTools(comparison).flatMap(({ at, value, member, ways, source }) => {
    if (ways.length === 0 || givenRefusals(value) === wantedRefusals(ways)) return [];
    const place = Object.hasOwn(value, 'rejectionPlan') ? `${at}/rejectionPlan` : at;
    const text = () => ofTools.handoffGuardedOtherwise(comparison.nameOf(member));
    return [finding(false, text, [...source], [place])];
  });
}

function isAnythingGuarded({ graph, squad }: Comparison): boolean {
  return (
    squad.destinations.some(({ tool }) => Object.hasOwn(tool, 'rejectionPlan')) ||
    graph.edges.some(({ condition }) => condition !== null && condition.guard !== null) ||
    graph.globals.some(({ global }) => (global?.condition?.guard ?? null) !== null)
  );
}

function listHandoffTools({ squad, match, placeOf }: Comparison): HandoffTool[] {
  const tools = new Map<JsonPointer, HandoffTool>();
  for (const destination of squad.destinations) {
    const { member, tool: value, toolAt: at } = destination;
    if (at === null) continue;
    const tool = tools.get(at) ?? { at, value, member, ways: [], source: new Set() };
    tools.set(at, tool);
    for (const { condition, edge, to } of match.passagesOf(destination)) {
      tool.ways.push(condition);
      tool.source.add(condition?.at ?? edge?.at ?? placeOf(to));
    }
  }
  return [...tools.values()];
}
