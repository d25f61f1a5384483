/**
 * The tools that a walk calls, and what a mock of one answers. A mock must have exactly the name that the
 * tool has in the squad, so the names are taken from there.
 */
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import type { NodeIndex } from '../compiler/ir/ids.js';
import { createToolNames } from '../compiler/ir/names.js';
import type { RegionMap } from '../compiler/ir/region-map.js';
import type { SquadIr } from '../compiler/ir/squad-ir.js';
import type { ToolCall } from '../compiler/ir/workflow.js';
import type { Arrival } from './walks.js';

/** A value that a tester can say, or a tool return. */
export type Sample = string | number | boolean;

/** Keys of objects and positions in lists, from the root of a response. */
export type ResponsePath = readonly (string | number)[];

export interface WalkedTool {
  readonly tool: string;
  /** Where its response contains the variables that it sets. */
  readonly paths: ReadonlyMap<string, ResponsePath>;
}

/** The tools that are called at a node after this arrival. */
export type ToolsOf = (node: NodeIndex, arrival: Arrival) => readonly WalkedTool[];

/** These work in a simulation too. */
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
    // The name of a tool that the platform stores is unknown.
    const mocked = tools.filter(({ value }) => value && !unmocked.has(value.value['type']));
    return [
      ...(asked ? called(asked) : []),
      ...requestAt(index),
      ...mocked.map(({ name, variables }) => plain(name, variables)),
      ...calls.flatMap(called),
    ];
  };
}

/** A list is filled up to the position that is read. */
const longestList = 1000;
const deepest = 100;

/** The steps of `$.a.b[0]`, with or without `$.` and Liquid's braces; null if it is not a path. */
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
 * The JSON text of a response with these values. If one place is inside another, the inner one wins; of
 * an object and a list in one place, the first.
 */
export function writeResponse(values: readonly (readonly [ResponsePath, Sample])[]): string {
  const top: Branch = {};
  for (const [path, value] of values) {
    let branch = top;
    let key: string | number = 'response';
    const fits = path.every((step) => {
      const isList = typeof step === 'number';
      // Without a prototype, `__proto__` is a key like any other.
      if (typeof branch[key] !== 'object') branch[key] = isList ? [] : Object.create(null);
      const inner = branch[key] as Branch;
      [branch, key] = [inner, step];
      return Array.isArray(inner) === isList;
    });
    if (fits) branch[key] ??= value;
  }
  return JSON.stringify(top['response'] ?? {});
}
