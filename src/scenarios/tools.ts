/**
 * The tools that a walk calls, and what a mock of one answers. A mock must have exactly the name that
 * the tool has in the squad, so the names are taken from there.
 */
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import { toToolName } from '../compiler/ir/names.js';
import type { RegionMap } from '../compiler/ir/region-map.js';
import type { SquadIr } from '../compiler/ir/squad-ir.js';
import type { ToolCall, WorkflowNode } from '../compiler/ir/workflow.js';
import type { Sample } from './values.js';

export interface WalkedTool {
  readonly tool: string;
  /** Where its response contains the variables that it sets. */
  readonly paths: ReadonlyMap<string, ResponsePath>;
}

/** Keys of objects and positions in lists, from the root of a response. */
export type ResponsePath = readonly (string | number)[];

/** The tools that are called at a node; a jump into a global node may call one before. */
export type ToolsOf = (node: WorkflowNode, isJump: boolean) => readonly WalkedTool[];

/** These say nothing back, so no step can depend on them. */
const unmocked: ReadonlySet<unknown> = new Set(['transferCall', 'endCall', 'handoff', 'dtmf']);

/** Every tool of a squad that must not act in a test. The end of the call and handoffs are tested. */
export function listToMock({ assistants }: SquadIr): string[] {
  const tools = assistants.flatMap((it) =>
    it.tools.filter(({ kind }) => !/^(?:handoff|end)$/.test(kind)),
  );
  const names = tools.flatMap(({ kind, name }) =>
    kind === 'transfer' ? 'transferCall' : (name?.value ?? []),
  );
  return [...new Set(names)].filter((name) => name !== 'endCall');
}

export function createToolsOf(
  { workflow }: FlowGraph,
  { representative }: RegionMap,
  { assistants }: SquadIr,
): ToolsOf {
  const tools = assistants.flatMap((it) => it.tools);
  const requests = tools.filter(({ kind }) => kind === 'request' || kind === 'function');
  const names = new Map<unknown, string>(requests.map((it) => [it.node, it.name!.value]));
  const requestOf = ({ index, request }: WorkflowNode): WalkedTool[] => {
    const tool = names.get(representative[index]);
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
    node === null ? [plain(toToolName(tool), variables)] : requestOf(workflow.nodes[node]!);
  return (node, isJump) => {
    const before = isJump ? node.global?.condition?.call : null;
    // The name of a tool that the platform stores is unknown.
    const mocked = node.tools.filter(({ value }) => value && !unmocked.has(value.value['type']));
    return [
      ...(before ? called(before) : []),
      ...requestOf(node),
      ...mocked.map(({ name, variables }) => plain(name, variables)),
      ...node.calls.flatMap(called),
    ];
  };
}

const key = '[\\p{L}_][\\p{L}\\p{N}_-]*';
/** A list is filled up to the position that is read, so positions are small. */
const responsePath = new RegExp(`^(?:${key}|\\[\\d{1,3}\\])(?:\\.${key}|\\[\\d{1,3}\\])*$`, 'u');

/** The steps of `$.a.b[0]`, with or without `$.` and Liquid's braces; null if it is not a path. */
function readResponsePath(text: string): ResponsePath | null {
  const path = text
    .replace(/^\s*\{\{(.*)\}\}\s*$/s, '$1')
    .trim()
    .replace(/^\$\.?/, '');
  if (path.length > 500 || !responsePath.test(path)) return null;
  return path.match(/[^.[\]]+/g)!.map((step) => (/^\d/.test(step) ? Number(step) : step));
}

/**
 * The JSON text of a response with these values. If one place is inside another, the inner one wins;
 * of an object and a list in one place, the first.
 */
export function writeResponse(values: readonly (readonly [ResponsePath, Sample])[]): string {
  const put = (held: unknown, [step, ...rest]: ResponsePath, value: Sample): unknown => {
    if (step === undefined) return held ?? value;
    const isList = typeof step === 'number';
    // Without a prototype, `__proto__` is a key like any other.
    const fresh: object = isList ? [] : Object.create(null);
    const holder = (typeof held === 'object' ? held : fresh) as Record<string | number, unknown>;
    if (Array.isArray(holder) === isList) holder[step] = put(holder[step], rest, value);
    return holder;
  };
  let response: unknown;
  for (const [path, value] of values) response = put(response, path, value);
  return JSON.stringify(response ?? {});
}
