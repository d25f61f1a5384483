/**
 * The tools that a walk calls, by the names that the squad gives them.
 *
 * A mock must bear the tool's name exactly, and that is the squad's affair: names are made legal
 * and unique among all tools, equal nodes share one. So the names are read off the squad that the
 * same options give rather than made a second time.
 */
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import type { NodeIndex } from '../compiler/ir/ids.js';
import { createToolNames } from '../compiler/ir/names.js';
import type { RegionMap } from '../compiler/ir/region-map.js';
import type { SquadIr } from '../compiler/ir/squad-ir.js';
import type { GivenTool, ToolCall, WorkflowNode } from '../compiler/ir/workflow.js';
import { type ResponsePath, readResponsePath } from './response-path.js';
import type { Arrival } from './walks.js';

export interface WalkedTool {
  readonly tool: string;
  /** The variables that its response sets. */
  readonly variables: readonly string[];
  /** Where they stand in the response. */
  readonly paths: ReadonlyMap<string, ResponsePath>;
}

/** The tools that are called at a node that was come to in this way. */
export type ToolsOf = (node: NodeIndex, arrival: Arrival) => readonly WalkedTool[];

export function createToolsOf(
  { workflow }: FlowGraph,
  { representative }: RegionMap,
  squad: SquadIr,
): ToolsOf {
  const names = new Map<NodeIndex, string>();
  for (const { tools } of squad.assistants) {
    for (const tool of tools) {
      if (tool.kind !== 'request' && tool.kind !== 'function') continue;
      if (tool.node !== null) names.set(tool.node, tool.name!.value);
    }
  }
  const requestAt = (index: NodeIndex): WalkedTool[] => {
    const node = workflow.nodes[index]!;
    const tool = names.get(representative[index]! as NodeIndex);
    return node.request === null || tool === undefined ? [] : [requestTool(node, tool)];
  };
  const called = ({ tool, node, variables }: ToolCall): WalkedTool[] =>
    node === null ? [withoutPaths(createToolNames()(tool).name, variables)] : requestAt(node);
  return (index, arrival) => {
    const node = workflow.nodes[index]!;
    const asked = arrival.kind === 'global' ? node.global?.condition?.call : null;
    return [
      ...(asked ? called(asked) : []),
      ...requestAt(index),
      ...node.tools.filter(mayMock).map(({ name, variables }) => withoutPaths(name, variables)),
      ...node.calls.flatMap(called),
    ];
  };
}

function requestTool({ request }: WorkflowNode, tool: string): WalkedTool {
  const responses = request!.responses;
  return {
    tool,
    variables: responses.map(({ name }) => name),
    paths: new Map(
      responses.map(({ name, path, value }) => [
        name,
        readResponsePath(value?.value ?? path) ?? [name],
      ]),
    ),
  };
}

function withoutPaths(tool: string, variables: readonly string[]): WalkedTool {
  return { tool, variables, paths: new Map(variables.map((name) => [name, [name]])) };
}

/** What ends or leaves a call, or presses keys, does so in a simulation, too. */
const unmocked: ReadonlySet<unknown> = new Set(['transferCall', 'endCall', 'handoff', 'dtmf']);

/** Of a tool that the platform keeps the name is not known. */
function mayMock({ value }: GivenTool): boolean {
  return value !== null && !unmocked.has(value.value['type']);
}
