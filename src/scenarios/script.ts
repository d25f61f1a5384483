/**
 * A walk → the script of a test call: what the tester does, what the assistant is expected to do, and
 * which edges that covers. Both outputs, scenarios of the platform and Markdown, are written from it.
 */
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { Capture } from '../compiler/ir/workflow.js';
import { groupBy } from '../graph/lists.js';
import { type Moment, momentOf } from './moments.js';
import { type Sample, type ToolsOf, writeResponse } from './tools.js';
import { chooseValues, namesSet, type Values } from './values.js';
import type { Step } from './walks.js';

export interface Script {
  /** From 1 up. */
  readonly number: number;
  readonly turns: readonly Turn[];
  /** Each edge and each entered global node once, in the order of the walk. */
  readonly covers: readonly Covered[];
  readonly mocks: readonly Mock[];
  /** Variables that the call has to start with. */
  readonly supplied: ReadonlyMap<string, Sample>;
  readonly end: End;
}

/** A step of a walk: what decides there, and what is said. */
export interface Turn extends Moment {
  readonly says: readonly Said[];
  /** Names of the tools that the assistant calls. */
  readonly tools: readonly string[];
}

/** A value that the tester says when asked for it. */
export interface Said {
  readonly capture: Capture;
  readonly value: Sample;
}

export interface Covered {
  readonly at: JsonPointer;
  /** Null for a global node, which is entered from anywhere. */
  readonly from: string | null;
  readonly to: string;
  readonly condition: string | null;
}

export interface Mock {
  readonly tool: string;
  /** JSON text. */
  readonly result: string;
}

/** How the call ends; `stops`: the workflow says no more; `endless`: it repeats forever. */
export type End = 'transferCall' | 'endCall' | 'hangup' | 'stops' | 'endless';

export function writeScripts(
  graph: FlowGraph,
  walks: readonly (readonly Step[])[],
  toolsOf: ToolsOf,
): Script[] {
  const set = namesSet(graph);
  return walks.map((walk, index) => {
    const moments = walk.map((step, at) => momentOf(graph, step, walk[at - 1], toolsOf));
    const values = chooseValues(set, moments);
    const covered = walk.slice(1).map((step) => coveredOf(graph, step));
    return {
      number: index + 1,
      turns: moments.map((moment, at) => {
        // Nobody says a value that is derived.
        const captures = moment.node.captures.filter(({ alias }) => alias === undefined);
        const says = captures.map((capture) => {
          return { capture, value: values.said(at, capture.name) };
        });
        const tools = [...new Set(moment.calls.map(({ tool }) => tool))];
        return { ...moment, says, tools };
      }),
      covers: [...new Map(covered.map((each) => [each.at, each])).values()],
      mocks: mocksOf(moments, values),
      supplied: values.supplied,
      end: endOf(graph, walk.at(-1)!),
    };
  });
}

/** How an edge, or the step into a global node, is named. */
export function coveredOf({ workflow }: FlowGraph, { node, arrival }: Step): Covered {
  const to = workflow.nodes[node]!;
  if (arrival.kind !== 'edge') {
    return { at: to.at, from: null, to: to.id, condition: to.global?.condition?.value ?? null };
  }
  const { at, from, condition } = workflow.edges[arrival.edge]!;
  return { at, from: workflow.nodes[from]!.id, to: to.id, condition: condition?.value ?? null };
}

/** The rule that words the condition of the edge for a failed tool. */
const failedTool = 'failed-tool';

/**
 * One response per tool, for all its calls. Where no value decides, it says in words what has to become
 * true; if the walk takes the edge for a failed tool, the tool fails.
 */
function mocksOf(moments: readonly Moment[], values: Values): Mock[] {
  const calls = moments.flatMap((moment, at) =>
    moment.calls.map((call) => ({ ...call, next: moments[at + 1]?.condition ?? null })),
  );
  return [...groupBy(calls, ({ tool }) => tool)].map(([tool, all]) => {
    if (all.some(({ next }) => next?.rule === failedTool)) {
      return { tool, result: writeResponse([[['error'], 'The call failed.']]) };
    }
    const paths = new Map(all.flatMap((call) => [...call.paths]));
    const given = [...paths].map(([name, path]) => [path, values.given(tool, name)] as const);
    const outcomes = all.flatMap(({ next }) => (next === null || next.logical ? [] : next.value));
    const told = [...new Set(outcomes)].map(
      (outcome, at, { length }) =>
        [length === 1 ? ['outcome'] : ['outcomes', at], outcome] as const,
    );
    return { tool, result: writeResponse([...given, ...told]) };
  });
}

function endOf({ workflow, leaving }: FlowGraph, { node }: Step): End {
  const { type, role } = workflow.nodes[node]!;
  if (role === 'exit') return type as End;
  return leaving[node]!.length === 0 ? 'stops' : 'endless';
}
