/**
 * Where the platform cannot decide exactly although an answer asks it to (`guard`).
 *
 * In: the graph with answers applied, its regions, what its variables do. Out: warnings. Three
 * things stand in the way: a way that stays in one assistant and calls no tool that could be refused; a tool that another way leads to without a guard, so that it is never refused;
 * and a variable that the assistant has from the conversation alone, so that the platform, which
 * stores it at the next handoff, does not know it yet.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { append } from '../../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { JsonPointer, NodeIndex } from '../ir/ids.js';
import type { Region, RegionMap, Step } from '../ir/region-map.js';
import type { Diagnostic } from '../ir/result.js';
import type { VariableFlow } from '../ir/variable-flow.js';
import type { Condition, GivenTool } from '../ir/workflow.js';
import { createDefinitions } from './definitions.js';
import { hasGuards } from './features.js';
import { isGuarded } from './guards.js';
import { createInnerWalks, type InnerWalks, type Reach } from './inner-walks.js';
import { listToolWays, type ToolWay, type ToolWays } from './tool-ways.js';

export function warnAboutGuards(
  graph: FlowGraph,
  flow: VariableFlow,
  map: RegionMap,
): Diagnostic[] {
  if (!hasGuards(graph.workflow)) return [];
  const definitions = createDefinitions(graph);
  const findings = map.regions.flatMap((region) => {
    const guarded = listGuarded(graph, map, region);
    if (guarded.length === 0) return [];
    const ways = listToolWays(graph, map, region);
    const walks = createInnerWalks(graph, region, definitions);
    const reachOf = reachIn(flow, walks);
    return guarded.flatMap((way) => examine(graph, way, ways, reachOf));
  });
  const together = new Map<string, Finding[]>();
  for (const finding of findings) append(together, JSON.stringify(finding.key), finding);
  return [...together.values()].map(([first, ...others]) => {
    const places = [first!, ...others].flatMap(({ related }) => related);
    return first!.diagnose([...new Set(places)]);
  });
}

/** A way out of a node, or to a global node from wherever the assistant is. */
interface GuardedWay {
  readonly condition: Condition;
  readonly from: NodeIndex | null;
  readonly to: NodeIndex;
  readonly kind: Step['kind'];
}

/** What one assistant has to say of a condition; those of the same key are said once. */
interface Finding {
  readonly key: readonly string[];
  readonly related: readonly JsonPointer[];
  readonly diagnose: (related: readonly JsonPointer[]) => Diagnostic;
}

function listGuarded(graph: FlowGraph, map: RegionMap, region: Region): GuardedWay[] {
  const { nodes, edges } = graph.workflow;
  const ways = region.steps.flatMap(({ edge, from, to, kind }): GuardedWay[] => {
    const { condition } = edges[edge]!;
    return condition !== null && isGuarded(condition) ? [{ condition, from, to, kind }] : [];
  });
  const own = new Set(region.nodes);
  const globals = graph.globals.flatMap((to): GuardedWay[] => {
    const { global, role } = nodes[to]!;
    const condition = global?.condition ?? null;
    if (condition === null || !isGuarded(condition)) return [];
    if (role === 'exit') return [{ condition, from: null, to, kind: 'exit' }];
    if (!own.has(to)) return [{ condition, from: null, to, kind: 'handoff' }];
    // The call is where the condition leads already, unless nobody hands over to it at all.
    if (role === 'talk' && map.regions.length > 1) return [];
    return [{ condition, from: null, to, kind: 'inner' }];
  });
  return [...ways, ...globals];
}

function examine(
  graph: FlowGraph,
  way: GuardedWay,
  ways: ToolWays,
  reachOf: (name: string) => Reach | null,
): Finding[] {
  const { condition, to, kind } = way;
  const node = graph.workflow.nodes[to]!;
  const { at } = condition;
  if (kind === 'inner' && (node.role === 'talk' || node.tools.some(staysAsItIs))) {
    const key = ['lower/guard-within', at];
    return [
      { key, related: [], diagnose: () => diagnose('lower/guard-within', at, { node: node.id }) },
    ];
  }
  const open = kind === 'handoff' ? [] : waysTo(graph, to, ways).filter(isOpen);
  if (open.length > 0) {
    return [
      {
        key: ['lower/guard-shared', at],
        related: open.map((it) => it.at),
        diagnose: (related) => diagnose('lower/guard-shared', at, { node: node.id }, { related }),
      },
    ];
  }
  return findUnseen(way, reachOf);
}

/** A tool that the platform keeps, or that says itself when it is refused. */
function staysAsItIs({ value }: GivenTool): boolean {
  return value === null || Object.hasOwn(value.value, 'rejectionPlan');
}

function waysTo({ workflow }: FlowGraph, to: NodeIndex, ways: ToolWays): readonly ToolWay[] {
  const { type } = workflow.nodes[to]!;
  return type === 'endCall' || type === 'hangup' ? ways.toEnd : ways.to(to);
}

function isOpen({ condition }: ToolWay): boolean {
  return !isGuarded(condition);
}

/** Variables that are to be judged while only the assistant knows them. */
function findUnseen(
  { condition, from }: GuardedWay,
  reachOf: (name: string) => Reach | null,
): Finding[] {
  const { at, uses } = condition;
  return [...new Set(uses.map(({ name }) => name))].flatMap((variable) => {
    const reach = reachOf(variable);
    const captures = (from === null ? reach?.anywhere() : reach?.at(from)) ?? [];
    if (captures.length === 0) return [];
    return [
      {
        key: ['data/guard-unseen', at, variable],
        related: captures.map(({ capture }) => capture.at),
        diagnose: (related) => diagnose('data/guard-unseen', at, { variable }, { related }),
      },
    ];
  });
}

/** Walks inside the region, looked at when a condition first asks for a variable. */
function reachIn({ variables }: VariableFlow, walks: InnerWalks): (name: string) => Reach | null {
  const known = new Map<string, Reach | null>();
  return (name) => {
    const variable = variables.get(name);
    if (!known.has(name)) known.set(name, variable === undefined ? null : walks.reach(variable));
    return known.get(name) ?? null;
  };
}
