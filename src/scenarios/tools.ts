/**
 * The tools that a walk calls, by the names that the squad gives them, and what a mock of one answers.
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
import type { ToolCall } from '../compiler/ir/workflow.js';
import type { Arrival } from './walks.js';

/** A value that a tester can say, or a tool give. */
export type Sample = string | number | boolean;

/** Keys of objects and positions in lists, from the root of a response. */
export type ResponsePath = readonly (string | number)[];

export interface WalkedTool {
  readonly tool: string;
  /** Where the variables that its response sets stand in it. */
  readonly paths: ReadonlyMap<string, ResponsePath>;
}

/** The tools that are called at a node that was come to in this way. */
export type ToolsOf = (node: NodeIndex, arrival: Arrival) => readonly WalkedTool[];

/** What ends or leaves a call, or presses keys, does so in a simulation, too. */
const unmocked: ReadonlySet<unknown> = new Set(['transferCall', 'endCall', 'handoff', 'dtmf']);

export function createToolsOf(
  { workflow }: FlowGraph,
  { representative }: RegionMap,
  { assistants }: SquadIr,
): ToolsOf {
  const names = new Map<NodeIndex, string>();
  for (const tool of assistants.flatMap(({ tools }) => tools)) {
    const isRequest = tool.kind === 'request' || tool.kind === 'function';
    if (isRequest && tool.node !== null) names.set(tool.node, tool.name!.value);
  }
  const requestAt = (index: NodeIndex): WalkedTool[] => {
    const { request } = workflow.nodes[index]!;
    const tool = names.get(representative[index]! as NodeIndex);
    if (request === null || tool === undefined) return [];
    const paths = request.responses.map(({ name, path, value }) => {
      return [name, readResponsePath(value?.value ?? path) ?? [name]] as const;
    });
    return [{ tool, paths: new Map(paths) }];
  };
  const plain = (tool: string, variables: readonly string[]): WalkedTool => {
    return { tool, paths: new Map(variables.map((name) => [name, [name]])) };
  };
  const called = ({ tool, node, variables }: ToolCall): WalkedTool[] =>
    node === null ? [plain(createToolNames()(tool).name, variables)] : requestAt(node);
  return (index, arrival) => {
    const { global, tools, calls } = workflow.nodes[index]!;
    const asked = arrival.kind === 'global' ? global?.condition?.call : null;
    // Of a tool that the platform keeps the name is not known.
    const mocked = tools.filter(({ value }) => value && !unmocked.has(value.value['type']));
    return [
      ...(asked ? called(asked) : []),
      ...requestAt(index),
      ...mocked.map(({ name, variables }) => plain(name, variables)),
      ...calls.flatMap(called),
    ];
  };
}

/** Lists are filled up to the position that is asked for; beyond this nobody means a sample. */
const longestList = 1000;
const deepest = 100;

/**
 * The steps of `$.a.b[0]`, with or without `$.` and Liquid's braces round it; null for what is more
 * than a path.
 */
export function readResponsePath(text: string): ResponsePath | null {
  const path = text
    .trim()
    .replace(/^\{\{(.*)\}\}$/s, (_, inner: string) => inner.trim())
    .replace(/^\$\.?/, '');
  const step = /\.?([\p{L}_][\p{L}\p{N}_-]*)|\[(\d{1,9})\]/uy;
  const steps: (string | number)[] = [];
  while (step.lastIndex < path.length) {
    const found = step.exec(path);
    if (found === null || steps.length === deepest) return null;
    steps.push(found[1] ?? Number(found[2]));
  }
  const isSmall = steps.every((each) => typeof each === 'string' || each < longestList);
  return steps.length > 0 && isSmall ? steps : null;
}

type Branch = Record<string | number, unknown>;

/**
 * The JSON text of a response with these values. Where one place lies inside of another the inner
 * one wins; objects and lists cannot stand in one place, the first that is asked for does.
 */
export function writeResponse(values: readonly (readonly [ResponsePath, Sample])[]): string {
  const top: Branch = {};
  for (const [path, value] of values) {
    let branch = top;
    let key: string | number = 'response';
    const fits = path.every((step) => {
      const isList = typeof step === 'number';
      // Without a prototype, so that a key such as `__proto__` is a key like any other.
      if (typeof branch[key] !== 'object') branch[key] = isList ? [] : Object.create(null);
      const inner = branch[key] as Branch;
      [branch, key] = [inner, step];
      return Array.isArray(inner) === isList;
    });
    if (fits) branch[key] ??= value;
  }
  return JSON.stringify(top['response'] ?? {});
}
