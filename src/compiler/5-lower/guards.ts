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
import type { FlowGraph } from '../ir/flow-graph.js';
import type { JsonPointer, NodeIndex } from '../ir/ids.js';
import { synthesized, type Traced, traced } from '../ir/provenance.js';
import type { Region, RegionMap, Step } from '../ir/region-map.js';
import type { Diagnostic } from '../ir/result.js';
import type { CaptureSite, VariableFlow } from '../ir/variables.js';
import type { Condition, GivenTool } from '../ir/workflow.js';
import { endsCall, listCalls } from './members.js';
import { createVisits, settingsIn } from './visits.js';

/** What refuses a tool that is called under these conditions; a way without a guard is always open. */
export function refusalsOf(conditions: readonly (Condition | null)[]): readonly Traced<string>[] {
  const refusals = new Map<string, Traced<string>>();
  for (const condition of conditions) {
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
export interface ToolWay {
  readonly condition: Condition | null;
  readonly at: JsonPointer;
}

export interface ToolWays {
  /** The ways to the tool of a request, a given tool or a transfer. */
  readonly to: (node: NodeIndex) => readonly ToolWay[];
  /** The ways on which the assistant ends the call: all nodes that end it share one tool. */
  readonly toEnd: readonly ToolWay[];
}

/** On which ways an assistant comes to its tools. */
export function listToolWays(graph: FlowGraph, map: RegionMap, region: Region): ToolWays {
  const { nodes, edges } = graph.workflow;
  const ways = new Map<NodeIndex, ToolWay[]>();
  const add = (node: NodeIndex, condition: Condition | null, at: JsonPointer): void => {
    append(ways, node, { condition, at: condition?.at ?? at });
  };
  for (const { kind, edge, to } of region.steps) {
    const { condition, at } = edges[edge]!;
    if (kind !== 'handoff') add(to, condition, at);
  }
  for (const node of graph.globals) {
    const { global, at } = nodes[node]!;
    add(node, global?.condition ?? null, at);
  }
  // What comes from another assistant has begun already, under a condition that was met there.
  for (const node of region.entries) add(node, null, nodes[node]!.at);
  for (const { node, at } of region.nodes.flatMap((it) => listCalls(graph, region, it))) {
    if (node !== null) add(map.representative[node]! as NodeIndex, null, at);
  }
  const ends = [...ways].filter(([node]) => endsCall(nodes[node]!));
  return { to: (node) => ways.get(node) ?? [], toEnd: ends.flatMap(([, all]) => all) };
}

/**
 * Where the platform cannot decide exactly although an answer asks it to (`guard`): a way stays in one
 * assistant and calls no tool that could be refused; another way leads to the same tool without a guard;
 * or the assistant has a variable from the conversation alone, which the platform stores at the next
 * handoff.
 */
export function warnAboutGuards(
  graph: FlowGraph,
  { variables }: VariableFlow,
  map: RegionMap,
): Diagnostic[] {
  const findings = map.regions.flatMap((region) => {
    const guarded = listGuarded(graph, map, region);
    if (guarded.length === 0) return [];
    const ways = listToolWays(graph, map, region);
    const visits = createVisits(graph.workflow.nodes, region);
    const capturesAt = (name: string, from: NodeIndex | null): readonly CaptureSite[] => {
      const variable = variables.get(name);
      if (variable === undefined) return [];
      const settings = settingsIn(region, variable);
      if (from === null) return visits.anywhere(settings).captures;
      return visits.onLeaving(settings, new Set([from])).get(from)!.captures;
    };
    return guarded.flatMap((way) => examine(graph, way, ways, capturesAt));
  });
  // What several assistants have to say of a condition is said once.
  const together = groupBy(findings, ({ code, at, args }) => JSON.stringify([code, at, args]));
  return [...together.values()].map((same) => {
    const related = [...new Set(same.flatMap((it) => it.related))];
    const { code, at, args } = same[0]!;
    return diagnose<Code>(code, at, args, { related });
  });
}

type Code = 'lower/guard-within' | 'lower/guard-shared' | 'data/guard-unseen';

/** What one assistant has to say of a condition. */
interface Finding {
  readonly code: Code;
  readonly at: JsonPointer;
  readonly args: { readonly node: string } & { readonly variable: string };
  readonly related: readonly JsonPointer[];
}

/** A way out of a node, or to a global node from wherever the assistant is. */
interface GuardedWay {
  readonly condition: Condition;
  readonly from: NodeIndex | null;
  readonly to: NodeIndex;
  readonly kind: Step['kind'];
}

function listGuarded(graph: FlowGraph, map: RegionMap, region: Region): GuardedWay[] {
  const { nodes, edges } = graph.workflow;
  const isGuarded = (condition: Condition | null): condition is Condition =>
    condition !== null && condition.guard !== null;
  const ways = region.steps.flatMap(({ edge, from, to, kind }): GuardedWay[] => {
    const { condition } = edges[edge]!;
    return isGuarded(condition) ? [{ condition, from, to, kind }] : [];
  });
  const own = new Set(region.nodes);
  const globals = graph.globals.flatMap((to): GuardedWay[] => {
    const { global, role } = nodes[to]!;
    const condition = global?.condition ?? null;
    if (!isGuarded(condition)) return [];
    if (role === 'exit') return [{ condition, from: null, to, kind: 'exit' }];
    if (!own.has(to)) return [{ condition, from: null, to, kind: 'handoff' }];
    // The call is where the condition leads already, unless nobody hands over to it at all.
    if (role === 'talk' && map.regions.length > 1) return [];
    return [{ condition, from: null, to, kind: 'inner' }];
  });
  return [...ways, ...globals];
}

function examine(
  { workflow }: FlowGraph,
  { condition, from, to, kind }: GuardedWay,
  ways: ToolWays,
  capturesAt: (name: string, from: NodeIndex | null) => readonly CaptureSite[],
): Finding[] {
  const node = workflow.nodes[to]!;
  const { at, uses } = condition;
  const args = { node: node.id, variable: '' };
  if (kind === 'inner' && (node.role === 'talk' || node.tools.some(staysAsItIs))) {
    return [{ code: 'lower/guard-within', at, args, related: [] }];
  }
  const others = endsCall(node) ? ways.toEnd : ways.to(to);
  const open = others.filter((way) => (way.condition?.guard ?? null) === null);
  if (kind !== 'handoff' && open.length > 0) {
    return [{ code: 'lower/guard-shared', at, args, related: open.map((way) => way.at) }];
  }
  return [...new Set(uses.map(({ name }) => name))].flatMap((variable): Finding[] => {
    const related = capturesAt(variable, from).map(({ capture }) => capture.at);
    if (related.length === 0) return [];
    return [{ code: 'data/guard-unseen', at, args: { node: '', variable }, related }];
  });
}

/** A tool that the platform keeps, or that says itself when it is refused. */
function staysAsItIs({ value }: GivenTool): boolean {
  return value === null || Object.hasOwn(value.value, 'rejectionPlan');
}
