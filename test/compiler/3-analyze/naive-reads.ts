/** Reads of a variable on random small workflows, and the walks to them, tried one by one. */
import fc from 'fast-check';
import { computeFlowGraph } from '../../../src/compiler/3-analyze/flow-graph.js';
import { computeVariableFlow } from '../../../src/compiler/3-analyze/variables.js';
import type { FlowGraph } from '../../../src/compiler/ir/flow-graph.js';
import type { NodeIndex } from '../../../src/compiler/ir/ids.js';
import type { Variable, VariableFlow } from '../../../src/compiler/ir/variable-flow.js';
import { captures, parsed } from '../build.js';

/** What a node does with the variable `x`. */
interface Part {
  readonly captures: boolean;
  readonly reads: boolean;
  readonly condition: boolean;
  readonly isGlobal: boolean;
  readonly globalRead: boolean;
}

export interface Ground {
  readonly graph: FlowGraph;
  readonly flow: VariableFlow;
  /** Null where no node has to do with it. */
  readonly variable: Variable | null;
}

const rarely = fc.nat(4).map((number) => number === 4);
const part: fc.Arbitrary<Part> = fc.record({
  captures: fc.nat(2).map((number) => number === 2),
  reads: fc.nat(2).map((number) => number === 2),
  condition: rarely,
  isGlobal: rarely,
  globalRead: rarely,
});

/** Up to six nodes, the first the start; edges of all kinds. */
export const ground: fc.Arbitrary<Ground> = fc
  .record({
    parts: fc.array(part, { minLength: 1, maxLength: 6 }),
    arcs: fc.array(fc.tuple(fc.nat(5), fc.nat(5)), { maxLength: 10 }),
  })
  .map(({ parts, arcs }) => {
    const inside = arcs.filter(([from, to]) => from < parts.length && to < parts.length);
    const source = parsed({
      nodes: Object.fromEntries(parts.map((each, at) => [`n${at}`, fieldsOf(each, at)])),
      edges: inside.map(([from, to]) =>
        parts[from]!.condition ? `n${from} > n${to}: knows {{x}}` : `n${from} > n${to}`,
      ),
    });
    const graph = computeFlowGraph(source, 0 as NodeIndex);
    const flow = computeVariableFlow(graph);
    return { graph, flow, variable: flow.variables.get('x') ?? null };
  });

function fieldsOf({ captures: sets, reads, isGlobal, globalRead }: Part, at: number) {
  return {
    systemPrompt: reads ? `Talk of {{x}} ${at}.` : `Talk ${at}.`,
    ...(sets ? captures('x') : {}),
    ...(isGlobal && at > 0
      ? { isGlobal, condition: globalRead ? `asks for {{x}} ${at}` : `asks ${at}` }
      : {}),
  };
}

/** The nodes that a call can go on to from this one. */
export function next({ graph }: Ground, node: number): number[] {
  const edges = graph.workflow.edges.filter(({ from }) => from === node).map(({ to }) => to);
  return [...new Set([...edges, ...graph.globals])];
}

export function isSet({ variable }: Ground, node: number): boolean {
  return variable?.captures.some((site) => site.node === node) === true;
}

/** Whether some walk from the entry of the node reads the variable before it is set. */
export function naiveLive(at: Ground, node: number, seen = new Set<number>()): boolean {
  const variable = at.variable!;
  if (seen.has(node)) return false;
  seen.add(node);
  if (variable.reads.includes(node as NodeIndex)) return true;
  if (isSet(at, node)) return false;
  if (variable.conditionReads.includes(node as NodeIndex)) return true;
  if (variable.globalReads.length > 0) return true;
  return next(at, node).some((after) => naiveLive(at, after, seen));
}

/** Lengths of the shortest walks to a read, by whether the variable was set on the way. */
export function naiveReach(
  at: Ground,
  read: { readonly node: number; readonly at: 'entry' | 'exit' },
): { set: number | null; unset: number | null } {
  const { start } = at.graph;
  const lengths: { set: number | null; unset: number | null } = { set: null, unset: null };
  let states = new Map<string, readonly [number, boolean]>([[`${start} false`, [start, false]]]);
  const seen = new Set<string>();
  for (let length = 1; states.size > 0; length += 1) {
    const after = new Map<string, readonly [number, boolean]>();
    for (const [key, [node, known]] of states) {
      seen.add(key);
      const knownAfter = known || isSet(at, node);
      const atRead = read.at === 'entry' ? known : knownAfter;
      if (node === read.node) lengths[atRead ? 'set' : 'unset'] ??= length;
      for (const to of next(at, node)) {
        const state = `${to} ${knownAfter}`;
        if (!seen.has(state)) after.set(state, [to, knownAfter]);
      }
    }
    states = after;
  }
  return lengths;
}
