/**
 * A walk → the script of a test call: what the tester does, what the assistant is expected to do,
 * which edges that covers. Both outputs, the platform's scenarios and Markdown, are written from it.
 */

import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { Capture, Condition, WorkflowNode } from '../compiler/ir/workflow.js';
import { groupBy } from '../graph/lists.js';
import { type Moment, momentOf } from './moments.js';
import {
  type ResponsePath,
  type Sample,
  type ToolsOf,
  type WalkedTool,
  writeResponse,
} from './tools.js';
import { chooseValues, namesSet, type Values } from './values.js';
import type { Crossing, Step } from './walks.js';

export interface Script {
  /** From 1 up. */
  readonly number: number;
  readonly turns: readonly Turn[];
  /** Each edge and each step into a global node once, in the order of the walk. */
  readonly covers: readonly Covered[];
  readonly mocks: readonly Mock[];
  /** Variables that the call has to begin with. */
  readonly supplied: ReadonlyMap<string, Sample>;
  readonly end: End;
}

export interface Turn {
  readonly node: WorkflowNode;
  readonly arrival: Moment['arrival']['kind'];
  /** What has to come true for the call to come here; null where nothing has to. */
  readonly way: Condition | null;
  /** Whether the way leads on from a tool's call, so that its answer has a say in it. */
  readonly afterTool: boolean;
  /** Where the way has no condition: those of the ways beside it, which must not come true. */
  readonly avoided: readonly Condition[];
  readonly says: readonly Said[];
  /** Names of the tools that the assistant calls. */
  readonly tools: readonly string[];
}

/** A value that the tester says where it is asked for. */
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

/** How the call is over; `stops`: the workflow says no more; `endless`: it goes on for good. */
export type End = 'transferCall' | 'endCall' | 'hangup' | 'stops' | 'endless';

export function writeScripts(
  graph: FlowGraph,
  walks: readonly (readonly Step[])[],
  toolsOf: ToolsOf,
): Script[] {
  const set = namesSet(graph);
  return walks.map((walk, index) => {
    const moments = walk.map((step, at) => momentOf(graph, step, walk[at - 1], toolsOf));
    const values = chooseValues(graph, set, moments);
    return {
      number: index + 1,
      turns: moments.map((moment, step) =>
        turnOf(graph, moment, moments[step - 1] ?? null, values.said.bind(null, step)),
      ),
      covers: coversOf(graph, walk),
      mocks: mocksOf(moments, values),
      supplied: values.supplied,
      end: endOf(graph, walk.at(-1)!),
    };
  });
}

function turnOf(
  { workflow }: FlowGraph,
  moment: Moment,
  before: Moment | null,
  said: (variable: string) => Sample,
): Turn {
  const node = workflow.nodes[moment.node]!;
  const leftTool = before !== null && workflow.nodes[before.node]!.role === 'act';
  return {
    node,
    arrival: moment.arrival.kind,
    way: moment.way,
    afterTool: leftTool && moment.arrival.kind === 'edge',
    avoided: moment.way === null ? moment.beside : [],
    // What is derived nobody says.
    says: node.captures
      .filter(({ alias }) => alias === undefined)
      .map((capture) => ({ capture, value: said(capture.name) })),
    tools: [...new Set(moment.calls.map(({ tool }) => tool))],
  };
}

function coversOf(graph: FlowGraph, walk: readonly Step[]): Covered[] {
  const covered = walk.flatMap(({ node, arrival }) =>
    arrival.kind === 'start' ? [] : coveredOf(graph, { ...arrival, to: node }),
  );
  return [...new Map(covered.map((each) => [each.at, each])).values()];
}

/** An edge, or the step into a global node, as it is named. */
export function coveredOf({ workflow }: FlowGraph, crossing: Crossing): Covered {
  const to = workflow.nodes[crossing.to]!;
  if (crossing.kind === 'global') {
    return { at: to.at, from: null, to: to.id, condition: to.global?.condition?.value ?? null };
  }
  const { at, from, condition } = workflow.edges[crossing.edge]!;
  return { at, from: workflow.nodes[from]!.id, to: to.id, condition: condition?.value ?? null };
}

/** The rule that words the mark for the way that a failed tool takes. */
const failedTool = 'failed-tool';

/**
 * One answer per tool, for all its calls. It says in words what has to come true of it where no
 * value does; a tool after which the walk goes the way of failure fails.
 */
function mocksOf(moments: readonly Moment[], values: Values): Mock[] {
  const calls = moments.flatMap((moment, at) =>
    moment.calls.map((call) => ({ ...call, next: moments[at + 1]?.way ?? null })),
  );
  return [...groupBy(calls, ({ tool }) => tool)].map(([tool, all]) => {
    if (all.some(({ next }) => next?.rule === failedTool)) {
      return { tool, result: writeResponse([[['error'], 'The call failed.']]) };
    }
    const given = placesOf(all).map(([name, path]) => [path, values.given(tool, name)] as const);
    const outcomes = all.flatMap(({ next }) => (next === null || next.logical ? [] : next.value));
    const told = [...new Set(outcomes)].map(
      (outcome, at, { length }) =>
        [length === 1 ? ['outcome'] : ['outcomes', at], outcome] as const,
    );
    return { tool, result: writeResponse([...given, ...told]) };
  });
}

function placesOf(calls: readonly WalkedTool[]): (readonly [string, ResponsePath])[] {
  return [...new Map(calls.flatMap(({ paths }) => [...paths]))];
}

function endOf({ workflow, leaving }: FlowGraph, { node }: Step): End {
  const { type, role } = workflow.nodes[node]!;
  if (role === 'exit') return type as End;
  return leaving[node]!.length === 0 ? 'stops' : 'endless';
}
